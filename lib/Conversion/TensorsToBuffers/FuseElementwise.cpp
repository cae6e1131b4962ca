//===- FuseElementwise.cpp - Merge chains of element-wise ops -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Conversion/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMFUSEELEMENTWISEPASS
#include "nm/Conversion/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// Whether the producer of `operand` may be merged into its owner. An element
/// that is read once for each of several elements would be computed as often.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || !producer->hasOneUse() ||
      producer.getNumReductionLoops() != 0 ||
      consumer.getNumReductionLoops() != 0)
    return false;
  return consumer.getMatchingIndexingMap(operand).isPermutation();
}

namespace {
struct FuseElementwise : nm::impl::NMFuseElementwisePassBase<FuseElementwise> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
