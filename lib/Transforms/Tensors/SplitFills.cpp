//===- SplitFills.cpp - Every op that accumulates a fill of its own -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "nm/Transforms/Tensors/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMSPLITFILLSPASS
#include "nm/Transforms/Tensors/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// Lets the owner of `use` accumulate into a fill of its own.
static void repeatFill(linalg::FillOp fill, OpOperand &use) {
  OpBuilder b(use.getOwner());
  Value init = fill.getOutputs()[0];
  Value empty = tensor::EmptyOp::create(
      b, fill.getLoc(), tensor::getMixedSizes(b, fill.getLoc(), init),
      getElementTypeOrSelf(init));
  if (empty.getType() != init.getType())
    empty = tensor::CastOp::create(b, fill.getLoc(), init.getType(), empty);
  use.set(linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(), empty)
              .getResult(0));
}

namespace {
struct SplitFills : nm::impl::NMSplitFillsPassBase<SplitFills> {
  void runOnOperation() override {
    SmallVector<OpOperand *> uses;
    getOperation()->walk([&](linalg::FillOp fill) {
      if (fill->getNumResults() != 1 || fill->hasOneUse())
        return;
      for (OpOperand &use : fill->getUses())
        if (auto user = dyn_cast<linalg::LinalgOp>(use.getOwner()))
          if (user.isDpsInit(&use) && user.getNumReductionLoops() != 0)
            uses.push_back(&use);
    });
    for (OpOperand *use : uses)
      repeatFill(use->get().getDefiningOp<linalg::FillOp>(), *use);
    getOperation()->walk([](linalg::FillOp fill) {
      if (isOpTriviallyDead(fill))
        fill.erase();
    });
  }
};
} // namespace
