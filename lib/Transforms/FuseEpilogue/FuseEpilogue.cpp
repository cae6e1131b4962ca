//===- FuseEpilogue.cpp - nm-fuse-epilogue --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyPrefix.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/Remarks.h"
#include "nm/Transforms/FuseEpilogue/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMFUSEEPILOGUEPASS
#include "nm/Transforms/FuseEpilogue/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static void reportNotFused(Operation *product, StringRef reason) {
  emitRemark(product, RemarkId::EpilogueNotFused)
      << remarkReason("{0}", reason);
}

static void reportFused(Operation *product, const BodyPrefix &prefix) {
  Remark remark = emitRemark(product, RemarkId::EpilogueFused);
  remark << remarkKey(RemarkKey::Steps, llvm::join(prefix.names, ", "));
  if (!prefix.stop.empty())
    remark << remarkReason("the rest stays: {0}", prefix.stop);
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

/// What a product does itself already.
static EpilogueStep getLastStep(ProductOpInterface op) {
  if (op.getResidual())
    return EpilogueStep::residual;
  if (op.getEpilogue() != Epilogue::None)
    return EpilogueStep::activation;
  if (op.getBias())
    return EpilogueStep::bias;
  return op.getScale() ? EpilogueStep::scale : EpilogueStep::product;
}

/// A number of `element` a column, or null.
static Value materialize(ImplicitLocOpBuilder &b, const Columns &columns,
                         int64_t n, Type element) {
  if (const auto *tensor = std::get_if<Value>(&columns))
    return *tensor;
  if (isNone(columns))
    return nullptr;
  auto type = RankedTensorType::get({n}, element);
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             type, b.getFloatAttr(element, std::get<double>(columns))));
}

/// The products of two vectors, of which the second may be none, in `element`.
/// Those of constants are computed at compile time, by nm-fold-constant-ops.
static Columns multiply(ImplicitLocOpBuilder &b, const Columns &x,
                        const Columns &y, int64_t n, Type element) {
  if (isNone(y))
    return x;
  if (isNone(x))
    return y;
  if (const auto *left = std::get_if<double>(&x))
    if (const auto *right = std::get_if<double>(&y))
      return *left * *right;
  Value init = tensor::EmptyOp::create(b, ArrayRef<int64_t>{n}, element);
  SmallVector<AffineMap> maps(3, b.getMultiDimIdentityMap(1));
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    ImplicitLocOpBuilder bb(loc, builder);
    Value product =
        arith::MulFOp::create(bb, convertNumber(bb, args[0], element),
                              convertNumber(bb, args[1], element));
    linalg::YieldOp::create(bb, product);
  };
  SmallVector<Value> operands = {materialize(b, x, n, element),
                                 materialize(b, y, n, element)};
  return linalg::GenericOp::create(b, init.getType(), operands, init, maps,
                                   utils::IteratorType::parallel, body)
      .getResult(0);
}

/// A copy of `op` before `consumer` that does the steps of `prefix` too.
static ProductOpInterface createFused(ProductOpInterface op,
                                      linalg::GenericOp consumer,
                                      const BodyPrefix &prefix) {
  OpBuilder builder(consumer);
  ImplicitLocOpBuilder b(builder.getFusedLoc({op.getLoc(), consumer.getLoc()}),
                         builder);
  int64_t n = op.getWeightType().getN();
  Type element = prefix.value.getType();
  Value init = op.getInit();
  if (getElementTypeOrSelf(init) != element)
    init = tensor::EmptyOp::create(
        b, tensor::getMixedSizes(b, b.getLoc(), init), element);
  auto own = [](Value value) { return value ? Columns(value) : Columns(); };
  // Scales and biases of constants are numbers of the type of the epilogue.
  Type inner = getEpilogueType(op.getAcc(), /*hasScale=*/true);
  Columns scale = multiply(b, own(op.getScale()), prefix.scale, n, inner);
  Columns bias = op.getBias() ? own(op.getBias()) : prefix.bias;
  if (!isNone(bias))
    bias = multiply(b, bias, prefix.scaleOfBias, n, inner);

  auto fused = cast<ProductOpInterface>(b.clone(*op));
  fused->setLoc(b.getLoc());
  fused.getInitMutable().assign(init);
  fused.getResult().setType(cast<RankedTensorType>(init.getType()));
  if (Value value = materialize(b, scale, n, inner))
    fused.getScaleMutable().assign(value);
  if (Value value = materialize(b, bias, n, inner))
    fused.getBiasMutable().assign(value);
  if (prefix.residual) {
    fused.getResidualMutable().assign(prefix.residual);
    fused.setCombine(prefix.combine);
  }
  if (prefix.epilogue != Epilogue::None)
    fused.setEpilogue(prefix.epilogue);
  // Made last, the operands come after the op.
  fused->moveBefore(consumer);
  return fused;
}

//===----------------------------------------------------------------------===//
// The consumer
//===----------------------------------------------------------------------===//

/// Whether `op` does nothing but the steps of `prefix`, element by element.
static bool isWhollyFused(linalg::GenericOp op, OpOperand &product,
                          const BodyPrefix &prefix) {
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  return op.getNumResults() == 1 && op.getNumReductionLoops() == 0 &&
         yield.getOperand(0) == prefix.value &&
         op.getMatchingIndexingMap(&product) ==
             op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

/// Lets the rest of the body begin with the fused product.
static void dropPrefix(RewriterBase &rewriter, linalg::GenericOp op,
                       OpOperand &product, const BodyPrefix &prefix,
                       Value fused) {
  rewriter.modifyOpInPlace(op, [&] {
    BlockArgument argument = op.getMatchingBlockArgument(&product);
    Value before = prefix.value;
    product.set(fused);
    before.replaceAllUsesWith(argument);
    // Of the block itself: reversed iterators of a range inside it would stand
    // on what is erased. A terminator is never dead.
    for (Operation &inner :
         llvm::make_early_inc_range(llvm::reverse(*op.getBody())))
      if (isOpTriviallyDead(&inner))
        rewriter.eraseOp(&inner);
    argument.setType(getElementTypeOrSelf(fused));
  });
}

/// The generic that alone uses `product` and reads each element once; or null,
/// with a remark where a consumer could have been fused.
static OpOperand *findConsumer(Operation *product) {
  Value result = product->getResult(0);
  auto isGeneric = [](Operation *user) { return isa<linalg::GenericOp>(user); };
  if (!result.hasOneUse()) {
    if (llvm::any_of(result.getUsers(), isGeneric))
      reportNotFused(product, "the product has other users");
    return nullptr;
  }
  OpOperand &use = *result.use_begin();
  auto consumer = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!consumer)
    return nullptr;
  if (!consumer.isDpsInput(&use) ||
      !consumer.getMatchingIndexingMap(&use).isPermutation()) {
    reportNotFused(product, "elements of the product are read more than once");
    return nullptr;
  }
  return &use;
}

/// Fuses what follows `op` as long as there is something.
static void fuseConsumers(RewriterBase &rewriter, ProductOpInterface op) {
  while (getLastStep(op) != EpilogueStep::residual) {
    OpOperand *use = findConsumer(op);
    if (!use)
      return;
    auto consumer = cast<linalg::GenericOp>(use->getOwner());
    BodyPrefix prefix =
        findPrefix(consumer, *use, op.getColumnDim(), getLastStep(op));
    if (prefix.names.empty()) {
      if (!prefix.stop.empty())
        reportNotFused(op, prefix.stop);
      return;
    }
    rewriter.setInsertionPoint(consumer);
    ProductOpInterface fused = createFused(op, consumer, prefix);
    reportFused(fused, prefix);
    if (isWhollyFused(consumer, *use, prefix)) {
      Value result = fused.getResult();
      Type type = consumer.getResult(0).getType();
      if (result.getType() != type)
        result =
            tensor::CastOp::create(rewriter, consumer.getLoc(), type, result);
      rewriter.replaceOp(consumer, result);
    } else {
      dropPrefix(rewriter, consumer, *use, prefix, fused.getResult());
    }
    rewriter.eraseOp(op);
    op = fused;
    // The rest has been reported.
    if (!prefix.stop.empty())
      return;
  }
}

namespace {
struct FuseEpilogue : nm::impl::NMFuseEpiloguePassBase<FuseEpilogue> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<ProductOpInterface> products;
    getOperation()->walk([&](ProductOpInterface op) {
      if (op.getResult())
        products.push_back(op);
    });
    for (ProductOpInterface op : products)
      fuseConsumers(rewriter, op);
    // What is left of a consumer may not read its bias any more.
    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
