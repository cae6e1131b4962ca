//===- OverlapLaunches.cpp - Kernels that wait for each other -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Support/LaunchSizes.h"
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

/// Bytes of shared memory of a thread whose tile of A is large: sixteen pieces
/// of 16 bytes. Loads return in order, so that such a tile, which is in L2,
/// comes no sooner than what of the weight was loaded before it.
static constexpr int64_t kLargeTileOfThread = 256;

/// Whether blocks of `launch` with a large tile begin when others have ended,
/// and so has the kernel before.
static bool haveLargeTilesLater(gpu::LaunchFuncOp launch,
                                const TargetInfo &target) {
  std::optional<int64_t> blocks = countBlocks(launch);
  std::optional<int64_t> threads = countThreads(launch);
  std::optional<int64_t> bytes = countSharedBytes(launch);
  return blocks && threads.value_or(0) > 0 && bytes &&
         *blocks > target.numSMs && *bytes / *threads >= kLargeTileOfThread;
}

/// The launch before `launch`; of a function's first one its last, as it is
/// called again and again. Nothing where control flow is between them.
static gpu::LaunchFuncOp findLaunchBefore(gpu::LaunchFuncOp launch) {
  auto skip = [](Operation *op) {
    while (op && !isa<gpu::LaunchFuncOp>(op) && op->getNumRegions() == 0)
      op = op->getPrevNode();
    return op;
  };
  Operation *before = skip(launch->getPrevNode());
  if (!before && isa<FunctionOpInterface>(launch->getParentOp()))
    before = skip(&launch->getBlock()->back());
  return dyn_cast_or_null<gpu::LaunchFuncOp>(before);
}

/// Whether `launch` needs the L1 cache of which the launch before leaves
/// little. Shared memory is taken from that cache, and blocks that begin as
/// others end run with what those have left of it.
static bool wouldLackL1(gpu::LaunchFuncOp launch, const TargetInfo &target) {
  gpu::LaunchFuncOp before = findLaunchBefore(launch);
  std::optional<int64_t> bytes = countSharedBytes(launch);
  return before && bytes && !leavesLittleL1(target, *bytes) &&
         leavesLittleL1(target, countSharedBytes(before).value_or(0));
}

/// Whether a call begins with `launch`, behind kernels of others.
static bool isBehindOthers(gpu::LaunchFuncOp launch) {
  auto hasLaunch = [](Operation &op) {
    return op.walk([](gpu::LaunchFuncOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  Operation *op = launch;
  for (; !isa<func::FuncOp>(op); op = op->getParentOp()) {
    if (!isa<gpu::LaunchFuncOp, scf::IfOp>(op)) // what may run again
      return false;
    for (Operation &before :
         llvm::make_range(op->getBlock()->begin(), op->getIterator()))
      if (hasLaunch(before))
        return false;
  }
  return op->hasAttr(kBehindOthersAttrName);
}

namespace {
/// Where a kernel may wait, behind the constants that it loads first, and
/// whether it waits before it loads them.
struct Wait {
  Block::iterator place;
  bool isFirst = false;
};
} // namespace

/// Keeps LLVM from moving loads past the wait, which it takes for an op that
/// has to do with no memory: assembly without an instruction that may write
/// anywhere.
static void createLoadFence(OpBuilder &b, Location loc) {
  LLVM::InlineAsmOp::create(
      b, loc, /*res=*/TypeRange(), /*operands=*/ValueRange(), /*asm_string=*/"",
      /*constraints=*/"~{memory}", /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
}

/// Lets `kernel` wait. The next kernel is let in after it, so that no more than
/// one waits, and when all it knows of is done, all is.
static void addWait(gpu::GPUFuncOp kernel, const Wait &wait,
                    const llvm::BitVector &constants) {
  Block &body = kernel.getBody().front();
  Block::iterator place = wait.isFirst ? body.begin() : wait.place;
  if (place != body.begin())
    orderLoads(kernel, constants);
  OpBuilder b(&body, place);
  if (place != body.begin())
    createLoadFence(b, kernel.getLoc());
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
    llvm::MapVector<gpu::GPUFuncOp, Wait> waits;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel() && !kernel.isExternal())
        waits[kernel].place =
            findPlace(kernel.getBody().front(), constants.lookup(kernel));
    });
    SymbolTableCollection symbols;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          launch, launch.getKernelAttr());
      auto *wait = waits.find(kernel);
      // What is not known to wait may not begin before others have ended.
      if (wait != waits.end() && decide(launch, kernel, wait->second, target))
        launch->setAttr(kDependentAttr, UnitAttr::get(launch.getContext()));
    });
    for (auto [kernel, wait] : waits)
      addWait(kernel, wait, constants.lookup(kernel));
  }

private:
  /// Decides for `launch` of `kernel` whether it is dependent, which it
  /// returns, and whether the kernel waits first. But for launches behind those
  /// of others, both are in question only of kernels that load constants first.
  static bool decide(gpu::LaunchFuncOp launch, gpu::GPUFuncOp kernel,
                     Wait &wait, const TargetInfo &target) {
    if (isBehindOthers(launch)) {
      emitRemark(launch, RemarkId::NotOverlapped)
          << remarkReason("the kernels before are none of nm's");
      return false;
    }
    if (wait.place == kernel.getBody().front().begin())
      return true;
    if (wouldLackL1(launch, target)) {
      emitRemark(launch, RemarkId::NotOverlapped)
          << remarkReason("the launch before leaves little of the L1 cache");
      wait.isFirst = true;
      return false;
    }
    if (haveLargeTilesLater(launch, target)) {
      emitRemark(launch, RemarkId::WaitsFirst)
          << remarkReason("more blocks than SMs, each of which has a large A");
      wait.isFirst = true;
    }
    return true;
  }
};
} // namespace
