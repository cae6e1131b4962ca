//===- VerifyHost.cpp - No host code touches device memory ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/Remarks.h"
#include "nm/Transforms/Checks/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMVERIFYHOSTPASS
#include "nm/Transforms/Checks/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

static bool hasBufferOperand(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
}

/// What `op` itself does with buffers: "reads", "writes", "may access", or
/// nothing.
static StringRef describeAccess(Operation *op) {
  if (!hasBufferOperand(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      isa<CallOpInterface, memref::AllocOp, memref::DeallocOp, memref::LoadOp,
          gpu::LaunchFuncOp>(op))
    return "";
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ? ""
                                                              : "may access";
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  StringRef access;
  for (const MemoryEffects::EffectInstance &effect : instances) {
    if (effect.getValue() && !isa<BaseMemRefType>(effect.getValue().getType()))
      continue;
    if (isa<MemoryEffects::Write>(effect.getEffect()))
      return "writes";
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      access = "reads";
  }
  return access;
}

/// Whether `op` is a function that gives tensor maps. Nobody can see which
/// memory of its own they are of, and for how long its caller uses that.
static bool givesTensorMap(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  return function &&
         llvm::any_of(function.getResultTypes(), llvm::IsaPred<TensorMapType>);
}

namespace {
struct VerifyHost : nm::impl::NMVerifyHostPassBase<VerifyHost> {
  void runOnOperation() override {
    bool ok = true;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::LaunchOp, gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (givesTensorMap(op)) {
        op->emitOpError("gives a tensor map, which does not keep what it is "
                        "of; make it in the function that launches");
        ok = false;
      }
      if (isa<memref::CopyOp>(op)) {
        op->emitOpError("copies device memory from the host; run "
                        "nm-linalg-to-parallel-loops and nm-map-loops-to-gpu");
        ok = false;
        return WalkResult::advance();
      }
      if (isa<memref::LoadOp>(op))
        nm::emitRemark(op, RemarkId::HostRead)
            << remarkKey(RemarkKey::Text,
                         "the host waits for the device and reads an element");
      StringRef access = describeAccess(op);
      if (!access.empty()) {
        op->emitOpError() << access
                          << " device memory from the host; put it into a "
                             "parallel loop or a gpu.launch";
        ok = false;
      }
      return WalkResult::advance();
    });
    if (!ok)
      signalPassFailure();
  }
};
} // namespace
