//===- AssertShapes.cpp - What types claim is checked at run time ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshapeSizes.h"
#include "SizeOrigin.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Conversion/Passes.h"
#include "llvm/Support/FormatVariadic.h"

namespace nm {
#define GEN_PASS_DEF_NMASSERTSHAPESPASS
#include "nm/Conversion/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

static std::string str(Type type) { return llvm::formatv("{0}", type).str(); }

/// The sizes that a cast makes static.
static void assertCast(tensor::CastOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  for (int64_t i = 0; i < to.getRank(); ++i) {
    if (!from.isDynamicDim(i) || to.isDynamicDim(i))
      continue;
    Value size = tensor::DimOp::create(b, op.getSource(), i);
    Value expected = arith::ConstantIndexOp::create(b, to.getDimSize(i));
    Value equal =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, size, expected);
    cf::AssertOp::create(
        b, equal,
        llvm::formatv("tensor.cast of {0}: dimension {1} is not {2}, as the "
                      "module says it is",
                      str(from), i, to.getDimSize(i))
            .str());
  }
}

static Value multiply(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> factors) {
  Value product = arith::ConstantIndexOp::create(b, 1);
  for (OpFoldResult factor : factors)
    product = arith::MulIOp::create(
        b, product, getValueOrCreateConstantIndexOp(b, b.getLoc(), factor));
  return product;
}

/// A reshape keeps the number of elements.
static void assertReshape(tensor::ReshapeOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = cast<ShapedType>(op.getType());
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto sizes = getReshapeSizes(b, op);
  if (!from || !sizes || (from.hasStaticShape() && to.hasStaticShape()))
    return;
  Value equal = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq,
      multiply(b, tensor::getMixedSizes(b, op.getLoc(), op.getSource())),
      multiply(b, *sizes));
  cf::AssertOp::create(
      b, equal,
      llvm::formatv("tensor.reshape of {0} to {1}: the number of elements "
                    "differs",
                    str(from), str(op.getType()))
          .str());
}

/// The sizes of all operands that one loop walks are the same.
static void assertOperands(linalg::LinalgOp op) {
  struct Walked {
    OpOperand *operand = nullptr;
    int64_t dim = 0;
  };
  SmallVector<Walked> loops(op.getNumLoops());
  ImplicitLocOpBuilder b(op.getLoc(), op);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      auto &[first, dim] = loops[loop.getPosition()];
      if (!first) {
        first = &operand;
        dim = i;
        continue;
      }
      if (getSizeOrigin(first->get(), dim) == getSizeOrigin(operand.get(), i))
        continue;
      Value equal = arith::CmpIOp::create(
          b, arith::CmpIPredicate::eq,
          tensor::DimOp::create(b, first->get(), dim).getResult(),
          tensor::DimOp::create(b, operand.get(), i).getResult());
      cf::AssertOp::create(
          b, equal,
          llvm::formatv("{0}: dimension {1} of operand {2} ({3}) is not as "
                        "large as dimension {4} of operand {5} ({6})",
                        op->getName(), i, operand.getOperandNumber(),
                        operand.get().getType(), dim, first->getOperandNumber(),
                        first->get().getType())
              .str());
    }
  }
}

/// A slice lies within its tensor.
static void assertSlice(OffsetSizeAndStrideOpInterface op, Value whole) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto toValue = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), number);
  };
  for (auto [i, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    SizeOrigin extent = getSizeOrigin(whole, i);
    bool isWhole = isConstantIntValue(offset, 0) &&
                   isConstantIntValue(stride, 1) &&
                   getSizeOrigin(size) == extent;
    bool isStatic = !extent.value && getConstantIntValue(offset) &&
                    getConstantIntValue(size) && getConstantIntValue(stride);
    if (isWhole || isStatic)
      continue;
    // offset >= 0, size >= 0, and size = 0 or offset + (size - 1) stride <
    // extent.
    using Predicate = arith::CmpIPredicate;
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value one = arith::ConstantIndexOp::create(b, 1);
    Value length = toValue(size), begin = toValue(offset);
    Value last = arith::AddIOp::create(
        b, begin,
        arith::MulIOp::create(b, arith::SubIOp::create(b, length, one),
                              toValue(stride)));
    Value within = arith::OrIOp::create(
        b, arith::CmpIOp::create(b, Predicate::eq, length, zero),
        arith::CmpIOp::create(b, Predicate::slt, last,
                              tensor::DimOp::create(b, whole, i).getResult()));
    within = arith::AndIOp::create(
        b, within, arith::CmpIOp::create(b, Predicate::sge, begin, zero));
    within = arith::AndIOp::create(
        b, within, arith::CmpIOp::create(b, Predicate::sge, length, zero));
    cf::AssertOp::create(
        b, within,
        llvm::formatv("{0}: the slice leaves dimension {1} of {2}",
                      op->getName(), i, whole.getType())
            .str());
  }
}

/// Moves `op` and the sizes that it compares before everything that they do not
/// need: types that are claimed reach back to the ops before a cast.
static void hoist(cf::AssertOp op) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.filter = [&](Operation *other) {
    if (other == op)
      return true;
    return other->getBlock() == op->getBlock() && isPure(other) &&
           llvm::all_of(other->getResultTypes(),
                        [](Type type) { return type.isIntOrIndex(); });
  };
  (void)getBackwardSlice(op.getOperation(), &slice, options);
  slice.insert(op);
  Operation *last = nullptr;
  for (Operation *part : slice)
    for (Value operand : part->getOperands()) {
      Operation *needed = operand.getDefiningOp();
      if (needed && needed->getBlock() == op->getBlock() &&
          !slice.contains(needed) && (!last || last->isBeforeInBlock(needed)))
        last = needed;
    }
  Block::iterator place =
      last ? std::next(Block::iterator(last)) : op->getBlock()->begin();
  // The assert comes after `last`, so there is an op at `place`; what is
  // already before it stays, as it may have users there.
  for (Operation *part : slice)
    if (&*place == part)
      ++place;
    else if (place->isBeforeInBlock(part))
      part->moveBefore(op->getBlock(), place);
}

namespace {
struct AssertShapes : nm::impl::NMAssertShapesPassBase<AssertShapes> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto cast = dyn_cast<tensor::CastOp>(op))
        assertCast(cast);
      else if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
        assertReshape(reshape);
      else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        assertOperands(linalgOp);
      else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        assertSlice(slice, slice.getSource());
      else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
        assertSlice(slice, slice.getDest());
    });
    // Sizes of results would be further users of them, and keep passes from
    // fusing their op; in terms of the operands they are not.
    RewritePatternSet patterns(&getContext());
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
    getOperation()->walk([](Block *block) {
      for (auto op : llvm::make_early_inc_range(block->getOps<cf::AssertOp>()))
        if (isa<FunctionOpInterface>(block->getParentOp()))
          hoist(op);
    });
  }
};
} // namespace
