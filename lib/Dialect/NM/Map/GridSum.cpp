//===- GridSum.cpp - Sums of blocks of the grid ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block that has a tile for itself stores it. Of those that share one, each
// writes its values to its row of the workspace and counts itself; the one that
// counts all others adds the rows in their order, so that the sum does not
// depend on who that is. Nobody waits for another block, of which it is not
// known whether it runs at the same time.
//
// The first steps of a tile are the last of a block's, so mostly it is the
// first part that comes last: where all others are there, its values need not
// be written.
//
// Thread 0 counts after a barrier, and the others read after one: its fences
// release what all threads of a block wrote, and acquire it for all.
//
//===----------------------------------------------------------------------===//

#include "GridSum.h"
#include "Accesses.h"
#include "ThreadWords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

namespace {
class GridSum {
public:
  using StoreAll = function_ref<void(ValueRange)>;

  GridSum(TileStoreOp store, gpu::LaunchOp launch, ValueRange acc,
          StoreAll storeAll)
      : store(store), reduce(store.getValue().getDefiningOp<TileReduceOp>()),
        launch(launch), storeAll(storeAll), b(store.getLoc(), store),
        words(b, acc), thread(launch.getThreadIds().x),
        threads(getSchedule(launch).getNumThreads()) {}

  void lower() {
    Value isShared = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                           reduce.getFirst(), reduce.getLast());
    SmallVector<Type> types(words.get().size(), words.getType());
    types.push_back(b.getI1Type());
    auto sum = scf::IfOp::create(b, types, isShared, /*withElseRegion=*/true);
    b.setInsertionPointToStart(sum.thenBlock());
    addParts();
    b.setInsertionPointToStart(sum.elseBlock());
    yield(words.get(), arith::ConstantIntOp::create(b, 1, 1));
    b.setInsertionPointAfter(sum);
    storeSum(sum.getResults());
  }

private:
  void yield(ValueRange values, Value stores = Value()) {
    SmallVector<Value> results(values);
    if (stores)
      results.push_back(stores);
    scf::YieldOp::create(b, results);
  }

  /// Stores what a block that has the sum has of it.
  void storeSum(ValueRange results) {
    auto last = scf::IfOp::create(b, results.back(), /*withElseRegion=*/false);
    store->moveBefore(last.thenBlock()->getTerminator());
    b.setInsertionPoint(store);
    storeAll(words.unpack(b, results.drop_back()));
  }

  /// Adds what all have of the tile, where this block is the last of them.
  void addParts() {
    Value isFirst = isEqual(reduce.getRow(), reduce.getFirst());
    auto isAwaited = scf::IfOp::create(b, b.getI1Type(), isFirst,
                                       /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(isAwaited.thenBlock());
      yield({}, countOthers(/*more=*/0));
      b.setInsertionPointToStart(isAwaited.elseBlock());
      yield({}, arith::ConstantIntOp::create(b, 0, 1));
    }
    Value isLast = writeUnless(isAwaited.getResult(0));
    SmallVector<Type> types(words.get().size(), words.getType());
    auto sum = scf::IfOp::create(b, types, isLast, /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(sum.thenBlock());
      yield(readParts(isFirst));
      b.setInsertionPointToStart(sum.elseBlock());
      yield(words.get());
    }
    yield(sum.getResults(), isLast);
  }

  /// Writes the block's part and counts it, unless it `isAwaited` by nobody but
  /// itself; whether all others have been counted before.
  Value writeUnless(Value isAwaited) {
    auto last = scf::IfOp::create(b, b.getI1Type(), isAwaited,
                                  /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(last.thenBlock());
    yield({}, arith::ConstantIntOp::create(b, 1, 1));
    b.setInsertionPointToStart(last.elseBlock());
    writePart();
    yield({}, countOthers(/*more=*/1));
    return last.getResult(0);
  }

  Value isEqual(Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
  }

  /// The place of word `i` of the thread in a row of the workspace.
  Value getColumn(size_t i) {
    int64_t width = words.getWidth();
    return addIndex(b, mulIndex(b, thread, width),
                    int64_t(i) * threads * width);
  }

  void writePart() {
    for (auto [i, word] : llvm::enumerate(words.get()))
      storeVector(b, word, reduce.getWorkspace(), reduce.getRow(), getColumn(i),
                  Guard());
  }

  /// The order of the count among other accesses: LLVM's is relaxed for NVPTX,
  /// whatever it was to be.
  void createFence() {
    LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel, "device");
  }

  /// Adds `more` to the blocks that have been counted; whether all but one had
  /// been before.
  Value countOthers(int64_t more) {
    Value zero = indexConstant(b, 0);
    // Here, that it lies behind the tiles, whose rows begin where lines of
    // shared memory do.
    Value before = allocateWorkgroup(b, {1, 1}, b.getI32Type(), 0);
    gpu::BarrierOp::create(b);
    auto one = scf::IfOp::create(b, isEqual(thread, zero),
                                 /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(one.thenBlock());
      Value added = arith::ConstantIntOp::create(b, more, 32);
      createFence();
      Value number =
          memref::AtomicRMWOp::create(b, arith::AtomicRMWKind::addi, added,
                                      reduce.getArrivals(), ValueRange{zero});
      createFence();
      memref::StoreOp::create(b, number, before, ValueRange{zero, zero});
    }
    gpu::BarrierOp::create(b);
    Value number = memref::LoadOp::create(b, before, ValueRange{zero, zero});
    number = arith::IndexCastOp::create(b, b.getIndexType(), number);
    return isEqual(addIndex(b, reduce.getFirst(), number), reduce.getLast());
  }

  FragmentValues readPart(Value row) {
    FragmentValues values;
    for (size_t i = 0; i < words.get().size(); ++i)
      values.push_back(loadVector(b, reduce.getWorkspace(), row, getColumn(i),
                                  /*dim=*/1, words.getWidth(), Guard()));
    return values;
  }

  /// The sum of all parts, in their order; the block has the first one in
  /// registers if its is that.
  FragmentValues readParts(Value isFirst) {
    SmallVector<Type> types(words.get().size(), words.getType());
    auto first = scf::IfOp::create(b, types, isFirst, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(first.thenBlock());
    yield(words.get());
    b.setInsertionPointToStart(first.elseBlock());
    yield(readPart(reduce.getFirst()));
    b.setInsertionPointAfter(first);
    Value one = indexConstant(b, 1);
    auto loop = scf::ForOp::create(b, addIndex(b, reduce.getFirst(), one),
                                   addIndex(b, reduce.getLast(), one), one,
                                   first.getResults());
    b.setInsertionPointToStart(loop.getBody());
    FragmentValues sums = readPart(loop.getInductionVar());
    for (auto [sum, before] : llvm::zip(sums, loop.getRegionIterArgs()))
      sum = createAdd(b, before, sum);
    scf::YieldOp::create(b, sums);
    return FragmentValues(loop.getResults());
  }

  TileStoreOp store;
  TileReduceOp reduce;
  gpu::LaunchOp launch;
  StoreAll storeAll;
  ImplicitLocOpBuilder b;
  ThreadWords words;
  Value thread;
  int64_t threads;
};
} // namespace

void nm::lowerGridSum(TileStoreOp store, gpu::LaunchOp launch, ValueRange acc,
                      function_ref<void(ValueRange sums)> storeAll) {
  GridSum(store, launch, acc, storeAll).lower();
}
