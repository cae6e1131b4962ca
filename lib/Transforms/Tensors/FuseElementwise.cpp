//===- FuseElementwise.cpp - Merge chains of element-wise ops -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Transforms/Tensors/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMFUSEELEMENTWISEPASS
#include "nm/Transforms/Tensors/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// Ops in the body of what is computed twice rather than stored.
static constexpr size_t kMostRecomputedOps = 8;

static bool isSmall(linalg::GenericOp op) {
  return op.getBody()->getOperations().size() <= kMostRecomputedOps;
}

static bool isElementwise(linalg::GenericOp op) {
  return op && op->getNumResults() == 1 && op.getNumReductionLoops() == 0;
}

/// Whether `op` writes more than it reads, as an iota or a broadcast does, and
/// only moves it: reading its result costs what computing it costs.
static bool isCheap(linalg::GenericOp op) {
  if (!isElementwise(op) || !isSmall(op))
    return false;
  auto type = cast<RankedTensorType>(op.getResultTypes().front());
  bool moves = llvm::all_of(*op.getBody(), [](Operation &inner) {
    return isa<linalg::IndexOp, linalg::YieldOp, arith::IndexCastOp>(inner);
  });
  return moves && llvm::all_of(op.getInputs(), [&](Value input) {
           auto read = dyn_cast<RankedTensorType>(input.getType());
           return read && read.hasStaticShape() && type.hasStaticShape() &&
                  read.getNumElements() < type.getNumElements();
         });
}

/// Whether what is cheap to compute stands before the reshape that `operand`
/// is the source of, or that its owner reads: the owner, or the cheap op, is
/// given the dimensions of before and after it, to be merged then.
static bool shouldExpand(OpOperand *operand) {
  auto isOnlyCheap = [](Value value) {
    auto producer = value.getDefiningOp<linalg::GenericOp>();
    return producer && producer->hasOneUse() && isCheap(producer);
  };
  if (isa<tensor::ExpandShapeOp>(operand->getOwner()))
    return isOnlyCheap(operand->get());
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  return collapse && collapse->hasOneUse() && isOnlyCheap(collapse.getSrc()) &&
         isElementwise(dyn_cast<linalg::GenericOp>(operand->getOwner()));
}

namespace {
struct FuseElementwise : nm::impl::NMFuseElementwisePassBase<FuseElementwise> {
  using NMFuseElementwisePassBase::NMFuseElementwisePassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(
        patterns, [&](OpOperand *operand) { return shouldFuse(operand); });
    if (recompute) {
      linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldExpand);
      tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                           &getContext());
      tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    }
    // Where rounds run out, what is left is right as it is.
    GreedyRewriteConfig config;
    config.setMaxIterations(100);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }

private:
  /// Whether the owner of `use` can compute what it reads there. An element
  /// that is read once for each of several would be computed as often, which
  /// only what is `cheap` may be.
  bool canCompute(OpOperand &use, bool cheap) {
    auto op = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!op || !op.isDpsInput(&use) ||
        !(cheap || op.getMatchingIndexingMap(&use).isPermutation()))
      return false;
    return op.getNumReductionLoops() == 0 ||
           (recompute && !linalg::isaContractionOpInterface(op) &&
            !linalg::isaConvolutionOpInterface(op));
  }

  /// Whether the producer of `operand` may be merged into its owner: when
  /// nothing is left of it then.
  bool shouldFuse(OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    // What asserts something stays, and would only do so twice.
    if (!isElementwise(producer) || !isMemoryEffectFree(producer))
      return false;
    bool cheap = recompute && isCheap(producer);
    SmallPtrSet<Operation *, 2> users;
    for (OpOperand &use : producer->getUses()) {
      if (!canCompute(use, cheap))
        return false;
      users.insert(use.getOwner());
    }
    return users.size() == 1 || cheap ||
           (recompute && users.size() == 2 && isSmall(producer));
  }
};
} // namespace
