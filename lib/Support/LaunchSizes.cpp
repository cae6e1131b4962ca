//===- LaunchSizes.cpp - How much a launch is -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/LaunchSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// The product of three extents; nothing where one is not known, or it is
/// beyond what 64 bits hold.
static std::optional<int64_t> multiply(gpu::KernelDim3 extents) {
  int64_t product = 1;
  for (Value extent : {extents.x, extents.y, extents.z}) {
    std::optional<int64_t> known = getConstantIntValue(extent);
    if (!known || llvm::MulOverflow(product, *known, product))
      return std::nullopt;
  }
  return product;
}

std::optional<int64_t> nm::countBlocks(gpu::LaunchFuncOp launch) {
  return multiply(launch.getGridSizeOperandValues());
}

std::optional<int64_t> nm::countBlocksOfCluster(gpu::LaunchFuncOp launch) {
  if (!launch.hasClusterSize())
    return 1;
  return multiply(launch.getClusterSizeOperandValues());
}

std::optional<int64_t> nm::countThreads(gpu::LaunchFuncOp launch) {
  return multiply(launch.getBlockSizeOperandValues());
}

std::optional<int64_t> nm::countSharedBytes(gpu::LaunchFuncOp launch) {
  Value claimed = launch.getDynamicSharedMemorySize();
  if (!claimed)
    return 0;
  // nm-limit-occupancy lets a launch claim a number of bytes, or more.
  if (auto most = claimed.getDefiningOp<arith::MaxSIOp>())
    claimed = most.getRhs();
  return getConstantIntValue(claimed);
}
