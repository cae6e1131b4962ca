//===- SinkTransposes.cpp - Element-wise ops before transpositions --------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemberOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Dialect/NM/Rows/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMSINKTRANSPOSESPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;
using linalg::GenericOp;

static bool isIdentity(AffineMap map) { return map.isIdentity(); }

/// Whether `op` computes each element of its result of that of its one input,
/// at the same place.
static bool isUnary(GenericOp op) {
  return op.getNumReductionLoops() == 0 && op.getNumDpsInputs() == 1 &&
         op->getNumResults() == 1 && isPointwise(op) &&
         llvm::all_of(op.getIndexingMapsArray(), isIdentity);
}

/// Whether a transposition moves the last dimension to before the last one of
/// its result. One that leaves it where it is is as good as an element-wise op.
static bool swapsLastDims(ArrayRef<int64_t> order) {
  int64_t rank = order.size();
  return rank >= 2 && order[rank - 2] == rank - 1;
}

static Value createTranspose(RewriterBase &rewriter, Location loc, Value input,
                             ArrayRef<int64_t> order) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, input);
  SmallVector<OpFoldResult> moved;
  for (int64_t dim : order)
    moved.push_back(sizes[dim]);
  Type element = cast<RankedTensorType>(input.getType()).getElementType();
  Value init = tensor::EmptyOp::create(rewriter, loc, moved, element);
  return linalg::TransposeOp::create(rewriter, loc, input, init, order)
      ->getResult(0);
}

namespace {
struct SinkTranspose : OpRewritePattern<GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isUnary(op))
      return failure();
    auto transpose = op.getInputs()[0].getDefiningOp<linalg::TransposeOp>();
    if (!transpose || !transpose->hasOneUse() ||
        !swapsLastDims(transpose.getPermutation()))
      return failure();
    // What moves whole pieces of rows comes first, and belongs to the kernel.
    SmallVector<int64_t> pieces = llvm::to_vector(transpose.getPermutation());
    int64_t rank = pieces.size();
    std::swap(pieces[rank - 2], pieces[rank - 1]);
    SmallVector<int64_t> swap = llvm::to_vector(llvm::seq(rank));
    Value input = transpose.getInput();
    if (pieces != swap)
      input = createTranspose(rewriter, op.getLoc(), input, pieces);
    std::swap(swap[rank - 2], swap[rank - 1]);
    Value computed = moveBefore(rewriter, op, input);
    rewriter.replaceOpWithNewOp<linalg::TransposeOp>(op, computed,
                                                     op.getOutputs()[0], swap);
    return success();
  }

private:
  /// The body of `op`, computed of `input`.
  static Value moveBefore(RewriterBase &rewriter, GenericOp op, Value input) {
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, input);
    auto type = cast<RankedTensorType>(op->getResultTypes()[0]);
    Value init =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    auto moved = GenericOp::create(rewriter, loc, init.getType(), input, init,
                                   op.getIndexingMapsArray(),
                                   op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), moved.getRegion(),
                                moved.getRegion().begin());
    return moved->getResult(0);
  }
};

struct SinkTransposes : nm::impl::NMSinkTransposesPassBase<SinkTransposes> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkTranspose>(&getContext());
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
