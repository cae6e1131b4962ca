//===- ResolveExpandShapes.cpp - Expanded views by their strides ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "nm/Transforms/Buffers/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMRESOLVEEXPANDSHAPESPASS
#include "nm/Transforms/Buffers/Passes.h.inc"
} // namespace nm

using namespace mlir;

namespace {
struct ExpandShapeToCast : OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    MemRefType type = op.getResultType();
    if (type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "expected a dynamic size");

    Location loc = op.getLoc();
    auto source =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    SmallVector<OpFoldResult> strides(sizes.size());
    SmallVector<OpFoldResult> sourceStrides =
        source.getConstifiedMixedStrides();
    // In a group of dimensions the last has the stride of the whole, and each
    // before it steps over those after it.
    for (auto [stride, group] :
         llvm::zip_equal(sourceStrides, op.getReassociationIndices())) {
      OpFoldResult step = stride;
      for (int64_t dim : llvm::reverse(group)) {
        strides[dim] = step;
        if (dim != group.front())
          step = multiply(rewriter, loc, step, sizes[dim]);
      }
    }
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, source.getBaseBuffer(), source.getConstifiedMixedOffset(),
        sizes, strides);
    return success();
  }

private:
  static OpFoldResult multiply(OpBuilder &b, Location loc, OpFoldResult left,
                               OpFoldResult right) {
    std::optional<int64_t> leftSize = getConstantIntValue(left);
    std::optional<int64_t> rightSize = getConstantIntValue(right);
    if (leftSize && rightSize)
      return b.getIndexAttr(*leftSize * *rightSize);
    Value leftValue = getValueOrCreateConstantIndexOp(b, loc, left);
    Value rightValue = getValueOrCreateConstantIndexOp(b, loc, right);
    return arith::MulIOp::create(b, loc, leftValue, rightValue).getResult();
  }
};

struct ResolveExpandShapes
    : nm::impl::NMResolveExpandShapesPassBase<ResolveExpandShapes> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandShapeToCast>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
