//===- LimitOccupancy.cpp - No more blocks on an SM than its share --------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/LaunchSizes.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/Occupancy.h"
#include "nm/Transforms/Kernels/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMLIMITOCCUPANCYPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Bytes that a block of `launch` must claim for an SM to hold `perSM` of them
/// and no more: one more would need more than there is.
static int64_t getClaim(int64_t perSM, const TargetInfo &target) {
  return target.sharedMemoryPerSM / (perSM + 1) + 1 - kReservedSharedBytes;
}

/// As `getClaim` where `blocks`, an index, are alone or in pairs and known only
/// when they are launched, and at least `bytes`: what is claimed for as many
/// blocks an SM as it holds by `bytes` is not more than these.
static Value createClaimOf(OpBuilder &b, Location loc, Value blocks,
                           Value bytes, const TargetInfo &target) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  // One block more than an SM's share, which is one even of no blocks.
  Value before = arith::SubIOp::create(b, loc, blocks, constant(1));
  Value share = arith::DivSIOp::create(b, loc, before, constant(target.numSMs));
  Value tooMany = arith::AddIOp::create(b, loc, share, constant(2));
  Value part = arith::DivSIOp::create(
      b, loc, constant(target.sharedMemoryPerSM), tooMany);
  Value claim =
      arith::AddIOp::create(b, loc, part, constant(1 - kReservedSharedBytes));
  Value cast = arith::IndexCastOp::create(b, loc, bytes.getType(), claim);
  return arith::MaxSIOp::create(b, loc, cast, bytes);
}

/// The number of blocks of `launch`.
static Value createBlocks(OpBuilder &b, gpu::LaunchFuncOp launch) {
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  Value rows = b.createOrFold<arith::MulIOp>(launch.getLoc(), grid.x, grid.y);
  return b.createOrFold<arith::MulIOp>(launch.getLoc(), rows, grid.z);
}

/// What a block of `launch` claims instead of `bytes`, so that there is no room
/// for one more than an SM's share; null where these do it, or nobody knows.
static Value createClaim(gpu::LaunchFuncOp launch, int64_t bytes,
                         const TargetInfo &target) {
  OpBuilder b(launch);
  Location loc = launch.getLoc();
  std::optional<int64_t> cluster = countBlocksOfCluster(launch);
  // The share must be less than what fits.
  int64_t most = target.sharedMemoryPerSM / (bytes + kReservedSharedBytes) - 1;
  if (!cluster || most < 1)
    return nullptr;
  if (std::optional<int64_t> blocks = countBlocks(launch)) {
    int64_t perSM = getLeastBlocksPerSM(target, *blocks, *cluster, most);
    return perSM ? arith::ConstantIntOp::create(b, loc, getClaim(perSM, target),
                                                /*width=*/32)
                       .getResult()
                 : Value();
  }
  // Where larger clusters find room is known of constant numbers alone.
  if (*cluster > 2)
    return nullptr;
  return createClaimOf(b, loc, createBlocks(b, launch),
                       launch.getDynamicSharedMemorySize(), target);
}

/// Lets blocks of `launch` claim as much as leaves no room for one more than an
/// SM's share.
static void limit(gpu::LaunchFuncOp launch, const TargetInfo &target) {
  std::optional<int64_t> bytes = countSharedBytes(launch);
  if (!launch.getDynamicSharedMemorySize() || !bytes)
    return;
  Value claim = createClaim(launch, *bytes, target);
  if (!claim)
    return;
  launch.getDynamicSharedMemorySizeMutable().assign(claim);
  if (std::optional<int64_t> known = getConstantIntValue(claim))
    emitRemark(launch, RemarkId::OccupancyLimited)
        << remarkKey(RemarkKey::Bytes, *known);
  else
    emitRemark(launch, RemarkId::OccupancyLimitedByCall)
        << remarkKey(RemarkKey::Bytes, *bytes);
}

namespace {
struct LimitOccupancy : nm::impl::NMLimitOccupancyPassBase<LimitOccupancy> {
  void runOnOperation() override {
    TargetInfo target = getTarget(getOperation());
    if (!target.hasDependentLaunch)
      return;
    getOperation().walk(
        [&](gpu::LaunchFuncOp launch) { limit(launch, target); });
  }
};
} // namespace
