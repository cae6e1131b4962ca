//===- ClusterSum.cpp - Sums of the blocks of a cluster -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every block writes its values to shared memory of its own, as
// [value][thread], so that neighbouring threads write neighbouring words.
// Thread t of a block then reads what threads t of all blocks wrote, of the
// values that the block is to store: each value crosses the cluster once. The
// values are cut into equal parts, one a block or, where that is fairer,
// several, which the blocks take in turn.
//
// Before, all threads wait for each other and for their copies, of which those
// beyond the last step write zeros: nm-allocate-shared may then give the buffer
// the place of the ring.
//
//===----------------------------------------------------------------------===//

#include "ClusterSum.h"
#include "Accesses.h"
#include "ThreadWords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Support/NumberOps.h"
#include <numeric>

using namespace mlir;
using namespace nm;

namespace {
class ClusterSum {
public:
  using StorePart = function_ref<void(SumPart, ValueRange)>;

  ClusterSum(TileStoreOp store, gpu::LaunchOp launch, ValueRange acc,
             int64_t parts, StorePart storePart)
      : store(store), launch(launch), parts(parts), storePart(storePart),
        blocks(getSchedule(launch).getSplitK()),
        threads(getSchedule(launch).getNumThreads()), b(store.getLoc(), store),
        words(b, acc) {}

  void lower() {
    NVVM::CpAsyncWaitGroupOp::create(b, /*n=*/0);
    gpu::BarrierOp::create(b);
    write();
    createClusterArrive(b);
    createClusterWait(b);
    count = int64_t(words.get().size()) / parts;
    Value rank = createClusterRank(b);
    if (parts == blocks)
      storeOne(rank);
    else
      storeInTurn(rank);
    waitAtEnd(launch);
  }

private:
  /// Stores part `rank`, while the others may end.
  void storeOne(Value rank) {
    FragmentValues sums = read(rank);
    createClusterArrive(b);
    storePart({parts, rank}, sums);
  }

  /// Stores the parts of block `rank`: that one, and each that is a multiple of
  /// the number of blocks further on.
  void storeInTurn(Value rank) {
    Value end = indexConstant(b, parts), stride = indexConstant(b, blocks);
    auto turns = scf::ForOp::create(b, rank, end, stride);
    store->moveBefore(turns.getBody()->getTerminator());
    b.setInsertionPoint(store);
    Value number = turns.getInductionVar();
    FragmentValues sums = read(number);
    storePart({parts, number}, sums);
    b.setInsertionPointAfter(turns);
    createClusterArrive(b);
  }

  /// Of the words of all threads.
  int64_t getRowBytes() const { return threads * words.getBytes(); }

  void write() {
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&launch.getBody().front());
      buffer = allocateWorkgroup(
          b, {int64_t(words.get().size()), threads * words.getWidth()},
          words.getType().getElementType(), /*rowPadding=*/0);
    }
    Value column = mulIndex(b, launch.getThreadIds().x, words.getWidth());
    for (auto [i, word] : llvm::enumerate(words.get()))
      storeVector(b, word, buffer, indexConstant(b, int64_t(i)), column,
                  Guard());
  }

  /// Reads the thread's words of part `number` in all blocks, and adds them.
  FragmentValues read(Value number) {
    Value row = mulIndex(b, number, count * getRowBytes());
    Value column = mulIndex(b, launch.getThreadIds().x, words.getBytes());
    Value place = addIndex(b, row, column);
    FragmentValues sums;
    for (int64_t rank = 0; rank < blocks; ++rank) {
      Value remote = createClusterAddress(
          b, buffer, place, arith::ConstantIntOp::create(b, rank, 32));
      for (int64_t i = 0; i < count; ++i) {
        Value word =
            loadOfCluster(b, remote, i * getRowBytes(), words.getType());
        if (rank == 0)
          sums.push_back(word);
        else
          sums[i] = createAdd(b, sums[i], word);
      }
    }
    return words.unpack(b, sums);
  }

  TileStoreOp store;
  gpu::LaunchOp launch;
  int64_t parts;
  StorePart storePart;
  int64_t blocks, threads;
  ImplicitLocOpBuilder b;
  ThreadWords words;
  int64_t count = 0; // of a part's words
  Value buffer;
};
} // namespace

void nm::lowerClusterSum(
    TileStoreOp store, gpu::LaunchOp launch, ValueRange acc, int64_t parts,
    function_ref<void(SumPart part, ValueRange sums)> storePart) {
  ClusterSum(store, launch, acc, parts, storePart).lower();
}

void nm::waitAtEnd(gpu::LaunchOp launch) {
  ImplicitLocOpBuilder last(launch.getLoc(),
                            launch.getBody().back().getTerminator());
  createClusterWait(last);
}

Value nm::loadOfCluster(ImplicitLocOpBuilder &b, Value address, int64_t offset,
                        VectorType type) {
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  Value place = LLVM::GEPOp::create(
      b, address.getType(), b.getI8Type(), address,
      ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(offset))});
  // Words of more than 16 bytes are several accesses.
  auto alignment = unsigned(std::gcd(int64_t(16), bytes));
  return LLVM::LoadOp::create(b, type, place, alignment);
}
