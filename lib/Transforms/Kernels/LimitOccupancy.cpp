//===- LimitOccupancy.cpp - No more blocks on an SM than its share --------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/Occupancy.h"
#include "nm/Transforms/Kernels/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMLIMITOCCUPANCYPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Bytes that a block must claim for an SM to hold as few as let all blocks of
/// `launch` be resident; 0 where it claims enough, or that is not known.
static int64_t getClaim(gpu::LaunchFuncOp launch, const TargetInfo &target) {
  if (!launch.getDynamicSharedMemorySize())
    return 0;
  std::optional<int64_t> bytes = countSharedBytes(launch);
  std::optional<int64_t> blocks = countBlocks(launch);
  std::optional<int64_t> cluster = countBlocksOfCluster(launch);
  if (!bytes || !blocks || !cluster)
    return 0;
  int64_t held = target.sharedMemoryPerSM / (*bytes + kReservedSharedBytes);
  int64_t perSM = getLeastBlocksPerSM(target, *blocks, *cluster, held - 1);
  if (perSM == 0)
    return 0;
  // One block more would need more than there is.
  return target.sharedMemoryPerSM / (perSM + 1) + 1 - kReservedSharedBytes;
}

namespace {
struct LimitOccupancy : nm::impl::NMLimitOccupancyPassBase<LimitOccupancy> {
  void runOnOperation() override {
    TargetInfo target = getTarget(getOperation());
    if (!target.hasDependentLaunch)
      return;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      int64_t bytes = getClaim(launch, target);
      if (bytes == 0)
        return;
      OpBuilder b(launch);
      launch.getDynamicSharedMemorySizeMutable().assign(
          arith::ConstantIntOp::create(b, launch.getLoc(), bytes, 32));
      emitRemark(launch, RemarkId::OccupancyLimited)
          << remarkKey(RemarkKey::Bytes, bytes);
    });
  }
};
} // namespace
