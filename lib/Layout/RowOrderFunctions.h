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

#define NM_ROW_ORDER(name, text, function)                                     \
  void function(const int32_t *rows, int64_t count, int32_t *order);
#include "nm/Layout/RowOrders.def"
#undef NM_ROW_ORDER

} // namespace layout
} // namespace nm

#endif // NM_LIB_LAYOUT_ROWORDERFUNCTIONS_H
