//===- RowSum.cpp - What threads of a row give together -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowSum.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Utils/ClusterOps.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;
using arith::AtomicRMWKind;

Value nm::combineTree(ImplicitLocOpBuilder &b, AtomicRMWKind kind,
                      ArrayRef<Value> values) {
  SmallVector<Value> level(values);
  while (level.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2)
      next.push_back(
          arith::getReductionOp(kind, b, b.getLoc(), level[i], level[i + 1]));
    if (level.size() % 2 != 0)
      next.push_back(level.back());
    level = next;
  }
  return level.front();
}

/// `value` of the lane that is `distance` from a thread's. Lanes exchange words
/// of 32 bits.
static Value shuffle(ImplicitLocOpBuilder &b, Value value, int64_t distance) {
  auto exchange = [&](Value word) -> Value {
    return gpu::ShuffleOp::create(b, word, distance, kWarpLanes,
                                  gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  Type type = value.getType(), word = b.getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 32)
    return exchange(value);
  Type integer = b.getIntegerType(bits);
  Value raw = type == integer
                  ? value
                  : arith::BitcastOp::create(b, integer, value).getResult();
  if (bits < 32) {
    Value wide = exchange(arith::ExtUIOp::create(b, word, raw));
    raw = arith::TruncIOp::create(b, integer, wide);
  } else {
    Value shift = arith::ConstantOp::create(b, b.getI64IntegerAttr(32));
    Value high = arith::ShRUIOp::create(b, raw, shift);
    Value low = exchange(arith::TruncIOp::create(b, word, raw));
    high = exchange(arith::TruncIOp::create(b, word, high));
    high = arith::ShLIOp::create(b, arith::ExtUIOp::create(b, integer, high),
                                 shift);
    raw =
        arith::OrIOp::create(b, high, arith::ExtUIOp::create(b, integer, low));
  }
  return type == integer ? raw
                         : arith::BitcastOp::create(b, type, raw).getResult();
}

static Value combineLanes(ImplicitLocOpBuilder &b, AtomicRMWKind kind,
                          Value value, int64_t lanes) {
  for (int64_t distance = 1; distance < lanes; distance *= 2)
    value = arith::getReductionOp(kind, b, b.getLoc(), value,
                                  shuffle(b, value, distance));
  return value;
}

/// Lane i of each warp writes `value` to block i of the cluster: to place
/// `place` of the buffer that `sums` is in that block. All threads of the
/// cluster wait until every lane has written.
static void exchangeParts(ImplicitLocOpBuilder &b, Value value, Value sums,
                          Value place, const RowThreads &threads) {
  int64_t bytes = *getElementBytes(value.getType());
  Value isOne =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, threads.lane,
                            indexConstant(b, threads.parts));
  auto some = scf::IfOp::create(b, isOne, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(some.thenBlock());
    Value rank = arith::IndexCastOp::create(b, b.getI32Type(), threads.lane);
    Value address =
        createClusterAddress(b, sums, mulIndex(b, place, bytes), rank);
    LLVM::StoreOp::create(b, value, address, unsigned(bytes));
  }
  createClusterArrive(b);
  createClusterWait(b);
}

/// Lets the first lane of each warp write `value` to place `place` of `sums`,
/// and waits for all of the block.
static void exchangeWarps(ImplicitLocOpBuilder &b, Value value, Value sums,
                          Value place, const RowThreads &threads) {
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        threads.lane, indexConstant(b, 0));
  auto one = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(one.thenBlock());
    memref::StoreOp::create(b, value, sums, place);
  }
  gpu::BarrierOp::create(b);
}

Value nm::combineThreads(ImplicitLocOpBuilder &b, AtomicRMWKind kind,
                         Value value, const RowThreads &threads) {
  int64_t warps = threads.count / kWarpLanes * threads.parts;
  if (warps <= 1)
    return combineLanes(b, kind, value, threads.count);
  // One that is read as it was written while the next reduction writes another.
  Value sums = allocateWorkgroup(b, {threads.rows * warps}, value.getType(),
                                 /*rowPadding=*/0);
  Value first =
      threads.row ? mulIndex(b, threads.row, warps) : indexConstant(b, 0);
  value = combineLanes(b, kind, value, kWarpLanes);
  Value place = addIndex(b, first, threads.warp);
  if (threads.parts > 1)
    exchangeParts(
        b, value, sums,
        addIndex(b, place,
                 mulIndex(b, threads.part, threads.count / kWarpLanes)),
        threads);
  else
    exchangeWarps(b, value, sums, place, threads);
  // Lanes have one warp's each, or those of several that follow each other.
  // Lanes beyond the number of warps have what those below it have.
  int64_t each = std::max<int64_t>(1, warps / kWarpLanes);
  Value own = mulIndex(b, remIndex(b, threads.lane, warps / each), each);
  SmallVector<Value> ofLane;
  for (int64_t i = 0; i < each; ++i)
    ofLane.push_back(memref::LoadOp::create(
        b, sums, addIndex(b, addIndex(b, first, own), i)));
  return combineLanes(b, kind, combineTree(b, kind, ofLane), warps / each);
}
