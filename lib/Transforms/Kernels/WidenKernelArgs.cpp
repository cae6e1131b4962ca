//===- WidenKernelArgs.cpp - Kernel parameters of widths that PTX has -----===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 declares the parameter of a kernel that is an i7 as `.u7`, which is
// no type of PTX. Its own rule for truths (i1, declared as `.u8`) is applied
// here to all widths that PTX does not have.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "nm/Transforms/Kernels/Passes.h"
#include "llvm/ADT/bit.h"

namespace nm {
#define GEN_PASS_DEF_NMWIDENKERNELARGSPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// The type of PTX that holds the integer `type`; null where `type` is passed
/// as it is. nm-verify-types has refused integers of more than 64 bits.
static Type getWideType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() == 1)
    return {};
  unsigned width = std::max(8u, llvm::bit_ceil(integer.getWidth()));
  return width == integer.getWidth()
             ? Type()
             : IntegerType::get(type.getContext(), width);
}

static void widen(gpu::GPUFuncOp kernel, unsigned index, Type wide) {
  BlockArgument argument = kernel.getArgument(index);
  Type narrow = argument.getType();
  SmallVector<Type> types(kernel.getArgumentTypes());
  types[index] = wide;
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), types, {}));
  argument.setType(wide);
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value value = arith::TruncIOp::create(b, argument.getLoc(), narrow, argument);
  argument.replaceAllUsesExcept(value, value.getDefiningOp());
}

namespace {
struct WidenKernelArgs : nm::impl::NMWidenKernelArgsPassBase<WidenKernelArgs> {
  void runOnOperation() override {
    getOperation().walk([](gpu::GPUFuncOp kernel) {
      if (!kernel.isKernel() || kernel.isExternal())
        return;
      for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes()))
        if (Type wide = getWideType(type))
          widen(kernel, i, wide);
    });
    getOperation().walk([](gpu::LaunchFuncOp launch) {
      OpBuilder b(launch);
      for (OpOperand &operand : launch.getKernelOperandsMutable())
        if (Type wide = getWideType(operand.get().getType()))
          operand.set(
              arith::ExtUIOp::create(b, launch.getLoc(), wide, operand.get()));
    });
  }
};
} // namespace
