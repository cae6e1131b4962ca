//===- UsedBytes.h - Which bytes of a register anything uses ----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM merges neighbouring loads into one that is wider than they are together,
// and picks the bytes that it wanted out of the register. What else it loads
// may be memory that nobody wrote, and is no error: no result depends on it.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_USEDBYTES_H
#define NM_LIB_EMULATOR_USEDBYTES_H

#include "Program.h"

namespace nm {
namespace emulator {

/// For each register of `kernel`, by number, a bit for each of its bytes that
/// some instruction uses for more than to copy it to where nothing uses it. It
/// is followed through moves, shifts, permutations, masks and conversions;
/// every other instruction counts as a use of all that it reads. The decoder
/// has taken every instruction, so each has the operands and types that it
/// needs.
std::vector<uint8_t> findUsedBytes(const ParsedKernel &kernel);

/// The bytes in memory of element `index` of the load `access` that reach a
/// used byte of its register, whose used bytes are `used`.
uint64_t usedMemoryBytes(const MemoryAccess &access, unsigned index,
                         uint8_t used);

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_USEDBYTES_H
