//===- Output.cpp - Files that nm-compile writes --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace nm;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Elements and characters from which a dump leaves a constant out.
static constexpr int64_t kLargeElements = 16;
static constexpr int64_t kLargeResource = 64;

static llvm::Error makeError(StringRef file, std::error_code error) {
  return llvm::createStringError("cannot write `" + file +
                                 "`: " + error.message());
}

llvm::Error nm::checkWritable(StringRef file) {
  if (file == "-")
    return llvm::Error::success();
  if (fs::is_directory(file))
    return makeError(file, std::make_error_code(std::errc::is_a_directory));
  // A new file takes the place of an old one, so the directory is what counts.
  StringRef directory = path::parent_path(file);
  if (std::error_code error =
          fs::access(directory.empty() ? StringRef(".") : directory,
                     fs::AccessMode::Write))
    return makeError(file, error);
  return llvm::Error::success();
}

llvm::Error nm::makeDirectory(StringRef directory) {
  if (std::error_code error = fs::create_directories(directory))
    return makeError(directory, error);
  if (std::error_code error = fs::access(directory, fs::AccessMode::Write))
    return makeError(directory, error);
  return llvm::Error::success();
}

/// Prints to `os`; fails if not all of it reaches the file.
static llvm::Error
printTo(llvm::raw_fd_ostream &os, StringRef file,
        llvm::function_ref<void(llvm::raw_ostream &)> print) {
  print(os);
  os.flush();
  if (!os.has_error())
    return llvm::Error::success();
  std::error_code error = os.error();
  os.clear_error();
  return makeError(file, error);
}

llvm::Error
nm::writeOutput(StringRef file,
                llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (file == "-")
    return printTo(llvm::outs(), file, print);
  if (fs::exists(file) && !fs::is_regular_file(file)) {
    // A device cannot be replaced.
    std::error_code error;
    llvm::raw_fd_ostream os(file, error);
    return error ? makeError(file, error) : printTo(os, file, print);
  }
  auto temporary = fs::TempFile::create(file + ".%%%%%%%%");
  if (!temporary)
    return makeError(file, llvm::errorToErrorCode(temporary.takeError()));
  llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  if (llvm::Error error = printTo(os, file, print))
    return llvm::joinErrors(std::move(error), temporary->discard());
  return temporary->keep(file);
}

std::string nm::getDumpName(size_t number, StringRef stage) {
  return llvm::formatv("{0,0+2}-{1}.mlir", number, stage).str();
}

llvm::Error nm::dumpStage(StringRef directory, size_t number, StringRef stage,
                          mlir::ModuleOp module) {
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(kLargeElements);
  flags.elideLargeResourceString(kLargeResource);
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, flags);
  return dumpText(directory, getDumpName(number, stage), text);
}

llvm::Error nm::dumpText(StringRef directory, StringRef name, StringRef text) {
  llvm::SmallString<128> file(directory);
  path::append(file, name);
  return writeOutput(file, [&](llvm::raw_ostream &os) { os << text; });
}
