//===- RowOrder.cpp - In which order the rows of a step lie ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Layout/RowOrder.h"
#include "RowOrderFunctions.h"

using namespace nm;
using namespace nm::layout;

namespace {
struct Row {
  RowOrder order;
  const char *text;
  RowOrderFunction function;
};
} // namespace

static const Row kRows[] = {
    {RowOrder::Ascending, "ascending", nullptr},
#define NM_ROW_ORDER(name, text, function) {RowOrder::name, text, function},
#include "nm/Layout/RowOrders.def"
#undef NM_ROW_ORDER
};

RowOrderFunction nm::layout::getFunction(RowOrder order) {
  return kRows[static_cast<int>(order)].function;
}

std::string nm::layout::toString(RowOrder order) {
  return kRows[static_cast<int>(order)].text;
}

std::optional<RowOrder> nm::layout::lookupRowOrder(const std::string &text) {
  for (const Row &row : kRows)
    if (row.text == text)
      return row.order;
  return std::nullopt;
}

std::vector<RowOrder> nm::layout::getRowOrders() {
  std::vector<RowOrder> orders;
  for (const Row &row : kRows)
    orders.push_back(row.order);
  return orders;
}
