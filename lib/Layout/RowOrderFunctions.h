//===- RowOrderFunctions.h - The functions of RowOrders.def -----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_LAYOUT_ROWORDERFUNCTIONS_H
#define NM_LIB_LAYOUT_ROWORDERFUNCTIONS_H

#include <cstdint>

namespace nm {
namespace layout {

/// Lanes that read rows of a padded tile, 16 bytes of each: every eight rows
/// that follow each other differ modulo 8 as far as there are such.
void orderForBanks(const int32_t *rows, int64_t count, int32_t *order);

} // namespace layout
} // namespace nm

#endif // NM_LIB_LAYOUT_ROWORDERFUNCTIONS_H
