//===- SortLoops.cpp - The m, n and k of a contraction --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

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
          isa<AffineDimExpr>(expr) ? expr : expr.replaceDims(replacements));
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

/// The loops along which an operand is read, when these are loops and not
/// windows, strides or diagonals.
static std::optional<SmallVector<unsigned, 4>> getLoops(AffineMap map) {
  SmallVector<unsigned, 4> loops;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(loops, dim.getPosition()))
      return std::nullopt;
    loops.push_back(dim.getPosition());
  }
  return loops;
}

/// Brings the element types to those of a product that nm.spmm computes.
static bool checkTypes(Contraction &contraction, std::string &reason) {
  Type a = getElementTypeOrSelf(contraction.activation->get());
  Type b = contraction.weight.getElementType();
  Type c = getElementTypeOrSelf(contraction.op->getResult(0));
  // Both are widened by the body: the product does that itself.
  if (a != contraction.activationType && contraction.weight.dropCastFrom(a))
    contraction.activationType = b = a;
  Type acc = getAccumulatorType(contraction.activationType, b);
  if (acc && isProductResult(acc, c)) {
    if (contraction.isUnsigned)
      reason = "the activation is of unsigned integers";
    else if (contraction.zeroPoint != 0)
      reason = "the activation has a zero point";
    return reason.empty();
  }
  llvm::raw_string_ostream(reason)
      << "unsupported element types " << a << " x " << b << " -> " << c;
  return false;
}

/// Puts one loop where it belongs.
static bool sortLoop(Contraction &contraction, unsigned loop,
                     std::string &reason) {
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
    return true;
  }
  if (!inA && !inC) {
    // A window of 1, say.
    reason = "a dimension belongs to only one operand";
    return isUnit;
  }
  if (!contraction.weightLoops.test(loop) && !isUnit) {
    reason = "a dimension belongs to only one operand";
    return false;
  }
  if (!weight.hasNoBroadcast(loop)) {
    reason = inC ? "the weight is broadcast along n"
                 : "the weight is broadcast along k";
    return false;
  }
  (inC ? contraction.n : contraction.k).push_back(loop);
  return true;
}

/// The number of weights that a batch may have: one product is made for each.
static constexpr int64_t maxBatch = 256;

static bool checkBatch(const Contraction &contraction, std::string &reason) {
  int64_t count = 1;
  for (unsigned loop : contraction.batch) {
    int64_t size = contraction.weight.getSize(loop);
    if (!contraction.weight.hasNoBroadcast(loop)) {
      reason = "the weight varies along a part of a batch dimension";
      return false;
    }
    if (llvm::MulOverflow(count, size, count) || count > maxBatch) {
      reason = "a batch has more than " + std::to_string(maxBatch) + " weights";
      return false;
    }
  }
  return true;
}

bool nm::sortLoops(Contraction &contraction, std::string &reason) {
  linalg::LinalgOp op = contraction.op;
  if (!checkTypes(contraction, reason))
    return false;
  SmallVector<AffineMap> maps = getProductMaps(op);
  auto aLoops = getLoops(maps[contraction.activation->getOperandNumber()]);
  auto cLoops = getLoops(maps.back());
  if (!aLoops || !cLoops) {
    reason = "the activation is read through a window, with a stride or along "
             "a diagonal, as in a convolution";
    return false;
  }
  contraction.aLoops = *aLoops;
  contraction.cLoops = *cLoops;
  for (unsigned loop : contraction.cLoops)
    if (!sortLoop(contraction, loop, reason))
      return false;
  for (unsigned loop : contraction.aLoops)
    if (!llvm::is_contained(contraction.cLoops, loop) &&
        !sortLoop(contraction, loop, reason))
      return false;
  // Loops of the weight alone, which would be summed over.
  for (unsigned loop : contraction.weightLoops.set_bits())
    if (!llvm::is_contained(contraction.aLoops, loop) &&
        !llvm::is_contained(contraction.cLoops, loop) &&
        !sortLoop(contraction, loop, reason))
      return false;
  contraction.accumulates = !isZeroFilled(op.getDpsInitOperand(0)->get());
  return checkBatch(contraction, reason);
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
