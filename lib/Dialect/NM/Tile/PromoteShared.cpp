//===- PromoteShared.cpp - Tiles into shared memory -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/KernelPlan/SharedTiles.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMPROMOTESHAREDPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// One operand of nm.tile_mma that goes through a workgroup buffer.
struct Promotion {
  OpOperand *operand;
  SharedTile tile;
};
} // namespace

/// What the schedule wants to have promoted and is not yet.
static SmallVector<Promotion> listPromotions(TileMmaOp mma,
                                             ScheduleAttr schedule) {
  StepOperands operands = StepOperands::get(mma, schedule.getStepK());
  SmallVector<Promotion> promotions;
  if (schedule.getPromoteA() && !isWorkgroup(mma.getA()))
    promotions.push_back({&mma.getAMutable(), getTileOfA(schedule, operands)});
  if (schedule.getPromoteWeight() && !isWorkgroup(mma.getValues())) {
    promotions.push_back(
        {&mma.getValuesMutable(), getTileOfValues(schedule, operands)});
    promotions.push_back(
        {&mma.getIndicesMutable(), getTileOfIndices(schedule, operands)});
  }
  return promotions;
}

/// Checks that the buffers have static extents, whose bytes 64 bits hold. A
/// step of 0 means all of k, which no op of the kernel tells where A hides it.
static LogicalResult verifyBounds(TileMmaOp mma, ScheduleAttr schedule) {
  for (Value operand : {mma.getA(), mma.getValues(), mma.getIndices()})
    for (int64_t extent : cast<MemRefType>(operand.getType()).getShape())
      if (extent > std::numeric_limits<int32_t>::max())
        return mma.emitOpError("expected tiles with extents below 2^31, got ")
               << operand.getType();
  if (schedule.getStepK() != 0)
    return success();
  auto isDynamic = [](Value tile, int64_t dim) {
    return cast<MemRefType>(tile.getType()).isDynamicDim(dim);
  };
  bool featureMajor = mma.getALayout() == Layout::FeatureMajor;
  if (schedule.getPromoteA() && isDynamic(mma.getA(), featureMajor ? 0 : 1))
    return mma.emitOpError("expected A of static extent along k, or a schedule "
                           "with a step of k, to promote A");
  auto values = cast<MemRefType>(mma.getValues().getType());
  if (schedule.getPromoteWeight() && values.isDynamicDim(getRowDim(values)))
    return mma.emitOpError("expected values of a static number of rows, or a "
                           "schedule with a step of k, to promote them");
  return success();
}

/// Whether a block may copy to its buffers when it has read them before: in
/// another step, or for another tile.
static bool isCopiedAgain(TiledKernel kernel) {
  auto steps = dyn_cast<scf::ForOp>(kernel.mma->getParentOp());
  if (!steps)
    return kernel.mma->getParentOp() != kernel.launch;
  std::optional<StepCount> count = getStepCount(steps);
  return steps->getParentOp() != kernel.launch || !count || count->most > 1;
}

static LogicalResult promote(TiledKernel kernel) {
  auto [launch, schedule, mma] = kernel;
  if (failed(verifyBounds(mma, schedule)))
    return failure();
  ImplicitLocOpBuilder b(mma.getLoc(), mma);
  SmallVector<Promotion> promotions = listPromotions(mma, schedule);
  if (promotions.empty())
    return success();
  if (isCopiedAgain(kernel))
    gpu::BarrierOp::create(b);
  for (auto &[operand, tile] : promotions) {
    Value source = operand->get();
    Value buffer;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&launch.getBody().front());
      buffer = allocateWorkgroup(b, tile.shape, tile.element, tile.padding);
      if (tile.swizzled)
        setSwizzled(buffer);
    }
    TileCopyOp::create(b, source, buffer, /*predicate=*/Value(),
                       /*barrier=*/Value(), tile.transpose, /*async=*/false,
                       /*cached=*/false);
    operand->set(buffer);
    if (tile.transpose)
      mma.setALayout(Layout::FeatureMajor);
    emitRemark(mma, RemarkId::Promoted)
        << remarkKey(RemarkKey::Operand, tile.name)
        << remarkKey(RemarkKey::Bytes, tile.getBytes());
  }
  gpu::BarrierOp::create(b);
  return success();
}

namespace {
struct PromoteShared : nm::impl::NMPromoteSharedPassBase<PromoteShared> {
  void runOnOperation() override {
    if (failed(forEachKernel(getOperation(), promote)))
      signalPassFailure();
  }
};
} // namespace
