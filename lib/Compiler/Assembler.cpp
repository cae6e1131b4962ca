//===- Assembler.cpp - From PTX to machine code by ptxas ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assembler.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <set>

using namespace nm;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Seconds that ptxas may take; large kernels take some.
static constexpr unsigned kTimeout = 600;

/// The entries of `directory` whose names start with `prefix`, sorted, so that
/// the choice does not depend on the file system.
static std::set<std::string> listEntries(const llvm::Twine &directory,
                                         StringRef prefix) {
  std::set<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error))
    if (path::filename(it->path()).starts_with(prefix))
      found.insert(it->path());
  return found;
}

/// ptxas of PyPI's nvidia-cuda-nvcc in the virtual environment `venv`, or "".
static std::string findInVenv(const llvm::Twine &venv) {
  for (const std::string &python : listEntries(venv + "/lib", "python3"))
    for (const std::string &cuda :
         listEntries(python + "/site-packages/nvidia", "cu"))
      if (std::string file = cuda + "/bin/ptxas"; fs::can_execute(file))
        return file;
  return "";
}

llvm::Expected<std::string> nm::findPtxas() {
  if (const char *given = std::getenv("NM_PTXAS"); given && *given) {
    if (fs::can_execute(given))
      return std::string(given);
    return llvm::createStringError(
        "expected NM_PTXAS to name a program, got `" + StringRef(given) + "`");
  }
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  if (const char *venv = std::getenv("VIRTUAL_ENV"))
    if (std::string file = findInVenv(venv); !file.empty())
      return file;
  static int anchor;
  std::string executable = fs::getMainExecutable(nullptr, &anchor);
  for (StringRef above = path::parent_path(executable); !above.empty();
       above = path::parent_path(above))
    if (std::string file = findInVenv(above + "/.venv"); !file.empty())
      return file;
  for (const std::string &cuda : listEntries("/usr/local", "cuda"))
    if (std::string file = cuda + "/bin/ptxas"; fs::can_execute(file))
      return file;
  return llvm::createStringError(
      "ptxas not found; install it with `pip install nvidia-cuda-nvcc`, put it "
      "on PATH or name it in NM_PTXAS, or use --emit=ptx, which every driver "
      "compiles when it loads it");
}

/// The kernel that line `line` of `ptx` lies in, or "".
static StringRef findKernelAt(StringRef ptx, unsigned line) {
  static constexpr StringRef kEntry = ".entry ";
  StringRef kernel;
  for (unsigned number = 1; number <= line && !ptx.empty(); ++number) {
    auto [text, rest] = ptx.split('\n');
    ptx = rest;
    if (size_t at = text.find(kEntry); at != StringRef::npos)
      kernel = text.substr(at + kEntry.size()).take_until([](char c) {
        return c == '(' || c == ' ';
      });
  }
  return kernel;
}

/// What ptxas printed, for an error: with the kernel, without the name of the
/// temporary file.
static std::string describeFailure(StringRef printed, StringRef ptx,
                                   StringRef file) {
  std::string text;
  llvm::SmallVector<StringRef> match;
  if (unsigned line;
      llvm::Regex(", line ([0-9]+); error").match(printed, &match) &&
      !match[1].getAsInteger(10, line))
    if (StringRef kernel = findKernelAt(ptx, line); !kernel.empty())
      text = ("in kernel `" + kernel + "`:\n").str();
  while (!printed.empty()) {
    size_t at = printed.find(file);
    text += printed.take_front(at);
    if (at == StringRef::npos)
      break;
    text += "kernels.ptx";
    printed = printed.substr(at + file.size());
  }
  text = StringRef(text).rtrim().str();
  return text.empty() ? "it printed nothing" : text;
}

/// Reads the lines that ptxas -v prints.
static llvm::StringMap<KernelResources> parseResources(StringRef printed) {
  llvm::StringMap<KernelResources> kernels;
  llvm::Regex name("Compiling entry function '([^']+)'");
  llvm::Regex stack("([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, "
                    "([0-9]+) bytes spill loads");
  llvm::Regex registers("Used ([0-9]+) registers");
  KernelResources *current = nullptr;
  llvm::SmallVector<StringRef> match;
  auto number = [&](unsigned i) {
    int64_t value = 0;
    return match[i].getAsInteger(10, value) ? 0 : value;
  };
  for (StringRef line : llvm::split(printed, '\n')) {
    if (name.match(line, &match))
      current = &kernels[match[1]];
    if (!current)
      continue;
    if (stack.match(line, &match)) {
      current->stackBytes = number(1);
      current->spillBytes = number(2) + number(3);
    }
    if (registers.match(line, &match))
      current->registers = number(1);
  }
  return kernels;
}

static llvm::Error writeFile(StringRef file, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream os(file, error, fs::CD_CreateNew);
  if (!error) {
    os << text;
    os.close();
    error = os.error();
    os.clear_error();
  }
  return error ? llvm::createFileError(file, error) : llvm::Error::success();
}

static llvm::Expected<std::string> readFile(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::createFileError(file, buffer.getError());
  return (*buffer)->getBuffer().str();
}

/// Assembles in `directory`, which only this process can enter.
static llvm::Expected<Assembly> assembleIn(StringRef directory, StringRef ptxas,
                                           StringRef ptx, StringRef chip) {
  std::string input = (directory + "/kernels.ptx").str();
  std::string output = (directory + "/kernels.cubin").str();
  std::string log = (directory + "/log").str();
  if (llvm::Error error = writeFile(input, ptx))
    return error;
  std::string arch = ("-arch=" + chip).str();
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      ptxas, {ptxas, "-v", arch, input, "-o", output}, /*Env=*/std::nullopt,
      {StringRef(), StringRef(log), StringRef(log)}, kTimeout,
      /*MemoryLimit=*/0, &message);
  auto printed = readFile(log);
  if (!printed) {
    llvm::consumeError(printed.takeError());
    printed = std::string();
  }
  if (status != 0)
    return llvm::createStringError(
        "`" + ptxas + "` failed: " +
        (message.empty() ? describeFailure(*printed, ptx, input) : message));
  auto cubin = readFile(output);
  if (!cubin)
    return cubin.takeError();
  return Assembly{std::move(*cubin), parseResources(*printed)};
}

llvm::Expected<Assembly> nm::assemble(StringRef ptxas, StringRef ptx,
                                      StringRef chip) {
  llvm::SmallString<128> directory;
  path::system_temp_directory(/*ErasedOnReboot=*/true, directory);
  path::append(directory, "nm-compile-XXXXXX");
  // mkdtemp, since what it makes is closed to other users from the start.
  if (!mkdtemp(const_cast<char *>(directory.c_str())))
    return llvm::createFileError(
        directory, std::error_code(errno, std::generic_category()));
  // A folder that is left behind is no reason to fail.
  llvm::scope_exit remove([&] {
    llvm::consumeError(
        llvm::errorCodeToError(fs::remove_directories(directory)));
  });
  return assembleIn(directory, ptxas, ptx, chip);
}
