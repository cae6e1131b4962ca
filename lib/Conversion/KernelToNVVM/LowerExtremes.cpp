//===- LowerExtremes.cpp - The larger and the smaller of two --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMLOWEREXTREMESPASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;

template <typename From, typename To> static void replace(Operation *root) {
  SmallVector<From> ops;
  root->walk([&](From op) {
    if (op.getType().isF32())
      ops.push_back(op);
  });
  for (From op : ops) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    op.replaceAllUsesWith(To::create(b, op.getLhs(), op.getRhs()).getResult());
    op.erase();
  }
}

namespace {
struct LowerExtremes : nm::impl::NMLowerExtremesPassBase<LowerExtremes> {
  void runOnOperation() override {
    replace<arith::MaximumFOp, LLVM::MaximumOp>(getOperation());
    replace<arith::MinimumFOp, LLVM::MinimumOp>(getOperation());
  }
};
} // namespace
