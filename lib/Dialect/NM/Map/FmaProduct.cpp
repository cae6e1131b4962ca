//===- FmaProduct.cpp - tile_mma to loads and FMAs ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each kept unit of the step: its index gives the rows of A, and each of
// its Bk rows is an outer product of tm elements of A and tn values. Columns
// that share a unit share the index and A's elements, which is what vector-wise
// patterns gain over element-wise ones (NM-SpMM III-B, nmSPARSE 4.2).
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "FmaThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

namespace {
/// FMAs of one thread that are unrolled into one block of code: more than this
/// outgrows the instruction cache without hiding more latency.
constexpr int64_t kUnrolledFmas = 2048;

/// Loads that are unrolled into one block of code: LLVM and ptxas move loads
/// up, and with many more than this their results do not fit the registers.
constexpr int64_t kUnrolledLoads = 96;

/// What one turn of a loop costs a thread.
struct Cost {
  int64_t fmas, loads;
};

/// A position in a loop that may be unrolled: `base` plus a constant.
struct Position {
  Value base;
  int64_t offset;
  int64_t baseDivisor; // base is a multiple of this

  Value value(ImplicitLocOpBuilder &b) const {
    return addIndex(b, base, offset);
  }
};

class MmaLowering {
public:
  MmaLowering(TileMmaOp op, const FmaThreadMap &map, int64_t stepK,
              FragmentValues &acc)
      : op(op), map(map), acc(acc), b(op.getLoc(), op),
        pattern(op.getPattern()),
        tileIndices(op.getIndexBase() == IndexBase::Tile),
        featureMajor(op.getALayout() == Layout::FeatureMajor) {
    blockN = op.getAcc().getType().getN();
    accumulator = op.getAcc().getType().getElementType();
    auto indices = cast<MemRefType>(op.getIndices().getType());
    unitRows = indices.getDimSize(tileIndices ? 1 : 0);
    if (ShapedType::isDynamic(unitRows))
      unitRows = pattern.getCondensedRows(stepK) / pattern.getUnitK();
  }

  void lower() {
    // Before any loop, so that they dominate all of them.
    for (int64_t g = 0; g < map.groupsN; ++g)
      unitColumns.push_back(createUnitColumn(g));
    Cost unit = rowCost();
    unit.fmas *= pattern.getUnitK();
    unit.loads *= pattern.getUnitK();
    forEach(unitRows, unit, [&](Position unit) { lowerUnit(unit); });
  }

private:
  /// One row of values: its loads and those of A for each unit column.
  Cost rowCost() {
    auto loads = [](Value memref, int64_t width) {
      return maxVectorWidth(memref) % width == 0 ? 1 : width;
    };
    int64_t ofA =
        map.groupsM * (featureMajor ? loads(op.getA(), map.vecM) : map.vecM);
    int64_t ofValues = map.groupsN * loads(op.getValues(), map.vecN);
    int64_t columns = createdColumns.size();
    return {map.tm * map.tn, columns * ofA + ofValues};
  }

  /// Calls `body` for 0 .. count - 1, unrolled as far as the budget allows.
  void forEach(int64_t count, Cost cost, function_ref<void(Position)> body) {
    int64_t unroll = count;
    while (unroll > 1 &&
           (unroll * cost.fmas > kUnrolledFmas ||
            unroll * cost.loads > kUnrolledLoads || count % unroll != 0))
      --unroll;
    if (unroll == count) {
      Value zero = indexConstant(b, 0);
      for (int64_t i = 0; i < count; ++i)
        body({zero, i, 0});
      return;
    }
    auto loop = createCountedLoop(b, count, unroll, acc);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    acc = llvm::to_vector<0>(ValueRange(loop.getRegionIterArgs()));
    loadedIndices.clear();
    for (int64_t i = 0; i < unroll; ++i)
      body({loop.getInductionVar(), i, unroll});
    scf::YieldOp::create(b, acc);
    acc = llvm::to_vector<0>(ValueRange(loop.getResults()));
    loadedIndices.clear();
  }

  /// All Bk rows of one kept unit of each of the thread's columns.
  void lowerUnit(Position unit) {
    // The rows of A of each group, equal values where groups share a unit.
    SmallVector<Value> rows;
    DenseMap<Value, Value> rowOfColumn;
    for (int64_t g = 0; g < map.groupsN; ++g) {
      Value column = unitColumns[g];
      Value &row = rowOfColumn[column];
      if (!row)
        row = rowOfUnit(unit, column);
      rows.push_back(row);
    }
    int64_t unitK = pattern.getUnitK();
    forEach(unitK, rowCost(), [&](Position inner) {
      Value place = inner.value(b);
      Value vRow = addIndex(b, mulIndex(b, unit.value(b), unitK), place);
      lowerRow(vRow, place, rows);
    });
  }

  /// One row: the outer product of the thread's elements of A and its values.
  void lowerRow(Value vRow, Value place, ArrayRef<Value> rows) {
    DenseMap<Value, SmallVector<Value>> elementsOfRow;
    for (int64_t g = 0; g < map.groupsN; ++g) {
      SmallVector<Value> &elements = elementsOfRow[rows[g]];
      if (elements.empty())
        elements = loadA(addIndex(b, rows[g], place));
      Value values = loadValues(vRow, g);
      for (int64_t i = 0; i < map.tm; ++i) {
        Value &sum = acc[i * map.groupsN + g];
        Value factor =
            vector::BroadcastOp::create(b, values.getType(), elements[i]);
        sum = createMultiplyAdd(factor, values, sum);
      }
    }
  }

  Value createMultiplyAdd(Value x, Value y, Value sum) {
    if (isa<FloatType>(accumulator))
      return vector::FMAOp::create(b, x, y, sum);
    return createAdd(b, createMul(b, x, y), sum);
  }

  /// The unit column of group `g`, the same value for groups in one unit.
  Value createUnitColumn(int64_t g) {
    int64_t unitN = pattern.getUnitN();
    auto cached = [&](int64_t key, function_ref<Value()> create) {
      Value &column = createdColumns[key];
      if (!column)
        column = create();
      return column;
    };
    if (unitN % blockN == 0)
      return cached(0, [&] { return indexConstant(b, 0); });
    if (knownDivisor(map.n0) % unitN == 0) {
      int64_t ahead = g * map.strideN / unitN;
      return cached(ahead, [&] {
        return addIndex(b, divIndex(b, map.n0, unitN), ahead);
      });
    }
    if (unitN % map.warpTileN == 0)
      return cached(0, [&] { return divIndex(b, map.warpN0, unitN); });
    return cached(g, [&] { return divIndex(b, map.column(b, g), unitN); });
  }

  /// The first row of A of unit `unit` in unit column `column`.
  Value rowOfUnit(Position unit, Value column) {
    Value index = loadIndex(unit, column);
    if (!tileIndices) {
      // The window's first row, then the unit's place in the window.
      Value window = divIndex(b, unit.value(b), pattern.getKeep());
      int64_t windowRows =
          pattern.isWindowAll() ? 0 : pattern.getWindow() * pattern.getUnitK();
      return addIndex(b, mulIndex(b, window, windowRows),
                      mulIndex(b, index, pattern.getUnitK()));
    }
    if (!op.getColumns())
      return index;
    Value row = memref::LoadOp::create(b, op.getColumns(),
                                       ValueRange{indexConstant(b, 0), index});
    return arith::IndexCastOp::create(b, b.getIndexType(), row);
  }

  /// The index of a unit; four of a packed weight at a time where they are
  /// aligned, as one access.
  Value loadIndex(Position unit, Value column) {
    Value indices = op.getIndices();
    Value position = unit.value(b);
    int64_t width = unitRows % 4 == 0 && unit.baseDivisor % 4 == 0 ? 4 : 1;
    if (!tileIndices || width == 1 || maxVectorWidth(indices) % width != 0) {
      Value i = tileIndices ? column : position;
      Value j = tileIndices ? position : column;
      Guard guard{
          needsGuard(indices, 0, tileIndices ? 1 : unitRows),
          needsGuard(indices, 1,
                     tileIndices ? unitRows : pattern.getUnitColumns(blockN))};
      Value one = loadVector(b, indices, i, j, 1, 1, guard);
      return toIndex(vector::ExtractOp::create(b, one, 0));
    }
    int64_t first = unit.offset / width * width;
    Value &four = loadedIndices[{column, first}];
    if (!four)
      four = loadVector(b, indices, column, addIndex(b, unit.base, first), 1,
                        width, Guard());
    return toIndex(vector::ExtractOp::create(b, four, unit.offset - first));
  }

  Value toIndex(Value integer) {
    return arith::IndexCastUIOp::create(b, b.getIndexType(), integer);
  }

  /// The thread's tm elements of one row of k of A, as sums are.
  SmallVector<Value> loadA(Value row) {
    Value a = op.getA();
    int kDim = featureMajor ? 0 : 1, mDim = 1 - kDim;
    bool guardK = needsGuardOfK(kDim);
    bool guardM = needsGuard(a, mDim, op.getAcc().getType().getM());
    Guard guard{featureMajor ? guardK : guardM, featureMajor ? guardM : guardK};
    SmallVector<Value> elements;
    for (int64_t g = 0; g < map.groupsM; ++g) {
      Value m = map.row(b, g * map.vecM);
      Value vector = loadVector(b, a, featureMajor ? row : m,
                                featureMajor ? m : row, mDim, map.vecM, guard);
      vector = convertNumber(b, vector, accumulator);
      for (int64_t e = 0; e < map.vecM; ++e)
        elements.push_back(vector::ExtractOp::create(b, vector, e));
    }
    return elements;
  }

  /// Whether a row of k may lie beyond A's tile: always checked where it comes
  /// from a list with -1, and where the last window may be partial.
  bool needsGuardOfK(int kDim) {
    auto type = cast<MemRefType>(op.getA().getType());
    if (op.getColumns() || type.isDynamicDim(kDim))
      return true;
    if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
      return false;
    int64_t window =
        pattern.getUnitK() * (pattern.isWindowAll() ? 1 : pattern.getWindow());
    return type.getDimSize(kDim) % window != 0;
  }

  /// The values of row `row` in group `g`, as sums are.
  Value loadValues(Value row, int64_t g) {
    Value values = op.getValues();
    Guard guard{needsGuard(values, 0, unitRows * pattern.getUnitK()),
                needsGuard(values, 1, blockN)};
    Value vector =
        loadVector(b, values, row, map.column(b, g), 1, map.vecN, guard);
    return convertNumber(b, vector, accumulator);
  }

  TileMmaOp op;
  const FmaThreadMap &map;
  FragmentValues &acc;
  ImplicitLocOpBuilder b;
  PatternAttr pattern;
  bool tileIndices, featureMajor;
  int64_t blockN, unitRows;
  Type accumulator;
  SmallVector<Value> unitColumns; // of each group
  DenseMap<int64_t, Value> createdColumns;
  DenseMap<std::pair<Value, int64_t>, Value> loadedIndices;
};
} // namespace

void nm::lowerFmaProduct(TileMmaOp op, const FmaThreadMap &map, int64_t stepK,
                         FragmentValues &acc) {
  MmaLowering(op, map, stepK, acc).lower();
}
