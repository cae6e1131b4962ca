//===- Geometry.cpp - Panels, blocks and steps of a weight ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Layout/Geometry.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

using namespace nm;
using namespace nm::layout;

static std::string toText(int64_t value) { return std::to_string(value); }

/// Rounds up without overflow for any value >= 0 and divisor >= 1.
static int64_t divideCeil(int64_t value, int64_t divisor) {
  return value / divisor + (value % divisor != 0);
}

/// Whether the product of `factors` is at most `limit`.
static bool isWithin(std::initializer_list<int64_t> factors, int64_t limit) {
  int64_t product = 1;
  for (int64_t factor : factors)
    if (__builtin_mul_overflow(product, factor, &product))
      return false;
  return product <= limit;
}

/// Whether the bytes of all parts fit 64 bits, and the rows of a step's tile
/// an i32, in which indices are stored.
static bool hasCheckedSizes(const Geometry &g) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  constexpr int64_t mostRows = std::numeric_limits<int32_t>::max();
  constexpr int64_t bytes = 8;
  return isWithin({divideCeil(g.unitRows, g.keep), g.windowUnits, g.unitK},
                  mostRows) &&
         g.stepK <= mostRows && isWithin({g.blocks, g.blockN}, most) &&
         isWithin({g.valueRows, g.valueColumns, bytes}, most) &&
         isWithin({g.blocks, g.steps, g.unitColumns, g.unitRows, bytes},
                  most) &&
         isWithin({g.blocks, g.steps, g.stepK, bytes}, most);
}

/// Whether the rows of a step are whole groups of those that lie together.
static bool isDividedByLanes(const Geometry &g, std::string &error) {
  if (g.laneRows >= 1 && g.getStepRows() % g.laneRows == 0 &&
      (!g.areIndicesTogether() || g.unitK == 1))
    return true;
  error = "expected lane_rows to divide the " + toText(g.getStepRows()) +
          " condensed rows of a step, and to be 1 for units of more than one "
          "row, got " +
          toText(g.laneRows);
  return false;
}

/// Whether panels and the rows that lie together are whole fragments.
static bool isOfFragments(const Geometry &g, std::string &error) {
  if (!g.fragments || (g.laneRows == 16 && g.panelColumns % 16 == 0))
    return true;
  error =
      "expected panels of a multiple of 16 columns, and lane_rows = 16, for "
      "fragments, got " +
      toText(g.panelColumns) + " columns and lane_rows = " + toText(g.laneRows);
  return false;
}

/// Whether positions count in several whole windows that divide a step.
static bool hasPositionRows(const Geometry &g, const Weight &weight,
                            int64_t positionRows, std::string &error) {
  if (positionRows == 0 ||
      (g.coding == IndexCoding::Positions && positionRows > 0 &&
       weight.pattern.window != 0 && positionRows % g.getWindowRows() == 0 &&
       g.stepK % positionRows == 0))
    return true;
  error = "expected position_rows of whole windows that divide a step of " +
          toText(g.stepK) +
          " rows, beside positions in windows of a number of units, got " +
          toText(positionRows);
  return false;
}

/// Whether the indices of a step can be written as the coding says.
static bool isCoded(const Geometry &g, std::string &error) {
  constexpr int64_t mostBits = 64, mostPositionBits = 32;
  if (g.coding == IndexCoding::Bits) {
    int64_t bits = g.getPositionBits();
    if (bits <= mostPositionBits && g.unitRows * bits % 32 == 0)
      return true;
    error = "expected steps whose positions are whole words of 32 bits, got " +
            toText(g.unitRows) + " of " + toText(bits) + " bits";
    return false;
  }
  if (g.coding != IndexCoding::Mask)
    return true;
  if (g.windowUnits <= mostBits &&
      g.unitRows % (g.getWordWindows() * g.keep) == 0)
    return true;
  error = "expected windows of at most 64 units, and steps of whole words of "
          "them, for masks, got windows of " +
          toText(g.windowUnits) + " units and steps of " +
          toText(g.unitRows / g.keep) + " windows";
  return false;
}

std::optional<Geometry> Geometry::get(const Weight &weight,
                                      const Packing &packing,
                                      std::string &error) {
  const sparsity::Pattern &pattern = weight.pattern;
  std::optional<sparsity::CondensedShape> shape =
      sparsity::getShape(weight.k, weight.n, pattern, error);
  if (!shape)
    return std::nullopt;
  int64_t blockN = packing.blockN, stepK = packing.stepK;
  if (blockN < 1 || stepK < 1) {
    error = "expected positive block_n and step_k, got " + toText(blockN) +
            " and " + toText(stepK);
    return std::nullopt;
  }
  int64_t windowRows = shape->windowUnits * pattern.unitK;
  bool holdsAll = pattern.window == 0;
  if (holdsAll ? stepK < weight.k : stepK % windowRows != 0) {
    error = "expected step_k to hold whole windows of " + toText(windowRows) +
            " rows, got " + toText(stepK);
    return std::nullopt;
  }
  if (blockN % pattern.unitN != 0 && pattern.unitN % blockN != 0) {
    error = "expected block_n to divide the unit's " + toText(pattern.unitN) +
            " columns or to be a multiple of them, got " + toText(blockN);
    return std::nullopt;
  }
  if (packing.panels < 1 || blockN % packing.panels != 0) {
    error =
        "expected a number of panels that divides block_n = " + toText(blockN) +
        ", got " + toText(packing.panels);
    return std::nullopt;
  }
  Geometry g;
  g.k = weight.k;
  g.n = weight.n;
  g.keep = pattern.keep;
  g.unitK = pattern.unitK;
  g.unitN = pattern.unitN;
  g.blockN = blockN;
  g.stepK = stepK;
  g.panelColumns = blockN / packing.panels;
  g.laneRows = packing.laneRows;
  g.coding = packing.coding;
  g.fragments = packing.fragments;
  g.blocks = divideCeil(weight.n, blockN);
  g.steps = divideCeil(weight.k, stepK);
  g.windowUnits = shape->windowUnits;
  g.unitColumns = divideCeil(blockN, pattern.unitN);
  g.unitColumnWidth = std::min(pattern.unitN, blockN);
  g.storedRows = shape->indexRows;
  g.storedColumns = shape->unitColumns;
  int64_t rows = 0;
  bool fits = !__builtin_mul_overflow(holdsAll ? 1 : stepK / windowRows, g.keep,
                                      &g.unitRows) &&
              !__builtin_mul_overflow(g.unitRows, g.unitK, &rows) &&
              !__builtin_mul_overflow(rows, g.steps, &rows);
  g.valueRows = packing.valueRows == 0 ? rows : packing.valueRows;
  fits &= !__builtin_mul_overflow(g.blocks, g.blockN, &g.valueColumns);
  if (packing.valueColumns != 0)
    g.valueColumns = packing.valueColumns;
  if (!fits || g.valueRows < 0 || g.valueColumns < 0 || !hasCheckedSizes(g)) {
    error = "expected a packed weight whose sizes fit 64 bits and whose steps "
            "have less than 2^31 rows, got block_n = " +
            toText(blockN) + " and step_k = " + toText(stepK) + " for " +
            toText(weight.k) + "x" + toText(weight.n) + ", " +
            sparsity::toString(pattern);
    return std::nullopt;
  }
  if (!isDividedByLanes(g, error) || !isOfFragments(g, error) ||
      !isCoded(g, error) ||
      !hasPositionRows(g, weight, packing.positionRows, error))
    return std::nullopt;
  if (g.valueRows < rows || g.valueRows % g.laneRows != 0) {
    error = "expected value_rows of at least the " + toText(rows) +
            " condensed rows of all steps, and a multiple of lane_rows, got " +
            toText(g.valueRows);
    return std::nullopt;
  }
  if (g.valueColumns < g.getColumns() || g.valueColumns % g.panelColumns != 0 ||
      g.valueColumns % g.unitColumnWidth != 0) {
    error = "expected value_columns of at least the " + toText(g.getColumns()) +
            " columns of all blocks, and a multiple of the columns of a panel "
            "and of those that share an index, got " +
            toText(g.valueColumns);
    return std::nullopt;
  }
  g.positionRows =
      packing.positionRows == 0 ? g.getWindowRows() : packing.positionRows;
  return g;
}

int64_t Geometry::getIndexBytes() const {
  if (coding == IndexCoding::Mask)
    return windowUnits <= 32 ? 4 : 8;
  int64_t positions = positionRows / unitK;
  if (coding == IndexCoding::Rows || coding == IndexCoding::Bits ||
      positions > (1 << 16))
    return 4;
  return positions <= (1 << 8) ? 1 : 2;
}

int64_t Geometry::getFragmentPlace(int64_t row, int64_t column) {
  int64_t lane = column % 8 * 4 + row / 4;
  int64_t word = column / 8 + row % 4 / 2 * 2;
  return lane * 8 + word * 2 + row % 2;
}

std::vector<int64_t> Geometry::getValuesShape() const {
  return {getPanels(), valueRows / laneRows, panelColumns * laneRows};
}

std::vector<int64_t> Geometry::getIndicesShape() const {
  if (areIndicesInWords())
    return {getTiles(), getStepWords(), unitColumns};
  if (areIndicesTogether())
    return {getTiles(), unitRows / laneRows, unitColumns * laneRows};
  return {getTiles(), unitColumns, unitRows};
}

std::vector<int64_t> Geometry::getColumnsShape(int64_t width) const {
  return {getTiles(), width};
}
