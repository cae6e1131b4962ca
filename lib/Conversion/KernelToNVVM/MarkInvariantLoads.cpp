//===- MarkInvariantLoads.cpp - Loads that may pass a kernel's wait -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"

namespace nm {
#define GEN_PASS_DEF_NMMARKINVARIANTLOADSPASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The argument that `pointer` is computed from; null where it is another's.
static BlockArgument getArgument(Value pointer) {
  while (auto element = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = element.getBase();
  return dyn_cast<BlockArgument>(pointer);
}

/// Where `kernel` waits for others; null where it does not.
static Operation *findWait(LLVM::LLVMFuncOp kernel) {
  Operation *wait = nullptr;
  kernel.walk([&](NVVM::GriddepcontrolOp op) {
    if (op.getKind() == NVVM::GridDepActionKind::wait)
      wait = op;
  });
  return wait;
}

static LogicalResult markLoads(LLVM::LLVMFuncOp kernel) {
  Attribute named = kernel->removeAttr(kConstantArgsAttr);
  if (!named)
    return success();
  auto constants = dyn_cast<DenseI32ArrayAttr>(named);
  if (!constants)
    return kernel.emitOpError("expected `")
           << kConstantArgsAttr << "` to be an array of i32, got " << named;
  Operation *wait = findWait(kernel);
  DominanceInfo dominance(kernel);
  kernel.walk([&](LLVM::LoadOp load) {
    BlockArgument argument = getArgument(load.getAddr());
    if (argument && argument.getOwner()->isEntryBlock() &&
        llvm::is_contained(constants.asArrayRef(), argument.getArgNumber()) &&
        (!wait || dominance.properlyDominates(wait, load)))
      load.setInvariant(true);
  });
  return success();
}

namespace {
struct MarkInvariantLoads
    : nm::impl::NMMarkInvariantLoadsPassBase<MarkInvariantLoads> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (failed(markLoads(kernel)))
        return signalPassFailure();
  }
};
} // namespace
