//===- GemvStore.cpp - Sums of kind gemv to C -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that share columns add their sums by shuffles. Warps that do leave them
// in shared memory, where each then adds and stores a part of the rows. All are
// added in an order of their own, so that the bits are the same each time.
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "GemvThreadMap.h"
#include "StoreEpilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

static Value isZero(ImplicitLocOpBuilder &b, Value index) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, index,
                               indexConstant(b, 0));
}

namespace {
/// What the threads of a block have of some rows becomes their sum.
class BlockSum {
public:
  BlockSum(TileStoreOp op, gpu::LaunchOp launch, const GemvThreadMap &map,
           ValueRange acc)
      : launch(launch), map(map), b(op.getLoc(), op), sums(acc) {}

  /// Lanes of one column have the same sums then.
  void addLanes() {
    for (Value &sum : sums)
      for (int64_t lane = map.getLanesN(); lane < 32; lane *= 2)
        sum = createAdd(b, sum, shuffle(sum, lane));
  }

  /// Writes the sums of each warp. All wait before for each other and for their
  /// copies: the buffer may have the place of A's tile.
  void leaveForOthers() {
    auto type = cast<VectorType>(sums.front().getType());
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&launch.getBody().front());
      int64_t warps = map.getWarpsN() * map.getWarpsK();
      buffer = allocateWorkgroup(
          b, {int64_t(sums.size()), warps * map.getLanesN() * map.tn},
          type.getElementType(), /*rowPadding=*/0);
    }
    NVVM::CpAsyncWaitGroupOp::create(b, /*n=*/0);
    gpu::BarrierOp::create(b);
    {
      OpBuilder::InsertionGuard guard(b);
      auto branch = scf::IfOp::create(b, isZero(b, map.laneK),
                                      /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
      Value column = getColumn(map.warpK);
      for (auto [i, sum] : llvm::enumerate(sums))
        storeVector(b, sum, buffer, indexConstant(b, int64_t(i)), column,
                    Guard());
    }
    gpu::BarrierOp::create(b);
  }

  /// The sums of all warps of `count` rows from `row` on.
  FragmentValues addWarps(ImplicitLocOpBuilder &at, Value row, int64_t count) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(at.getInsertionBlock(), at.getInsertionPoint());
    FragmentValues all;
    for (int64_t i = 0; i < count; ++i) {
      Value sum;
      for (int64_t warp = 0; warp < map.getWarpsK(); ++warp) {
        Value column = getColumn(indexConstant(b, warp));
        Value one = loadVector(b, buffer, addIndex(b, row, i), column, 1,
                               map.tn, Guard());
        sum = sum ? createAdd(b, sum, one) : one;
      }
      all.push_back(sum);
    }
    return all;
  }

  const FragmentValues &get() const { return sums; }
  ImplicitLocOpBuilder &builder() { return b; }

private:
  /// `vector` of the lane that differs in the digit.
  Value shuffle(Value vector, int64_t lane) {
    SmallVector<Value> elements;
    for (int64_t e = 0; e < map.tn; ++e) {
      Value element = vector::ExtractOp::create(b, vector, e);
      auto other = gpu::ShuffleOp::create(b, element, lane, /*width=*/32,
                                          gpu::ShuffleMode::XOR);
      elements.push_back(other.getShuffleResult());
    }
    return vector::FromElementsOp::create(b, vector.getType(), elements);
  }

  /// Where the columns of a warp's lane lie in a row of the buffer.
  Value getColumn(Value warpK) {
    Value warp = addIndex(b, mulIndex(b, warpK, map.getWarpsN()), map.warpN);
    Value lane = addIndex(b, mulIndex(b, warp, map.getLanesN()), map.laneN);
    return mulIndex(b, lane, map.tn);
  }

  gpu::LaunchOp launch;
  const GemvThreadMap &map;
  ImplicitLocOpBuilder b;
  FragmentValues sums;
  Value buffer;
};
} // namespace

/// Moves `op` to where `condition` holds, and `b` before it.
static void enter(ImplicitLocOpBuilder &b, TileStoreOp op, Value condition) {
  auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  op->moveBefore(branch.thenBlock()->getTerminator());
  b.setInsertionPoint(op);
}

/// Stores `sums`, the rows from `row` of `part` on.
static void storeRows(TileStoreOp op, const GemvThreadMap &map, ValueRange sums,
                      Value row, SumPart part) {
  StoreEpilogue epilogue(op);
  ImplicitLocOpBuilder &b = epilogue.builder();
  if (part.parts > 1)
    row = addIndex(b, row, mulIndex(b, part.number, map.tm / part.parts));
  SmallVector<StoreEpilogue::Column> columns;
  for (int64_t e = 0; e < map.tn; ++e)
    columns.push_back(epilogue.loadColumn(addIndex(b, map.n0, e)));
  for (auto [i, sum] : llvm::enumerate(sums)) {
    SmallVector<Value> values;
    for (int64_t e = 0; e < map.tn; ++e) {
      Value element = vector::ExtractOp::create(b, sum, e);
      values.push_back(epilogue.finish(element, columns[e]));
    }
    Value m = addIndex(b, row, int64_t(i));
    if (!epilogue.isFeatureMajor()) {
      epilogue.store(values, m, map.n0);
      continue;
    }
    for (auto [e, value] : llvm::enumerate(values))
      epilogue.store(value, m, addIndex(b, map.n0, int64_t(e)));
  }
}

FragmentValues nm::sumGemvBlock(TileStoreOp op, gpu::LaunchOp launch,
                                const GemvThreadMap &map, ValueRange acc) {
  BlockSum sum(op, launch, map, acc);
  sum.addLanes();
  if (map.getWarpsK() == 1)
    return sum.get();
  sum.leaveForOthers();
  ImplicitLocOpBuilder &b = sum.builder();
  return sum.addWarps(b, indexConstant(b, 0), int64_t(acc.size()));
}

void nm::storeGemvSums(TileStoreOp op, const GemvThreadMap &map,
                       ValueRange sums, SumPart part) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value isFirstLane = isZero(b, map.laneK), isFirstWarp = isZero(b, map.warpK);
  enter(b, op, arith::AndIOp::create(b, isFirstLane, isFirstWarp));
  storeRows(op, map, sums, indexConstant(b, 0), part);
}

void nm::lowerGemvStore(TileStoreOp op, gpu::LaunchOp launch,
                        const GemvThreadMap &map, ValueRange acc,
                        SumPart part) {
  BlockSum sum(op, launch, map, acc);
  sum.addLanes();
  if (map.getWarpsK() == 1)
    return storeGemvSums(op, map, sum.get(), part);
  sum.leaveForOthers();
  // Each warp adds and stores some rows, or the first one all.
  int64_t rows = acc.size(), warps = map.getWarpsK(), ofWarp = rows;
  if (rows % warps == 0)
    ofWarp = rows / warps;
  else if (warps % rows == 0)
    ofWarp = 1;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value last = indexConstant(b, rows / ofWarp);
  Value hasRows =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, map.warpK, last);
  enter(b, op, arith::AndIOp::create(b, isZero(b, map.laneK), hasRows));
  Value row = mulIndex(b, map.warpK, ofWarp);
  storeRows(op, map, sum.addWarps(b, row, ofWarp), row, part);
}
