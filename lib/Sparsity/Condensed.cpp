//===- Condensed.cpp - N:M patterns and the condensed form ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Sparsity/Condensed.h"

#include "nm/Base/Assert.h"

#include <algorithm>
#include <limits>

using namespace nm::sparsity;

namespace {

std::string str(int64_t value) { return std::to_string(value); }

/// Rounds up without overflow for any value >= 0 and divisor >= 1.
int64_t ceilDiv(int64_t value, int64_t divisor) {
  return value / divisor + (value % divisor != 0);
}

} // namespace

std::string nm::sparsity::toString(const Pattern &pattern) {
  return str(pattern.keep) + ":" +
         (pattern.window == 0 ? "all" : str(pattern.window)) + ", unit " +
         str(pattern.unitK) + "x" + str(pattern.unitN);
}

std::optional<CondensedShape> nm::sparsity::getShape(int64_t k, int64_t n,
                                                     const Pattern &pattern,
                                                     std::string &error) {
  if (k < 1 || n < 1) {
    error = "expected k and n of at least 1, got k = " + str(k) +
            " and n = " + str(n);
    return std::nullopt;
  }
  if (pattern.keep < 1 || pattern.window < 0 || pattern.unitK < 1 ||
      pattern.unitN < 1) {
    error =
        "expected a positive keep, window and unit, got " + toString(pattern);
    return std::nullopt;
  }
  CondensedShape shape;
  int64_t units = ceilDiv(k, pattern.unitK);
  shape.windowUnits = pattern.window == 0 ? units : pattern.window;
  if (pattern.keep > shape.windowUnits) {
    error = "expected at most " + str(shape.windowUnits) +
            " kept units in a window of " + str(shape.windowUnits) + ", got " +
            str(pattern.keep);
    return std::nullopt;
  }
  shape.windows = ceilDiv(units, shape.windowUnits);
  shape.unitColumns = ceilDiv(n, pattern.unitN);
  int64_t windowRows, elements;
  if (shape.windowUnits > std::numeric_limits<int32_t>::max() ||
      __builtin_mul_overflow(shape.windowUnits, pattern.unitK, &windowRows) ||
      __builtin_mul_overflow(shape.windows, pattern.keep, &shape.indexRows) ||
      __builtin_mul_overflow(shape.indexRows, pattern.unitK,
                             &shape.valueRows) ||
      __builtin_mul_overflow(shape.valueRows, n, &elements) ||
      __builtin_mul_overflow(shape.windows, windowRows, &windowRows)) {
    error = "expected sizes that fit 64 bits, got k = " + str(k) +
            ", n = " + str(n) + ", " + toString(pattern);
    return std::nullopt;
  }
  return shape;
}

int64_t Condensed::denseRow(int64_t valueRow, int64_t column) const {
  NM_ASSERT(column >= 0 && column < n, "expected a column of the weight");
  int64_t indexRow = valueRow / pattern.unitK;
  int64_t unitColumns = ceilDiv(n, pattern.unitN);
  int64_t windowUnits =
      pattern.window == 0 ? ceilDiv(k, pattern.unitK) : pattern.window;
  NM_ASSERT(indexRow >= 0 &&
                indexRow * unitColumns < static_cast<int64_t>(indices.size()),
            "expected a row of the values");
  int64_t position = indices[indexRow * unitColumns + column / pattern.unitN];
  int64_t unit = indexRow / pattern.keep * windowUnits + position;
  return unit * pattern.unitK + valueRow % pattern.unitK;
}

bool nm::sparsity::validate(const Condensed &condensed, std::string &error) {
  const Pattern &pattern = condensed.pattern;
  std::optional<CondensedShape> shape =
      getShape(condensed.k, condensed.n, pattern, error);
  if (!shape)
    return false;
  int64_t valueCount = shape->valueRows * condensed.n;
  if (static_cast<int64_t>(condensed.values.size()) != valueCount) {
    error = "expected " + str(valueCount) + " values (" +
            str(shape->valueRows) + " x " + str(condensed.n) + "), got " +
            std::to_string(condensed.values.size());
    return false;
  }
  int64_t indexCount = shape->indexRows * shape->unitColumns;
  if (static_cast<int64_t>(condensed.indices.size()) != indexCount) {
    error = "expected " + str(indexCount) + " indices (" +
            str(shape->indexRows) + " x " + str(shape->unitColumns) +
            "), got " + std::to_string(condensed.indices.size());
    return false;
  }
  for (int64_t row = 0; row < shape->indexRows; ++row) {
    for (int64_t col = 0; col < shape->unitColumns; ++col) {
      int64_t index = condensed.indices[row * shape->unitColumns + col];
      std::string place = " at row " + str(row) + ", unit column " + str(col);
      if (index < 0 || index >= shape->windowUnits) {
        error = "expected an index in [0, " + str(shape->windowUnits) +
                "), got " + str(index) + place;
        return false;
      }
      if (row % pattern.keep == 0)
        continue;
      int64_t previous =
          condensed.indices[(row - 1) * shape->unitColumns + col];
      if (index <= previous) {
        error = "expected ascending unique indices in a window, got " +
                str(index) + " after " + str(previous) + place;
        return false;
      }
    }
  }
  return true;
}

/// Says which window has too many non-zero units.
static std::string describeWindow(const NonZeroMask &mask,
                                  const Pattern &pattern,
                                  const CondensedShape &shape, int64_t window,
                                  int64_t unitColumn, int64_t count) {
  int64_t windowRows = shape.windowUnits * pattern.unitK;
  int64_t firstRow = window * windowRows;
  int64_t lastRow = std::min(firstRow + windowRows, mask.rows()) - 1;
  int64_t firstColumn = unitColumn * pattern.unitN;
  int64_t lastColumn =
      std::min(firstColumn + pattern.unitN, mask.columns()) - 1;
  return "expected at most " + str(pattern.keep) + " of " +
         str(shape.windowUnits) + " units kept in each window, got " +
         str(count) + " in window " + str(window) + " of unit column " +
         str(unitColumn) + " (rows " + str(firstRow) + " to " + str(lastRow) +
         ", columns " + str(firstColumn) + " to " + str(lastColumn) + ")";
}

/// Writes the positions kept of one window, ascending: the non-zero ones and as
/// many of the lowest others as are missing.
static void selectWindow(const NonZeroMask &units, int64_t unitColumn,
                         int64_t firstUnit, int64_t keep, int64_t nonZeros,
                         int32_t *out, int64_t stride) {
  int64_t spare = keep - nonZeros;
  for (int64_t position = 0; keep != 0; ++position) {
    int64_t unit = firstUnit + position;
    bool nonZero = unit < units.rows() && units.test(unit, unitColumn);
    if (!nonZero && spare == 0)
      continue;
    spare -= !nonZero;
    --keep;
    *out = static_cast<int32_t>(position);
    out += stride;
  }
}

namespace {
/// Selects the indices of a weight.
struct Selection {
  /// Fills unit columns [begin, end), up to the first window that has a column
  /// with too many units.
  void fill(int64_t begin, int64_t end);

  const NonZeroMask &units;
  const Pattern &pattern;
  const CondensedShape &shape;
  std::vector<int32_t> indices;
  /// The first window of each unit column that was found to have too many
  /// units; the number of windows where none was.
  std::vector<int64_t> broken;
};
} // namespace

void Selection::fill(int64_t begin, int64_t end) {
  bool isBroken = false;
  for (int64_t window = 0; window < shape.windows && !isBroken; ++window) {
    int64_t firstUnit = window * shape.windowUnits;
    int32_t *row = indices.data() + window * pattern.keep * shape.unitColumns;
    for (int64_t col = begin; col < end; ++col) {
      int64_t count = units.count(col, firstUnit, shape.windowUnits);
      if (count > pattern.keep) {
        broken[col] = window;
        isBroken = true;
        continue;
      }
      selectWindow(units, col, firstUnit, pattern.keep, count, row + col,
                   shape.unitColumns);
    }
  }
}

std::optional<std::vector<int32_t>>
nm::sparsity::selectIndices(const NonZeroMask &mask, const Pattern &pattern,
                            std::string &error, const RangeLoop &loop) {
  std::optional<CondensedShape> shape =
      getShape(mask.rows(), mask.columns(), pattern, error);
  if (!shape)
    return std::nullopt;
  NonZeroMask units = mask.units(pattern.unitK, pattern.unitN);
  Selection selection{
      units, pattern, *shape,
      std::vector<int32_t>(
          static_cast<size_t>(shape->indexRows * shape->unitColumns)),
      std::vector<int64_t>(static_cast<size_t>(shape->unitColumns),
                           shape->windows)};
  loop(shape->unitColumns,
       [&](int64_t begin, int64_t end) { selection.fill(begin, end); });
  // Of the first window the first column, however the columns were divided.
  auto first =
      std::min_element(selection.broken.begin(), selection.broken.end());
  if (*first == shape->windows)
    return std::move(selection.indices);
  int64_t column = first - selection.broken.begin();
  int64_t count =
      units.count(column, *first * shape->windowUnits, shape->windowUnits);
  error = describeWindow(mask, pattern, *shape, *first, column, count);
  return std::nullopt;
}

std::optional<Condensed> nm::sparsity::condense(const double *dense, int64_t k,
                                                int64_t n,
                                                const Pattern &pattern,
                                                std::string &error) {
  std::optional<CondensedShape> shape = getShape(k, n, pattern, error);
  if (!shape)
    return std::nullopt;
  NonZeroMask mask = NonZeroMask::create(k, n, [&](int64_t row, int64_t col) {
    return dense[row * n + col] != 0;
  });
  std::optional<std::vector<int32_t>> indices =
      selectIndices(mask, pattern, error);
  if (!indices)
    return std::nullopt;
  Condensed result;
  result.k = k;
  result.n = n;
  result.pattern = pattern;
  result.indices = std::move(*indices);
  result.values.resize(static_cast<size_t>(shape->valueRows * n));
  for (int64_t row = 0; row < shape->valueRows; ++row)
    for (int64_t col = 0; col < n; ++col)
      if (int64_t source = result.denseRow(row, col); source < k)
        result.values[row * n + col] = dense[source * n + col];
  return result;
}

std::vector<double> nm::sparsity::expand(const Condensed &condensed) {
  int64_t n = condensed.n;
  std::vector<double> dense(static_cast<size_t>(condensed.k * n), 0.0);
  int64_t valueRows = static_cast<int64_t>(condensed.values.size()) / n;
  for (int64_t row = 0; row < valueRows; ++row)
    for (int64_t col = 0; col < n; ++col)
      if (int64_t target = condensed.denseRow(row, col); target < condensed.k)
        dense[target * n + col] = condensed.values[row * n + col];
  return dense;
}
