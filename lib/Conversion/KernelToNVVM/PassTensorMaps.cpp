//===- PassTensorMaps.cpp - Tensor maps as parameters by value ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"
#include "nm/Dialect/NM/IR/TensorMaps.h"

namespace nm {
#define GEN_PASS_DEF_NMPASSTENSORMAPSPASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Checks that argument `map` of `kernel` is a pointer, as which
/// nm-lower-tensor-maps left it.
static LogicalResult verifyMap(LLVM::LLVMFuncOp kernel, int32_t map) {
  auto pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  if (map >= 0 && map < int64_t(kernel.getNumArguments()) &&
      kernel.getArgumentTypes()[map] == pointer)
    return success();
  return kernel.emitOpError("expected `")
         << kTensorMapsAttrName << "` to name arguments of type " << pointer
         << ", got number " << map;
}

static LogicalResult passMaps(LLVM::LLVMFuncOp kernel) {
  Attribute named = kernel->removeAttr(kTensorMapsAttrName);
  if (!named)
    return success();
  auto maps = dyn_cast<DenseI32ArrayAttr>(named);
  if (!maps || !kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
    return kernel.emitOpError("expected `")
           << kTensorMapsAttrName << "` to be an array of i32 of a kernel, got "
           << named;
  Builder b(kernel.getContext());
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), kTensorMapBytes);
  for (int32_t map : maps.asArrayRef()) {
    if (failed(verifyMap(kernel, map)))
      return failure();
    kernel.setArgAttr(map, LLVM::LLVMDialect::getByValAttrName(),
                      TypeAttr::get(bytes));
    kernel.setArgAttr(map, LLVM::LLVMDialect::getAlignAttrName(),
                      b.getI64IntegerAttr(kTensorMapAlignment));
    kernel.setArgAttr(map, NVVM::NVVMDialect::getGridConstantAttrName(),
                      b.getUnitAttr());
  }
  return success();
}

namespace {
struct PassTensorMaps : nm::impl::NMPassTensorMapsPassBase<PassTensorMaps> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (failed(passMaps(kernel)))
        return signalPassFailure();
  }
};
} // namespace
