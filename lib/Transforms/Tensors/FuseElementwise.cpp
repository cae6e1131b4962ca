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
#include "nm/Transforms/Tensors/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMFUSEELEMENTWISEPASS
#include "nm/Transforms/Tensors/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// Ops in the body of what is computed twice rather than stored.
static constexpr size_t kMostRecomputedOps = 8;

namespace {
struct FuseElementwise : nm::impl::NMFuseElementwisePassBase<FuseElementwise> {
  using NMFuseElementwisePassBase::NMFuseElementwisePassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(
        patterns, [&](OpOperand *operand) { return shouldFuse(operand); });
    // Where rounds run out, what is left is right as it is.
    GreedyRewriteConfig config;
    config.setMaxIterations(100);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }

private:
  /// Whether the owner of `use` can compute what it reads there. An element
  /// that is read once for each of several would be computed as often.
  bool canCompute(OpOperand &use) {
    auto op = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!op || !op.isDpsInput(&use) ||
        !op.getMatchingIndexingMap(&use).isPermutation())
      return false;
    return op.getNumReductionLoops() == 0 ||
           (recompute && !linalg::isaContractionOpInterface(op) &&
            !linalg::isaConvolutionOpInterface(op));
  }

  /// Whether the producer of `operand` may be merged into its owner: when
  /// nothing is left of it then.
  bool shouldFuse(OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    if (!producer || producer->getNumResults() != 1 ||
        producer.getNumReductionLoops() != 0)
      return false;
    SmallPtrSet<Operation *, 2> users;
    for (OpOperand &use : producer->getUses()) {
      if (!canCompute(use))
        return false;
      users.insert(use.getOwner());
    }
    return users.size() == 1 ||
           (recompute && users.size() == 2 &&
            producer.getBody()->getOperations().size() <= kMostRecomputedOps);
  }
};
} // namespace
