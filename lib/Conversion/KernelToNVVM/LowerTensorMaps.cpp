//===- LowerTensorMaps.cpp - Tensor maps of kernels to pointers -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-gpu-to-nvvm knows no tensor maps, and drops what an argument says of
// itself but for a few attributes. So the kernel says which they are, until
// nm-pass-tensor-maps.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"
#include "nm/Dialect/NM/IR/TensorMaps.h"

namespace nm {
#define GEN_PASS_DEF_NMLOWERTENSORMAPSPASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The casts of `map` to its address; an error at a use that is none.
static FailureOr<SmallVector<UnrealizedConversionCastOp>>
collectCasts(Value map) {
  auto pointer = LLVM::LLVMPointerType::get(map.getContext());
  SmallVector<UnrealizedConversionCastOp> casts;
  for (Operation *user : map.getUsers()) {
    auto cast = dyn_cast<UnrealizedConversionCastOp>(user);
    if (!cast || cast->getNumOperands() != 1 || cast->getNumResults() != 1 ||
        cast.getResult(0).getType() != pointer)
      return user->emitOpError("expected uses of a tensor map to be "
                               "builtin.unrealized_conversion_cast to ")
             << pointer << ", got this one";
    casts.push_back(cast);
  }
  return casts;
}

/// Makes a pointer of an argument that is a tensor map.
static LogicalResult lowerArgument(BlockArgument map) {
  auto casts = collectCasts(map);
  if (failed(casts))
    return failure();
  map.setType(LLVM::LLVMPointerType::get(map.getContext()));
  for (UnrealizedConversionCastOp cast : *casts) {
    cast.getResult(0).replaceAllUsesWith(map);
    cast.erase();
  }
  return success();
}

static LogicalResult lowerKernel(gpu::GPUFuncOp kernel) {
  // Attributions follow them in the block.
  auto arguments = kernel.getBody().getArguments().take_front(
      kernel.getFunctionType().getNumInputs());
  SmallVector<int32_t> maps;
  for (BlockArgument argument : arguments)
    if (isa<TensorMapType>(argument.getType()))
      maps.push_back(int32_t(argument.getArgNumber()));
  if (maps.empty())
    return success();
  if (!kernel.isKernel())
    return kernel.emitOpError("expected a kernel to take tensor maps, got a "
                              "function that kernels call");
  for (int32_t map : maps)
    if (failed(lowerArgument(arguments[map])))
      return failure();
  kernel.setFunctionType(FunctionType::get(
      kernel.getContext(), TypeRange(ValueRange(arguments)), {}));
  kernel->setAttr(kTensorMapsAttrName,
                  DenseI32ArrayAttr::get(kernel.getContext(), maps));
  return success();
}

namespace {
struct LowerTensorMaps : nm::impl::NMLowerTensorMapsPassBase<LowerTensorMaps> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      if (!kernel.isExternal() && failed(lowerKernel(kernel)))
        return signalPassFailure();
  }
};
} // namespace
