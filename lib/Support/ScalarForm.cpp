//===- ScalarForm.cpp - A scalar computation in normal form ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/ScalarForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <utility>

using namespace mlir;
using namespace nm;

using Result = std::optional<ScalarForm>;

std::optional<double> nm::getConstantFloat(Value value) {
  while (Operation *cast = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(cast))
      break;
    value = cast->getOperand(0);
  }
  FloatAttr attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  return attr.getValueAsDouble();
}

static bool isZero(const Polynomial &p) {
  return llvm::all_of(p, [](double c) { return c == 0; });
}

static std::optional<Polynomial> multiply(const Polynomial &a,
                                          const Polynomial &b) {
  Polynomial product = {};
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j) {
      if (a[i] == 0 || b[j] == 0)
        continue;
      if (i + j >= product.size())
        return std::nullopt;
      product[i + j] += a[i] * b[j];
    }
  return product;
}

static Result multiply(const ScalarForm &a, const ScalarForm &b) {
  if (a.atom && b.atom)
    return std::nullopt;
  const ScalarForm &with = a.atom ? a : b, &without = a.atom ? b : a;
  std::optional<Polynomial> free = multiply(with.free, without.free);
  std::optional<Polynomial> factor = multiply(with.factor, without.free);
  if (!free || !factor)
    return std::nullopt;
  return ScalarForm{*free, *factor, isZero(*factor) ? nullptr : with.atom};
}

/// a + sign * b.
static Result add(const ScalarForm &a, const ScalarForm &b, double sign) {
  if (a.atom && b.atom && a.atom != b.atom)
    return std::nullopt;
  ScalarForm sum = {{}, {}, a.atom ? a.atom : b.atom};
  for (size_t i = 0; i < sum.free.size(); ++i) {
    sum.free[i] = a.free[i] + sign * b.free[i];
    sum.factor[i] = a.factor[i] + sign * b.factor[i];
  }
  if (isZero(sum.factor))
    sum.atom = nullptr;
  return sum;
}

static ScalarForm getConstantForm(double value) { return {{value}, {}, {}}; }

static ScalarForm getAtomForm(Operation *atom) { return {{}, {1.0}, atom}; }

static Result raise(const ScalarForm &base, double exponent) {
  if (exponent != 1 && exponent != 2 && exponent != 3)
    return std::nullopt;
  Result power = base;
  for (int i = 1; power && i < exponent; ++i)
    power = multiply(*power, base);
  return power;
}

namespace {
/// The forms of values in terms of x, each computed once: bodies are graphs.
class FormFinder {
public:
  explicit FormFinder(Value x) : x(x) {}

  Result get(Value value) {
    if (auto known = forms.find(value); known != forms.end())
      return known->second;
    Result form = compute(value);
    forms.try_emplace(value, form);
    return form;
  }

private:
  Result compute(Value value);
  std::optional<double> getNumber(Value value);
  Result divide(arith::DivFOp op);

  Value x;
  llvm::DenseMap<Value, Result> forms;
};
} // namespace

/// The number that `value` is, whatever x is.
std::optional<double> FormFinder::getNumber(Value value) {
  Result form = get(value);
  if (!form || form->atom)
    return std::nullopt;
  double number = std::exchange(form->free[0], 0);
  return isZero(form->free) ? std::optional(number) : std::nullopt;
}

Result FormFinder::divide(arith::DivFOp op) {
  Result numerator = get(op.getLhs());
  if (!numerator)
    return std::nullopt;
  if (std::optional<double> divisor = getNumber(op.getRhs()))
    return multiply(*numerator, getConstantForm(1 / *divisor));
  return multiply(*numerator, getAtomForm(op));
}

Result FormFinder::compute(Value value) {
  if (value == x)
    return ScalarForm{{0.0, 1.0}, {}, nullptr};
  if (std::optional<double> constant = getConstantFloat(value))
    return getConstantForm(*constant);
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto combine = [&](auto function) -> Result {
    Result a = get(op->getOperand(0));
    Result b = get(op->getOperand(1));
    return a && b ? function(*a, *b) : std::nullopt;
  };
  auto power = [&](std::optional<double> exponent) -> Result {
    Result base = get(op->getOperand(0));
    return base && exponent ? raise(*base, *exponent) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](auto cast) { return get(cast.getIn()); })
      .Case([&](arith::NegFOp negation) -> Result {
        Result operand = get(negation.getOperand());
        return operand ? multiply(*operand, getConstantForm(-1)) : operand;
      })
      .Case([&](arith::AddFOp) {
        return combine([](auto &a, auto &b) { return add(a, b, 1); });
      })
      .Case([&](arith::SubFOp) {
        return combine([](auto &a, auto &b) { return add(a, b, -1); });
      })
      .Case([&](arith::MulFOp) {
        return combine([](auto &a, auto &b) { return multiply(a, b); });
      })
      .Case([&](arith::DivFOp division) { return divide(division); })
      .Case([&](math::FPowIOp op) {
        APInt exponent;
        return power(matchPattern(op.getRhs(), m_ConstantInt(&exponent))
                         ? std::optional<double>(exponent.getSExtValue())
                         : std::nullopt);
      })
      .Case(
          [&](math::PowFOp op) { return power(getConstantFloat(op.getRhs())); })
      .Case([&](math::SqrtOp root) -> Result {
        // MLIR folds roots of constants of f32 and f64 alone.
        std::optional<double> number = getNumber(root.getOperand());
        return number ? Result(getConstantForm(std::sqrt(*number)))
                      : std::nullopt;
      })
      .Case<math::ErfOp, math::TanhOp, math::ExpOp>(
          [](Operation *atom) { return getAtomForm(atom); })
      .Default([](Operation *) { return std::nullopt; });
}

Result nm::getScalarForm(Value value, Value x) {
  return FormFinder(x).get(value);
}
