//===- RowOrder.h - In which order the rows of a step lie -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LAYOUT_ROWORDER_H
#define NM_LAYOUT_ROWORDER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nm {
namespace layout {

/// Rows of a tile that follow each other and lie on all banks, of sixteen bytes
/// each, as many as a load gathers at once: their pitch is an odd multiple of
/// that (getRowPadding). An order for the banks is by rows modulo these.
inline constexpr int64_t kBankRows = 8;

/// The order of k, and those of RowOrders.def.
enum class RowOrder {
  Ascending,
#define NM_ROW_ORDER(name, text, function) name,
#include "nm/Layout/RowOrders.def"
#undef NM_ROW_ORDER
};

/// Writes to `order` which of the `count` unit rows of a step comes first,
/// second and so on: each once. `rows` says where in the step's tile of A the
/// unit rows begin.
using RowOrderFunction = void (*)(const int32_t *rows, int64_t count,
                                  int32_t *order);

/// What makes an order; null for that of k, which needs nothing.
RowOrderFunction getFunction(RowOrder order);
std::string toString(RowOrder order);
/// The order of that text, if there is one.
std::optional<RowOrder> lookupRowOrder(const std::string &text);
std::vector<RowOrder> getRowOrders();

} // namespace layout
} // namespace nm

#endif // NM_LAYOUT_ROWORDER_H
