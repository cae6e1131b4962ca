//===- KernelForm.cpp - Kernels in the form of the tile level -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nm;

static bool isOnFragments(Operation *op) {
  return isa<TileZeroOp, TileMmaOp, TileStoreOp>(op);
}

static LogicalResult verifyThreads(gpu::LaunchOp launch,
                                   ScheduleAttr schedule) {
  int64_t threads = schedule.getNumThreads();
  if (getConstantIntValue(launch.getBlockSizeX()) == threads &&
      getConstantIntValue(launch.getBlockSizeY()) == 1 &&
      getConstantIntValue(launch.getBlockSizeZ()) == 1)
    return success();
  return launch.emitOpError()
         << "expected " << threads << " x 1 x 1 threads, as its schedule says";
}

static bool carriesFragment(scf::ForOp loop) {
  return loop && llvm::any_of(loop.getRegionIterArgs(), [](Value value) {
           return isa<FragmentType>(value.getType());
         });
}

/// Whether all threads of the launch execute `op`, and a lowering that follows
/// the fragments finds it: only loops that carry one, and whose bounds all
/// threads agree on, are between.
static bool isInKernelForm(Operation *op, gpu::LaunchOp launch) {
  Operation *parent = op->getParentOp();
  while (carriesFragment(dyn_cast<scf::ForOp>(parent)))
    parent = parent->getParentOp();
  return parent == launch;
}

static LogicalResult verifyFragment(Operation *op, Type type,
                                    ScheduleAttr schedule) {
  auto fragment = dyn_cast<FragmentType>(type);
  if (!fragment)
    return success();
  if (fragment.getM() != schedule.getBlockM() ||
      fragment.getN() != schedule.getBlockN())
    return op->emitOpError()
           << "expected fragments of " << schedule.getBlockM() << "x"
           << schedule.getBlockN() << ", the schedule's block, got "
           << fragment.getM() << "x" << fragment.getN();
  auto loop = dyn_cast<scf::ForOp>(op);
  if ((loop && loop.getNumRegionIterArgs() == 1) || isOnFragments(op) ||
      (isa<scf::YieldOp>(op) && isa<scf::ForOp>(op->getParentOp())))
    return success();
  return op->emitOpError("unsupported: a fragment in an op other than those of "
                         "nm and loops that carry one value");
}

/// Checks one op of a kernel.
static LogicalResult verifyOp(Operation *op, gpu::LaunchOp launch,
                              ScheduleAttr schedule) {
  if (isOnFragments(op) && !isInKernelForm(op, launch))
    return op->emitOpError("expected it in the launch, or below it in loops "
                           "that carry a fragment, so that all threads reach "
                           "it");
  for (Type type : op->getOperandTypes())
    if (failed(verifyFragment(op, type, schedule)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verifyFragment(op, type, schedule)))
      return failure();
  return success();
}

/// The kernel that `launch` is; one without a product where it has no ops on
/// fragments, or none any more.
static FailureOr<TiledKernel> getKernel(gpu::LaunchOp launch) {
  TiledKernel kernel{launch, getSchedule(launch), TileMmaOp()};
  Operation *first = nullptr;
  WalkResult result = launch.walk([&](Operation *op) {
    if (!isOnFragments(op) && !kernel.schedule)
      return WalkResult::advance();
    if (!kernel.schedule) {
      op->emitOpError() << "expected a schedule, the attribute '"
                        << kScheduleAttrName << "', on the gpu.launch";
      return WalkResult::interrupt();
    }
    if (op != launch && failed(verifyOp(op, launch, kernel.schedule)))
      return WalkResult::interrupt();
    if (isOnFragments(op) && !first)
      first = op;
    auto mma = dyn_cast<TileMmaOp>(op);
    if (mma && kernel.mma) {
      mma.emitOpError("unsupported: a second nm.tile_mma in one kernel");
      return WalkResult::interrupt();
    }
    if (mma)
      kernel.mma = mma;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (first && !kernel.mma) {
    first->emitOpError("expected an nm.tile_mma in its kernel");
    return failure();
  }
  if (kernel.mma && failed(verifyThreads(launch, kernel.schedule)))
    return failure();
  return kernel;
}

LogicalResult
nm::forEachKernel(Operation *root,
                  function_ref<LogicalResult(TiledKernel)> transform) {
  // Collected first, as kernels change.
  SmallVector<TiledKernel> kernels;
  WalkResult result = root->walk([&](gpu::LaunchOp launch) {
    FailureOr<TiledKernel> kernel = getKernel(launch);
    if (failed(kernel))
      return WalkResult::interrupt();
    if (kernel->mma)
      kernels.push_back(*kernel);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (TiledKernel kernel : kernels)
    if (failed(transform(kernel)))
      return failure();
  return success();
}
