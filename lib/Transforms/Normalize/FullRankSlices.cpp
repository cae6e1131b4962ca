//===- FullRankSlices.cpp - Slices that say which dimensions they drop ----===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedPatterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "nm/Transforms/Normalize/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMFULLRANKSLICESPASS
#include "nm/Transforms/Normalize/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Groups of dimensions, each with one that is not `dropped`, or no group where
/// all are.
static SmallVector<ReassociationIndices>
getGroups(const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  if (dropped.all())
    return groups;
  bool isFirst = true;
  for (unsigned i = 0, e = dropped.size(); i < e; ++i) {
    if (groups.empty() || (!dropped[i] && !isFirst))
      groups.emplace_back();
    isFirst &= dropped[i];
    groups.back().push_back(i);
  }
  return groups;
}

namespace {
struct ExtractThenCollapse : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!dropsSomeOfTheOnes(op))
      return rewriter.notifyMatchFailure(op, "expected another unit extent");
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), op.getSource(), op.getMixedOffsets(),
        op.getMixedSizes(), op.getMixedStrides());
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op.getType(), slice, getGroups(op.getDroppedDims()));
    return success();
  }
};

struct ExpandThenInsert : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!dropsSomeOfTheOnes(op))
      return rewriter.notifyMatchFailure(op, "expected another unit extent");
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    auto type = RankedTensorType::get(op.getStaticSizes(),
                                      op.getSourceType().getElementType());
    Value source = tensor::ExpandShapeOp::create(
        rewriter, op.getLoc(), type, op.getSource(),
        getGroups(op.getDroppedDims()), sizes);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, source, op.getDest(), op.getMixedOffsets(), sizes,
        op.getMixedStrides());
    return success();
  }
};

struct FullRankSlices : nm::impl::NMFullRankSlicesPassBase<FullRankSlices> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExtractThenCollapse, ExpandThenInsert>(&getContext());
    // A walk folds nothing.
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
