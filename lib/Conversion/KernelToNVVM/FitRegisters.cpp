//===- FitRegisters.cpp - As many registers as an SM's blocks leave -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/Occupancy.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMFITREGISTERSPASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Registers are given to a warp, up to 255 a thread.
static constexpr int64_t kWarp = 32, kMostRegisters = 256;

/// Threads that ptxas should take a block to have: half of those that an SM
/// holds in blocks of `threads` with `bytes` of shared memory.
static int64_t getThreadBound(int64_t threads, int64_t bytes,
                              const TargetInfo &target) {
  int64_t blocks = target.sharedMemoryPerSM / (bytes + kReservedSharedBytes);
  int64_t half = llvm::alignTo(blocks * threads / 2, kWarp);
  return half <= target.registersPerSM / kMostRegisters
             ? std::max(half, threads)
             : threads;
}

/// The kernel that `launch` launches, where it is in the LLVM dialect.
static LLVM::LLVMFuncOp lookupKernel(gpu::LaunchFuncOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      launch, launch.getKernelAttr());
}

namespace {
struct FitRegisters : nm::impl::NMFitRegistersPassBase<FitRegisters> {
  void runOnOperation() override {
    // The least shared memory that a block of a kernel is launched with.
    llvm::MapVector<LLVM::LLVMFuncOp, int64_t> kernels;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      Value claimed = launch.getDynamicSharedMemorySize();
      auto bytes = claimed ? getConstantIntValue(claimed) : std::nullopt;
      LLVM::LLVMFuncOp kernel = lookupKernel(launch);
      if (!bytes || !kernel)
        return;
      auto [known, isNew] = kernels.try_emplace(kernel, *bytes);
      known->second = std::min(known->second, *bytes);
    });
    TargetInfo target = getTarget(getOperation());
    for (auto [kernel, bytes] : kernels)
      fit(kernel, bytes, target);
  }

private:
  static void fit(LLVM::LLVMFuncOp kernel, int64_t bytes,
                  const TargetInfo &target) {
    StringRef name = NVVM::NVVMDialect::getMaxntidAttrName();
    auto bound = kernel->getAttrOfType<DenseI32ArrayAttr>(name);
    if (!bound || bound.size() != 3 || bound[1] != 1 || bound[2] != 1)
      return;
    int64_t threads = getThreadBound(bound[0], bytes, target);
    if (threads == bound[0])
      return;
    kernel->setAttr(name, DenseI32ArrayAttr::get(kernel.getContext(),
                                                 {int32_t(threads), 1, 1}));
    emitRemark(kernel, RemarkId::RegistersFitted)
        << remarkKey(RemarkKey::Threads, threads);
  }
};
} // namespace
