//===- FuseBroadcasts.cpp - Ops read what a broadcast copies --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Support/Remarks.h"
#include "nm/Transforms/Tensors/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMFUSEBROADCASTSPASS
#include "nm/Transforms/Tensors/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// How an element of the result of `op` is found in its input, when `op` writes
/// each element of the input in several places and nothing else.
static std::optional<AffineMap> getBroadcastMap(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !isa<RankedTensorType>(op.getDpsInputOperand(0)->get().getType()))
    return std::nullopt;
  Block *body = op.getBlock();
  if (body->getTerminator()->getOperand(0) != body->getArgument(0) ||
      !llvm::hasSingleElement(*body))
    return std::nullopt;
  AffineMap input = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!output.isPermutation() ||
      llvm::all_of(llvm::seq<unsigned>(0, op.getNumLoops()),
                   [&](unsigned d) { return input.isFunctionOfDim(d); }))
    return std::nullopt;
  return input.compose(inversePermutation(output));
}

namespace {
struct ReadThroughBroadcast : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || linalg::isaConvolutionOpInterface(op))
      return rewriter.notifyMatchFailure(op, "unsupported: not on tensors, or "
                                             "a convolution");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
      std::optional<AffineMap> broadcast =
          producer ? getBroadcastMap(producer) : std::nullopt;
      if (!broadcast)
        continue;
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      AffineMap &map = maps[operand->getOperandNumber()];
      map = broadcast->compose(map);
      // The extent of every loop must be that of some operand still.
      if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
        continue;
      return rewrite(op, *operand, producer, maps, rewriter);
    }
    return rewriter.notifyMatchFailure(op, "expected an input that is a "
                                           "broadcast");
  }

private:
  static LogicalResult rewrite(linalg::LinalgOp op, OpOperand &operand,
                               linalg::LinalgOp producer,
                               ArrayRef<AffineMap> maps,
                               PatternRewriter &rewriter) {
    unsigned number = operand.getOperandNumber();
    nm::emitRemark(op, nm::RemarkId::BroadcastFused)
        << nm::remarkKey(nm::RemarkKey::Op, op->getName().getStringRef());
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> made =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(made))
        return failure();
      generic = *made;
    }
    rewriter.modifyOpInPlace(generic, [&] {
      generic->setOperand(number, producer.getDpsInputOperand(0)->get());
      generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};

struct FuseBroadcasts : nm::impl::NMFuseBroadcastsPassBase<FuseBroadcasts> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReadThroughBroadcast>(&getContext());
    // Where rounds run out, what is left is right as it is.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
