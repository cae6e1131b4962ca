//===- Contraction.cpp - Products with a constant weight ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace nm;

SmallVector<unsigned, 4> Contraction::getLoops(OpOperand *operand) const {
  linalg::LinalgOp linalgOp = op;
  SmallVector<unsigned, 4> loops;
  for (AffineExpr expr : linalgOp.getMatchingIndexingMap(operand).getResults())
    loops.push_back(cast<AffineDimExpr>(expr).getPosition());
  return loops;
}

SmallVector<unsigned, 4>
Contraction::getWeightDims(ArrayRef<unsigned> loops) const {
  SmallVector<unsigned, 4> all = getLoops(weight), dims;
  for (unsigned loop : loops)
    dims.push_back(llvm::find(all, loop) - all.begin());
  return dims;
}

/// The value that is only widened to make `value`.
static Value skipWidening(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether `a` and `b` are `x` and `y` in any order.
static bool isPair(Value a, Value b, Value x, Value y) {
  return (a == x && b == y) || (a == y && b == x);
}

/// Whether the body is `yield(acc + x * y)`. Upstream's test of contractions
/// skips any unary op between these, which would change the product.
static bool isMultiplyAccumulate(Block *body) {
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return false;
  Value acc = body->getArgument(2), product = add->getOperand(0);
  if (product == acc)
    product = add->getOperand(1);
  Operation *mul = product.getDefiningOp();
  return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(mul) &&
         isPair(add->getOperand(0), add->getOperand(1), acc, product) &&
         isPair(skipWidening(mul->getOperand(0)),
                skipWidening(mul->getOperand(1)), body->getArgument(0),
                body->getArgument(1));
}

/// Whether `op` sums products over a dimension.
static bool isSumOfProducts(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && linalg::isaContractionOpInterface(op) &&
         isMultiplyAccumulate(op.getBlock());
}

std::optional<Contraction> nm::findContraction(linalg::LinalgOp op) {
  if (!isSumOfProducts(op))
    return std::nullopt;
  OpOperand *lhs = op.getDpsInputOperand(0), *rhs = op.getDpsInputOperand(1);
  if (std::optional<WeightSource> source = WeightSource::trace(rhs->get()))
    return Contraction{op, lhs, rhs, std::move(*source), {}, {}, {}};
  if (std::optional<WeightSource> source = WeightSource::trace(lhs->get()))
    return Contraction{op, rhs, lhs, std::move(*source), {}, {}, {}};
  return std::nullopt;
}

/// Whether `value` is computed from constants, among them data and not only
/// fills. Gives up on long computations.
static bool isComputedFromConstants(Value value) {
  constexpr size_t maxOps = 64;
  llvm::SetVector<Operation *> ops;
  bool hasData = false;
  auto visit = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    return op && (ops.insert(op), ops.size() <= maxOps);
  };
  if (!visit(value))
    return false;
  for (size_t i = 0; i < ops.size(); ++i) {
    DenseElementsAttr dense;
    bool isSplat = matchPattern(ops[i], m_Constant(&dense)) && dense.isSplat();
    hasData |= isa<arith::ConstantOp>(ops[i]) && !isSplat &&
               isa<ShapedType>(ops[i]->getResult(0).getType());
    for (Value operand : ops[i]->getOperands())
      if (!visit(operand))
        return false;
  }
  return hasData;
}

bool nm::hasComputedWeight(linalg::LinalgOp op) {
  return isSumOfProducts(op) &&
         (isComputedFromConstants(op.getDpsInputOperand(1)->get()) ||
          isComputedFromConstants(op.getDpsInputOperand(0)->get()));
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

/// Checks what nm.spmm asks of the element types.
static bool checkTypes(const Contraction &contraction, std::string &reason) {
  Type a = getElementTypeOrSelf(contraction.activation->get());
  Type b = contraction.source.getElementType();
  linalg::LinalgOp op = contraction.op;
  Type c = getElementTypeOrSelf(op->getResult(0));
  auto isSupported = [](Type type) { return type.isF16() || type.isF32(); };
  if (a == b && isSupported(a) && isSupported(c))
    return true;
  llvm::raw_string_ostream(reason)
      << "unsupported element types " << a << " x " << b << " -> " << c;
  return false;
}

/// Puts one loop where it belongs.
static bool sortLoop(Contraction &contraction, unsigned loop, bool inA,
                     bool inC, std::string &reason) {
  SmallVector<unsigned, 4> weightLoops =
      contraction.getLoops(contraction.weight);
  bool inWeight = llvm::is_contained(weightLoops, loop);
  const WeightSource &source = contraction.source;
  unsigned dim = inWeight ? contraction.getWeightDims({loop}).front() : 0;
  if (inA && inC) {
    // A batch: one weight serves all of it when the constant is broadcast.
    if (inWeight && !source.isBroadcast(dim)) {
      reason = "the weight varies along a batch dimension";
      return false;
    }
    contraction.m.push_back(loop);
    return true;
  }
  if (!inWeight || (!inA && !inC)) {
    reason = "a dimension belongs to only one operand";
    return false;
  }
  if (!source.hasNoBroadcast(dim)) {
    reason = inC ? "the weight is broadcast along n"
                 : "the weight is broadcast along k";
    return false;
  }
  (inC ? contraction.n : contraction.k).push_back(loop);
  return true;
}

bool nm::sortLoops(Contraction &contraction, std::string &reason) {
  linalg::LinalgOp op = contraction.op;
  SmallVector<unsigned, 4> aLoops =
      contraction.getLoops(contraction.activation);
  SmallVector<unsigned, 4> cLoops =
      contraction.getLoops(op.getDpsInitOperand(0));
  if (!checkTypes(contraction, reason))
    return false;
  for (unsigned loop : cLoops)
    if (!sortLoop(contraction, loop, llvm::is_contained(aLoops, loop),
                  /*inC=*/true, reason))
      return false;
  for (unsigned loop : aLoops)
    if (!llvm::is_contained(cLoops, loop) &&
        !sortLoop(contraction, loop, /*inA=*/true, /*inC=*/false, reason))
      return false;
  // Loops of the weight alone, which would be summed over.
  for (unsigned loop : contraction.getLoops(contraction.weight))
    if (!llvm::is_contained(aLoops, loop) &&
        !llvm::is_contained(cLoops, loop) &&
        !sortLoop(contraction, loop, /*inA=*/false, /*inC=*/false, reason))
      return false;
  if (!isZeroFilled(op.getDpsInitOperand(0)->get())) {
    reason = "the product is added to a tensor that is not filled with zeros";
    return false;
  }
  return true;
}
