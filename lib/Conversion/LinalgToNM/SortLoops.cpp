//===- SortLoops.cpp - The m, n and k of a contraction --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "nm/Support/NumberOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace nm;

/// `expr` without the loops of one iteration; where no other is left, the first
/// of them, which the other operands may be read along.
static AffineExpr dropUnitLoops(AffineExpr expr,
                                SmallVector<AffineExpr> replacements) {
  AffineExpr rest = expr.replaceDims(replacements);
  if (!isa<AffineConstantExpr>(rest))
    return rest;
  for (auto [i, replacement] : llvm::enumerate(replacements))
    if (expr.isFunctionOfDim(i)) {
      // With its stride: A may have more elements than are read.
      replacement = getAffineDimExpr(i, expr.getContext());
      return expr.replaceDims(replacements);
    }
  return rest;
}

SmallVector<AffineMap> nm::getProductMaps(linalg::LinalgOp op) {
  SmallVector<AffineExpr> replacements;
  for (auto [i, range] : llvm::enumerate(op.getStaticLoopRanges()))
    replacements.push_back(range == 1
                               ? getAffineConstantExpr(0, op.getContext())
                               : getAffineDimExpr(i, op.getContext()));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (AffineMap &map : maps) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults())
      results.push_back(
          isa<AffineDimExpr>(expr) ? expr : dropUnitLoops(expr, replacements));
    map = AffineMap::get(map.getNumDims(), 0, results, op.getContext());
  }
  return maps;
}

/// Whether a constant has only zeros, at little cost.
static bool isZeroConstant(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// Whether all elements of `value` are zeros.
static bool isZeroFilled(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto fill = dyn_cast<linalg::FillOp>(op))
      return isZeroConstant(fill.value());
    if (!isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            op))
      return isZeroConstant(value);
    value = op->getOperand(0);
  }
  return false;
}

/// The loops along which an operand is read, and with which strides, when it is
/// not read through windows or along diagonals.
static bool getLoops(AffineMap map, SmallVectorImpl<unsigned> &loops,
                     SmallVectorImpl<int64_t> &strides) {
  for (AffineExpr expr : map.getResults()) {
    int64_t stride = 1;
    auto scaled = dyn_cast<AffineBinaryOpExpr>(expr);
    if (scaled && expr.getKind() == AffineExprKind::Mul)
      if (auto factor = dyn_cast<AffineConstantExpr>(scaled.getRHS())) {
        stride = factor.getValue();
        expr = scaled.getLHS();
      }
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || stride < 1 || llvm::is_contained(loops, dim.getPosition()))
      return false;
    loops.push_back(dim.getPosition());
    strides.push_back(stride);
  }
  return true;
}

/// What `value` is widened from, element by element; null if it is not.
static Value skipWidening(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumLoops() != op.getNumParallelLoops())
    return nullptr;
  Operation *cast =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  bool isWidening = isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(cast) &&
                    cast->getOperand(0) == op.getBlock()->getArgument(0) &&
                    llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
                      return map.isIdentity();
                    });
  return isWidening ? op.getDpsInputs()[0] : nullptr;
}

/// The type of a product of A of type `a` and a weight of type `b` for a result
/// of type `c`: that, or where `c` is a wider integer, that of the sums; null
/// where there are no such products.
static Type getProductType(Type a, Type b, Type c) {
  Type acc = getAccumulatorType(a, b);
  if (!acc || isProductResult(acc, c))
    return acc ? c : Type();
  return acc.isInteger() && c.isSignlessInteger() &&
                 c.getIntOrFloatBitWidth() > acc.getIntOrFloatBitWidth()
             ? acc
             : Type();
}

/// Checks that sums over k of integer products fit the type of the product,
/// where the result is wider.
static LogicalResult checkRange(const Contraction &contraction,
                                ReasonEmitter emitReason) {
  Type sum = contraction.productType;
  if (sum == getElementTypeOrSelf(contraction.op->getResult(0)))
    return success();
  // The magnitude of a product of two numbers of at most these bits, signed.
  unsigned bits = contraction.activationType.getIntOrFloatBitWidth() +
                  contraction.weight.getElementType().getIntOrFloatBitWidth();
  int64_t limit = int64_t(1) << (sum.getIntOrFloatBitWidth() + 1 - bits);
  std::optional<int64_t> k = contraction.weight.countElements(contraction.k);
  if (k && *k < limit)
    return success();
  return failWith(
      emitReason,
      llvm::formatv("sums of {0} and more products may pass {1}", limit, sum));
}

/// Takes A and the weight before a cast from `type`, when the weight has one
/// and there are products of that type.
static bool useNarrowType(Contraction &contraction, Type type, Type c) {
  WeightSource weight = contraction.weight;
  if (!getProductType(type, type, c) || !weight.dropCastsFrom(type))
    return false;
  contraction.weight = std::move(weight);
  contraction.activationType = type;
  return true;
}

/// Brings the element types to those of a product that nm.spmm computes.
static LogicalResult checkTypes(Contraction &contraction,
                                ReasonEmitter emitReason) {
  Type a = getElementTypeOrSelf(contraction.a);
  Type c = getElementTypeOrSelf(contraction.op->getResult(0));
  // Where both are widened, by the body or before, the product does that
  // itself.
  bool isNarrow =
      a != contraction.activationType && useNarrowType(contraction, a, c);
  if (Value narrow = isNarrow ? Value() : skipWidening(contraction.a))
    if (useNarrowType(contraction, getElementTypeOrSelf(narrow), c))
      contraction.a = narrow;
  Type b = contraction.weight.getElementType();
  contraction.productType = getProductType(contraction.activationType, b, c);
  if (!contraction.productType) {
    // Said of the types that the op has.
    if (contraction.weight.dropCastsFrom(a))
      b = a;
    return failWith(
        emitReason,
        llvm::formatv("unsupported element types {0} x {1} -> {2}", a, b, c));
  }
  bool isShifted = contraction.isUnsigned || contraction.zeroPoint != 0;
  if (isShifted && contraction.productType != c)
    return failWith(
        emitReason,
        "the activation has a zero point or no sign, and the sums are "
        "wide");
  if (!contraction.isUnsigned)
    return success();
  if (contraction.a != contraction.activation->get())
    return failWith(emitReason,
                    "the activation is of unsigned integers, widened before");
  // With the sign bit turned, a number x is x + 128.
  contraction.zeroPoint -= 128;
  return success();
}

/// Puts one loop where it belongs.
static LogicalResult sortLoop(Contraction &contraction, unsigned loop,
                              ReasonEmitter emitReason) {
  bool inA = llvm::is_contained(contraction.aLoops, loop);
  bool inC = llvm::is_contained(contraction.cLoops, loop);
  const WeightSource &weight = contraction.weight;
  bool isUnit = weight.getSize(loop) == 1;
  if (inA && inC) {
    // One weight serves the whole loop when it is broadcast.
    if (weight.isBroadcast(loop))
      contraction.m.push_back(loop);
    else
      contraction.batch.push_back(loop);
    return success();
  }
  // A window of 1, say.
  if (!inA && !inC && isUnit)
    return success();
  if ((!inA && !inC) || (!contraction.weightLoops.test(loop) && !isUnit))
    return failWith(emitReason, "a dimension belongs to only one operand");
  if (!weight.hasNoBroadcast(loop))
    return failWith(emitReason, inC ? "the weight is broadcast along n"
                                    : "the weight is broadcast along k");
  (inC ? contraction.n : contraction.k).push_back(loop);
  return success();
}

/// The number of weights that a batch may have: one product is made for each.
static constexpr int64_t maxBatch = 256;

static LogicalResult checkBatch(const Contraction &contraction,
                                ReasonEmitter emitReason) {
  const WeightSource &weight = contraction.weight;
  if (!llvm::all_of(contraction.batch,
                    [&](unsigned loop) { return weight.hasNoBroadcast(loop); }))
    return failWith(emitReason,
                    "the weight varies along a part of a batch dimension");
  std::optional<int64_t> count = weight.countElements(contraction.batch);
  if (count && *count <= maxBatch)
    return success();
  return failWith(emitReason,
                  "a batch has more than " + Twine(maxBatch) + " weights");
}

LogicalResult nm::sortLoops(Contraction &contraction,
                            ReasonEmitter emitReason) {
  linalg::LinalgOp op = contraction.op;
  if (failed(checkTypes(contraction, emitReason)))
    return failure();
  SmallVector<AffineMap> maps = getProductMaps(op);
  SmallVector<int64_t> cStrides;
  if (!getLoops(maps[contraction.activation->getOperandNumber()],
                contraction.aLoops, contraction.aStrides) ||
      !getLoops(maps.back(), contraction.cLoops, cStrides) ||
      llvm::any_of(cStrides, [](int64_t stride) { return stride != 1; }))
    return failWith(
        emitReason,
        "the activation is read through a window or along a diagonal, "
        "as in a convolution");
  for (auto [loop, stride] :
       llvm::zip_equal(contraction.aLoops, contraction.aStrides))
    if (stride != 1 && ShapedType::isDynamic(op.getStaticLoopRanges()[loop]))
      return failWith(
          emitReason,
          "the activation is read with a stride, to an unknown extent");
  // The loops of C, of A, and last of the weight alone, which would be summed
  // over.
  llvm::SmallSetVector<unsigned, 8> loops;
  loops.insert_range(contraction.cLoops);
  loops.insert_range(contraction.aLoops);
  loops.insert_range(contraction.weightLoops.set_bits());
  for (unsigned loop : loops)
    if (failed(sortLoop(contraction, loop, emitReason)))
      return failure();
  contraction.accumulates = !isZeroFilled(op.getDpsInitOperand(0)->get());
  return success(succeeded(checkRange(contraction, emitReason)) &&
                 succeeded(checkBatch(contraction, emitReason)));
}

SmallVector<SmallVector<int64_t>>
nm::getBatchIndices(const Contraction &contraction) {
  SmallVector<SmallVector<int64_t>> indices(1);
  for (unsigned loop : contraction.batch) {
    SmallVector<SmallVector<int64_t>> longer;
    for (const SmallVector<int64_t> &index : indices)
      for (int64_t i = 0, e = contraction.weight.getSize(loop); i < e; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    indices = std::move(longer);
  }
  return indices;
}
