//===- ShowProgram.h - Programs for readers ---------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_SHOWPROGRAM_H
#define NM_LIB_EXECUTION_SHOWPROGRAM_H

#include "nm/Program/File.h"

#include "llvm/Support/raw_ostream.h"

namespace nm {

/// Whether the name ends in ".nm".
bool isProgramPath(llvm::StringRef path);

/// Prints versions, functions with their types, images, constants and, with
/// `withCode`, host code.
void showProgram(const program::File &file, bool withCode,
                 llvm::raw_ostream &os);

} // namespace nm

#endif // NM_LIB_EXECUTION_SHOWPROGRAM_H
