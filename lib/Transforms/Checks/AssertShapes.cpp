//===- AssertShapes.cpp - What types claim is checked at run time ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EqualSizes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/Utils.h"
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
#include "nm/Support/Reassociation.h"
#include "nm/Support/ReshapeSizes.h"
#include "nm/Support/SizeOrigin.h"
#include "nm/Transforms/Checks/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace nm {
#define GEN_PASS_DEF_NMASSERTSHAPESPASS
#include "nm/Transforms/Checks/Passes.h.inc"
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

/// What is reshaped from sizes `from` to sizes `to` keeps the number of
/// elements.
static void assertReshape(Operation *op, ArrayRef<OpFoldResult> from,
                          ArrayRef<OpFoldResult> to) {
  auto isStatic = [](OpFoldResult size) {
    return getConstantIntValue(size).has_value();
  };
  if (llvm::all_of(from, isStatic) && llvm::all_of(to, isStatic))
    return;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Value equal = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                      multiply(b, from), multiply(b, to));
  cf::AssertOp::create(
      b, equal,
      llvm::formatv("{0} of {1} to {2}: the number of elements differs",
                    op->getName(), str(op->getOperand(0).getType()),
                    str(op->getResult(0).getType()))
          .str());
}

static void assertReshape(tensor::ReshapeOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto sizes = getReshapeSizes(b, op);
  if (sizes && isa<RankedTensorType>(op.getSource().getType()))
    assertReshape(op, tensor::getMixedSizes(b, op.getLoc(), op.getSource()),
                  *sizes);
}

/// A dimension that is split keeps its number of elements.
static void assertExpand(tensor::ExpandShapeOp op) {
  OpBuilder b(op);
  SmallVector<OpFoldResult> to = op.getMixedOutputShape();
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim : group)
      if (!isConstantIntValue(to[dim], 1))
        sizes.push_back(to[dim]);
    SizeOrigin from = getSizeOrigin(op.getSrc(), i);
    if (group.size() > 1 &&
        !(sizes.size() == 1 && from == getSizeOrigin(sizes[0])))
      assertReshape(op, tensor::getMixedSize(b, op.getLoc(), op.getSrc(), i),
                    sizes);
  }
}

/// A size of `op` in words.
static std::string describe(Operation *op, const SizeOrigin &size) {
  if (!size.value)
    return std::to_string(size.number);
  size_t operand = std::distance(op->operand_begin(),
                                 llvm::find(op->getOperands(), size.value));
  if (!isa<ShapedType>(size.value.getType()))
    return llvm::formatv("operand {0}", operand).str();
  return llvm::formatv("dimension {0} of operand {1} ({2})", size.number,
                       operand, size.value.getType())
      .str();
}

/// Sizes that `op` takes for equal and that come from several places are.
static void assertEqual(Operation *op, const EqualSizes &sizes) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  for (const SizeOrigin &other : llvm::drop_begin(sizes)) {
    const SizeOrigin &first = sizes.front();
    SizeOrigin lhs = getSizeOrigin(other), rhs = getSizeOrigin(first);
    if (lhs == rhs || (!lhs.value && !rhs.value))
      continue;
    Value equal =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, createSize(b, other),
                              createSize(b, first));
    cf::AssertOp::create(b, equal,
                         llvm::formatv("{0}: {1} is not {2}{3}", op->getName(),
                                       describe(op, other),
                                       first.value ? "as large as " : "",
                                       describe(op, first))
                             .str());
  }
}

/// The last of `size` elements from `begin`, by `stride`, lies before `end`
/// and, as the stride may be negative, not before the first; or there are none.
/// Neither is negative.
static Value isWithin(ImplicitLocOpBuilder &b, Value begin, Value size,
                      Value stride, Value end) {
  using Predicate = arith::CmpIPredicate;
  auto compare = [&](Predicate predicate, Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(b, predicate, lhs, rhs);
  };
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value steps = arith::SubIOp::create(b, size, one);
  Value last =
      arith::AddIOp::create(b, begin, arith::MulIOp::create(b, steps, stride));
  Value isInside = compare(Predicate::slt, last, end);
  if (getConstantIntValue(stride).value_or(-1) < 0)
    isInside =
        arith::AndIOp::create(b, isInside, compare(Predicate::sge, last, zero));
  Value fits =
      arith::OrIOp::create(b, compare(Predicate::eq, size, zero), isInside);
  Value isNatural =
      arith::AndIOp::create(b, compare(Predicate::sge, begin, zero),
                            compare(Predicate::sge, size, zero));
  return arith::AndIOp::create(b, fits, isNatural);
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
    // MLIR's verifier looks at those, but not at the first element of a slice
    // that goes back.
    bool isStatic = !extent.value && getConstantIntValue(offset) &&
                    getConstantIntValue(size) &&
                    getConstantIntValue(stride).value_or(-1) >= 0;
    if (isWhole || isStatic)
      continue;
    Value within = isWithin(b, toValue(offset), toValue(size), toValue(stride),
                            createSize(b, {whole, int64_t(i)}));
    cf::AssertOp::create(
        b, within,
        llvm::formatv("{0}: the slice leaves dimension {1} of {2}",
                      op->getName(), i, whole.getType())
            .str());
  }
}

namespace {
/// The least and the largest number that an index can be.
struct IndexRange {
  Value low, high;
};
} // namespace

/// The range of `expr` where the loops run from 0 to `last`; none if it is not
/// known. No loop occurs twice.
static std::optional<IndexRange>
getRange(ImplicitLocOpBuilder &b, AffineExpr expr, ArrayRef<Value> last) {
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(b, number);
  };
  if (auto known = dyn_cast<AffineConstantExpr>(expr))
    return IndexRange{constant(known.getValue()), constant(known.getValue())};
  if (auto loop = dyn_cast<AffineDimExpr>(expr))
    return IndexRange{constant(0), last[loop.getPosition()]};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<IndexRange> lhs = getRange(b, binary.getLHS(), last);
  if (!lhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    std::optional<IndexRange> rhs = getRange(b, binary.getRHS(), last);
    if (!rhs)
      return std::nullopt;
    return IndexRange{b.createOrFold<arith::AddIOp>(lhs->low, rhs->low),
                      b.createOrFold<arith::AddIOp>(lhs->high, rhs->high)};
  }
  auto known = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!known)
    return std::nullopt;
  Value rhs = constant(known.getValue());
  if (expr.getKind() == AffineExprKind::Mul) {
    IndexRange product{b.createOrFold<arith::MulIOp>(lhs->low, rhs),
                       b.createOrFold<arith::MulIOp>(lhs->high, rhs)};
    return known.getValue() < 0 ? IndexRange{product.high, product.low}
                                : product;
  }
  if (known.getValue() <= 0)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return IndexRange{b.createOrFold<arith::FloorDivSIOp>(lhs->low, rhs),
                      b.createOrFold<arith::FloorDivSIOp>(lhs->high, rhs)};
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return IndexRange{b.createOrFold<arith::CeilDivSIOp>(lhs->low, rhs),
                      b.createOrFold<arith::CeilDivSIOp>(lhs->high, rhs)};
  // A remainder; what is not negative stays below itself.
  Value most = constant(known.getValue() - 1);
  if (getConstantIntValue(lhs->low).value_or(-1) >= 0)
    most = b.createOrFold<arith::MinSIOp>(lhs->high, most);
  return IndexRange{constant(0), most};
}

/// Whether `expr` is an index that is computed and whose range is known only
/// with all its loops: MLIR's verifier asks for the first and the last
/// iteration where all sizes of the op are static, which is enough without a
/// negative factor.
static bool isChecked(AffineExpr expr, bool isStatic) {
  if (isa<AffineConstantExpr>(expr))
    return !isStatic;
  if (!isa<AffineBinaryOpExpr>(expr))
    return false;
  llvm::SmallDenseSet<unsigned> loops;
  bool repeats = false, isNegative = false;
  expr.walk([&](AffineExpr part) {
    if (auto loop = dyn_cast<AffineDimExpr>(part))
      repeats |= !loops.insert(loop.getPosition()).second;
    else if (auto number = dyn_cast<AffineConstantExpr>(part))
      isNegative |= number.getValue() < 0;
  });
  return !repeats && (isNegative || !isStatic);
}

/// What is read or written at indices that are computed, as through the windows
/// of a convolution, is large enough.
static void assertWindows(linalg::LinalgOp op) {
  SmallVector<EqualSizes> loops = getEqualSizes(op);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      if (!isChecked(expr, !op.hasDynamicShape()))
        continue;
      ImplicitLocOpBuilder b(op.getLoc(), op);
      Value one = arith::ConstantIndexOp::create(b, 1);
      SmallVector<Value> last;
      for (const EqualSizes &sizes : loops)
        last.push_back(sizes.empty() ? one
                                     : Value(arith::SubIOp::create(
                                           b, createSize(b, sizes[0]), one)));
      std::optional<IndexRange> range = getRange(b, expr, last);
      if (!range)
        continue;
      Value within =
          arith::CmpIOp::create(b, arith::CmpIPredicate::slt, range->high,
                                createSize(b, {operand.get(), int64_t(i)}));
      if (getConstantIntValue(range->low).value_or(-1) < 0) {
        Value zero = arith::ConstantIndexOp::create(b, 0);
        within = arith::AndIOp::create(
            b, within,
            arith::CmpIOp::create(b, arith::CmpIPredicate::sge, range->low,
                                  zero));
      }
      cf::AssertOp::create(
          b, within,
          llvm::formatv("{0}: indices leave dimension {1} of operand {2} ({3})",
                        op->getName(), i, operand.getOperandNumber(),
                        operand.get().getType())
              .str());
    }
  }
}

/// A dimension that is asked for exists: an error if it is known not to, or an
/// assertion if it is data.
static LogicalResult verifyDimension(ShapedDimOpInterface op) {
  Value shaped = op.getShapedValue();
  OpFoldResult index = op.getDimension();
  auto type = cast<ShapedType>(shaped.getType());
  if (std::optional<int64_t> known = getConstantIntValue(index)) {
    if (isDimension(shaped, *known))
      return success();
    return op->emitOpError("expected a dimension of ")
           << type << ", got " << *known;
  }
  if (!type.hasRank())
    return success();
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value rank = arith::ConstantIndexOp::create(b, type.getRank());
  // A negative number is a large one.
  Value exists = arith::CmpIOp::create(
      b, arith::CmpIPredicate::ult,
      getValueOrCreateConstantIndexOp(b, b.getLoc(), index), rank);
  cf::AssertOp::create(
      b, exists,
      llvm::formatv("{0}: {1} has no such dimension", op->getName(), str(type))
          .str());
  return success();
}

/// Paddings are not negative: what is padded is copied whole into the result.
/// An error if one is known to be, or an assertion if it is data.
static LogicalResult verifyPaddings(tensor::PadOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<OpFoldResult> paddings = op.getMixedLowPad();
  llvm::append_range(paddings, op.getMixedHighPad());
  for (OpFoldResult padding : paddings) {
    std::optional<int64_t> known = getConstantIntValue(padding);
    if (known && *known < 0)
      return op.emitOpError("expected paddings of at least 0, got ")
             << *known << "; take a slice instead";
    if (known)
      continue;
    Value isNatural = arith::CmpIOp::create(
        b, arith::CmpIPredicate::sge, cast<Value>(padding),
        arith::ConstantIndexOp::create(b, 0));
    cf::AssertOp::create(b, isNatural, "tensor.pad: a padding is negative");
  }
  return success();
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
    if (failed(nm::verifyReassociations(getOperation())))
      return signalPassFailure();
    WalkResult dimensions = getOperation()->walk([](ShapedDimOpInterface op) {
      return WalkResult(verifyDimension(op));
    });
    WalkResult paddings = getOperation()->walk(
        [](tensor::PadOp op) { return WalkResult(verifyPaddings(op)); });
    if (dimensions.wasInterrupted() || paddings.wasInterrupted())
      return signalPassFailure();
    getOperation()->walk([](Operation *op) {
      for (const EqualSizes &sizes : getEqualSizes(op))
        if (!sizes.empty())
          assertEqual(op, sizes);
      llvm::TypeSwitch<Operation *>(op)
          .Case([](tensor::CastOp cast) { assertCast(cast); })
          .Case([](tensor::ReshapeOp reshape) { assertReshape(reshape); })
          .Case([](tensor::ExpandShapeOp expand) { assertExpand(expand); })
          .Case([](linalg::LinalgOp linalgOp) { assertWindows(linalgOp); })
          .Case([](tensor::ExtractSliceOp slice) {
            assertSlice(slice, slice.getSource());
          })
          .Case([](tensor::InsertSliceOp slice) {
            assertSlice(slice, slice.getDest());
          });
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
