//===- Unpack.cpp - The condensed form of a packed weight -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index says its row of the step, through a list or itself, and rows ascend
// in the condensed form; so neither the order of the rows nor the places of
// padding need to be known.
//
//===----------------------------------------------------------------------===//

#include "nm/Layout/IndexCoding.h"
#include "nm/Layout/PanelLayout.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

using namespace nm;
using namespace nm::layout;

/// Of padding, behind all rows of a step.
static constexpr int64_t kNoRow = std::numeric_limits<int64_t>::max();

/// The row of the step's tile at which unit row `unitRow` of a run begins.
static int64_t getTileRow(const Geometry &g, const PackedWeight &packed,
                          int64_t run, int64_t step, int64_t unitRow) {
  int64_t index = decodeRow(g, packed.indices, run, step, unitRow);
  if (!packed.columns)
    return index < 0 ? kNoRow : index;
  int64_t tile = run / g.unitColumns * g.steps + step;
  if (index < 0 || index >= packed.width)
    return kNoRow;
  int32_t row = packed.columns[tile * packed.width + index];
  return row < 0 ? kNoRow : row;
}

/// Copies `count` columns of the padded values from a row and column on.
static void copyColumns(const Geometry &g, const char *values, int64_t row,
                        int64_t column, int64_t count, int64_t elementBytes,
                        char *out) {
  for (int64_t end = column + count; column < end;) {
    int64_t left = g.panelColumns - column % g.panelColumns;
    int64_t part = g.laneRows == 1 ? std::min(left, end - column) : 1;
    std::memcpy(out, values + g.getValuePlace(row, column) * elementBytes,
                part * elementBytes);
    out += part * elementBytes;
    column += part;
  }
}

/// The condensed form of one run and step; false where an index names no unit
/// of its window, or one that another names.
bool PanelLayout::unpackRun(const PackedWeight &packed, int64_t run,
                            int64_t step, CondensedWeight &out) const {
  const Geometry &g = geometry;
  std::vector<int64_t> tileRows(g.unitRows), ascending(g.unitRows);
  for (int64_t r = 0; r < g.unitRows; ++r)
    tileRows[r] = getTileRow(g, packed, run, step, r);
  std::iota(ascending.begin(), ascending.end(), 0);
  std::stable_sort(
      ascending.begin(), ascending.end(),
      [&](int64_t a, int64_t b) { return tileRows[a] < tileRows[b]; });
  int64_t column = run * g.unitColumnWidth;
  int64_t columns = std::min(g.unitColumnWidth, g.n - column);
  int64_t stored = g.getStoredColumn(run / g.unitColumns, run % g.unitColumns);
  int64_t first = step * g.unitRows;
  int64_t count = std::min(g.unitRows, g.storedRows - first);
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = ascending[i];
    int64_t rowInWindow = tileRows[place] - i / g.keep * g.getWindowRows();
    bool isTwice =
        i % g.keep != 0 && tileRows[place] == tileRows[ascending[i - 1]];
    if (rowInWindow < 0 || rowInWindow >= g.getWindowRows() ||
        rowInWindow % g.unitK != 0 || isTwice)
      return false;
    out.indices[(first + i) * g.storedColumns + stored] =
        static_cast<int32_t>(rowInWindow / g.unitK);
    for (int64_t t = 0; t < g.unitK; ++t) {
      int64_t to = ((first + i) * g.unitK + t) * g.n + column;
      copyColumns(g, packed.values, (first + place) * g.unitK + t, column,
                  columns, elementBytes, out.values.data() + to * elementBytes);
    }
  }
  return true;
}

/// Runs that hold columns of the weight.
static int64_t countRuns(const Geometry &g) {
  return (g.n - 1) / g.unitColumnWidth + 1;
}

std::optional<CondensedWeight>
PanelLayout::unpack(const PackedWeight &packed, std::string &error,
                    const sparsity::RangeLoop &loop) const {
  const Geometry &g = geometry;
  CondensedWeight out;
  out.values.resize(g.getStoredValueRows() * g.n * elementBytes);
  out.indices.resize(g.storedRows * g.storedColumns);
  int64_t runs = countRuns(g);
  std::atomic<int64_t> wrong(std::numeric_limits<int64_t>::max());
  // Blocks that divide a unit repeat its index: a step is one range's.
  loop(g.steps, [&](int64_t begin, int64_t end) {
    for (int64_t place = begin * runs; place < end * runs; ++place) {
      if (unpackRun(packed, place % runs, place / runs, out))
        continue;
      int64_t known = wrong;
      while (place < known && !wrong.compare_exchange_weak(known, place)) {
      }
    }
  });
  if (wrong == std::numeric_limits<int64_t>::max())
    return out;
  error = "expected " + std::to_string(g.keep) +
          " packed indices for each window, of different units, got others "
          "in step " +
          std::to_string(wrong / runs) + " for column " +
          std::to_string(wrong % runs * g.unitColumnWidth);
  return std::nullopt;
}

void PanelLayout::unpackRow(const PackedWeight &packed, int64_t row,
                            char *out) const {
  const Geometry &g = geometry;
  int64_t step = row / g.stepK, rowInStep = row % g.stepK;
  int64_t stored = std::min(g.unitRows, g.storedRows - step * g.unitRows);
  bool isComplete = stored == g.unitRows;
  std::memset(out, 0, g.n * elementBytes);
  for (int64_t run = 0; run < countRuns(g); ++run) {
    int64_t column = run * g.unitColumnWidth;
    int64_t columns = std::min(g.unitColumnWidth, g.n - column);
    for (int64_t r = 0; r < g.unitRows; ++r) {
      int64_t tileRow = getTileRow(g, packed, run, step, r);
      // Padding names rows of windows that the weight has not.
      if (tileRow == kNoRow || rowInStep < tileRow ||
          rowInStep >= tileRow + g.unitK ||
          (!isComplete && tileRow / g.getWindowRows() >= stored / g.keep))
        continue;
      copyColumns(g, packed.values,
                  (step * g.unitRows + r) * g.unitK + rowInStep - tileRow,
                  column, columns, elementBytes, out + column * elementBytes);
    }
  }
}
