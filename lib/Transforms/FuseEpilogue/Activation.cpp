//===- Activation.cpp - Finds an activation in scalar code ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Activation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "nm/Support/ScalarForm.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace mlir;
using namespace nm;

namespace {
/// Recognises activations of one value.
class ActivationMatcher {
public:
  explicit ActivationMatcher(Value x) : x(x) {
    // A coefficient is a product of a few rounded constants.
    auto type = cast<FloatType>(x.getType());
    tolerance = 3 * std::ldexp(1.0, -int(type.getFPMantissaWidth()));
  }

  std::optional<Epilogue> match(Value value) const;

private:
  bool isNear(const Polynomial &actual, const Polynomial &expected) const {
    return llvm::all_of(llvm::zip(actual, expected), [&](auto pair) {
      auto [a, e] = pair;
      return std::fabs(a - e) <= tolerance * std::fabs(e);
    });
  }
  /// Whether `value` is the polynomial alone.
  bool is(Value value, const Polynomial &expected) const {
    std::optional<ScalarForm> form = getScalarForm(value, x);
    return form && !form->atom && isNear(form->free, expected);
  }
  bool isZeroConstant(Value value) const {
    return getConstantFloat(value) == 0.0;
  }
  bool isRelu(Value value) const;
  bool isReluBySelect(arith::SelectOp select) const;
  bool isSilu(const ScalarForm &form) const;

  Value x;
  double tolerance;
};
} // namespace

/// `condition ? x : 0` where the condition holds for a positive or unordered x,
/// or `condition ? 0 : x` where it holds for a negative x only: a NaN stays.
bool ActivationMatcher::isReluBySelect(arith::SelectOp select) const {
  using P = arith::CmpFPredicate;
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return false;
  P predicate = compare.getPredicate();
  bool isSwapped = compare.getRhs() == x && isZeroConstant(compare.getLhs());
  if (!isSwapped &&
      !(compare.getLhs() == x && isZeroConstant(compare.getRhs())))
    return false;
  auto is = [&](P one, P other, P swapped, P swappedOther) {
    return isSwapped ? predicate == swapped || predicate == swappedOther
                     : predicate == one || predicate == other;
  };
  if (select.getTrueValue() == x && isZeroConstant(select.getFalseValue()))
    return is(P::UGT, P::UGE, P::ULT, P::ULE);
  if (select.getFalseValue() == x && isZeroConstant(select.getTrueValue()))
    return is(P::OLT, P::OLE, P::OGT, P::OGE);
  return false;
}

bool ActivationMatcher::isRelu(Value value) const {
  if (auto max = value.getDefiningOp<arith::MaximumFOp>())
    return (max.getLhs() == x && isZeroConstant(max.getRhs())) ||
           (max.getRhs() == x && isZeroConstant(max.getLhs()));
  if (auto select = value.getDefiningOp<arith::SelectOp>())
    return isReluBySelect(select);
  return false;
}

/// x / (1 + exp(-x)).
bool ActivationMatcher::isSilu(const ScalarForm &form) const {
  auto inverse = dyn_cast_or_null<arith::DivFOp>(form.atom);
  if (!inverse || !isNear(form.free, {}) || !isNear(form.factor, {0, 1}))
    return false;
  std::optional<ScalarForm> divisor = getScalarForm(inverse.getRhs(), x);
  auto exp = divisor ? dyn_cast_or_null<math::ExpOp>(divisor->atom) : nullptr;
  return exp && isNear(divisor->free, {1}) && isNear(divisor->factor, {1}) &&
         is(exp.getOperand(), {0, -1});
}

std::optional<Epilogue> ActivationMatcher::match(Value value) const {
  if (isRelu(value))
    return Epilogue::Relu;
  std::optional<ScalarForm> form = getScalarForm(value, x);
  if (!form || !form->atom)
    return std::nullopt;
  if (isSilu(*form))
    return Epilogue::Silu;
  // Both forms of gelu are x / 2 (1 + t).
  if (!isNear(form->free, {0, 0.5}) || !isNear(form->factor, {0, 0.5}))
    return std::nullopt;
  if (auto erf = dyn_cast<math::ErfOp>(form->atom))
    if (is(erf.getOperand(), {0, M_SQRT1_2}))
      return Epilogue::GeluErf;
  const double beta = M_SQRT2 * M_2_SQRTPI / 2;
  if (auto tanh = dyn_cast<math::TanhOp>(form->atom))
    if (is(tanh.getOperand(), {0, beta, 0, beta * 0.044715}))
      return Epilogue::GeluTanh;
  return std::nullopt;
}

/// Whether every use of `x` and of what is computed from it on the way to
/// `result` is on this way.
static bool isOnlyWay(Value x, Value result) {
  llvm::SetVector<Operation *> way;
  way.insert(result.getDefiningOp());
  for (size_t i = 0; i < way.size(); ++i)
    for (Value operand : way[i]->getOperands())
      if (Operation *op = operand.getDefiningOp();
          operand != x && op && op->getBlock() == way[0]->getBlock())
        way.insert(op);
  auto isUsedOnWay = [&](Value value) {
    return llvm::all_of(value.getUsers(),
                        [&](Operation *user) { return way.contains(user); });
  };
  if (!isUsedOnWay(x))
    return false;
  return llvm::all_of(way, [&](Operation *op) {
    if (op == result.getDefiningOp() || op->getNumOperands() == 0)
      return true;
    return llvm::all_of(op->getResults(), isUsedOnWay);
  });
}

std::optional<Activation> nm::findActivation(Value x) {
  if (x.use_empty() || !isa<FloatType>(x.getType()))
    return std::nullopt;
  ActivationMatcher matcher(x);
  for (Operation &op : *(*x.user_begin())->getBlock()) {
    if (op.getNumResults() != 1 || !isa<FloatType>(op.getResult(0).getType()))
      continue;
    Value result = op.getResult(0);
    if (std::optional<Epilogue> kind = matcher.match(result))
      if (isOnlyWay(x, result))
        return Activation{*kind, result};
  }
  return std::nullopt;
}
