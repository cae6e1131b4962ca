//===- NMFolds.cpp - Folders and canonicalizers of the nm dialect
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "nm/Dialect/NM/IR/NMOps.h"

using namespace mlir;
using namespace nm;

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  SmallVector<Attribute, 3> parts = {getValues(), getIndices()};
  if (getColumns())
    parts.push_back(*getColumns());
  return ArrayAttr::get(getContext(), parts);
}

OpFoldResult CondenseOp::fold(FoldAdaptor) {
  // condense(expand(w)) is w when nothing about the form changes.
  if (auto expand = getDense().getDefiningOp<ExpandOp>())
    if (expand.getWeight().getType() == getType())
      return expand.getWeight();
  return {};
}

OpFoldResult ExpandOp::fold(FoldAdaptor) {
  if (auto condense = getWeight().getDefiningOp<CondenseOp>())
    if (condense.getDense().getType() == getType())
      return condense.getDense();
  return {};
}

OpFoldResult ValuesOp::fold(FoldAdaptor) {
  if (auto assemble = getWeight().getDefiningOp<AssembleOp>())
    if (assemble.getValues().getType() == getType())
      return assemble.getValues();
  if (auto constant = getWeight().getDefiningOp<ConstantOp>())
    return constant.getValues();
  return {};
}

OpFoldResult IndicesOp::fold(FoldAdaptor) {
  if (auto assemble = getWeight().getDefiningOp<AssembleOp>())
    if (assemble.getIndices().getType() == getType())
      return assemble.getIndices();
  if (auto constant = getWeight().getDefiningOp<ConstantOp>())
    return constant.getIndices();
  return {};
}

namespace {
/// Takes A from behind a tensor.cast that only hides static extents.
struct FoldCastOfA : OpRewritePattern<SpmmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SpmmOp op,
                                PatternRewriter &rewriter) const override {
    auto cast = op.getA().getDefiningOp<tensor::CastOp>();
    if (!cast || !tensor::canFoldIntoConsumerOp(cast))
      return rewriter.notifyMatchFailure(op, "expected A from a tensor.cast");
    rewriter.modifyOpInPlace(
        op, [&] { op.getAMutable().assign(cast.getSource()); });
    return success();
  }
};
} // namespace

void SpmmOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<FoldCastOfA>(context);
}
