//===- ExpandReshapes.cpp - Element-wise ops in more dimensions -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemberOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Dialect/NM/Rows/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMEXPANDRESHAPESPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;
using linalg::GenericOp;

static bool isExpandable(GenericOp op) {
  return op && op.getNumReductionLoops() == 0 && isPointwise(op) &&
         llvm::none_of(op.getStaticLoopRanges(), ShapedType::isDynamic);
}

/// Whether the op before or behind a reshape is given the dimensions of its
/// other side. Those of one element keep no groups apart.
static bool shouldExpand(OpOperand *operand) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner()))
    return !movesUnitsAlone(expand) &&
           isExpandable(operand->get().getDefiningOp<GenericOp>());
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse)
    return false;
  // What is computed of a transposed array alone is computed before
  // (nm-sink-transposes), which has to see that it is.
  if (movesUnitsAlone(collapse))
    return collapse.getSrc().getDefiningOp<linalg::TransposeOp>() &&
           isExpandable(dyn_cast<GenericOp>(operand->getOwner()));
  // A transposition is a part of the kernel before it, if it is of one.
  if (auto transpose = dyn_cast<linalg::TransposeOp>(operand->getOwner()))
    return transpose.getInit().getType().hasStaticShape() &&
           isExpandable(collapse.getSrc().getDefiningOp<GenericOp>());
  return isExpandable(dyn_cast<GenericOp>(operand->getOwner()));
}

namespace {
struct ExpandReshapes : nm::impl::NMExpandReshapesPassBase<ExpandReshapes> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldExpand);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    // Where rounds run out, what is left is right as it is.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
