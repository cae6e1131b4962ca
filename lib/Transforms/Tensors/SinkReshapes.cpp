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
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
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

namespace {
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
    tensor::populateFoldTensorEmptyPatterns(patterns);
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
