//===- SinkReshapes.cpp - Element-wise ops before reshapes ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch-mlir expands the rows of a product to [batch, sequence] at once, so
// that what follows has another shape than the product. Moved behind the
// element-wise ops, the expansions meet the collapses of the next product.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Support/Reassociation.h"
#include "nm/Transforms/Tensors/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMSINKRESHAPESPASS
#include "nm/Transforms/Tensors/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Whether `value` is a product or computed from one by generics, without a
/// reshape between.
static bool comesFromProduct(Value value, DenseSet<Operation *> &seen) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<ProductOpInterface>(op))
    return true;
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return generic && seen.insert(op).second &&
         llvm::any_of(generic.getInputs(), [&](Value input) {
           return comesFromProduct(input, seen);
         });
}

static bool isExpandedProduct(Value value) {
  auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
  DenseSet<Operation *> seen;
  return expand && comesFromProduct(expand.getSrc(), seen);
}

/// Also lifts the collapse of what is made for such a generic alone, such as a
/// broadcast of its operand.
static bool shouldSink(OpOperand *operand) {
  if (!isa<tensor::CollapseShapeOp>(operand->getOwner()))
    return isExpandedProduct(operand->get());
  auto generic = operand->get().getDefiningOp<linalg::GenericOp>();
  return generic && generic->hasOneUse() && generic.getNumReductionLoops() == 0;
}

/// The unit dimensions of a generic that reads the expansion of a product of
/// one row, [n] to [1, n]: a bias [n] keeps it from being collapsed.
static SmallVector<unsigned> getUnitDims(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  SmallVector<unsigned> dims;
  if (!generic || !llvm::any_of(generic.getInputs(), [](Value input) {
        auto expand = input.getDefiningOp<tensor::ExpandShapeOp>();
        return expand && expand.getSrcType().getRank() == 1 &&
               isExpandedProduct(input);
      }))
    return dims;
  for (auto [dim, extent] : llvm::enumerate(generic.getStaticLoopRanges()))
    if (extent == 1)
      dims.push_back(dim);
  return dims;
}

/// The dimensions of `shape` in groups of one that is not 1 each, with those of
/// 1 beside it; none where all are 1.
static SmallVector<ReassociationIndices>
groupUnitDims(ArrayRef<int64_t> shape) {
  SmallVector<ReassociationIndices> groups(1);
  bool isFull = false;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent != 1 && isFull)
      groups.emplace_back();
    isFull |= extent != 1;
    groups.back().push_back(dim);
  }
  if (!isFull)
    groups.clear();
  return groups;
}

namespace {
/// A transposition that only moves dimensions of 1, as of the heads of one
/// token, leaves every element where it is.
struct TransposeToReshapes : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<RankedTensorType>(op.getInput().getType());
    if (!from)
      return rewriter.notifyMatchFailure(op, "expected tensors");
    SmallVector<int64_t> moved;
    for (int64_t dim : op.getPermutation())
      if (from.getDimSize(dim) != 1)
        moved.push_back(dim);
    auto to = cast<RankedTensorType>(op.getResult()[0].getType());
    SmallVector<ReassociationIndices> before = groupUnitDims(from.getShape());
    SmallVector<ReassociationIndices> after = groupUnitDims(to.getShape());
    if (!llvm::is_sorted(moved) || before.empty() ||
        before.size() != after.size())
      return rewriter.notifyMatchFailure(op, "elements change their places");
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getInput());
    applyPermutationToVector(sizes, op.getPermutation());
    Value flat = op.getInput();
    if (from.getRank() != static_cast<int64_t>(before.size()))
      flat = tensor::CollapseShapeOp::create(rewriter, loc, flat, before);
    if (to.getRank() != static_cast<int64_t>(after.size()))
      flat =
          tensor::ExpandShapeOp::create(rewriter, loc, to, flat, after, sizes);
    rewriter.replaceOp(op, flat);
    return success();
  }
};

/// A tensor without values has any shape from the start.
template <typename Reshape> struct ReshapeOfEmpty : OpRewritePattern<Reshape> {
  using OpRewritePattern<Reshape>::OpRewritePattern;

  LogicalResult matchAndRewrite(Reshape op,
                                PatternRewriter &rewriter) const override {
    ReifiedRankedShapedTypeDims sizes;
    if (!op.getSrc().template getDefiningOp<tensor::EmptyOp>() ||
        failed(reifyResultShapes(rewriter, op, sizes)))
      return rewriter.notifyMatchFailure(op, "expected a tensor.empty");
    RankedTensorType type = op.getResultType();
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), sizes.front(),
                                          type.getElementType());
    if (empty.getType() != type)
      empty = tensor::CastOp::create(rewriter, op.getLoc(), type, empty);
    rewriter.replaceOp(op, empty);
    return success();
  }
};

struct SinkReshapes : nm::impl::NMSinkReshapesPassBase<SinkReshapes> {
  void runOnOperation() override {
    if (failed(verifyReassociations(getOperation())))
      return signalPassFailure();
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, shouldSink);
    linalg::ControlDropUnitDims units;
    units.controlFn = getUnitDims;
    linalg::populateFoldUnitExtentDimsPatterns(patterns, units);
    // Upstream's patterns for tensor.empty fold slices, too: products that fill
    // one tensor would not be computed in it any more, but copied there.
    patterns.add<ReshapeOfEmpty<tensor::CollapseShapeOp>,
                 ReshapeOfEmpty<tensor::ExpandShapeOp>, TransposeToReshapes>(
        context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    // A long chain sinks by one op a round. Where rounds run out, what is left
    // is right as it is.
    GreedyRewriteConfig config;
    config.setMaxIterations(100);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};
} // namespace
