//===- ShowProgram.cpp - Programs for readers -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShowProgram.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace nm;
using program::Program;

bool nm::isProgramPath(llvm::StringRef path) { return path.ends_with(".nm"); }

static std::string describe(const program::Result &result) {
  bool isAllocated =
      !result.type.isScalar && result.place == program::ResultPlace::Allocated;
  return result.type.str() + (isAllocated ? " (allocated in the call)" : "");
}

static void showFunction(const program::Entry &entry, llvm::raw_ostream &os) {
  auto name = [](const std::vector<std::string> &names, size_t index) {
    return names.empty() || names[index].empty() ? "#" + std::to_string(index)
                                                 : names[index];
  };
  os << "function " << entry.name << "\n";
  for (size_t i = 0; i < entry.arguments.size(); ++i)
    os << "  takes  " << name(entry.argumentNames, i) << ": "
       << entry.arguments[i].str() << "\n";
  for (size_t i = 0; i < entry.results.size(); ++i)
    os << "  gives  " << name(entry.resultNames, i) << ": "
       << describe(entry.results[i]) << "\n";
}

static const char *getKindName(program::ConstantKind kind) {
  switch (kind) {
  case program::ConstantKind::Constant:
    return "";
  case program::ConstantKind::State:
    return " state";
  case program::ConstantKind::Initial:
    return " initial";
  }
  llvm_unreachable("unknown kind of constant");
}

static void showConstants(const Program &program, llvm::raw_ostream &os) {
  uint64_t bytes = 0;
  for (const program::Constant &constant : program.constants)
    bytes += constant.data.size();
  os << llvm::formatv("constants: {0}, {1} bytes\n", program.constants.size(),
                      bytes);
  for (const program::Constant &constant : program.constants)
    os << llvm::formatv("  {0,12}  {1}{2}  {3}\n", constant.data.size(),
                        toString(constant.extents, constant.element),
                        getKindName(constant.kind), constant.name);
}

void nm::showProgram(const program::File &file, bool withCode,
                     llvm::raw_ostream &os) {
  const Program &program = file.getProgram();
  os << "program of " << program.source << ", by nm " << program.version
     << " with LLVM " << program.llvmVersion << ", format "
     << program::kFormatVersion << "\n";
  for (const program::Entry &entry : program.entries)
    showFunction(entry, os);
  size_t dependent = llvm::count_if(
      program.kernels, [](const auto &kernel) { return kernel.isDependent; });
  os << "kernels: " << program.kernels.size() << ", chosen for " << program.chip
     << (dependent ? ", overlapping" : "") << "\n";
  for (const program::Image &image : program.images)
    os << llvm::formatv("  {0,12}  {1} for {2}\n", image.bytes.size(),
                        image.kind == program::ImageKind::PTX ? "PTX"
                                                              : "machine code",
                        image.chip);
  showConstants(program, os);
  if (!withCode)
    return;
  for (const program::Function &function : program.functions)
    os << program::disassemble(program, function);
}
