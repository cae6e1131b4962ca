//===- Contraction.cpp - Products with a constant weight ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace nm;

namespace {
/// How the body of an op makes its factors.
class Body {
public:
  explicit Body(linalg::LinalgOp op) : op(op), block(op.getBlock()) {}

  /// The summand x of a body `yield(acc + x)`; null if it is no such sum.
  Value getSummand();
  /// The operands that `value` is computed from.
  SmallVector<OpOperand *> getOperands(Value value);
  /// Whether `value` is an operand that is only widened and shifted; if so,
  /// notes it in `contraction`.
  bool matchActivation(Value value, Contraction &contraction);

private:
  linalg::LinalgOp op;
  Block *block;
};
} // namespace

Value Body::getSummand() {
  Value acc = block->getArgument(op.getNumDpsInputs());
  Operation *add = block->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return nullptr;
  Value lhs = add->getOperand(0), rhs = add->getOperand(1);
  Value summand = lhs == acc ? rhs : lhs;
  bool isSum =
      (lhs == acc) != (rhs == acc) &&
      !llvm::is_contained(getOperands(summand), op.getDpsInitOperand(0));
  return isSum ? summand : nullptr;
}

SmallVector<OpOperand *> Body::getOperands(Value value) {
  SmallVector<OpOperand *> operands;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    auto argument = dyn_cast<BlockArgument>(values[i]);
    if (argument && argument.getOwner() == block)
      operands.push_back(&op->getOpOperand(argument.getArgNumber()));
    Operation *inner = values[i].getDefiningOp();
    if (inner && inner->getBlock() == block)
      values.insert(inner->operand_begin(), inner->operand_end());
  }
  return operands;
}

bool Body::matchActivation(Value value, Contraction &contraction) {
  contraction.activationType = value.getType();
  while (Operation *inner = value.getDefiningOp()) {
    if (isa<arith::SubIOp>(inner)) {
      // Zero points are scalar operands of linalg.quantized_matmul.
      Value subtracted = inner->getOperand(1);
      if (auto argument = dyn_cast<BlockArgument>(subtracted))
        subtracted = op->getOpOperand(argument.getArgNumber()).get();
      APInt constant;
      // Before it is widened, the difference could wrap.
      if (contraction.zeroPoint != 0 ||
          value.getType() != contraction.activationType ||
          !matchPattern(subtracted, m_ConstantInt(&constant)))
        return false;
      contraction.zeroPoint = constant.getSExtValue();
    } else if (isa<arith::ExtUIOp>(inner)) {
      contraction.isUnsigned = true;
    } else if (contraction.isUnsigned ||
               !isa<arith::ExtFOp, arith::ExtSIOp>(inner)) {
      return false;
    }
    value = inner->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != block)
    return false;
  contraction.activation = &op->getOpOperand(argument.getArgNumber());
  contraction.a = contraction.activation->get();
  return op.isDpsInput(contraction.activation) &&
         isa<RankedTensorType>(contraction.activation->get().getType());
}

/// The loops that operands which make the factor `value` run along.
static llvm::SmallBitVector findLoops(linalg::LinalgOp op, Body &body,
                                      Value value, ArrayRef<AffineMap> maps) {
  llvm::SmallBitVector loops(op.getNumLoops());
  for (OpOperand *operand : body.getOperands(value))
    for (AffineExpr expr : maps[operand->getOperandNumber()].getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        loops.set(dim.getPosition());
  return loops;
}

/// Matches a product of an activation and a factor that `trace` finds the
/// constants of. Of two such factors the second one is the weight.
static std::optional<Contraction> matchProduct(
    linalg::LinalgOp op, Body &body, Operation *product,
    llvm::function_ref<std::optional<WeightSource>(Value, ArrayRef<AffineMap>)>
        trace) {
  SmallVector<AffineMap> maps = getProductMaps(op);
  for (unsigned i : {1u, 0u}) {
    Contraction contraction;
    contraction.op = op;
    Value factor = product->getOperand(i);
    if (!body.matchActivation(product->getOperand(1 - i), contraction))
      continue;
    std::optional<WeightSource> weight = trace(factor, maps);
    if (!weight)
      continue;
    contraction.weight = std::move(*weight);
    contraction.weightLoops = findLoops(op, body, factor, maps);
    return contraction;
  }
  return std::nullopt;
}

/// Whether a reduction that is no sum of products has a weight all the same:
/// constant data along a reduction and along a loop of the result.
static bool usesWeight(linalg::LinalgOp op, ArrayRef<OpOperand *> operands) {
  return llvm::any_of(operands, [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    auto runsAlong = [&](utils::IteratorType type) {
      return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        return dim && iterators[dim.getPosition()] == type;
      });
    };
    return runsAlong(utils::IteratorType::reduction) &&
           runsAlong(utils::IteratorType::parallel) &&
           isComputedFromConstants(operand->get());
  });
}

Candidate nm::findContraction(linalg::LinalgOp op,
                              std::optional<Contraction> &result,
                              ReasonEmitter emitReason) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || op->getNumResults() != 1)
    return Candidate::No;
  Body body(op);
  Value summand = body.getSummand();
  if (!summand)
    return Candidate::No;
  SmallVector<OpOperand *> operands = body.getOperands(summand);
  Operation *product = summand.getDefiningOp();
  if (operands.size() < 2)
    return Candidate::No;
  if (isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product)) {
    auto known = [&](Value factor, ArrayRef<AffineMap> maps) {
      return WeightSource::traceScalar(op, factor, maps);
    };
    result = matchProduct(op, body, product, known);
    if (result)
      // A product of constants is folded, and may be a weight then.
      return isComputedFromConstants(result->activation->get())
                 ? Candidate::No
                 : Candidate::Yes;
    auto chosen = [&](Value factor, ArrayRef<AffineMap> maps) {
      return WeightSource::traceChosenScalar(op, factor, maps);
    };
    result = matchProduct(op, body, product, chosen);
    if (result)
      return Candidate::Chosen;
    for (Value factor : product->getOperands()) {
      if (!known(factor, getProductMaps(op)))
        continue;
      emitReason("the body computes on the activation before the product");
      return usesWeight(op, operands) ? Candidate::Unsupported : Candidate::No;
    }
  }
  if (!usesWeight(op, operands))
    return Candidate::No;
  emitReason(isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product)
                 ? "the weight is computed from constants by ops that are not "
                   "looked through"
                 : "the body computes more than a sum of products");
  return Candidate::Unsupported;
}

/// Whether `op` is an element-wise product, of which only one op reads the
/// result, with a factor from constants.
static bool isProductWithWeight(linalg::LinalgOp op) {
  if (!op || !op->hasOneUse() || !op.hasPureTensorSemantics() ||
      op.getNumLoops() != op.getNumParallelLoops() ||
      op->getNumResults() != 1 ||
      !op.getBlock()->getArguments().back().use_empty() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
    return false;
  Operation *last =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(last) &&
         llvm::any_of(op.getDpsInputOperands(), [](OpOperand *operand) {
           std::optional<WeightSource> source =
               WeightSource::trace(operand->get());
           return source && !source->isSplat();
         });
}

/// Copies the ops of the body of `op`, whose arguments are mapped; the value
/// that it yields.
static Value cloneBody(OpBuilder &builder, linalg::LinalgOp op,
                       IRMapping &mapping) {
  for (Operation &inner : op.getBlock()->without_terminator())
    builder.clone(inner, mapping);
  return mapping.lookupOrDefault(op.getBlock()->getTerminator()->getOperand(0));
}

linalg::LinalgOp nm::fuseSumOfProducts(RewriterBase &rewriter,
                                       linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return nullptr;
  OpOperand *summands = op.getDpsInputOperand(0);
  auto product = summands->get().getDefiningOp<linalg::LinalgOp>();
  if (Body(op).getSummand() != op.getBlock()->getArgument(0) ||
      !isProductWithWeight(product))
    return nullptr;
  // From the loops of the sum to the elements of the product to its loops.
  AffineMap toProduct = inversePermutation(product.getMatchingIndexingMap(
                                               product.getDpsInitOperand(0)))
                            .compose(op.getMatchingIndexingMap(summands));
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : product.getDpsInputOperands())
    maps.push_back(product.getMatchingIndexingMap(operand).compose(toProduct));
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  return linalg::GenericOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), product.getDpsInputs(),
      op.getDpsInits(), maps, op.getIteratorTypesArray(),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        IRMapping inProduct, inSum;
        Block *body = product.getBlock();
        inProduct.map(body->getArguments().drop_back(), arguments.drop_back());
        inSum.map(op.getBlock()->getArgument(0),
                  cloneBody(builder, product, inProduct));
        inSum.map(op.getBlock()->getArgument(1), arguments.back());
        linalg::YieldOp::create(builder, loc, cloneBody(builder, op, inSum));
      });
}
