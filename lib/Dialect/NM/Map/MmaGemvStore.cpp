//===- MmaGemvStore.cpp - Sums of kind mma_gemv to C ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warps that share columns leave their sums in shared memory, as rows of C,
// which all threads then add, in the order of the warps, and store. Blocks that
// share k read those of each other, too, each for its part of the places.
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "ClusterSum.h"
#include "MmaGemvWarpMap.h"
#include "StoreEpilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/IR/FewRows.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

/// Columns that a thread adds and stores at once, at most.
static constexpr int64_t kMostColumns = 4;
/// Bytes of a sum.
static constexpr int64_t kElementBytes = 4;

static Value isBelow(ImplicitLocOpBuilder &b, Value index, int64_t bound) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index,
                               indexConstant(b, bound));
}

/// Writes the sums of the thread's warp.
static void leaveSums(ImplicitLocOpBuilder &b, const MmaGemvWarpMap &map,
                      ValueRange acc, Value buffer) {
  Value first = mulIndex(b, map.warpK, map.rows);
  for (int64_t i = 0; i < int64_t(acc.size()); ++i) {
    int64_t group = i / 4 % map.groups, strip = i / 4 / map.groups;
    Value m = addIndex(b, mulIndex(b, map.laneRow, 2), group * 8 + i % 2);
    Value n = addIndex(b, addIndex(b, map.n0, map.laneColumn),
                       strip * 16 + i % 4 / 2 * 8);
    auto store = [&] {
      memref::StoreOp::create(b, acc[i], buffer,
                              ValueRange{addIndex(b, first, m), n});
    };
    if (map.rows >= (group + 1) * 8) {
      store();
      continue;
    }
    auto guarded = scf::IfOp::create(b, isBelow(b, m, map.rows),
                                     /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    store();
  }
}

/// Waits until all warps of `blocks` blocks have left their sums.
static void waitForSums(ImplicitLocOpBuilder &b, int64_t blocks) {
  if (blocks == 1) {
    gpu::BarrierOp::create(b);
    return;
  }
  createClusterArrive(b);
  createClusterWait(b);
}

/// The first place that the thread adds and stores: blocks take as many as they
/// have threads, in the order of their ranks.
static Value getFirstPlace(ImplicitLocOpBuilder &b, const MmaGemvWarpMap &map,
                           int64_t blocks) {
  if (blocks == 1)
    return map.thread;
  Value first = mulIndex(b, createClusterRank(b), map.kind.getNumThreads());
  return addIndex(b, first, map.thread);
}

/// Bytes of a row of `buffer`.
static int64_t getRowBytes(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getStridesAndOffset().first[0] *
         kElementBytes;
}

namespace {
/// Sums of the warps of `blocks` blocks, in `buffer` of each.
struct Sums {
  Value buffer;
  int64_t warps, blocks;
  int64_t rows; // of a warp

  /// `width` columns from `n` on of row `m`.
  Value add(ImplicitLocOpBuilder &b, Value m, Value n, int64_t width) const {
    Value sum;
    for (int64_t block = 0; block < blocks; ++block)
      for (Value one : load(b, m, n, width, block))
        sum = sum ? createAdd(b, sum, one) : one;
    return sum;
  }

private:
  /// What each warp of `block` has.
  SmallVector<Value> load(ImplicitLocOpBuilder &b, Value m, Value n,
                          int64_t width, int64_t block) const {
    SmallVector<Value> values;
    if (blocks == 1) {
      for (int64_t warp = 0; warp < warps; ++warp)
        values.push_back(loadVector(b, buffer, addIndex(b, m, warp * rows), n,
                                    1, width, Guard()));
      return values;
    }
    Value place = addIndex(b, mulIndex(b, m, getRowBytes(buffer)),
                           mulIndex(b, n, kElementBytes));
    Value address = createClusterAddress(
        b, buffer, place, arith::ConstantIntOp::create(b, block, 32));
    auto type = VectorType::get({width}, b.getF32Type());
    for (int64_t warp = 0; warp < warps; ++warp)
      values.push_back(
          loadOfCluster(b, address, warp * rows * getRowBytes(buffer), type));
    return values;
  }
};
} // namespace

/// Adds and stores `width` columns from `n` on of row `m`.
static void storeColumns(TileStoreOp op, const Sums &sums, Value m, Value n,
                         int64_t width) {
  StoreEpilogue epilogue(op);
  ImplicitLocOpBuilder &b = epilogue.builder();
  Value sum = sums.add(b, m, n, width);
  SmallVector<Value> values;
  for (int64_t e = 0; e < width; ++e) {
    Value element = vector::ExtractOp::create(b, sum, e);
    values.push_back(
        epilogue.finish(element, epilogue.loadColumn(addIndex(b, n, e))));
  }
  if (!epilogue.isFeatureMajor())
    return epilogue.store(values, m, n);
  for (auto [e, value] : llvm::enumerate(values))
    epilogue.store(value, m, addIndex(b, n, int64_t(e)));
}

void nm::lowerMmaGemvStore(TileStoreOp op, gpu::LaunchOp launch,
                           const MmaGemvWarpMap &map, ValueRange acc,
                           int64_t blocks) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  int64_t columns = map.kind.getBlockN(), warps = map.kind.getWarps()[1];
  Value buffer;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&launch.getBody().front());
    buffer = allocateWorkgroup(b, {warps * map.rows, columns},
                               acc.front().getType(), kSumRowPadding);
  }
  // No copy may be on its way when the block ends.
  NVVM::CpAsyncWaitGroupOp::create(b, /*n=*/0);
  gpu::BarrierOp::create(b);
  leaveSums(b, map, acc, buffer);
  waitForSums(b, blocks);
  int64_t threads = map.kind.getNumThreads() * blocks;
  int64_t width = 1;
  while (width < kMostColumns && width * 2 * threads <= map.rows * columns)
    width *= 2;
  // In turns, of which the last may have places for some threads only.
  int64_t places = map.rows * columns / width;
  auto loop =
      scf::ForOp::create(b, getFirstPlace(b, map, blocks),
                         indexConstant(b, places), indexConstant(b, threads));
  op->moveBefore(loop.getBody()->getTerminator());
  b.setInsertionPoint(op);
  Value place = loop.getInductionVar();
  Value m = divIndex(b, place, columns / width);
  Value n = mulIndex(b, remIndex(b, place, columns / width), width);
  storeColumns(op, {buffer, warps, blocks, map.rows}, m, n, width);
  if (blocks == 1)
    return;
  b.setInsertionPointAfter(loop);
  createClusterArrive(b);
  waitAtEnd(launch);
}
