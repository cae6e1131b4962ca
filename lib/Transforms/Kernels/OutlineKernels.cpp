//===- OutlineKernels.cpp - Launches to kernels ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Transforms/Kernels/Passes.h"
#include "llvm/ADT/StringMap.h"

namespace nm {
#define GEN_PASS_DEF_NMOUTLINEKERNELSPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
struct OutlineKernels : nm::impl::NMOutlineKernelsPassBase<OutlineKernels> {
  void runOnOperation() override {
    // Outlining drops what a launch says beyond its operands.
    llvm::StringMap<Attribute> resident;
    getOperation().walk([&](gpu::LaunchOp launch) {
      Attribute says = launch->getAttr(kResidentAttrName);
      if (says && launch.getFunctionAttr())
        resident[launch.getFunctionAttr().getValue()] = says;
    });
    OpPassManager outlining(ModuleOp::getOperationName());
    outlining.addPass(createGpuKernelOutliningPass());
    if (failed(runPipeline(outlining, getOperation())))
      return signalPassFailure();
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (Attribute says = resident.lookup(kernel.getName()))
        kernel->setAttr(kResidentAttrName, says);
    });
  }
};
} // namespace
