//===- ToolFiles.h - Files that a command line names ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is checked of them before any work is done, so that nothing of the
// user's is written over.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TOOL_TOOLFILES_H
#define NM_TOOL_TOOLFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace nm {

/// A file, and what names it on the command line: "--report", or "" where there
/// is no file.
struct NamedFile {
  std::string option;
  std::string path;
};

/// Fails where a file is written twice, or written and read. Standard output
/// ("-"), devices and pipes may be named as often as one likes.
llvm::Error checkDistinct(llvm::ArrayRef<NamedFile> outputs,
                          llvm::ArrayRef<NamedFile> inputs);

/// Fails for a directory, and for a device, which has no end. That there is no
/// such file is left to who opens it.
llvm::Error checkReadable(llvm::StringRef path);

} // namespace nm

#endif // NM_TOOL_TOOLFILES_H
