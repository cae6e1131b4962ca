//===- FloatBuilder.h - Short names for f32 arithmetic ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expansions read as formulas with this builder. It works on f32, on
// f64 and on vectors of them alike. It makes arith ops and calls of LLVM
// intrinsics that both NVPTX and CPUs have an instruction for; math ops would
// become calls of libdevice.
//
// Coefficients come from tools/scripts/fit_math.py, lowest degree first.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_EXPANDMATH_FLOATBUILDER_H
#define NM_LIB_CONVERSION_EXPANDMATH_FLOATBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

class FloatBuilder {
public:
  using Value = mlir::Value;

  /// `type` is f32, f64 or a vector of one. In a kernel there are approximate
  /// powers of two, and where `isRelaxed` quotients may be so, too.
  FloatBuilder(mlir::ImplicitLocOpBuilder &builder, mlir::Type type,
               bool isKernel = false, bool isRelaxed = false)
      : b(builder), floatType(type), inKernel(isKernel && type.isF32()),
        relaxed(isRelaxed && type.isF32()),
        intType(withElement(builder.getIntegerType(
            mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth()))) {}

  mlir::ImplicitLocOpBuilder &getBuilder() { return b; }
  bool isF32() const { return mlir::getElementTypeOrSelf(floatType).isF32(); }
  /// Whether `exp2` is at hand: f32 in a kernel.
  bool hasExp2() const { return inKernel; }
  bool isRelaxed() const { return relaxed; }
  /// 2^x, to a relative error of 2^-22; 0 where that is subnormal.
  Value exp2(Value x) { return intrinsic("llvm.nvvm.ex2.approx.ftz", {x}); }
  /// `value` rounded to the type.
  Value real(double value);
  /// A constant that depends on the type.
  Value real(float inF32, double inF64) {
    return isF32() ? real(double(inF32)) : real(inF64);
  }
  Value integer(int64_t value);

  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  /// Within 2^-21 of the quotient where that may be, of divisors from 1 to
  /// 2^126 or infinite.
  Value div(Value x, Value y);
  Value neg(Value x);
  /// Propagate NaN.
  Value min(Value x, Value y);
  Value max(Value x, Value y);
  Value fma(Value x, Value y, Value z) {
    return intrinsic("llvm.fma", {x, y, z});
  }
  Value abs(Value x) { return intrinsic("llvm.fabs", {x}); }
  Value sqrt(Value x) { return intrinsic("llvm.sqrt", {x}); }
  Value floor(Value x) { return intrinsic("llvm.floor", {x}); }
  Value trunc(Value x) { return intrinsic("llvm.trunc", {x}); }
  Value copySign(Value magnitude, Value sign) {
    return intrinsic("llvm.copysign", {magnitude, sign});
  }
  /// Calls the LLVM intrinsic; the result has the type of the first operand.
  Value intrinsic(llvm::StringRef name, mlir::ValueRange operands);

  Value compare(mlir::arith::CmpFPredicate predicate, Value x, Value y);
  Value less(Value x, Value y) {
    return compare(mlir::arith::CmpFPredicate::OLT, x, y);
  }
  Value equal(Value x, Value y) {
    return compare(mlir::arith::CmpFPredicate::OEQ, x, y);
  }
  Value isNaN(Value x) {
    return compare(mlir::arith::CmpFPredicate::UNO, x, x);
  }
  Value select(Value condition, Value x, Value y);
  Value logicalAnd(Value x, Value y);
  Value logicalOr(Value x, Value y);

  /// The bits of a float as an integer of its width and back.
  Value bits(Value x);
  Value fromBits(Value x);
  /// An integer of the float's width as a float.
  Value toFloat(Value x);
  /// On integers of the float's width.
  Value addInt(Value x, Value y);
  Value subInt(Value x, Value y);
  Value shiftLeft(Value x, int64_t count);
  /// Arithmetic: the sign is kept.
  Value shiftRight(Value x, int64_t count);
  Value andInt(Value x, int64_t mask);
  /// Of numbers that are not negative.
  Value divInt(Value x, int64_t divisor);
  Value equalInt(Value x, int64_t value);

  /// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule in fma's.
  Value polynomial(Value x, llvm::ArrayRef<double> c);
  Value polynomial(Value x, llvm::ArrayRef<double> inF32,
                   llvm::ArrayRef<double> inF64) {
    return polynomial(x, isF32() ? inF32 : inF64);
  }

  /// The integer nearest to x * scale, for |x * scale| < 2^22 (2^51 in f64), as
  /// a float and as an integer. (Adding 1.5 * 2^23, or 1.5 * 2^52, leaves it in
  /// the low bits, which unlike a conversion to an integer is defined for NaN.)
  std::pair<Value, Value> roundScaled(Value x, double scale);

  mlir::Type withElement(mlir::Type element) const;

private:
  mlir::ImplicitLocOpBuilder &b;
  mlir::Type floatType;
  bool inKernel, relaxed;
  mlir::Type intType;
};

/// 1 / first!, 1 / (first + step)!, ... `count` of them, with alternating signs
/// if `step` is 2: Taylor coefficients of exp, sin and cos.
llvm::SmallVector<double> inverseFactorials(int first, int step, int count);

/// x = 2^exponent * mantissa with the mantissa between sqrt(1/2) and sqrt(2);
/// exact for every positive finite x. The exponent is a float.
struct Decomposed {
  mlir::Value exponent, mantissa;
};
Decomposed decompose(FloatBuilder &f, mlir::Value x);

/// The expansions, one per math op, of f32 and f64; 4 ulp or better unless said
/// otherwise, NaN in gives NaN out, and infinities, signed zeros and subnormal
/// results are as IEEE 754 has them.
mlir::Value expandExp(FloatBuilder &f, mlir::Value x);
/// As expandExp, to an ulp and without an approximate instruction, for what
/// is computed of its result.
mlir::Value expandExactExp(FloatBuilder &f, mlir::Value x);
mlir::Value expandExp2(FloatBuilder &f, mlir::Value x);
mlir::Value expandExpM1(FloatBuilder &f, mlir::Value x);
mlir::Value expandTanh(FloatBuilder &f, mlir::Value x);
mlir::Value expandLog(FloatBuilder &f, mlir::Value x);
mlir::Value expandLog2(FloatBuilder &f, mlir::Value x);
mlir::Value expandLog10(FloatBuilder &f, mlir::Value x);
mlir::Value expandLog1p(FloatBuilder &f, mlir::Value x);
mlir::Value expandErf(FloatBuilder &f, mlir::Value x);
mlir::Value expandErfc(FloatBuilder &f, mlir::Value x);
/// 2 ulp for every finite argument (tan: 4 ulp); scalars only.
mlir::Value expandSin(FloatBuilder &f, mlir::Value x);
mlir::Value expandCos(FloatBuilder &f, mlir::Value x);
mlir::Value expandTan(FloatBuilder &f, mlir::Value x);
mlir::Value expandSinh(FloatBuilder &f, mlir::Value x);
mlir::Value expandCosh(FloatBuilder &f, mlir::Value x);
mlir::Value expandAsinh(FloatBuilder &f, mlir::Value x);
mlir::Value expandAcosh(FloatBuilder &f, mlir::Value x);
mlir::Value expandAtanh(FloatBuilder &f, mlir::Value x);
mlir::Value expandCbrt(FloatBuilder &f, mlir::Value x);
mlir::Value expandAsin(FloatBuilder &f, mlir::Value x);
mlir::Value expandAcos(FloatBuilder &f, mlir::Value x);
mlir::Value expandAtan(FloatBuilder &f, mlir::Value x);
mlir::Value expandAtan2(FloatBuilder &f, mlir::Value y, mlir::Value x);
mlir::Value expandPow(FloatBuilder &f, mlir::Value x, mlir::Value y);
/// x to a constant power by multiplications.
mlir::Value expandPowInt(FloatBuilder &f, mlir::Value x, int64_t power);
/// C's fmod, which is exact; scalars only.
mlir::Value expandRemainder(mlir::ImplicitLocOpBuilder &b, FloatBuilder &f,
                            mlir::Value x, mlir::Value y);

} // namespace nm

#endif // NM_LIB_CONVERSION_EXPANDMATH_FLOATBUILDER_H
