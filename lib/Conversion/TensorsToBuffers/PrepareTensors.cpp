//===- PrepareTensors.cpp - Tensor ops before bufferization ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshapeSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Conversion/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMPREPARETENSORSPASS
#include "nm/Conversion/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// All dimensions in one group.
static SmallVector<ReassociationIndices> oneGroup(int64_t rank) {
  return {llvm::to_vector(llvm::seq<int64_t>(0, rank))};
}

namespace {
/// tensor.reshape with known sizes, through one dimension.
struct ReshapeToReassociations : OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(op.getResult().getType());
    if (!from || !to || from.getRank() == 0 || to.getRank() == 0)
      return rewriter.notifyMatchFailure(op, "expected ranks above 0");
    auto sizes = nm::getReshapeSizes(rewriter, op);
    if (!sizes)
      return rewriter.notifyMatchFailure(
          op, "expected sizes that are constant or computed");
    Location loc = op.getLoc();

    // The sizes may be known better than the type says.
    auto [known, dynamic] = decomposeMixedValues(*sizes);
    auto type = RankedTensorType::get(known, to.getElementType());

    Value result = op.getSource();
    if (from.getRank() > 1)
      result = tensor::CollapseShapeOp::create(rewriter, loc, result,
                                               oneGroup(from.getRank()));
    // The flat size is known exactly when all sizes of the result are.
    int64_t count =
        type.hasStaticShape() ? type.getNumElements() : ShapedType::kDynamic;
    auto flatType = RankedTensorType::get({count}, from.getElementType());
    if (result.getType() != flatType)
      result = tensor::CastOp::create(rewriter, loc, flatType, result);
    if (to.getRank() > 1)
      result = tensor::ExpandShapeOp::create(rewriter, loc, type, result,
                                             oneGroup(to.getRank()), *sizes);
    if (result.getType() != to)
      result = tensor::CastOp::create(rewriter, loc, to, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct PrepareTensors : nm::impl::NMPrepareTensorsPassBase<PrepareTensors> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReshapeToReassociations>(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    // No op may be left, and each pattern takes one away.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();

    auto no = BoolAttr::get(&getContext(), false);
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
        if (isa<TensorType>(function.getArgument(i).getType()))
          function.setArgAttr(
              i, bufferization::BufferizationDialect::kWritableAttrName, no);
    }
  }
};
} // namespace
