//===- SinkConstants.cpp - Launches have their own constants --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "nm/Transforms/Kernels/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMSINKCONSTANTSPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// Makes the constants from around `launch` that its body uses anew in it.
static void sinkConstants(gpu::LaunchOp launch) {
  Region &body = launch.getBody();
  OpBuilder b(body);
  DenseMap<Operation *, Operation *> copies;
  body.walk([&](Operation *user) {
    for (OpOperand &use : user->getOpOperands()) {
      Operation *constant = use.get().getDefiningOp();
      if (!constant || !constant->hasTrait<OpTrait::ConstantLike>() ||
          body.isAncestor(constant->getParentRegion()))
        continue;
      Operation *&copy = copies[constant];
      if (!copy)
        copy = b.clone(*constant);
      use.set(copy->getResult(0));
    }
  });
}

namespace {
struct SinkConstants : nm::impl::NMSinkConstantsPassBase<SinkConstants> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::LaunchOp launch) { sinkConstants(launch); });
  }
};
} // namespace
