//===- BlockBuilder.cpp - What one block of a product does ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// Rows of tiles that are computed together: a weight that L2 does not hold is
/// read once for so many of them. (At 4096^3, whose operands it holds, one to
/// sixteen take the same time.)
static constexpr int64_t kRowsOfGroup = 8;

Value nm::createBlocksM(ImplicitLocOpBuilder &b, const MatrixProduct &product) {
  int64_t blockM = product.schedule.getBlockM();
  Value m = dimOf(b, product.a, product.aIsFeatureMajor() ? 1 : 0);
  return divIndex(b, addIndex(b, m, blockM - 1), blockM);
}

BlockBuilder::BlockBuilder(ImplicitLocOpBuilder &b,
                           const MatrixProduct &product, Value tileId,
                           StepRange steps)
    : b(b), product(product),
      extents(BlockExtents::get(product.schedule, product.type())),
      weight(product.weight), steps(steps) {
  auto [blockRow, column] = placeTile(tileId);
  blockColumn = column;
  firstRow = mulIndex(b, blockRow, extents.blockM);
  firstColumn = mulIndex(b, blockColumn, extents.blockN);
  if (product.type().getPacking())
    slabs = packedValues();
}

Value BlockBuilder::buildSum() {
  auto fragment =
      FragmentType::get(b.getContext(), extents.blockM, extents.blockN,
                        product.accumulator(), Role::Sum);
  Value zero = TileZeroOp::create(b, fragment);
  Value begin = indexConstant(b, 0);
  Value end = steps.count ? steps.count : indexConstant(b, extents.steps);
  auto loop = scf::ForOp::create(b, begin, end, indexConstant(b, 1), zero);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value sum =
        buildStep(loop.getInductionVar(), loop.getRegionIterArgs().front());
    scf::YieldOp::create(b, sum);
  }
  return loop.getResult(0);
}

void BlockBuilder::buildStore(Value fragment) {
  bool featureMajor = product.cIsFeatureMajor();
  Value c = tileOf(product.c, featureMajor, firstColumn, extents.blockN);
  Value residual;
  if (product.residual)
    residual =
        tileOf(product.residual, featureMajor, firstColumn, extents.blockN);
  TileStoreOp::create(b, fragment, c, columnsOf(product.scale),
                      columnsOf(product.bias), residual, product.epilogue,
                      product.combine, product.cLayout);
}

std::pair<Value, Value> BlockBuilder::placeTile(Value tileId) {
  int64_t blocksN = llvm::divideCeil(product.type().getN(), extents.blockN);
  if (blocksN == 1)
    return {tileId, indexConstant(b, 0)};
  // A division by a number that is not known would take a kernel for few rows
  // .1 to .3 us before it loads anything (H200, a throw-away run).
  if (product.mostRows && *product.mostRows <= extents.blockM)
    return {indexConstant(b, 0), tileId};
  Value blocksM = createBlocksM(b, product);
  std::optional<int64_t> known = getConstantIntValue(blocksM);
  if (known == 1)
    return {indexConstant(b, 0), tileId};
  int64_t most = chooseRowsOfGroup();
  Value group = divIndex(b, tileId, most * blocksN);
  Value place = remIndex(b, tileId, most * blocksN);
  Value first = mulIndex(b, group, most);
  if (known && *known % most == 0)
    return {addIndex(b, first, remIndex(b, place, most)),
            divIndex(b, place, most)};
  // The last group may have fewer.
  Value left = arith::SubIOp::create(b, blocksM, first);
  Value rows = arith::MinUIOp::create(b, left, indexConstant(b, most));
  return {addIndex(b, first, arith::RemUIOp::create(b, place, rows)),
          arith::DivUIOp::create(b, place, rows)};
}

int64_t BlockBuilder::chooseRowsOfGroup() {
  auto c = cast<MemRefType>(product.c.getType());
  int64_t m = c.getDimSize(product.cIsFeatureMajor() ? 1 : 0);
  if (ShapedType::isDynamic(m))
    return kRowsOfGroup;
  int64_t full = m / extents.blockM, most = std::min(full, kRowsOfGroup);
  // Of fewer rows than a tile has there is one row of tiles, also where their
  // number is computed from A's dynamic extent.
  if (full == 0)
    return 1;
  if (m % extents.blockM == 0)
    return most;
  // It reads the weight once more.
  if (!hasShortTiles() || !isWeightInL2())
    return std::min(full + 1, kRowsOfGroup);
  while (most > kRowsOfGroup / 2 && full % most != 0)
    --most;
  return full % most == 0 ? most : kRowsOfGroup;
}

bool BlockBuilder::hasShortTiles() const {
  return !product.schedule.getPromoteA() ||
         product.aLayout == Layout::TokenMajor;
}

bool BlockBuilder::isWeightInL2() {
  CondensedType type = product.type();
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  double bytes = double(type.getPattern().getCondensedRows(type.getK())) *
                 double(type.getN()) * double(bits) / 8;
  const TargetInfo &target = getTarget(b.getInsertionBlock()->getParentOp());
  return bytes <= double(target.l2Bytes);
}

OpFoldResult BlockBuilder::clamp(Value start, int64_t most, Value memref,
                                 int64_t dim) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(dim) && type.getDimSize(dim) % most == 0)
    return b.getIndexAttr(most);
  Value left = arith::SubIOp::create(b, dimOf(b, memref, dim), start);
  return arith::MinSIOp::create(b, left, indexConstant(b, most)).getResult();
}

Value BlockBuilder::subview(Value memref, ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  return memref::SubViewOp::create(b, memref, offsets, sizes, strides);
}

Value BlockBuilder::tileOf(Value memref, bool featureMajor, Value other,
                           int64_t most) {
  OpFoldResult rows = clamp(firstRow, extents.blockM, memref, featureMajor);
  OpFoldResult others = clamp(other, most, memref, !featureMajor);
  if (featureMajor)
    return subview(memref, {other, firstRow}, {others, rows});
  return subview(memref, {firstRow, other}, {rows, others});
}

Value BlockBuilder::buildStep(Value ownStep, Value acc) {
  CondensedType type = product.type();
  Value step = steps.first ? addIndex(b, ownStep, steps.first) : ownStep;
  Value firstK = mulIndex(b, step, extents.stepK);
  // A step of all of k has what there is, which may be less than whole
  // windows.
  int64_t rowsOfA =
      product.schedule.getStepK() == 0 ? type.getK() : extents.stepK;
  // What is behind the rows of A is for sums that are not stored. The copy
  // engine takes up to twice as long over boxes in which a tensor ends.
  Value a = tileOf(product.paddedA, product.aIsFeatureMajor(), firstK, rowsOfA);
  Value values = slabs ? slabOf(step) : valuesOf(step);
  Value columns;
  PackingAttr packing = type.getPacking();
  Value indices = packing ? packedIndices(step, columns) : windowIndices(step);
  return TileMmaOp::create(
      b, acc.getType(), a, values, indices, acc, columns,
      packing ? packing.joinWindows(type.getPattern()) : type.getPattern(),
      LayoutAttr::get(b.getContext(), product.aLayout),
      IndexCodingAttr::get(b.getContext(),
                           packing ? packing.getCoding() : IndexCoding::Window),
      b.getI64IntegerAttr(packing ? packing.getLaneRows() : 1),
      packing && packing.getFragments() ? b.getUnitAttr() : UnitAttr());
}

Value BlockBuilder::valuesOf(Value step) {
  Value first = mulIndex(b, step, extents.rows);
  Value values = weight.getValues();
  return subview(values, {first, firstColumn},
                 {clamp(first, extents.rows, values, 0),
                  clamp(firstColumn, extents.blockN, values, 1)});
}

Value BlockBuilder::packedValues() {
  Value values = weight.getValues();
  auto type = cast<MemRefType>(values.getType());
  int64_t panels = product.type().getPacking().getPanels();
  OpFoldResult zero = b.getIndexAttr(0);
  return part(values, {mulIndex(b, blockColumn, panels), zero, zero},
              {panels, type.getDimSize(1), type.getDimSize(2)},
              /*dropsFirst=*/false);
}

Value BlockBuilder::slabOf(Value step) {
  ArrayRef<int64_t> shape = cast<MemRefType>(slabs.getType()).getShape();
  OpFoldResult zero = b.getIndexAttr(0);
  int64_t rows = extents.rows / product.type().getPacking().getLaneRows();
  return part(slabs, {zero, mulIndex(b, step, rows), zero},
              {shape[0], rows, shape[2]},
              /*dropsFirst=*/shape[0] == 1);
}

Value BlockBuilder::part(Value memref, ArrayRef<OpFoldResult> offsets,
                         ArrayRef<int64_t> shape, bool dropsFirst) {
  SmallVector<OpFoldResult> strides(shape.size(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), shape);
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      shape.drop_front(dropsFirst), cast<MemRefType>(memref.getType()), offsets,
      sizes, strides);
  return memref::SubViewOp::create(b, type, memref, offsets, sizes, strides);
}

Value BlockBuilder::windowIndices(Value step) {
  PatternAttr pattern = product.type().getPattern();
  Value indices = weight.getIndices();
  int64_t unitRows = extents.rows / pattern.getUnitK();
  Value firstIndices = mulIndex(b, step, unitRows);
  // A block is some whole unit columns, or a part of one.
  Value firstUnit = extents.blockN % pattern.getUnitN() == 0
                        ? mulIndex(b, blockColumn, extents.unitColumns)
                        : divIndex(b, firstColumn, pattern.getUnitN());
  return subview(indices, {firstIndices, firstUnit},
                 {clamp(firstIndices, unitRows, indices, 0),
                  clamp(firstUnit, extents.unitColumns, indices, 1)});
}

Value BlockBuilder::packedIndices(Value step, Value &columns) {
  Value indices = weight.getIndices();
  Value place = addIndex(b, mulIndex(b, blockColumn, extents.steps), step);
  OpFoldResult zero = b.getIndexAttr(0);
  if (Value list = weight.getColumns()) {
    auto type = cast<MemRefType>(list.getType());
    columns = part(list, {place, zero}, {1, type.getDimSize(1)},
                   /*dropsFirst=*/false);
  }
  auto type = cast<MemRefType>(indices.getType());
  return part(indices, {place, zero, zero},
              {1, type.getDimSize(1), type.getDimSize(2)},
              /*dropsFirst=*/true);
}

Value BlockBuilder::columnsOf(Value vector) {
  if (!vector)
    return vector;
  return subview(vector, {firstColumn},
                 {clamp(firstColumn, extents.blockN, vector, 0)});
}
