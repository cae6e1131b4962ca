//===- ToolFiles.cpp - Files that a command line names --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Tool/ToolFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace nm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Whether a second writer would take something from the first.
static bool canBeLost(llvm::StringRef file) {
  return !file.empty() && file != "-" &&
         (!fs::exists(file) || fs::is_regular_file(file));
}

static bool isSameFile(llvm::StringRef a, llvm::StringRef b) {
  if (fs::equivalent(a, b))
    return true;
  // Neither need exist, but their directories do.
  auto resolve = [](llvm::StringRef file) {
    llvm::SmallString<128> directory;
    llvm::StringRef parent = path::parent_path(file);
    if (fs::real_path(parent.empty() ? "." : parent, directory))
      directory = parent;
    path::append(directory, path::filename(file));
    return directory;
  };
  return resolve(a) == resolve(b);
}

llvm::Error nm::checkDistinct(llvm::ArrayRef<NamedFile> outputs,
                              llvm::ArrayRef<NamedFile> inputs) {
  auto check = [](const NamedFile &output,
                  const NamedFile &other) -> llvm::Error {
    if (!canBeLost(output.path) || other.path.empty() || other.path == "-" ||
        !isSameFile(output.path, other.path))
      return llvm::Error::success();
    return llvm::createStringError("expected another file for " +
                                   output.option + " than for " + other.option +
                                   ", got `" + output.path + "` for both");
  };
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (const NamedFile &earlier : outputs.take_front(i))
      if (llvm::Error error = check(outputs[i], earlier))
        return error;
    for (const NamedFile &input : inputs)
      if (llvm::Error error = check(outputs[i], input))
        return error;
  }
  return llvm::Error::success();
}

llvm::Error nm::checkReadable(llvm::StringRef file) {
  fs::file_status status;
  if (file == "-" || fs::status(file, status))
    return llvm::Error::success();
  const char *kind = status.type() == fs::file_type::directory_file
                         ? "directory"
                     : status.type() == fs::file_type::character_file ||
                             status.type() == fs::file_type::block_file
                         ? "device"
                         : nullptr;
  if (!kind)
    return llvm::Error::success();
  return llvm::createStringError("cannot read `" + file +
                                 "`: expected a file or a pipe, got a " + kind);
}
