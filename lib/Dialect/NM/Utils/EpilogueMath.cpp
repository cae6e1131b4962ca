//===- EpilogueMath.cpp - Activations as arith and math ops ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/EpilogueMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

/// `value` as a number of the type of `x`.
static Value constant(ImplicitLocOpBuilder &b, Value x, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(x.getType(), value));
}

/// x / 2 (1 + t).
static Value halfTimesOnePlus(ImplicitLocOpBuilder &b, Value x, Value t) {
  Value half = arith::MulFOp::create(b, x, constant(b, x, 0.5));
  return arith::MulFOp::create(
      b, half, arith::AddFOp::create(b, t, constant(b, x, 1.0)));
}

static Value createRelu(ImplicitLocOpBuilder &b, Value x) {
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(x.getType()));
  if (isa<FloatType>(x.getType()))
    return arith::MaximumFOp::create(b, x, zero);
  return arith::MaxSIOp::create(b, x, zero);
}

static Value createGeluErf(ImplicitLocOpBuilder &b, Value x) {
  Value scaled =
      arith::MulFOp::create(b, x, constant(b, x, 0.70710678118654752));
  return halfTimesOnePlus(b, x, math::ErfOp::create(b, scaled));
}

static Value createGeluTanh(ImplicitLocOpBuilder &b, Value x) {
  Value square = arith::MulFOp::create(b, x, x);
  Value cube = arith::MulFOp::create(b, square, x);
  Value inner = arith::AddFOp::create(
      b, x, arith::MulFOp::create(b, cube, constant(b, x, 0.044715)));
  Value scaled =
      arith::MulFOp::create(b, inner, constant(b, x, 0.79788456080286536));
  return halfTimesOnePlus(b, x, math::TanhOp::create(b, scaled));
}

/// 1 / x of f32 from 1 to 2^120, within an ulp, without a branch: a division of
/// each of a thread's sums has one, for quotients that are subnormal, and ptxas
/// takes seconds for so many. Newton's steps begin with the number whose
/// exponent is the negated one.
static Value createReciprocal(ImplicitLocOpBuilder &b, Value x) {
  Value twice = arith::ConstantIntOp::create(b, 0x7EF311C7, 32);
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), x);
  Value inverse = arith::BitcastOp::create(
      b, b.getF32Type(), arith::SubIOp::create(b, twice, bits));
  Value one = constant(b, x, 1.0), negated = arith::NegFOp::create(b, x);
  for (int step = 0; step < 3; ++step) {
    Value error = math::FmaOp::create(b, negated, inverse, one);
    inverse = math::FmaOp::create(b, inverse, error, inverse);
  }
  return inverse;
}

/// x / (1 + exp(-x)); of f32 below -80, which all vanish, as if exp(80).
static Value createSilu(ImplicitLocOpBuilder &b, Value x) {
  bool isSingle = x.getType().isF32();
  Value bounded =
      isSingle ? arith::MaxNumFOp::create(b, x, constant(b, x, -80.0)) : x;
  Value exp = math::ExpOp::create(b, arith::NegFOp::create(b, bounded));
  Value sum = arith::AddFOp::create(b, exp, constant(b, x, 1.0));
  if (!isSingle)
    return arith::DivFOp::create(b, x, sum);
  return arith::MulFOp::create(b, x, createReciprocal(b, sum));
}

//===----------------------------------------------------------------------===//
// Approximate
//===----------------------------------------------------------------------===//

// In exp2 and reciprocals, each an instruction where it may be approximate, and
// few others: a thread has 128 sums, of which ptxas makes one block of code.

static constexpr double kLog2E = 1.4426950408889634;

/// 2^x.
static Value createExp2(ImplicitLocOpBuilder &b, Value x) {
  return math::Exp2Op::create(b, x, arith::FastMathFlags::afn);
}

/// x / (1 + exp(-y)), given -y log2(e): 0 where exp(-y) is infinite.
static Value createGated(ImplicitLocOpBuilder &b, Value x, Value power) {
  Value sum =
      arith::AddFOp::create(b, createExp2(b, power), constant(b, x, 1.0));
  return arith::DivFOp::create(b, x, sum, arith::FastMathFlags::afn);
}

static Value createApproximateSilu(ImplicitLocOpBuilder &b, Value x) {
  return createGated(b, x,
                     arith::MulFOp::create(b, x, constant(b, x, -kLog2E)));
}

/// (1 + tanh y) / 2 = 1 / (1 + exp(-2y)).
static Value createApproximateGeluTanh(ImplicitLocOpBuilder &b, Value x) {
  constexpr double kScale = -2 * kLog2E * 0.79788456080286536;
  Value square = arith::MulFOp::create(b, x, x);
  Value factor = math::FmaOp::create(
      b, square, constant(b, x, kScale * 0.044715), constant(b, x, kScale));
  return createGated(b, x, arith::MulFOp::create(b, x, factor));
}

/// max(x, 0) - |x| erfc(|x| / sqrt 2) / 2, in which nothing cancels: erfc is
/// 2^-P. Beyond 8 it is as good as 0.
static Value createApproximateGeluErf(ImplicitLocOpBuilder &b, Value x) {
  // tools/scripts/fit_math.py: -log2(erfc(a / sqrt 2) / 2).
  static constexpr double kPolynomial[] = {
      1.00004303f,     1.15060997f,     0.459956825f,     0.0526353903f,
      -0.00794458017f, 0.000807248231f, -4.82032701e-05f, 1.26245709e-06f};
  Value a = arith::MinNumFOp::create(b, math::AbsFOp::create(b, x),
                                     constant(b, x, 8.0));
  // Of -P.
  Value power = constant(b, x, -kPolynomial[std::size(kPolynomial) - 1]);
  for (double c : llvm::drop_begin(llvm::reverse(kPolynomial)))
    power = math::FmaOp::create(b, power, a, constant(b, x, -c));
  Value tail = createExp2(b, power);
  return math::FmaOp::create(b, arith::NegFOp::create(b, a), tail,
                             createRelu(b, x));
}

static Value createApproximate(ImplicitLocOpBuilder &b, Epilogue epilogue,
                               Value x) {
  switch (epilogue) {
  case Epilogue::None:
    return x;
  case Epilogue::Relu:
    return createRelu(b, x);
  case Epilogue::GeluErf:
    return createApproximateGeluErf(b, x);
  case Epilogue::GeluTanh:
    return createApproximateGeluTanh(b, x);
  case Epilogue::Silu:
    return createApproximateSilu(b, x);
  }
  llvm_unreachable("all epilogues are handled");
}

//===----------------------------------------------------------------------===//
// Either
//===----------------------------------------------------------------------===//

EpilogueMath nm::chooseEpilogueMath(ScheduleAttr schedule, Type result) {
  // Sums of other kinds have the same bits in the emulator and on a GPU, and
  // approximate instructions have not.
  bool isAlike = !isa<MmaSyncAttr>(schedule.getKind());
  bool isCoarse =
      isa<FloatType>(result) && result.getIntOrFloatBitWidth() <= 16;
  return isAlike || !isCoarse ? EpilogueMath::Exact : EpilogueMath::Approximate;
}

Value nm::createCombine(ImplicitLocOpBuilder &b, Combine combine, Value x,
                        Value residual) {
  switch (combine) {
  case Combine::Add:
    return createAdd(b, x, residual);
  case Combine::Mul:
    return createMul(b, x, residual);
  }
  llvm_unreachable("all ways to combine are handled");
}

Value nm::createEpilogue(ImplicitLocOpBuilder &b, Epilogue epilogue, Value x,
                         EpilogueMath math) {
  if (math == EpilogueMath::Approximate)
    return createApproximate(b, epilogue, x);
  switch (epilogue) {
  case Epilogue::None:
    return x;
  case Epilogue::Relu:
    return createRelu(b, x);
  case Epilogue::GeluErf:
    return createGeluErf(b, x);
  case Epilogue::GeluTanh:
    return createGeluTanh(b, x);
  case Epilogue::Silu:
    return createSilu(b, x);
  }
  llvm_unreachable("all epilogues are handled");
}
