//===- FitRegisters.cpp - Kernels whose sums need many registers ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/Occupancy.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMFITREGISTERSPASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Threads of a warp.
static constexpr int64_t kWarp = 32;

/// Registers that a loop carries from which on ptxas is helped: those of 8x8
/// sums.
static constexpr int64_t kManyRegisters = 64;

/// Registers for operands and addresses beside what a loop carries, as ptxas
/// takes them where it has enough.
static constexpr int64_t kBesideSums = 80;

/// Of a thread.
static constexpr int64_t kMostRegisters = 255;

/// Blocks of an SM from which on ptxas is helped: of two, registers are enough,
/// and what it chose by itself was faster (H200, 87.5 %: 3 to 10 %).
static constexpr int64_t kManyBlocks = 3;

/// The most registers that a loop of `kernel` carries from turn to turn.
static int64_t countCarried(LLVM::LLVMFuncOp kernel) {
  DataLayout layout = DataLayout::closest(kernel);
  int64_t most = 0;
  for (Block &block : kernel.getBody().getBlocks()) {
    if (block.isEntryBlock())
      continue;
    int64_t registers = 0;
    for (Type type : block.getArgumentTypes())
      registers +=
          int64_t(llvm::divideCeil(layout.getTypeSizeInBits(type), 32));
    most = std::max(most, registers);
  }
  return most;
}

/// Threads that ptxas should take a block of `threads` to have.
static int64_t getThreadBound(int64_t threads, int64_t carried,
                              const TargetInfo &target) {
  int64_t bound = llvm::alignTo(3 * threads / 2, kWarp);
  int64_t wanted = std::min(carried + kBesideSums, kMostRegisters);
  bool leavesEnough = target.registersPerSM / bound >= wanted;
  return carried >= kManyRegisters && leavesEnough ? bound : threads;
}

/// The kernel that `launch` launches, where it is in the LLVM dialect.
static LLVM::LLVMFuncOp lookupKernel(gpu::LaunchFuncOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      launch, launch.getKernelAttr());
}

/// The kernels of which an SM's shared memory holds several blocks, as each
/// launch of them claims it.
static llvm::SetVector<LLVM::LLVMFuncOp>
listSharingKernels(ModuleOp module, const TargetInfo &target) {
  llvm::SetVector<LLVM::LLVMFuncOp> kernels, alone;
  module.walk([&](gpu::LaunchFuncOp launch) {
    Value claimed = launch.getDynamicSharedMemorySize();
    auto bytes = claimed ? getConstantIntValue(claimed) : std::nullopt;
    LLVM::LLVMFuncOp kernel = lookupKernel(launch);
    if (!bytes || !kernel)
      return;
    int64_t blocks = target.sharedMemoryPerSM / (*bytes + kReservedSharedBytes);
    (blocks >= kManyBlocks ? kernels : alone).insert(kernel);
  });
  kernels.set_subtract(alone);
  return kernels;
}

namespace {
struct FitRegisters : nm::impl::NMFitRegistersPassBase<FitRegisters> {
  void runOnOperation() override {
    getOperation().walk(
        [](LLVM::LLVMFuncOp kernel) { boundRegisters(kernel); });
    const TargetInfo &target = getTarget(getOperation());
    for (LLVM::LLVMFuncOp kernel : listSharingKernels(getOperation(), target))
      fit(kernel, target);
  }

private:
  /// Where warps give registers to others, ptxas must know how many a launch
  /// gives them: as many as one block of an SM can have.
  static void boundRegisters(LLVM::LLVMFuncOp kernel) {
    WalkResult found = kernel.walk(
        [](NVVM::SetMaxRegisterOp) { return WalkResult::interrupt(); });
    if (found.wasInterrupted())
      kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      Builder(kernel.getContext()).getI32IntegerAttr(1));
  }

  static void fit(LLVM::LLVMFuncOp kernel, const TargetInfo &target) {
    StringRef name = NVVM::NVVMDialect::getMaxntidAttrName();
    auto known = kernel->getAttrOfType<DenseI32ArrayAttr>(name);
    if (!known || known.size() != 3 || known[1] != 1 || known[2] != 1)
      return;
    int64_t bound = getThreadBound(known[0], countCarried(kernel), target);
    if (bound == known[0])
      return;
    kernel->setAttr(name, DenseI32ArrayAttr::get(kernel.getContext(),
                                                 {int32_t(bound), 1, 1}));
    emitRemark(kernel, RemarkId::RegistersFitted)
        << remarkKey(RemarkKey::Threads, bound);
  }
};
} // namespace
