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
#include "nm/Support/LaunchSizes.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/Occupancy.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

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

/// Blocks of an SM that ptxas is told of at most: for more, loads wait nearer
/// to their use, which costs more than other warps hide (H200).
static constexpr int64_t kMostResident = 3;

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

/// Blocks of an SM of which each thread gets the registers that it wants.
static int64_t countWithRegisters(int64_t threads, int64_t carried,
                                  const TargetInfo &target) {
  int64_t wanted = std::min(carried + kBesideSums, kMostRegisters);
  return target.registersPerSM / (threads * wanted);
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

/// Blocks of `launch` that an SM's shared memory holds; one where nobody knows
/// how much they claim.
static int64_t countSharing(gpu::LaunchFuncOp launch,
                            const TargetInfo &target) {
  std::optional<int64_t> bytes = countSharedBytes(launch);
  return bytes ? target.sharedMemoryPerSM / (*bytes + kReservedSharedBytes) : 1;
}

/// Blocks of `launch` that an SM gets; none where nobody knows.
static std::optional<int64_t> countArriving(gpu::LaunchFuncOp launch,
                                            const TargetInfo &target) {
  std::optional<int64_t> blocks = countBlocks(launch);
  if (!blocks)
    return std::nullopt;
  return llvm::divideCeilSigned(*blocks, target.numSMs);
}

/// Whether `kernel` has an op of kind `Op`.
template <typename Op> static bool has(LLVM::LLVMFuncOp kernel) {
  WalkResult found = kernel.walk([](Op) { return WalkResult::interrupt(); });
  return found.wasInterrupted();
}

/// Tells ptxas to leave registers for `blocks` blocks an SM, and that none are
/// to be left for more.
static void expectBlocks(LLVM::LLVMFuncOp kernel, int64_t blocks) {
  auto value = int32_t(std::max<int64_t>(blocks, 1));
  kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  Builder(kernel.getContext()).getI32IntegerAttr(value));
}

namespace {
/// Of all launches of a kernel, the fewest.
struct Blocks {
  int64_t sharing = std::numeric_limits<int64_t>::max();
  int64_t arriving = std::numeric_limits<int64_t>::max();
};

struct FitRegisters : nm::impl::NMFitRegistersPassBase<FitRegisters> {
  void runOnOperation() override {
    const TargetInfo &target = getTarget(getOperation());
    llvm::MapVector<LLVM::LLVMFuncOp, Blocks> kernels;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      LLVM::LLVMFuncOp kernel = lookupKernel(launch);
      if (!kernel)
        return;
      Blocks &blocks = kernels[kernel];
      blocks.sharing = std::min(blocks.sharing, countSharing(launch, target));
      blocks.arriving =
          std::min(blocks.arriving,
                   countArriving(launch, target).value_or(blocks.arriving));
    });
    for (auto [kernel, blocks] : kernels)
      fit(kernel, blocks, target);
  }

private:
  static void fit(LLVM::LLVMFuncOp kernel, const Blocks &blocks,
                  const TargetInfo &target) {
    StringRef name = NVVM::NVVMDialect::getMaxntidAttrName();
    auto known = kernel->getAttrOfType<DenseI32ArrayAttr>(name);
    if (!known || known.size() != 3)
      return;
    if (auto resident = kernel->getAttrOfType<IntegerAttr>(kResidentAttrName))
      return expectBlocks(kernel, std::min({blocks.sharing, blocks.arriving,
                                            resident.getInt()}));
    // Where warps give registers to others, what a launch gives them is what
    // one block of an SM can have.
    if (has<NVVM::SetMaxRegisterOp>(kernel))
      return expectBlocks(kernel, 1);
    int64_t threads = int64_t(known[0]) * known[1] * known[2];
    int64_t carried = countCarried(kernel);
    int64_t bound = threads;
    // Tensor cores have no banks to heed, and need what they load ahead: helped
    // so, a kernel for any number of rows took 62 us where that of 200 rows
    // took 29 (H200, bf16, 16:32, 4096x4096,
    // docs/results/2026-11-29-h200-rows.jsonl).
    if (threads == known[0] && blocks.sharing >= kManyBlocks &&
        !has<NVVM::MmaOp>(kernel))
      bound = getThreadBound(threads, carried, target);
    if (bound == threads)
      return expectBlocks(
          kernel, std::min({blocks.sharing, blocks.arriving, kMostResident,
                            countWithRegisters(threads, carried, target)}));
    kernel->setAttr(name, DenseI32ArrayAttr::get(kernel.getContext(),
                                                 {int32_t(bound), 1, 1}));
    emitRemark(kernel, RemarkId::RegistersFitted)
        << remarkKey(RemarkKey::Threads, bound);
  }
};
} // namespace
