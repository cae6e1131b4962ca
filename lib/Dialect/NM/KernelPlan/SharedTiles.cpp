//===- SharedTiles.cpp - Operands' tiles in shared memory -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/KernelPlan/SharedTiles.h"
#include "nm/Dialect/NM/IR/SwizzledBuffers.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "nm/Dialect/NM/KernelPlan/BlockExtents.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace nm;

//===----------------------------------------------------------------------===//
// StepOperands
//===----------------------------------------------------------------------===//

/// `extent`, or `bound` where it is not known: that of a last tile.
static int64_t getWhole(int64_t extent, int64_t bound) {
  return ShapedType::isDynamic(extent) ? bound : extent;
}

StepOperands StepOperands::get(TileMmaOp op, int64_t stepK) {
  auto a = cast<MemRefType>(op.getA().getType());
  auto values = cast<MemRefType>(op.getValues().getType());
  auto indices = cast<MemRefType>(op.getIndices().getType());
  PatternAttr pattern = op.getPattern();
  int64_t rows = stepK == 0 ? 0 : pattern.getCondensedRows(stepK);
  bool isAFeatureMajor = op.getALayout() == Layout::FeatureMajor;
  StepOperands o;
  o.pattern = pattern;
  o.a = a.getElementType();
  o.values = values.getElementType();
  o.indices = indices.getElementType();
  o.isAFeatureMajor = isAFeatureMajor;
  o.rowsOfA = getWhole(a.getDimSize(isAFeatureMajor ? 0 : 1), stepK);
  o.rowsOfValues = getWhole(values.getDimSize(getRowDim(values)), rows);
  o.laneRows = int64_t(op.getLaneRows());
  o.fragments = bool(op.getFragments());
  o.coding = op.getCoding();
  // Only indices of windows have an extent that is not known.
  int64_t unitColumns = pattern.getUnitColumns(op.getAcc().getType().getN());
  int64_t bounds[] = {rows / pattern.getUnitK(), unitColumns};
  for (auto [extent, bound] : llvm::zip(indices.getShape(), bounds))
    o.shapeOfIndices.push_back(getWhole(extent, bound));
  return o;
}

/// How the parts of `weight` lie for `schedule`: nothing where it is not packed
/// and cannot be so.
static std::optional<layout::Geometry> getPacked(ScheduleAttr schedule,
                                                 CondensedType weight) {
  if (weight.getPacking())
    return getGeometry(weight);
  PatternAttr pattern = weight.getPattern();
  int64_t step = schedule.getStepRows(weight.getK(), pattern);
  WeightForm form = schedule.getKind().chooseForm(
      weight, step, schedule.getPromoteWeight() || schedule.getPacked());
  layout::Packing packing;
  packing.blockN = schedule.getBlockN();
  packing.stepK = step;
  packing.panels = 1;
  packing.laneRows = form.laneRows;
  packing.coding = getCoding(form.coding);
  packing.fragments = form.fragments;
  std::string error;
  return layout::Geometry::get(getWeight(weight.getK(), weight.getN(), pattern),
                               packing, error);
}

StepOperands StepOperands::get(ScheduleAttr schedule, CondensedType weight,
                               Type a, bool isAFeatureMajor) {
  BlockExtents extents = BlockExtents::get(schedule, weight);
  PackingAttr packing = weight.getPacking();
  StepOperands o;
  o.pattern =
      packing ? packing.joinWindows(weight.getPattern()) : weight.getPattern();
  o.a = a;
  o.values = weight.getElementType();
  o.isAFeatureMajor = isAFeatureMajor;
  o.rowsOfA = schedule.getStepK() == 0 ? weight.getK() : extents.stepK;
  if (std::optional<layout::Geometry> geometry = getPacked(schedule, weight)) {
    o.laneRows = geometry->laneRows;
    o.rowsOfValues = geometry->getStepRows() / geometry->laneRows;
    o.fragments = geometry->fragments;
    o.coding = getCoding(geometry->coding);
    std::vector<int64_t> shape = geometry->getIndicesShape();
    o.shapeOfIndices.append(shape.begin() + 1, shape.end());
    o.indices = IntegerType::get(weight.getContext(),
                                 unsigned(geometry->getIndexBytes() * 8));
    return o;
  }
  o.laneRows = 1;
  o.rowsOfValues = extents.rows;
  o.fragments = false;
  o.coding = IndexCoding::Window;
  o.shapeOfIndices = {extents.rows / weight.getPattern().getUnitK(),
                      extents.unitColumns};
  o.indices = weight.getIndexType();
  return o;
}

//===----------------------------------------------------------------------===//
// SharedTile
//===----------------------------------------------------------------------===//

static int64_t getElementBits(Type element) {
  return element.getIntOrFloatBitWidth();
}

int64_t nm::getSlotRows(int64_t rows, int64_t rowBytes) {
  return llvm::alignTo(rows, 16 / std::gcd<int64_t>(16, rowBytes));
}

int64_t SharedTile::getBytes() const {
  int64_t rows = ShapedType::getNumElements(ArrayRef(shape).drop_back());
  return rows * (shape.back() + padding) * getElementBits(element) / 8;
}

int64_t SharedTile::getSlotBytes() const {
  int64_t ofRow = ShapedType::getNumElements(ArrayRef(shape).drop_front());
  if (shape.size() == 2)
    ofRow += padding;
  int64_t rowBytes = ofRow * getElementBits(element) / 8;
  return getSlotRows(shape.front(), rowBytes) * rowBytes;
}

namespace {
/// What puts the rows of a tile on different banks.
struct Banks {
  int64_t padding; // in elements
  bool swizzled;
};
} // namespace

/// What the kind of `schedule` wants for rows of `columns` elements. The copy
/// engine writes whole rows, or mixes them itself.
static Banks chooseBanks(ScheduleAttr schedule, Type element, int64_t columns) {
  int64_t bytes = schedule.getKind().getRowPadding();
  bool swizzled = bytes != 0 && schedule.getEngine() != CopyEngine::Bulk &&
                  canSwizzle(columns, element);
  return {swizzled ? 0 : bytes * 8 / getElementBits(element), swizzled};
}

/// Stores of a transposed copy go down a column: 16 bytes more a row put the
/// rows on different banks and keep them aligned. A single column lies
/// contiguous, so that the rows of a window of 32 words are on 32 banks.
static int64_t getTransposePadding(Type element, int64_t columns) {
  return columns == 1 ? 0 : 16 * 8 / getElementBits(element);
}

/// Lanes along n read the same place of rows of packed indices, four at a time
/// where that is aligned: an odd number of such reads a row puts the rows on
/// different banks.
static int64_t getIndexPadding(int64_t rows, int64_t columns) {
  int64_t width = columns % 4 == 0 ? 4 : 1;
  return rows > 1 && columns / width % 2 == 0 ? width : 0;
}

/// The tile of a token-major A whose rows of m lie along k, each or several as
/// one.
static SharedTile getTileAlongK(ScheduleAttr schedule, Type element,
                                int64_t k) {
  int64_t m = schedule.getBlockM();
  int64_t together = schedule.getKind().getWordRows(element);
  SharedTile tile = {"A", {m, k}, element};
  if (together == 1) {
    tile.padding = getTransposePadding(element, m);
  } else {
    tile.shape = {int64_t(llvm::divideCeil(m, together)), k, together};
    tile.transpose = true;
  }
  return tile;
}

SharedTile nm::getTileOfA(ScheduleAttr schedule, const StepOperands &operands) {
  PatternAttr pattern = operands.pattern;
  int64_t m = schedule.getBlockM();
  // Indices may name places beyond k in a partial last window.
  int64_t k = llvm::alignTo(
      operands.rowsOfA,
      pattern.getUnitK() * (pattern.isWindowAll() ? 1 : pattern.getWindow()));
  // What stays as it lies is copied 16 bytes at a time.
  bool stays = m == 1 || schedule.getKind().readsAlongK();
  if (stays && !operands.isAFeatureMajor && !schedule.getPacked())
    return getTileAlongK(schedule, operands.a, k);
  Banks banks = chooseBanks(schedule, operands.a, m);
  bool transpose = !operands.isAFeatureMajor;
  if (transpose && !banks.swizzled)
    banks.padding = std::max(banks.padding, getTransposePadding(operands.a, m));
  return {"A", {k, m}, operands.a, banks.padding, banks.swizzled, transpose};
}

SharedTile nm::getTileOfValues(ScheduleAttr schedule,
                               const StepOperands &operands) {
  // A row of the tile has the columns of all panels, each as often as rows of
  // it lie together. Lanes read a fragment as it lies.
  int64_t columns = schedule.getBlockN() * operands.laneRows;
  Banks banks = {0, false};
  if (!operands.fragments)
    banks = chooseBanks(schedule, operands.values, columns);
  return {"values",
          {operands.rowsOfValues, columns},
          operands.values,
          banks.padding,
          banks.swizzled};
}

SharedTile nm::getTileOfIndices(ScheduleAttr schedule,
                                const StepOperands &operands) {
  ArrayRef<int64_t> shape = operands.shapeOfIndices;
  // The copy engine brings them at once.
  bool isPadded = operands.coding == IndexCoding::Rows &&
                  schedule.getEngine() != CopyEngine::Tma;
  return {"indices", operands.shapeOfIndices, operands.indices,
          isPadded ? getIndexPadding(shape[0], shape[1]) : 0};
}
