//===- StageTransposes.cpp - A token-major A in chunks --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/IR/TransposeBlocks.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/TargetInfo.h"

namespace nm {
#define GEN_PASS_DEF_NMSTAGETRANSPOSESPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Whether each row of `source` is a number of chunks of `extent` elements, at
/// multiples of 16 bytes.
static bool hasWholeChunks(Value source, int64_t extent) {
  return maxVectorWidth(source) == extent &&
         extentDivisor(source, 1) % extent == 0;
}

/// Whether threads store words of several rows of A, 16 bytes at a time.
static bool storesWords(TileCopyOp copy) {
  return isInPanels(cast<MemRefType>(copy.getDestination().getType()));
}

/// Bytes of the rings that `kernel` will have without staging.
static int64_t getSharedBytes(TiledKernel kernel) {
  int64_t bytes = 0;
  kernel.launch.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (isWorkgroup(alloc) && type.hasStaticShape())
      bytes +=
          kernel.schedule.getStages() *
          llvm::alignTo(
              type.getNumElements() * type.getElementTypeBitWidth() / 8, 16);
  });
  return bytes;
}

namespace {
/// The copy of a kernel that transposes, and how threads would.
class Staging {
public:
  Staging(const TiledKernel &kernel, TileCopyOp copy)
      : kernel(kernel), copy(copy) {
    auto tile = cast<MemRefType>(copy.getDestination().getType());
    blocks = TransposeBlocks::get(tile.getElementType(), tile.getDimSize(0),
                                  tile.getDimSize(1),
                                  kernel.schedule.getNumThreads());
  }

  /// Why the copy stays as it is; empty where it need not.
  StringRef findObstacle(int64_t sharedMemory) {
    auto loop = dyn_cast<scf::ForOp>(copy->getParentOp());
    int64_t stages = kernel.schedule.getStages();
    if (!loop || stages == 1 || copy.getAsync())
      return "no copies are issued ahead";
    // A step's tile has to be there a step before, to be transposed.
    if (stages == 2)
      return "with two stages there is no step between a copy and its use";
    // If no block can have as many, there are slots that nobody fills, whose
    // chunks are read all the same.
    std::optional<StepCount> steps = getStepCount(loop);
    if (!steps || steps->most < stages - 1)
      return "there are fewer steps than buffers to fetch to";
    auto tile = cast<MemRefType>(copy.getDestination().getType());
    if (!TransposeBlocks::getExtent(tile.getElementType()))
      return "elements of a byte are not transposed in chunks";
    if (!blocks)
      return "the tile is not made of whole blocks of chunks";
    if (!hasWholeChunks(copy.getSource(), blocks->extent))
      return "rows of A are not known to be whole chunks of 16 bytes";
    if (getSharedBytes(kernel) + getBytes() > sharedMemory)
      return "shared memory has no room for another tile of A";
    return "";
  }

  /// Replaces the copy.
  void stage() {
    ImplicitLocOpBuilder b(copy.getLoc(), copy);
    auto tile = cast<MemRefType>(copy.getDestination().getType());
    Value staging;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&kernel.launch.getBody().front());
      auto shape = blocks->getStagingShape();
      staging = allocateWorkgroup(b, shape, tile.getElementType(),
                                  /*rowPadding=*/0);
      // Threads read rows next to each other, at the same column.
      if (canSwizzle(shape[1], tile.getElementType()))
        setSwizzled(staging);
    }
    TileFetchOp::create(b, copy.getSource(), staging, copy.getPredicate(),
                        /*async=*/false);
    gpu::BarrierOp::create(b);
    TileTransposeOp::create(b, staging, copy.getDestination());
    copy.erase();
  }

  /// Bytes of a tile that is staged.
  int64_t getBytes() {
    auto [rows, columns] = blocks->getStagingShape();
    auto tile = cast<MemRefType>(copy.getDestination().getType());
    return rows * columns * tile.getElementTypeBitWidth() / 8;
  }

private:
  TiledKernel kernel;
  TileCopyOp copy;
  std::optional<TransposeBlocks> blocks;
};

struct StageTransposes : nm::impl::NMStageTransposesPassBase<StageTransposes> {
  void runOnOperation() override {
    int64_t sharedMemory = getTarget(getOperation()).sharedMemoryPerBlock;
    auto stageKernel = [&](TiledKernel kernel) {
      for (auto copy : llvm::make_early_inc_range(
               kernel.mma->getBlock()->getOps<TileCopyOp>()))
        if (copy.getTranspose() && !storesWords(copy))
          stage(Staging(kernel, copy), kernel.launch, sharedMemory);
      return success();
    };
    if (failed(forEachKernel(getOperation(), stageKernel)))
      signalPassFailure();
  }

  /// Replaces a copy that transposes, or says why not.
  static void stage(Staging staging, gpu::LaunchOp launch,
                    int64_t sharedMemory) {
    StringRef why = staging.findObstacle(sharedMemory);
    if (!why.empty()) {
      emitRemark(launch, RemarkId::TransposeNotStaged)
          << remarkReason("{0}", why);
      return;
    }
    emitRemark(launch, RemarkId::TransposeStaged)
        << remarkKey(RemarkKey::Bytes, staging.getBytes());
    staging.stage();
  }
};
} // namespace
