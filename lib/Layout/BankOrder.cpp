//===- BankOrder.cpp - Rows that follow each other on other banks ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowOrderFunctions.h"
#include "nm/Layout/Geometry.h"
#include "nm/Layout/RowOrder.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

using namespace nm::layout;

/// Every eight rows that follow each other differ modulo 8 as far as there are
/// such.
static void spread(const int32_t *rows, int64_t count, int32_t *order) {
  std::array<std::vector<int32_t>, kBankRows> ofBanks;
  for (int64_t r = count; r-- != 0;)
    ofBanks[rows[r] % kBankRows].push_back(static_cast<int32_t>(r));
  auto isFuller = [&](int64_t a, int64_t b) {
    return ofBanks[a].size() > ofBanks[b].size();
  };
  std::array<int64_t, kBankRows> banks;
  std::iota(banks.begin(), banks.end(), 0);
  for (int64_t i = 0; i < count;) {
    // One of each, of those with most first, as they fill up a group.
    std::stable_sort(banks.begin(), banks.end(), isFuller);
    for (int64_t bank : banks) {
      if (ofBanks[bank].empty() || i == count)
        break;
      order[i++] = ofBanks[bank].back();
      ofBanks[bank].pop_back();
      if (i % kBankRows == 0)
        break;
    }
  }
}

/// Eight rows that are spread over the banks are half the rows of a fragment;
/// those behind the last whole fragment stay beside each other.
void nm::layout::orderForBanks(const int32_t *rows, int64_t count,
                               int32_t *order) {
  std::vector<int32_t> spreadRows(count);
  spread(rows, count, spreadRows.data());
  int64_t whole = count / kFragmentRows * kFragmentRows;
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = i % kFragmentRows;
    int64_t row = i < whole ? i - place + getFragmentRow(place) : i;
    order[row] = spreadRows[i];
  }
}
