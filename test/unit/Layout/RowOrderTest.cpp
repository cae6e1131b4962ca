//===- RowOrderTest.cpp - Orders of the rows of a step --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Layout/RowOrder.h"
#include "nm/Layout/Geometry.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace nm::layout;

static std::vector<int32_t> getOrder(RowOrder order,
                                     const std::vector<int32_t> &rows) {
  std::vector<int32_t> result(rows.size(), -1);
  getFunction(order)(rows.data(), rows.size(), result.data());
  return result;
}

/// `count` of the rows below 64, ascending.
static std::vector<int32_t> drawRows(size_t count, std::mt19937 &rng) {
  std::vector<int32_t> rows(64);
  std::iota(rows.begin(), rows.end(), 0);
  std::shuffle(rows.begin(), rows.end(), rng);
  rows.resize(count);
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST(RowOrderTest, EachRowStandsOnce) {
  std::mt19937 rng(1);
  for (RowOrder order : getRowOrders()) {
    SCOPED_TRACE(toString(order));
    for (size_t count : {0, 1, 7, 8, 16, 33, 64}) {
      if (!getFunction(order))
        continue;
      std::vector<int32_t> result = getOrder(order, drawRows(count, rng));
      std::sort(result.begin(), result.end());
      for (size_t i = 0; i < count; ++i)
        EXPECT_EQ(result[i], static_cast<int32_t>(i));
    }
  }
}

/// Rows of the first eight of `rows` in an order that lie on banks of others.
static size_t countBanks(const std::vector<int32_t> &rows,
                         const std::vector<int32_t> &order) {
  std::set<int32_t> banks;
  for (size_t i = 0; i < 8; ++i)
    banks.insert(rows[order[i]] % 8);
  return banks.size();
}

TEST(RowOrderTest, BanksDifferWhereTheyCan) {
  // Of each bank two rows: both halves of a fragment's k can have all banks.
  std::vector<int32_t> rows = {0,  8,  1,  9,  2,  10, 3,  11,
                               20, 12, 21, 13, 22, 14, 23, 15};
  std::vector<int32_t> order = getOrder(RowOrder::Banks, rows);
  for (int64_t half : {0, 8}) {
    std::vector<int32_t> ofHalf;
    for (int64_t place = half; place < half + 8; ++place)
      ofHalf.push_back(order[getFragmentRow(place)]);
    EXPECT_EQ(countBanks(rows, ofHalf), 8u);
  }
  // All rows on one bank: any order is as good.
  rows = {0, 8, 16, 24, 32, 40, 48, 56};
  EXPECT_EQ(countBanks(rows, getOrder(RowOrder::Banks, rows)), 1u);
}
