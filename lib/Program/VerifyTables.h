//===- VerifyTables.h - What a program holds besides its code ---*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PROGRAM_VERIFYTABLES_H
#define NM_LIB_PROGRAM_VERIFYTABLES_H

#include "nm/Program/Program.h"

namespace nm {
namespace program {

/// Checks constants, images and kernels, which code refers to.
bool verifyTables(const Program &program, std::string &error);

/// Checks that arguments are the arrays that weights of `entry` name.
bool verifyWeights(const Entry &entry, std::string &error);

/// Checks entries, whose functions have been verified.
bool verifyEntries(const Program &program, std::string &error);

} // namespace program
} // namespace nm

#endif // NM_LIB_PROGRAM_VERIFYTABLES_H
