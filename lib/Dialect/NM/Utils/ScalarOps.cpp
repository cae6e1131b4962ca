//===- ScalarOps.cpp - One scalar operation at compile time ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "nm/Support/NumberOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace nm;

static unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

bool nm::isScalarType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() >= 1 && integer.getWidth() <= 64;
  return type.isIndex() || isFloatNumber(type);
}

Scalar nm::fitTo(Type type, Scalar value) {
  unsigned width = getWidth(type);
  if (auto floatType = dyn_cast<FloatType>(type)) {
    if (type.isF32())
      return Scalar::fromReal(static_cast<float>(value.real()));
    if (width >= 32)
      return value;
    APFloat rounded(value.real());
    bool lossy;
    rounded.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &lossy);
    return Scalar::fromReal(rounded.convertToDouble());
  }
  if (width >= 64)
    return value;
  // Shifted as unsigned: a negative left shift is undefined.
  auto high = static_cast<int64_t>(static_cast<uint64_t>(value.integer())
                                   << (64 - width));
  return Scalar::fromInteger(high >> (64 - width));
}

Scalar nm::fromAttribute(Attribute attr) {
  if (auto real = dyn_cast<FloatAttr>(attr))
    return Scalar::fromReal(real.getValueAsDouble());
  return Scalar::fromInteger(cast<IntegerAttr>(attr).getValue().getSExtValue());
}

Attribute nm::toAttribute(Type type, Scalar value) {
  if (isa<FloatType>(type))
    return FloatAttr::get(type, value.real());
  unsigned width = getWidth(type);
  return IntegerAttr::get(type, APInt(64, value.integer()).trunc(width));
}

Scalar nm::loadScalar(Type type, const char *data) {
  if (type.isF32()) {
    float single;
    std::memcpy(&single, data, sizeof(single));
    return Scalar::fromReal(single);
  }
  uint64_t bits = 0;
  unsigned width = getWidth(type);
  std::memcpy(&bits, data, (width + 7) / 8);
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat real(floatType.getFloatSemantics(), APInt(width, bits));
    bool lossy;
    real.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
    return Scalar::fromReal(real.convertToDouble());
  }
  return fitTo(type, Scalar::fromInteger(static_cast<int64_t>(bits)));
}

void nm::storeScalar(Type type, Scalar value, char *data) {
  if (type.isF32()) {
    float single = static_cast<float>(value.real());
    std::memcpy(data, &single, sizeof(single));
    return;
  }
  uint64_t bits = static_cast<uint64_t>(value.integer());
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat real(value.real());
    bool lossy;
    real.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &lossy);
    bits = real.bitcastToAPInt().getZExtValue();
  }
  std::memcpy(data, &bits, (getWidth(type) + 7) / 8);
}

/// An integer of `type` without its sign extension.
static uint64_t asUnsigned(Type type, int64_t value) {
  unsigned width = getWidth(type);
  return width < 64 ? static_cast<uint64_t>(value) & ((1ull << width) - 1)
                    : static_cast<uint64_t>(value);
}

/// minimumf, maximumf: NaN wins, and -0 is below +0.
static double selectExtreme(double x, double y, bool wantMax) {
  if (std::isnan(x) || std::isnan(y))
    return std::nan("");
  if (x == y)
    return std::signbit(x) == wantMax ? y : x;
  return (x < y) == wantMax ? y : x;
}

using RealFunction = double (*)(double);

static RealFunction lookupMath(StringRef name) {
  static const llvm::StringMap<RealFunction> table = {
      {"math.absf", [](double x) { return std::fabs(x); }},
      {"math.ceil", [](double x) { return std::ceil(x); }},
      {"math.cos", [](double x) { return std::cos(x); }},
      {"math.erf", [](double x) { return std::erf(x); }},
      {"math.exp", [](double x) { return std::exp(x); }},
      {"math.floor", [](double x) { return std::floor(x); }},
      {"math.log", [](double x) { return std::log(x); }},
      {"math.rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"math.sin", [](double x) { return std::sin(x); }},
      {"math.sqrt", [](double x) { return std::sqrt(x); }},
      {"math.tanh", [](double x) { return std::tanh(x); }}};
  return table.lookup(name);
}

bool nm::isEvaluable(Operation *op) {
  auto isKnown = [](Type type) {
    return isScalarType(getElementTypeOrSelf(type));
  };
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isKnown(op->getResult(0).getType()) ||
      !llvm::all_of(op->getOperandTypes(), isKnown))
    return false;
  return lookupMath(op->getName().getStringRef()) ||
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::CmpFOp,
             arith::SelectOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::MaxSIOp,
             arith::MinSIOp, arith::DivSIOp, arith::RemSIOp, arith::CmpIOp,
             arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp,
             arith::FPToSIOp, arith::ExtFOp, arith::TruncFOp, math::PowFOp>(op);
}

static Scalar real(double value) { return Scalar::fromReal(value); }
static Scalar integer(int64_t value) { return Scalar::fromInteger(value); }
/// Wrapping arithmetic.
static Scalar wrapped(uint64_t value) {
  return integer(static_cast<int64_t>(value));
}

/// `value` as a number of type `to`: integers of more than 53 bits are not all
/// numbers of f64, and would be rounded twice.
static Scalar toReal(uint64_t value, bool isSigned, Type to) {
  APFloat number(cast<FloatType>(getElementTypeOrSelf(to)).getFloatSemantics());
  number.convertFromAPInt(APInt(64, value), isSigned,
                          APFloat::rmNearestTiesToEven);
  return real(number.convertToDouble());
}

static std::optional<Scalar> evaluateFloats(Operation *op, ArrayRef<Scalar> x) {
  if (RealFunction function = lookupMath(op->getName().getStringRef()))
    return real(function(x[0].real()));
  return TypeSwitch<Operation *, std::optional<Scalar>>(op)
      .Case([&](arith::AddFOp) { return real(x[0].real() + x[1].real()); })
      .Case([&](arith::SubFOp) { return real(x[0].real() - x[1].real()); })
      .Case([&](arith::MulFOp) { return real(x[0].real() * x[1].real()); })
      .Case([&](arith::DivFOp) { return real(x[0].real() / x[1].real()); })
      .Case([&](arith::NegFOp) { return real(-x[0].real()); })
      .Case([&](math::PowFOp) {
        return real(std::pow(x[0].real(), x[1].real()));
      })
      .Case([&](arith::MaximumFOp) {
        return real(selectExtreme(x[0].real(), x[1].real(), true));
      })
      .Case([&](arith::MinimumFOp) {
        return real(selectExtreme(x[0].real(), x[1].real(), false));
      })
      .Case([&](arith::CmpFOp cmp) {
        // i1 is sign-extended: true is -1.
        return integer(-arith::applyCmpPredicate(
            cmp.getPredicate(), APFloat(x[0].real()), APFloat(x[1].real())));
      })
      .Default([](Operation *) { return std::nullopt; });
}

static std::optional<Scalar> evaluateIntegers(Operation *op,
                                              ArrayRef<Scalar> x) {
  using Result = std::optional<Scalar>;
  auto bitsOf = [&](int i) { return static_cast<uint64_t>(x[i].integer()); };
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::CmpIOp cmp) {
        unsigned width = getWidth(getElementTypeOrSelf(cmp.getLhs()));
        auto narrow = [&](int i) { return APInt(64, bitsOf(i)).trunc(width); };
        return integer(-arith::applyCmpPredicate(cmp.getPredicate(), narrow(0),
                                                 narrow(1)));
      })
      .Case([&](arith::SelectOp) { return x[0].integer() ? x[1] : x[2]; })
      .Case([&](arith::AddIOp) { return wrapped(bitsOf(0) + bitsOf(1)); })
      .Case([&](arith::SubIOp) { return wrapped(bitsOf(0) - bitsOf(1)); })
      .Case([&](arith::MulIOp) { return wrapped(bitsOf(0) * bitsOf(1)); })
      .Case([&](arith::AndIOp) { return wrapped(bitsOf(0) & bitsOf(1)); })
      .Case([&](arith::OrIOp) { return wrapped(bitsOf(0) | bitsOf(1)); })
      .Case([&](arith::XOrIOp) { return wrapped(bitsOf(0) ^ bitsOf(1)); })
      .Case([&](arith::MaxSIOp) {
        return integer(std::max(x[0].integer(), x[1].integer()));
      })
      .Case([&](arith::MinSIOp) {
        return integer(std::min(x[0].integer(), x[1].integer()));
      })
      .Case<arith::DivSIOp, arith::RemSIOp>([&](Operation *division) -> Result {
        // -1 as divisor overflows at the least integer.
        if (x[1].integer() == 0 || x[1].integer() == -1)
          return std::nullopt;
        return integer(isa<arith::DivSIOp>(division)
                           ? x[0].integer() / x[1].integer()
                           : x[0].integer() % x[1].integer());
      })
      .Default([](Operation *) { return std::nullopt; });
}

static std::optional<Scalar> evaluateCast(Operation *op, Scalar x) {
  using Result = std::optional<Scalar>;
  Type from = getElementTypeOrSelf(op->getOperand(0));
  return TypeSwitch<Operation *, Result>(op)
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp, arith::ExtFOp,
            arith::TruncFOp>([&](Operation *) { return x; })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](Operation *) { return wrapped(asUnsigned(from, x.integer())); })
      .Case([&](arith::SIToFPOp cast) {
        return toReal(x.integer(), /*isSigned=*/true, cast.getType());
      })
      .Case([&](arith::UIToFPOp cast) {
        return toReal(asUnsigned(from, x.integer()), /*isSigned=*/false,
                      cast.getType());
      })
      .Case([&](arith::FPToSIOp cast) -> Result {
        double limit =
            std::ldexp(1.0, getWidth(getElementTypeOrSelf(cast)) - 1);
        double truncated = std::trunc(x.real());
        if (!(truncated >= -limit && truncated < limit))
          return std::nullopt;
        return integer(static_cast<int64_t>(truncated));
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// What `op` gives, before it is rounded to its type.
static std::optional<Scalar> evaluateExact(Operation *op, ArrayRef<Scalar> x) {
  if (std::optional<Scalar> result = evaluateFloats(op, x))
    return result;
  if (std::optional<Scalar> result = evaluateIntegers(op, x))
    return result;
  return op->getNumOperands() == 1 ? evaluateCast(op, x[0]) : std::nullopt;
}

std::optional<Scalar> nm::evaluateOp(Operation *op, ArrayRef<Scalar> operands) {
  std::optional<Scalar> exact = evaluateExact(op, operands);
  if (!exact)
    return std::nullopt;
  return fitTo(getElementTypeOrSelf(op->getResult(0)), *exact);
}

bool nm::evaluateOps(Operation *op, ArrayRef<const Scalar *> operands,
                     MutableArrayRef<Scalar> results) {
  Type type = getElementTypeOrSelf(op->getResult(0));
  auto compute = [&](auto exact) {
    for (size_t i = 0, e = results.size(); i < e; ++i)
      results[i] = fitTo(type, exact(i));
    return true;
  };
  const Scalar *x = operands[0];
  const Scalar *y = operands.size() > 1 ? operands[1] : nullptr;
  // The ops that weights pass through; the choice among all of them, once an
  // element, would take longer than they do.
  if (isa<arith::MulFOp>(op))
    return compute([&](size_t i) { return real(x[i].real() * y[i].real()); });
  if (isa<arith::DivFOp>(op))
    return compute([&](size_t i) { return real(x[i].real() / y[i].real()); });
  if (isa<arith::AddFOp>(op))
    return compute([&](size_t i) { return real(x[i].real() + y[i].real()); });
  if (isa<arith::SubFOp>(op))
    return compute([&](size_t i) { return real(x[i].real() - y[i].real()); });
  if (isa<arith::SIToFPOp>(op) &&
      getWidth(getElementTypeOrSelf(op->getOperand(0))) <= 32)
    return compute([&](size_t i) { return real(double(x[i].integer())); });
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return compute([&](size_t i) { return x[i]; });
  SmallVector<Scalar, 4> element(operands.size());
  for (size_t i = 0, e = results.size(); i < e; ++i) {
    for (auto [value, operand] : llvm::zip_equal(element, operands))
      value = operand[i];
    std::optional<Scalar> result = evaluateOp(op, element);
    if (!result)
      return false;
    results[i] = *result;
  }
  return true;
}
