//===- UnitTiles.h - Blocks of columns for a unit ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block's columns are whole units, or a part that divides one. Tables have
// tiles for units of a power of two columns; here others get theirs.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PLANNER_UNITTILES_H
#define NM_LIB_PLANNER_UNITTILES_H

#include <cstdint>

namespace nm {

/// Whether blocks of `blockN` columns suit units of `unitN`.
bool fitsUnit(int64_t blockN, int64_t unitN);

/// How many parts of `columns` columns make a block that suits the unit: of the
/// numbers up to `most` the one whose ratio to `wanted` is nearest to one, 0
/// where there is none.
int64_t fitCount(int64_t wanted, int64_t most, int64_t columns, int64_t unitN);

} // namespace nm

#endif // NM_LIB_PLANNER_UNITTILES_H
