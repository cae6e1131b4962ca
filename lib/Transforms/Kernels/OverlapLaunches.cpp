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
#include "nm/Support/MemRefs.h"
#include "nm/Target/TargetInfo.h"
#include "nm/Transforms/Kernels/Passes.h"
#include "llvm/ADT/BitVector.h"

namespace nm {
#define GEN_PASS_DEF_NMOVERLAPLAUNCHESPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The arguments of each kernel below `module` that are constants at every
/// launch: nothing writes them, so that no kernel has to be waited for.
static DenseMap<Operation *, llvm::BitVector>
findConstantArguments(ModuleOp module) {
  DenseMap<Operation *, llvm::BitVector> constants;
  SymbolTableCollection symbols;
  module.walk([&](gpu::LaunchFuncOp launch) {
    auto *kernel =
        symbols.lookupNearestSymbolFrom(launch, launch.getKernelAttr());
    llvm::BitVector ofLaunch(launch.getNumKernelOperands());
    for (auto [i, operand] : llvm::enumerate(launch.getKernelOperands()))
      ofLaunch[i] =
          isa<MemRefType>(operand.getType()) && isConstantBuffer(operand);
    auto [found, isNew] = constants.try_emplace(kernel, ofLaunch);
    if (!isNew)
      found->second &= ofLaunch;
  });
  return constants;
}

/// Whether `op`, a load, reads one of the arguments `constants`.
static bool readsConstant(Operation &op, const llvm::BitVector &constants) {
  auto argument = dyn_cast<BlockArgument>(getViewRoot(getLoadedBuffer(&op)));
  return argument && argument.getArgNumber() < constants.size() &&
         constants[argument.getArgNumber()];
}

/// Keeps loads on their side of the wait. Of what nothing else aliases LLVM
/// makes ld.global.nc, as it sees that the kernel only reads it, and ptxas lets
/// those pass a wait that is not the first instruction. Constants may be loaded
/// on either side: nm-mark-invariant-loads frees the loads behind the wait.
static void orderLoads(gpu::GPUFuncOp kernel,
                       const llvm::BitVector &constants) {
  SmallVector<int32_t> named(constants.set_bits());
  kernel->setAttr(kConstantArgsAttr,
                  DenseI32ArrayAttr::get(kernel.getContext(), named));
  StringAttr readonly = StringAttr::get(
      kernel.getContext(), LLVM::LLVMDialect::getReadonlyAttrName());
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (kernel.removeArgAttr(i, readonly))
      kernel.removeArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName());
}

/// Lets `kernel` wait before it needs what others write. The next kernel is let
/// in after it, so that no more than one waits, and when all it knows of is
/// done, all is.
static void addWait(gpu::GPUFuncOp kernel, const llvm::BitVector &constants) {
  Block &body = kernel.getBody().front();
  // What needs no wait behind the last load is not late there.
  Block::iterator place = body.begin();
  for (Operation &op : body.without_terminator()) {
    if (!getLoadedBuffer(&op)) {
      if (!isMemoryEffectFree(&op))
        break;
      continue;
    }
    if (!readsConstant(op, constants))
      break;
    place = std::next(op.getIterator());
  }
  if (place != body.begin())
    orderLoads(kernel, constants);
  OpBuilder b(&body, place);
  for (auto kind : {NVVM::GridDepActionKind::wait,
                    NVVM::GridDepActionKind::launch_dependents})
    NVVM::GriddepcontrolOp::create(b, kernel.getLoc(), kind);
}

namespace {
struct OverlapLaunches : nm::impl::NMOverlapLaunchesPassBase<OverlapLaunches> {
  void runOnOperation() override {
    if (!getTarget(getOperation()).hasDependentLaunch)
      return;
    auto constants = findConstantArguments(getOperation());
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel() && !kernel.isExternal())
        addWait(kernel, constants.lookup(kernel));
    });
    getOperation().walk([](gpu::LaunchFuncOp launch) {
      launch->setAttr(kDependentAttr, UnitAttr::get(launch.getContext()));
    });
  }
};
} // namespace
