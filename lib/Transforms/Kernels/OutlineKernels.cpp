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
#include "mlir/Transforms/RegionUtils.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/Extents.h"
#include "nm/Support/NumberOps.h"
#include "nm/Transforms/Kernels/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMOUTLINEKERNELSPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The bytes of all arrays that `launch` uses; none where a type does not say
/// them.
static std::optional<int64_t> countBytes(gpu::LaunchOp launch) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(launch.getBody(), used);
  uint64_t bytes = 0;
  for (Value value : used) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type)
      continue;
    auto ofElement = getElementBytes(type.getElementType());
    if (!type.hasStaticShape() || !ofElement)
      return std::nullopt;
    bytes = llvm::SaturatingAdd(
        bytes, getArrayBytes(type.getShape(), uint64_t(*ofElement)));
  }
  if (bytes > uint64_t(INT64_MAX))
    return std::nullopt;
  return int64_t(bytes);
}

namespace {
/// What launches say, by the functions that their kernels become.
using Facts = llvm::StringMap<Attribute>;

struct OutlineKernels : nm::impl::NMOutlineKernelsPassBase<OutlineKernels> {
  void runOnOperation() override {
    // Outlining drops what a launch says beyond its operands.
    Facts resident, bytes;
    getOperation().walk([&](gpu::LaunchOp launch) {
      auto name = launch.getFunctionAttr();
      if (!name)
        return;
      if (Attribute says = launch->getAttr(kResidentAttrName))
        resident[name.getValue()] = says;
      if (Attribute says = launch->getAttr(kBytesAttrName))
        bytes[name.getValue()] = says;
      else if (std::optional<int64_t> counted = countBytes(launch))
        bytes[name.getValue()] =
            Builder(&getContext()).getI64IntegerAttr(*counted);
    });
    OpPassManager outlining(ModuleOp::getOperationName());
    outlining.addPass(createGpuKernelOutliningPass());
    if (failed(runPipeline(outlining, getOperation())))
      return signalPassFailure();
    getOperation().walk([&](Operation *op) {
      if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op)) {
        if (Attribute says = resident.lookup(kernel.getName()))
          kernel->setAttr(kResidentAttrName, says);
      } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
        if (Attribute says = bytes.lookup(launch.getKernelName().getValue()))
          launch->setAttr(kBytesAttrName, says);
      }
    });
  }
};
} // namespace
