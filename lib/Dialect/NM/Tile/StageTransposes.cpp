//===- StageTransposes.cpp - A token-major A in chunks --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/KernelPlan/KernelPlan.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "nm/Support/MemRefs.h"
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

/// The tile that `copy` fills.
static SharedTile getTile(TileCopyOp copy) {
  auto type = cast<MemRefType>(copy.getDestination().getType());
  SharedTile tile = {"A", {}, type.getElementType()};
  tile.shape.append(type.getShape().begin(), type.getShape().end());
  tile.padding = type.getStridesAndOffset().first.front() - tile.shape.back();
  return tile;
}

/// Bytes of the rings that `kernel` will have beside that which `copy` fills.
static int64_t getOtherBytes(TiledKernel kernel, TileCopyOp copy) {
  int64_t bytes = 0;
  kernel.launch.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (isWorkgroup(alloc) && type.hasStaticShape() &&
        getViewRoot(copy.getDestination()) != alloc.getMemref())
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
      : kernel(kernel), copy(copy), tile(getTile(copy)) {}

  /// Why the copy stays as it is; empty where it need not.
  StringRef findObstacle(int64_t sharedMemory) {
    auto loop = dyn_cast<scf::ForOp>(copy->getParentOp());
    if (!loop || copy.getAsync())
      return "no copies are issued ahead";
    std::optional<int64_t> mostSteps;
    if (std::optional<StepCount> steps = getStepCount(loop))
      mostSteps = steps->most;
    auto [found, obstacle] = planTranspose(kernel.schedule, tile, mostSteps);
    if (!found)
      return obstacle;
    blocks = *found;
    if (!hasWholeChunks(copy.getSource(), blocks.extent))
      return "rows of A are not known to be whole chunks of 16 bytes";
    auto [staging, transposed] = getRings();
    if (getOtherBytes(kernel, copy) + staging.getBytes() +
            transposed.getBytes() >
        sharedMemory)
      return "shared memory has no room for another tile of A";
    return "";
  }

  /// Replaces the copy.
  void stage() {
    ImplicitLocOpBuilder b(copy.getLoc(), copy);
    SharedTile planned = getRings().staging.tile;
    Value staging;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&kernel.launch.getBody().front());
      staging =
          allocateWorkgroup(b, planned.shape, planned.element, planned.padding);
      // Threads read rows next to each other, at the same column.
      if (planned.swizzled)
        setSwizzled(staging);
    }
    TileFetchOp::create(b, copy.getSource(), staging, copy.getPredicate(),
                        /*async=*/false);
    gpu::BarrierOp::create(b);
    TileTransposeOp::create(b, staging, copy.getDestination());
    copy.erase();
  }

  /// Bytes of a tile that is staged.
  int64_t getBytes() const { return getRings().staging.tile.getBytes(); }

private:
  TransposeRings getRings() const {
    return getTransposeRings(tile, blocks, kernel.schedule.getStages());
  }

  TiledKernel kernel;
  TileCopyOp copy;
  SharedTile tile;
  TransposeBlocks blocks = {};
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
