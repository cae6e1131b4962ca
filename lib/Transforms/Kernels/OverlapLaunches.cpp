//===- OverlapLaunches.cpp - Kernels that wait for each other -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchSizes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Support/MemRefs.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/Occupancy.h"
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

/// Registers of a thread of a kernel that loads its weight ahead, at least.
static constexpr int64_t kLeastRegisters = 64;

/// Whether blocks of `launch` follow each other on an SM of `target`, which
/// holds no two of them.
static bool takeTurns(gpu::LaunchFuncOp launch, const TargetInfo &target) {
  int64_t threads = countThreads(launch).value_or(0);
  int64_t bytes = countSharedBytes(launch).value_or(0);
  bool isAlone = 2 * threads > target.maxThreadsPerSM ||
                 2 * threads * kLeastRegisters > target.registersPerSM ||
                 isAloneByMemory(target, bytes);
  return isAlone && countBlocks(launch).value_or(0) > target.numSMs;
}

/// Kernels below `module` of which blocks take turns at a launch. Most begin
/// when the kernel before has ended long since, and have a large tile of A: the
/// weight, loaded before the wait, would stand in its way.
static DenseSet<Operation *> findTurns(ModuleOp module,
                                       const TargetInfo &target) {
  DenseSet<Operation *> kernels;
  SymbolTableCollection symbols;
  module.walk([&](gpu::LaunchFuncOp launch) {
    if (takeTurns(launch, target))
      kernels.insert(
          symbols.lookupNearestSymbolFrom(launch, launch.getKernelAttr()));
  });
  return kernels;
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

/// Where a kernel of `body` waits: behind the loads of constants that it begins
/// with.
static Block::iterator findPlace(Block &body,
                                 const llvm::BitVector &constants) {
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
  return place;
}

/// Lets `kernel` wait before it needs what others write, or first of all if its
/// blocks take turns. The next kernel is let in after it, so that no more than
/// one waits, and when all it knows of is done, all is.
static void addWait(gpu::GPUFuncOp kernel, const llvm::BitVector &constants,
                    bool takesTurns) {
  Block &body = kernel.getBody().front();
  Block::iterator place = findPlace(body, constants);
  if (place != body.begin() && takesTurns) {
    emitRemark(kernel, RemarkId::WaitsFirst)
        << remarkReason("more blocks than SMs, which hold one each");
    place = body.begin();
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
    const TargetInfo &target = getTarget(getOperation());
    if (!target.hasDependentLaunch)
      return;
    auto constants = findConstantArguments(getOperation());
    DenseSet<Operation *> turns = findTurns(getOperation(), target);
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel() && !kernel.isExternal())
        addWait(kernel, constants.lookup(kernel), turns.contains(kernel));
    });
    getOperation().walk([](gpu::LaunchFuncOp launch) {
      launch->setAttr(kDependentAttr, UnitAttr::get(launch.getContext()));
    });
  }
};
} // namespace
