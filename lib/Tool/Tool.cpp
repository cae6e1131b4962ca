//===- Tool.cpp - What every tool has in common ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Tool/Tool.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>

const char *nm::getVersion() { return NM_VERSION; }
const char *nm::getLLVMVersion() { return LLVM_VERSION_STRING; }

static const char *toolName = "nm";

/// Nothing here may need memory.
static void endTool(void *, const char *reason, bool) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", toolName, reason);
  std::_Exit(1);
}

static void endWithoutMemory(void *data, const char *reason, bool isCrash) {
  std::fprintf(stderr, "%s: out of memory\n", toolName);
  endTool(data, reason, isCrash);
}

/// The standard library throws where memory is missing, and nothing catches it.
/// (A handler of `new` would be called for allocations that may fail as well.)
static void endAtException() {
  const std::type_info *type = abi::__cxa_current_exception_type();
  if (type && std::strcmp(type->name(), "St9bad_alloc") == 0)
    endWithoutMemory(nullptr, "an allocation failed", /*isCrash=*/false);
  std::abort();
}

void nm::parseCommandLine(int argc, char **argv, const char *overview) {
  namespace cl = llvm::cl;
  cl::ParseCommandLineOptions(argc, argv, overview);
  for (const auto &entry : cl::getRegisteredOptions()) {
    const cl::Option *option = entry.second;
    bool hasOneValue = option->getNumOccurrencesFlag() == cl::Optional ||
                       option->getNumOccurrencesFlag() == cl::Required;
    if (!hasOneValue || option->getNumOccurrences() < 2)
      continue;
    llvm::errs() << toolName << ": expected "
                 << (option->ArgStr.size() == 1 ? "-" : "--") << option->ArgStr
                 << " at most once, got it " << option->getNumOccurrences()
                 << " times\n";
    std::exit(1);
  }
}

void nm::startTool(const char *name) {
  toolName = name;
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << toolName << " " << getVersion() << ", LLVM " << getLLVMVersion()
       << "\n";
  });
  llvm::install_fatal_error_handler(endTool);
  llvm::install_bad_alloc_error_handler(endWithoutMemory);
  std::set_terminate(endAtException);
}
