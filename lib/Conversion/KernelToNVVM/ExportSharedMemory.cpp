//===- ExportSharedMemory.cpp - Linkage of dynamic shared memory ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMEXPORTSHAREDMEMORYPASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// Where the copy engine's pattern of swizzled rows begins, by the address:
/// buffers begin at multiples of it in the memory (nm-allocate-shared).
static constexpr uint64_t kSwizzlePeriod = 1024;

namespace {
struct ExportSharedMemory
    : nm::impl::NMExportSharedMemoryPassBase<ExportSharedMemory> {
  void runOnOperation() override {
    for (auto global : getOperation().getOps<LLVM::GlobalOp>()) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
      unsigned space = global.getAddrSpace();
      if (array && array.getNumElements() == 0 &&
          space == static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared))
        exportMemory(global);
    }
  }

private:
  void exportMemory(LLVM::GlobalOp global) {
    global.setLinkage(LLVM::Linkage::External);
    WalkResult found =
        getOperation().walk([](NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp) {
          return WalkResult::interrupt();
        });
    if (found.wasInterrupted())
      global.setAlignment(kSwizzlePeriod);
  }
};
} // namespace
