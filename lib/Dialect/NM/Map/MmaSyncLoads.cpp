//===- MmaSyncLoads.cpp - Operand fragments of kind mma_sync --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of A are gathered by ldmatrix, whose lanes each name a row: one load
// brings 16 of them, 16 rows of m wide. Where the tile does not lie in shared
// memory as that wants it, the elements are loaded one by one.
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "ByteNumbers.h"
#include "MmaSyncWarpMap.h"
#include "Positions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "nm/Layout/Geometry.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// Elements of an operand that a lane has.
static constexpr int64_t kLaneElements = 8;

/// Whether ldmatrix can read `memref`: rows of 16-byte pieces in shared memory,
/// of which all up to `columns` are there.
static bool canLoadMatrices(Value memref, int64_t columns) {
  auto type = cast<MemRefType>(memref.getType());
  return isWorkgroup(memref) && !type.getElementType().isInteger(8) &&
         maxVectorWidth(memref) % 8 == 0 &&
         (isInPanels(type) || !needsGuard(memref, 1, columns));
}

static VectorType getOperandType(Value memref) {
  return VectorType::get({4, 2},
                         cast<MemRefType>(memref.getType()).getElementType());
}

/// Four 8 x 8 matrices, transposed; this lane names the row at (i, j) of the
/// matrix lane / 8.
static Value loadMatrices(ImplicitLocOpBuilder &b, Value memref, Value i,
                          Value j) {
  Place from = getMatrixPlace(b, {memref, i, j});
  return nvgpu::LdMatrixOp::create(b, getOperandType(memref), from.memref,
                                   ValueRange{from.i, from.j},
                                   /*transpose=*/true, /*numTiles=*/4);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// The row of a slice that is place `place` of the instruction's k: another
/// where values are fragments (layout::getFragmentRow).
static Value getRowOfSlice(ImplicitLocOpBuilder &b, LoadPositionsOp op,
                           Value place) {
  if (!op.getFragments())
    return place;
  Value pair = divIndex(b, remIndex(b, place, 8), 2);
  Value row =
      addIndex(b, mulIndex(b, pair, 4), mulIndex(b, divIndex(b, place, 8), 2));
  return addIndex(b, row, remIndex(b, place, 2));
}

FragmentValues nm::loadMmaSyncPositions(LoadPositionsOp op,
                                        const MmaSyncWarpMap &map) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  int64_t unitK = map.pattern.getUnitK();
  int64_t unitsOfSlice = llvm::divideCeil(16, unitK);
  // Place lane % 16 of the instruction's k is this row of this unit.
  Value row = getRowOfSlice(b, op, remIndex(b, map.lane, 16));
  Value unit = unitK < 16 ? divIndex(b, row, unitK) : indexConstant(b, 0);
  Value place = unitK < 16 ? remIndex(b, row, unitK) : row;
  FragmentValues positions;
  for (int64_t u = 0; u < op.getType().getM(); u += unitsOfSlice)
    for (Value column : map.unitColumns) {
      Value ofLane = addIndex(b, addIndex(b, op.getFirst(), u), unit);
      Value first = loadPositions(b, op, ofLane, 1, column).front();
      positions.push_back(addIndex(b, first, place));
    }
  return positions;
}

//===----------------------------------------------------------------------===//
// Rows and values
//===----------------------------------------------------------------------===//

/// Elements (e, h) of the operand of a lane: e + 2 (lane % 4) + 8 h along k,
/// which `load` is given.
static SmallVector<Value> loadAlongK(ImplicitLocOpBuilder &b, Value lane,
                                     function_ref<Value(Value k)> load) {
  Value pair = mulIndex(b, remIndex(b, lane, 4), 2);
  SmallVector<Value> elements;
  for (int64_t h : {0, 1})
    for (int64_t e : {0, 1})
      elements.push_back(load(addIndex(b, pair, 8 * h + e)));
  return elements;
}

/// The row of A that lane `k` has.
static Value shufflePosition(ImplicitLocOpBuilder &b, Value position, Value k) {
  Type i32 = b.getI32Type();
  Value own = arith::IndexCastOp::create(b, i32, position);
  Value source = arith::IndexCastOp::create(b, i32, k);
  Value width = arith::ConstantIntOp::create(b, i32, 32);
  auto shuffle =
      gpu::ShuffleOp::create(b, own, source, width, gpu::ShuffleMode::IDX);
  return arith::IndexCastOp::create(b, b.getIndexType(),
                                    shuffle.getShuffleResult());
}

/// The rows of one unit column, element by element.
static void loadRowElements(ImplicitLocOpBuilder &b, LoadRowsOp op,
                            const MmaSyncWarpMap &map, Value position,
                            FragmentValues &operands) {
  bool featureMajor = op.getALayout() == Layout::FeatureMajor;
  Value a = op.getA();
  bool guardK = needsGuardOfK(op, map.pattern);
  bool guardM = needsGuard(a, featureMajor ? 1 : 0, op.getType().getM());
  Guard guard{featureMajor ? guardK : guardM, featureMajor ? guardM : guardK};
  SmallVector<Value> rows = loadAlongK(
      b, map.lane, [&](Value k) { return shufflePosition(b, position, k); });
  Value column = addIndex(b, map.m0, divIndex(b, map.lane, 4));
  for (int64_t j = 0; j < map.groups; j += 2) {
    SmallVector<Value> elements;
    for (int64_t group : {j, j + 1})
      for (Value row : rows) {
        Value m = addIndex(b, column, 8 * group);
        if (featureMajor)
          m = swizzleColumn(b, a, row, m);
        Value one = loadVector(b, a, featureMajor ? row : m,
                               featureMajor ? m : row, 1, 1, guard);
        elements.push_back(vector::ExtractOp::create(b, one, 0));
      }
    operands.push_back(
        vector::FromElementsOp::create(b, getOperandType(a), elements));
  }
}

namespace {
/// The columns that a lane reads of rows of its own: those `first`, `first` +
/// 16, ... of `extent`.
class LaneColumns {
public:
  LaneColumns(ImplicitLocOpBuilder &b, Value memref, Value first,
              int64_t extent)
      : b(b), memref(memref), first(first),
        // Then the places of a warp's columns have other bits than `first`.
        separate(llvm::isPowerOf2_64(extent)) {
    if (!isSwizzled(memref))
      this->memref = createViewFrom(extent - 8);
    else if (isInPanels(cast<MemRefType>(memref.getType())) && separate)
      enterPanel();
  }

  /// The matrices of which the lane names a row at column `first` + `offset`.
  Value load(Value row, int64_t offset) {
    if (!isSwizzled(memref))
      return loadMatrices(b, memref, row, indexConstant(b, offset));
    Value swizzle = getSwizzle(b, memref, row);
    auto exclusiveOr = [&](Value x, Value y) -> Value {
      return arith::XOrIOp::create(b, x, y);
    };
    if (!separate)
      return loadMatrices(b, memref, row,
                          exclusiveOr(addIndex(b, first, offset), swizzle));
    // One for all offsets; beyond the bits that are swizzled they are added.
    Value column = exclusiveOr(first, swizzle);
    int64_t low = offset % kSwizzledColumns, panels = offset / kSwizzledColumns;
    if (low != 0)
      column = exclusiveOr(column, indexConstant(b, low));
    if (!panel)
      return loadMatrices(b, memref, row, addIndex(b, column, offset - low));
    Value matrix =
        getPanel(b, memref, getAsOpFoldResult(addIndex(b, panel, panels)));
    return loadMatrices(b, matrix, row, column);
  }

private:
  /// Columns of eight chunks, which a panel has.
  static constexpr int64_t kSwizzledColumns = 64;

  /// Lets `first` be a column of its panel: which one that is, all rows agree
  /// on.
  void enterPanel() {
    panel = divIndex(b, first, kSwizzledColumns);
    first = remIndex(b, first, kSwizzledColumns);
  }

  /// The columns from `first` on. Where they begin is added once, and not to
  /// the place of each row.
  Value createViewFrom(int64_t count) {
    SmallVector<OpFoldResult> offsets = {b.getIndexAttr(0), first};
    SmallVector<OpFoldResult> sizes = {
        memref::getMixedSize(b, b.getLoc(), memref, 0), b.getIndexAttr(count)};
    SmallVector<OpFoldResult> strides(2, b.getIndexAttr(1));
    return memref::SubViewOp::create(b, memref, offsets, sizes, strides);
  }

  ImplicitLocOpBuilder &b;
  Value memref, first;
  bool separate;
  Value panel; // of `first`; null: columns are counted from the tile's first
};
} // namespace

FragmentValues nm::loadMmaSyncRows(LoadRowsOp op, const MmaSyncWarpMap &map,
                                   ValueRange positions) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value a = op.getA();
  bool asMatrices = op.getALayout() == Layout::FeatureMajor &&
                    canLoadMatrices(a, op.getType().getM()) &&
                    !needsGuardOfK(op, map.pattern);
  int64_t unitColumns = map.unitColumns.size();
  int64_t slice = op.getUnit() / llvm::divideCeil(16, map.pattern.getUnitK());
  // Matrices 0 and 1 are rows 0 to 7 and 8 to 15 of a group, 2 and 3 those of
  // the next.
  Value half = mulIndex(b, divIndex(b, map.lane, 16), 8);
  std::optional<LaneColumns> columns;
  if (asMatrices)
    columns.emplace(b, a, addIndex(b, map.m0, half), 8 * map.groups);
  FragmentValues operands;
  for (int64_t c = 0; c < unitColumns; ++c) {
    Value row = addIndex(b, positions[slice * unitColumns + c], op.getPlace());
    if (!asMatrices) {
      loadRowElements(b, op, map, row, operands);
      continue;
    }
    for (int64_t j = 0; j < map.groups; j += 2)
      operands.push_back(columns->load(row, 8 * j));
  }
  return operands;
}

/// What a lane has of an operand that values of `memref` are: bytes become
/// numbers when they are multiplied.
static VectorType getValuesType(Value memref) {
  VectorType type = getOperandType(memref);
  return type.getElementType().isInteger(8)
             ? VectorType::get({kLaneElements}, type.getElementType())
             : type;
}

/// The values of strip `strip`, element by element.
static Value loadValueElements(ImplicitLocOpBuilder &b, LoadValuesOp op,
                               const MmaSyncWarpMap &map, int64_t strip) {
  Value values = op.getValues();
  Guard guard = getGuardOfValues(op, 16);
  Value column =
      addIndex(b, addIndex(b, map.n0, 16 * strip), divIndex(b, map.lane, 4));
  SmallVector<Value> ofHalf[2];
  for (int64_t half : {0, 1})
    ofHalf[half] = loadAlongK(b, map.lane, [&](Value k) -> Value {
      Value row = addIndex(b, op.getFirst(), k);
      Value place =
          swizzleColumn(b, values, row, addIndex(b, column, 8 * half));
      Value one = loadVector(b, values, row, place, 1, 1, guard);
      return vector::ExtractOp::create(b, one, 0);
    });
  // Columns g and g + 8 of the first half of k, then of the second.
  SmallVector<Value> elements;
  for (int64_t k : {0, 2})
    for (int64_t half : {0, 1})
      llvm::append_range(elements, ArrayRef(ofHalf[half]).slice(k, 2));
  return vector::FromElementsOp::create(b, getValuesType(values), elements);
}

Value nm::toMmaSyncOperand(ImplicitLocOpBuilder &b, Value elements,
                           Type element) {
  if (cast<VectorType>(elements.getType()).getRank() == 2)
    return elements;
  SmallVector<Value> pairs = toPairs(b, elements, element);
  Value operand =
      createZero(b, VectorType::get({int64_t(pairs.size()), 2}, element));
  for (auto [i, pair] : llvm::enumerate(pairs))
    operand = vector::InsertOp::create(b, pair, operand, int64_t(i));
  return operand;
}

/// The elements of a lane of strip `strip` of stored fragments, in row `group`
/// of `values`. Where the warp's columns are whole panels, or lie in one, which
/// panel a strip lies in is known beside that of the warp's first column: the
/// addresses of all strips then differ by constants.
static Value loadStrip(ImplicitLocOpBuilder &b, Value values,
                       const MmaSyncWarpMap &map, Value group, int64_t strip) {
  auto type = cast<MemRefType>(values.getType());
  int64_t ofStrip = 16 * layout::kFragmentRows;
  int64_t ofWarp = map.strips * ofStrip, offset = strip * ofStrip;
  Value first = mulIndex(b, map.n0, layout::kFragmentRows);
  Value ofLane = mulIndex(b, map.lane, kLaneElements);
  int64_t columns = isInPanels(type) ? type.getDimSize(2) : 0;
  if (columns == 0 || (ofWarp % columns != 0 && columns % ofWarp != 0))
    return loadVector(b, values, group,
                      addIndex(b, addIndex(b, first, ofLane), offset), 1,
                      kLaneElements, Guard());
  Value panel = addIndex(b, divIndex(b, first, columns), offset / columns);
  if (columns > ofWarp)
    ofLane = addIndex(b, remIndex(b, first, columns), ofLane);
  return loadVector(b, getPanel(b, values, getAsOpFoldResult(panel)), group,
                    addIndex(b, ofLane, offset % columns), 1, kLaneElements,
                    Guard());
}

/// The operands of all strips, of each of which a lane has eight elements that
/// follow each other.
static FragmentValues loadStoredFragments(LoadValuesOp op,
                                          const MmaSyncWarpMap &map) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value values = op.getValues();
  Value group = divIndex(b, op.getFirst(), layout::kFragmentRows);
  FragmentValues operands;
  for (int64_t strip = 0; strip < map.strips; ++strip) {
    Value elements = loadStrip(b, values, map, group, strip);
    bool areBytes = getValuesType(values).getRank() == 1;
    operands.push_back(
        areBytes ? elements
                 : toMmaSyncOperand(
                       b, elements,
                       cast<MemRefType>(values.getType()).getElementType()));
  }
  return operands;
}

FragmentValues nm::loadMmaSyncValues(LoadValuesOp op,
                                     const MmaSyncWarpMap &map) {
  if (op.getFragments())
    return loadStoredFragments(op, map);
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value values = op.getValues();
  int64_t rowDim = getRowDim(cast<MemRefType>(values.getType()));
  bool asMatrices = canLoadMatrices(values, op.getType().getN()) &&
                    !mayLeave(values, rowDim, op.getFirst(), 16);
  // Matrices 0 and 1 are columns 0 to 7 and 8 to 15 of the first half of k, 2
  // and 3 those of the second.
  Value row = addIndex(b, remIndex(b, map.lane, 8),
                       mulIndex(b, divIndex(b, map.lane, 16), 8));
  Value half = mulIndex(b, remIndex(b, divIndex(b, map.lane, 8), 2), 8);
  std::optional<LaneColumns> columns;
  if (asMatrices)
    columns.emplace(b, values, addIndex(b, map.n0, half), 16 * map.strips);
  FragmentValues operands;
  for (int64_t strip = 0; strip < map.strips; ++strip)
    operands.push_back(
        asMatrices ? columns->load(addIndex(b, op.getFirst(), row), 16 * strip)
                   : loadValueElements(b, op, map, strip));
  return operands;
}
