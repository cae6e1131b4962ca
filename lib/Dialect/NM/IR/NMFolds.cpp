//===- NMFolds.cpp - Folders and canonicalizers of the nm dialect
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "nm/Dialect/NM/IR/CondenseElements.h"
#include "nm/Dialect/NM/IR/NMOps.h"

using namespace mlir;
using namespace nm;

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  SmallVector<Attribute, 3> parts = {getValues(), getIndices()};
  if (getColumns())
    parts.push_back(*getColumns());
  return ArrayAttr::get(getContext(), parts);
}

/// Elements up to which a dense constant is condensed when it is folded; larger
/// ones are the business of nm-condense-weights.
static constexpr int64_t maxFoldedElements = 4096;

/// The condensed form of a small constant that has the pattern.
static OpFoldResult foldCondense(ElementsAttr dense, CondensedType type) {
  if (type.getK() * type.getN() > maxFoldedElements ||
      !isa<DenseElementsAttr>(dense))
    return {};
  FailureOr<RawElements> raw = RawElements::get(dense, ignoreReason);
  if (failed(raw))
    return {};
  std::vector<int64_t> rows(type.getK()), columns(type.getN());
  for (int64_t row = 0; row < type.getK() && !raw->isSplat(); ++row)
    rows[row] = row * type.getN();
  for (int64_t column = 0; column < type.getN() && !raw->isSplat(); ++column)
    columns[column] = column;
  DenseWeight weight(raw->getData().data(), type.getElementType(),
                     std::move(rows), std::move(columns));
  FailureOr<CondensedElements> elements =
      condense(weight, weight.getMask(), type, "weight", ignoreReason);
  if (failed(elements))
    return {};
  return ArrayAttr::get(type.getContext(),
                        {elements->values, elements->indices});
}

OpFoldResult CondenseOp::fold(FoldAdaptor adaptor) {
  // condense(expand(w)) is w when nothing about the form changes.
  if (auto expand = getDense().getDefiningOp<ExpandOp>())
    if (expand.getWeight().getType() == getType())
      return expand.getWeight();
  if (auto dense = dyn_cast_or_null<ElementsAttr>(adaptor.getDense()))
    return foldCondense(dense, cast<CondensedType>(getType()));
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
