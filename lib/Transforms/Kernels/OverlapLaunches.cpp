//===- OverlapLaunches.cpp - Kernels that wait for each other -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Target/TargetInfo.h"
#include "nm/Transforms/Kernels/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMOVERLAPLAUNCHESPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Nothing is read or written before the wait. The next kernel is let in after
/// it, so that no more than one waits, and when all it knows of is done, all
/// is.
static void addWait(gpu::GPUFuncOp kernel) {
  OpBuilder b(kernel.getBody());
  for (auto kind : {NVVM::GridDepActionKind::wait,
                    NVVM::GridDepActionKind::launch_dependents})
    NVVM::GriddepcontrolOp::create(b, kernel.getLoc(), kind);
}

namespace {
struct OverlapLaunches : nm::impl::NMOverlapLaunchesPassBase<OverlapLaunches> {
  void runOnOperation() override {
    if (!getTarget(getOperation()).hasDependentLaunch)
      return;
    getOperation().walk([](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel() && !kernel.isExternal())
        addWait(kernel);
    });
    getOperation().walk([](gpu::LaunchFuncOp launch) {
      launch->setAttr(kDependentAttr, UnitAttr::get(launch.getContext()));
    });
  }
};
} // namespace
