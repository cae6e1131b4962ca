//===- AsyncCopies.cpp - Tiles that pass no registers ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of one stage copies a tile, waits for it and computes. Copied by
// loads and stores, what is on its way takes registers: of a large tile, more
// than are left beside the weight that is loaded ahead.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMASYNCCOPIESPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Pieces of 16 bytes of a tile that a thread has registers for at once. Up to
/// that, loads are as fast, or faster (docs/performance.md).
static constexpr int64_t kMostLoads = 16;

/// Whether the pieces of a thread of a block are too many to be loaded, and can
/// be copied asynchronously.
static bool isForAsync(TileCopyOp copy, int64_t numThreads) {
  if (copy.getAsync() || copy.getTranspose())
    return false;
  auto type = cast<MemRefType>(copy.getDestination().getType());
  int64_t width = getChunkWidth(copy.getSource(), copy.getDestination());
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  return isAsyncChunk(copy.getSource(), copy.getDestination(), width) &&
         bytes > 16 * kMostLoads * numThreads;
}

/// Makes large copies in front of the barrier before the product asynchronous,
/// which is then preceded by a wait for them.
static LogicalResult makeCopiesAsync(TiledKernel kernel) {
  Operation *barrier = kernel.mma->getPrevNode();
  while (barrier && !isa<gpu::BarrierOp>(barrier))
    barrier = barrier->getPrevNode();
  if (!barrier)
    return success();
  int64_t copies = 0;
  for (Operation *op = barrier->getPrevNode();
       op && !isa<gpu::BarrierOp, WaitOp>(op); op = op->getPrevNode()) {
    auto copy = dyn_cast<TileCopyOp>(op);
    if (!copy || !isForAsync(copy, kernel.schedule.getNumThreads()))
      continue;
    copy.setAsync(true);
    copy.setCached(true);
    ++copies;
  }
  if (copies == 0)
    return success();
  OpBuilder b(barrier);
  CommitOp::create(b, barrier->getLoc());
  WaitOp::create(b, barrier->getLoc(), /*pending=*/0);
  emitRemark(kernel.launch, RemarkId::CopiesAsync)
      << remarkKey(RemarkKey::Copies, copies);
  return success();
}

namespace {
struct AsyncCopies : nm::impl::NMAsyncCopiesPassBase<AsyncCopies> {
  void runOnOperation() override {
    if (failed(forEachKernel(getOperation(), makeCopiesAsync)))
      signalPassFailure();
  }
};
} // namespace
