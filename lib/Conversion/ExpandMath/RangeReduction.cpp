//===- RangeReduction.cpp - Multiples of pi/2 -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In f64, for f32 too. Up to 2^30 a multiple of pi/2 in parts is subtracted
// (Cody and Waite 1980). Beyond, x = significand * 2^exponent is multiplied by
// those bits of 2/pi alone that are left of the product modulo 4 (Payne and
// Hanek 1983, "Radian Reduction for Trigonometric Functions"), with integers.
//
//===----------------------------------------------------------------------===//

#include "RangeReduction.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nm;

/// From here on x / (pi/2), rounded, may be off by more than one, and its
/// product with the third part of pi/2 by too much.
static constexpr double kLarge = 0x1p30;

static constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
/// pi/2 as a sum of three numbers of 53 bits.
static constexpr double kHalfPi[] = {
    0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};

/// Zero, and 2/pi as a binary fraction, 32 bits a word: as many as the largest
/// exponent of f64, 971, and the six words that it needs, reach.
static constexpr uint32_t kWords[] = {
    0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
    0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea,
    0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026,
    0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff,
    0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66,
    0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
    0x1f8d5d08, 0x56033046};

namespace {
/// The reduction of large numbers. All values are i64 or f64; a limb has 32
/// bits, the least significant one comes first.
class LargeReduction {
public:
  /// `isF32`: x is a number of f32.
  LargeReduction(ImplicitLocOpBuilder &b, bool isF32)
      : b(b), f(b, b.getF64Type()),
        // An exponent of f32's largest numbers, 75, needs the words up to 7. A
        // number of f32 is no closer to a multiple of pi/2 than 2^-30, one of
        // f64 no closer than 2^-62; the product of 53 bits leaves 2^-73 of
        // four limbs, and 2^-137 of six.
        limbs(isF32 ? 4 : 6), words(isF32 ? 8 : std::size(kWords)) {}

  /// Quadrant, rest and low of x, in i64 and f64.
  SmallVector<Value> reduce(Value x);

private:
  Value shiftRight(Value x, int64_t count) {
    return arith::ShRUIOp::create(b, x, f.integer(count));
  }
  Value orInt(Value x, Value y) { return arith::OrIOp::create(b, x, y); }
  Value lowHalf(Value x) { return f.andInt(x, 0xffffffff); }
  Value join(Value high, Value low) {
    return orInt(f.shiftLeft(high, 32), low);
  }

  SmallVector<Value> selectWords(Value index);
  SmallVector<Value> getWindow(Value start);
  SmallVector<Value> multiply(ArrayRef<Value> significand,
                              ArrayRef<Value> window);
  SmallVector<Value> toRest(ArrayRef<Value> product, Value isNegative);

  ImplicitLocOpBuilder &b;
  FloatBuilder f;
  unsigned limbs, words;
};
} // namespace

/// kWords from `index` on, one more than there are limbs: what is there is
/// moved by each power of two that the index has.
SmallVector<Value> LargeReduction::selectWords(Value index) {
  SmallVector<Value> chosen;
  for (uint32_t word : ArrayRef<uint32_t>(kWords).take_front(words))
    chosen.push_back(f.integer(word));
  for (int bit = llvm::Log2_32(words - limbs - 1); bit >= 0; --bit) {
    unsigned distance = 1u << bit;
    Value isMoved = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne, f.andInt(index, distance), f.integer(0));
    SmallVector<Value> moved;
    // Lower bits of the index move by less than `distance` in all.
    size_t left = std::min<size_t>(chosen.size(), limbs + distance);
    for (size_t i = 0; i < left; ++i)
      moved.push_back(i + distance < chosen.size()
                          ? f.select(isMoved, chosen[i + distance], chosen[i])
                          : chosen[i]);
    chosen = std::move(moved);
  }
  chosen.truncate(limbs + 1);
  return chosen;
}

/// The limbs of kWords that begin at the bit `start`.
SmallVector<Value> LargeReduction::getWindow(Value start) {
  SmallVector<Value> chosen = selectWords(shiftRight(start, 5));
  Value offset = f.andInt(start, 31);
  SmallVector<Value> window;
  for (unsigned i = limbs; i-- > 0;) {
    Value pair = join(chosen[i], chosen[i + 1]);
    window.push_back(shiftRight(arith::ShLIOp::create(b, pair, offset), 32));
  }
  return window;
}

/// The product, of as many limbs as the window has.
SmallVector<Value> LargeReduction::multiply(ArrayRef<Value> significand,
                                            ArrayRef<Value> window) {
  SmallVector<SmallVector<Value>> columns(limbs);
  for (auto [i, factor] : llvm::enumerate(significand))
    for (auto [j, limb] : llvm::enumerate(window.drop_back(i))) {
      Value product = arith::MulIOp::create(b, factor, limb);
      columns[i + j].push_back(lowHalf(product));
      if (i + j + 1 < limbs)
        columns[i + j + 1].push_back(shiftRight(product, 32));
    }
  SmallVector<Value> product;
  Value carry = f.integer(0);
  for (ArrayRef<Value> column : columns) {
    for (Value part : column)
      carry = f.addInt(carry, part);
    product.push_back(lowHalf(carry));
    carry = shiftRight(carry, 32);
  }
  return product;
}

/// The product's first two bits are the quadrant, and what follows is the rest
/// in units of pi/2: as a number with a sign, that of the nearest quadrant.
SmallVector<Value> LargeReduction::toRest(ArrayRef<Value> product,
                                          Value isNegative) {
  Value high = join(product[limbs - 1], product[limbs - 2]);
  Value next = join(product[limbs - 3], product[limbs - 4]);
  Value fraction = orInt(f.shiftLeft(high, 2), shiftRight(next, 62));
  Value quadrant = f.addInt(shiftRight(high, 62), shiftRight(fraction, 63));
  // The magnitude; the complement is less by 2^-128 than the negative number.
  Value mask = f.shiftRight(fraction, 63);
  Value magnitude = arith::XOrIOp::create(b, fraction, mask);
  Value tail = arith::XOrIOp::create(b, f.shiftLeft(next, 2), mask);
  // 53 bits, and the rest of them, so that both are exact or far below.
  Value top = arith::SIToFPOp::create(b, b.getF64Type(),
                                      f.andInt(magnitude, ~int64_t(0x7ff)));
  Value bottom =
      arith::SIToFPOp::create(b, b.getF64Type(), f.andInt(magnitude, 0x7ff));
  tail = arith::UIToFPOp::create(b, b.getF64Type(), tail);
  top = f.mul(top, f.real(0x1p-64));
  bottom = f.fma(tail, f.real(0x1p-128), f.mul(bottom, f.real(0x1p-64)));
  Value sum = f.add(top, bottom);
  Value low = f.sub(bottom, f.sub(sum, top));
  // Radians, of the sign of the rest and of x.
  Value rest = f.mul(sum, f.real(kHalfPi[0]));
  Value error = f.fma(sum, f.real(kHalfPi[0]), f.neg(rest));
  low = f.add(error,
              f.fma(sum, f.real(kHalfPi[1]), f.mul(low, f.real(kHalfPi[0]))));
  Value isRestNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                               fraction, f.integer(0));
  Value isFlipped = arith::XOrIOp::create(b, isNegative, isRestNegative);
  return {f.select(isNegative, f.subInt(f.integer(0), quadrant), quadrant),
          f.select(isFlipped, f.neg(rest), rest),
          f.select(isFlipped, f.neg(low), low)};
}

SmallVector<Value> LargeReduction::reduce(Value x) {
  Value bits = f.bits(f.abs(x));
  constexpr int64_t kFractionBits = 52, kHidden = int64_t(1) << kFractionBits;
  Value significand = orInt(f.andInt(bits, kHidden - 1), f.integer(kHidden));
  // x = significand * 2^(field - 1075). Bits of 2/pi before the one of weight
  // 2^(2 - exponent) give multiples of 4; kWords begins 32 bits before them.
  Value start =
      f.addInt(shiftRight(bits, kFractionBits), f.integer(32 - 2 - 1075));
  SmallVector<Value> product = multiply(
      {lowHalf(significand), shiftRight(significand, 32)}, getWindow(start));
  return toRest(product, f.less(x, f.real(0.0)));
}

/// For |x| < kLarge. The first product is exact, and so is the difference: a
/// number below 1 with no bit under 2^-52.
static SmallVector<Value> reduceSmall(FloatBuilder &f, Value x) {
  auto [n, quadrant] = f.roundScaled(x, kTwoOverPi);
  Value first = f.fma(n, f.real(-kHalfPi[0]), x);
  Value rest = f.fma(n, f.real(-kHalfPi[1]), first);
  Value low = f.fma(n, f.real(-kHalfPi[1]), f.sub(first, rest));
  low = f.fma(n, f.real(-kHalfPi[2]), low);
  return {quadrant, rest, low};
}

Reduced nm::reduceByHalfPi(FloatBuilder &f, Value x) {
  ImplicitLocOpBuilder &b = f.getBuilder();
  Type f64 = b.getF64Type(), i64 = b.getI64Type();
  Value wide = f.isF32() ? Value(arith::ExtFOp::create(b, f64, x)) : x;
  FloatBuilder d(b, f64);
  Value isSmall = d.less(d.abs(wide), d.real(kLarge));
  auto branch = scf::IfOp::create(b, TypeRange{i64, f64, f64}, isSmall,
                                  /*withElseRegion=*/true);
  auto fill = [&](Block *block, auto reduce) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(block);
    SmallVector<Value> results = reduce();
    scf::YieldOp::create(b, results);
  };
  fill(branch.thenBlock(), [&] { return reduceSmall(d, wide); });
  fill(branch.elseBlock(),
       [&] { return LargeReduction(b, f.isF32()).reduce(wide); });
  Value quadrant = branch.getResult(0), rest = branch.getResult(1);
  if (!f.isF32())
    return {quadrant, rest, branch.getResult(2)};
  Value rounded = arith::TruncFOp::create(b, x.getType(), rest);
  Value low = d.sub(rest, arith::ExtFOp::create(b, f64, rounded));
  return {arith::TruncIOp::create(b, b.getI32Type(), quadrant), rounded,
          arith::TruncFOp::create(b, x.getType(), low)};
}
