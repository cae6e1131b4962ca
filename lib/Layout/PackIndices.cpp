//===- PackIndices.cpp - Indices and lists of columns ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Base/Assert.h"
#include "nm/Layout/IndexCoding.h"
#include "nm/Layout/PanelLayout.h"

#include <algorithm>

using namespace nm;
using namespace nm::layout;

/// A row that is none, until padding is given one.
static constexpr int32_t kNone = -1;

/// Re-bases the indices of one block and step to the step's tile. Rows of
/// padding are none. Columns of padding, which are never stored, repeat the
/// last column, so that they make the block read no further rows.
void PanelLayout::packTile(const Elements &stored, int64_t tile,
                           int32_t *packed) const {
  const Geometry &g = geometry;
  int64_t block = tile / g.steps, step = tile % g.steps;
  std::fill_n(packed, g.getTileIndices(), kNone);
  int64_t rows = std::min(g.unitRows, g.storedRows - step * g.unitRows);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t first = (step * g.unitRows + row) * g.storedColumns;
    for (int64_t u = 0; u < g.unitColumns; ++u) {
      int64_t column =
          std::min(g.getStoredColumn(block, u), g.storedColumns - 1);
      packed[u * g.unitRows + row] =
          g.getTileRow(row, stored.getUnsigned(first + column));
    }
  }
}

/// Renumbers the indices of one block and step to the list of the rows that
/// they name, which it returns. Padding names an entry of none.
static std::vector<int32_t> listColumns(const Geometry &g, int32_t *packed) {
  int64_t count = g.getTileIndices();
  std::vector<int32_t> units(packed, packed + count);
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  bool isPadded = !units.empty() && units.front() == kNone;
  if (isPadded)
    units.erase(units.begin());
  std::vector<int32_t> rows;
  for (int32_t unit : units)
    for (int64_t t = 0; t < g.unitK; ++t)
      rows.push_back(static_cast<int32_t>(unit + t));
  auto none = static_cast<int32_t>(rows.size());
  if (isPadded)
    rows.insert(rows.end(), g.unitK, kNone);
  for (int64_t i = 0; i < count; ++i) {
    auto place =
        std::lower_bound(units.begin(), units.end(), packed[i]) - units.begin();
    packed[i] =
        packed[i] == kNone ? none : static_cast<int32_t>(place * g.unitK);
  }
  return rows;
}

/// Names a row of the step in place of none. Values there are zero, so any row
/// that a zero fill covers will do; those of a missing window lie beyond k.
void PanelLayout::fillPadding(int32_t *packed) const {
  const Geometry &g = geometry;
  for (int64_t i = 0; i < g.getTileIndices(); ++i)
    if (packed[i] == kNone)
      packed[i] = g.getTileRow(i % g.unitRows, i % g.unitRows % g.keep);
}

/// Whether indices can say in which order each `piece` unit rows are. Only an
/// assertion asks.
[[maybe_unused]] static bool canOrder(const Geometry &g, int64_t piece) {
  return g.coding == IndexCoding::Rows ||
         (g.coding == IndexCoding::Positions &&
          g.positionRows / g.getWindowRows() * g.keep % piece == 0);
}

/// Puts the indices of one run and step, of `count` rows, into an order of each
/// `piece` of them, which it writes.
static void orderRows(RowOrderFunction function, int64_t count, int64_t piece,
                      int32_t *indices, int32_t *order) {
  std::vector<int32_t> rows(indices, indices + count);
  for (int64_t first = 0; first < count; first += piece) {
    function(rows.data() + first, piece, order + first);
    for (int64_t i = first; i < first + piece; ++i) {
      order[i] += static_cast<int32_t>(first);
      indices[i] = rows[order[i]];
    }
  }
}

/// The lists as one array of `width` entries a row, filled up with none.
static std::vector<int32_t>
padLists(const std::vector<std::vector<int32_t>> &lists, int64_t width) {
  std::vector<int32_t> padded;
  padded.reserve(lists.size() * width);
  for (const std::vector<int32_t> &list : lists) {
    padded.insert(padded.end(), list.begin(), list.end());
    padded.insert(padded.end(), width - list.size(), kNone);
  }
  return padded;
}

PackedIndices PanelLayout::packIndices(const Elements &indices,
                                       bool wantsColumns, RowOrder order,
                                       int64_t orderedRows,
                                       const sparsity::RangeLoop &loop) const {
  const Geometry &g = geometry;
  int64_t piece =
      orderedRows == 0 ? g.unitRows : g.unitRows * orderedRows / g.stepK;
  NM_ASSERT(g.unitRows % piece == 0,
            "expected rows that are ordered to be a part of a step");
  RowOrderFunction function = getFunction(order);
  NM_ASSERT(g.coding == IndexCoding::Rows || !wantsColumns,
            "expected rows, which alone are listed");
  NM_ASSERT(!function || canOrder(g, piece),
            "expected rows, or positions that count in as many");
  bool hasColumns = wantsColumns && g.stepK % g.unitK == 0;
  int64_t size = g.getTileIndices(), tiles = g.getTiles();
  PackedIndices result;
  int64_t elements = 1;
  for (int64_t extent : g.getIndicesShape())
    elements *= extent;
  result.indices.resize(elements * g.getIndexBytes());
  result.order.resize(function ? tiles * size : 0);
  std::vector<std::vector<int32_t>> lists(hasColumns ? tiles : 0);
  loop(tiles, [&](int64_t begin, int64_t end) {
    std::vector<int32_t> packed(size);
    for (int64_t tile = begin; tile < end; ++tile) {
      packTile(indices, tile, packed.data());
      if (hasColumns)
        lists[tile] = listColumns(g, packed.data());
      fillPadding(packed.data());
      for (int64_t i = 0; function && i < size; i += g.unitRows)
        orderRows(function, g.unitRows, piece, packed.data() + i,
                  result.order.data() + tile * size + i);
      encodeTile(g, tile, packed.data(), result.indices.data());
    }
  });
  for (const std::vector<int32_t> &list : lists)
    result.width = std::max<int64_t>(result.width, list.size());
  // Whole 16-byte lines of column information, unless the step is smaller.
  result.width = std::min((result.width + 3) / 4 * 4, g.stepK);
  result.columns = padLists(lists, result.width);
  return result;
}
