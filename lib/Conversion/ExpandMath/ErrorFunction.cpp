//===- ErrorFunction.cpp - erf --------------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"

using namespace mlir;
using namespace nm;

/// For |x| < 0.92 in f32, < 0.68 in f64.
static Value erfNearZero(FloatBuilder &f, Value x) {
  Value square = f.mul(x, x);
  if (f.isF32()) {
    Value series = f.polynomial(
        square, {0.128379166f, -0.376126319f, 0.112836659f, -0.0268577784f,
                 0.00519708544f, -0.000809887249f, 8.18904737e-05f});
    return f.fma(series, x, x);
  }
  // 2 / sqrt(pi) * (-1)^n / (n! (2n + 1)).
  return f.mul(
      x, f.polynomial(square, {0x1.20dd750429b6dp+0, -0x1.812746b0379e7p-2,
                               0x1.ce2f21a042be2p-4, -0x1.b82ce31288b51p-6,
                               0x1.565bcd0e6a53fp-8, -0x1.c02db40040b86p-11,
                               0x1.f9a326f9b89b7p-14, -0x1.f4d25c3e0c2ebp-17,
                               0x1.b9e6c9dc651a3p-20, -0x1.5f742ec43e71ap-23,
                               0x1.fcc5720624c1cp-27, -0x1.51d7181c5d36dp-30,
                               0x1.9e6ad5e55a730p-34, -0x1.d8453cb0c46eap-38,
                               0x1.f683ae4a97007p-42}));
}

/// In f64: below 0.68 the Taylor series; above 1 - exp(-a^2) E(t) with a fitted
/// polynomial E of t = (a - 2) / (a + 2). From 6 on erf is 1.
static Value expandErfF64(FloatBuilder &f, Value x) {
  Value near = erfNearZero(f, x);
  Value a = f.min(f.abs(x), f.real(6.0)), two = f.real(2.0);
  Value t = f.div(f.sub(a, two), f.add(a, two));
  Value e = f.polynomial(
      t,
      {0x1.058671b52c776p-2,   -0x1.b57034efd3f72p-2,  0x1.eeea7dc8a78b7p-3,
       -0x1.437f0b68c0c1dp-4,  0x1.e94715979a002p-9,   0x1.ca95ed5343189p-8,
       -0x1.bc25a47a3edf1p-11, -0x1.016b5cea4bb2fp-10, 0x1.6d5efb8de4082p-15,
       0x1.6da9789782e48p-13,  0x1.cdcb655ef511fp-16,  -0x1.ceb8d2563bfc9p-16,
       -0x1.d48aecf6fbe5cp-17, 0x1.75fc915ee8bb8p-20,  0x1.f8eefb86e3184p-19,
       0x1.40e77ec33163dp-20,  -0x1.e940ef6648efcp-22, -0x1.12218b61f2056p-21,
       -0x1.d85db7d8debddp-25, 0x1.6b9c51461c36bp-24});
  Value gauss = expandExactExp(f, f.neg(f.mul(a, a)));
  Value far = f.sub(f.real(1.0), f.mul(gauss, e));
  Value result = f.select(f.less(a, f.real(0.68)), near, far);
  return f.copySign(result, x);
}

/// To 2^-20, without a division or an exponential: x times a polynomial of
/// x^2 - 6.25, fitted where |x| is at most 3.5. Beyond, its last term lets it
/// grow, so that it ends at 1.
static Value expandRelaxedErf(FloatBuilder &f, Value x) {
  Value square = f.fma(x, x, f.real(-6.25));
  Value erf = f.mul(
      x,
      f.polynomial(square, {0.399837226f, -0.031812422f, 0.00373035111f,
                            -0.000468564773f, 5.83314904e-05f, -6.89635772e-06f,
                            7.71885141e-07f, -8.50829096e-08f, 8.16265366e-09f,
                            -5.12860254e-10f, 4.36842819e-11f, -8.12062743e-12f,
                            5.81144074e-13f}));
  return f.max(f.min(erf, f.real(1.0)), f.real(-1.0));
}

Value nm::expandErf(FloatBuilder &f, Value x) {
  if (!f.isF32())
    return expandErfF64(f, x);
  if (f.isRelaxed())
    return expandRelaxedErf(f, x);
  Value near = erfNearZero(f, x);

  // erf a = 1 - exp(log(erfc a)); from 3.93 on it is 1 in f32. The polynomial
  // has grown to 17 there and its error does not show beside the 1.
  Value a = f.min(f.abs(x), f.real(3.95f));
  Value negative = f.neg(
      f.polynomial(a, {-0.000153379195f, 1.12939703f, 0.633627355f,
                       0.107905649f, -0.0248127505f, 0.00401337445f,
                       -0.000384778687f, 1.23288082e-05f, 6.62899652e-07f}));
  Value far = f.sub(f.real(1.0f), expandExp(f, negative));
  Value result = f.select(f.less(a, f.real(0.92f)), near, far);
  return f.copySign(result, x);
}

/// exp(-a^2) / (1 + 2a) times a polynomial of t = (a - 3.75) / (a + 3.75), in
/// which erfc is smooth up to where it is 0 (Shepherd and Laframboise 1981).
Value nm::expandErfc(FloatBuilder &f, Value x) {
  Value a = f.min(f.abs(x), f.real(10.2f, 27.3)), center = f.real(3.75);
  Value t = f.div(f.sub(a, center), f.add(a, center));
  Value series = f.polynomial(
      t,
      {1.23751259f, -0.14024058f, 0.00358543335f, 0.0822761059f, -0.108804658f,
       0.0923130438f, -0.0586810447f, 0.0283183493f, -0.00982991979f,
       0.00181298505f, 0.00048923929f, -0.000208219062f},
      {0x1.3ccda0b5d5dc2p+0,   -0x1.1f367683f899bp-3, 0x1.d5f2948159b1bp-9,
       0x1.510169d095d65p-4,   -0x1.bda9309a284fbp-4, 0x1.7a14188ab08e3p-4,
       -0x1.e0d0fa6e0634ep-5,  0x1.d0b003781abf1p-6,  -0x1.3f603c347818bp-7,
       0x1.cc3a1149bde27p-10,  0x1.33fb2769fc0cdp-12, -0x1.303fe1ac6ecdcp-12,
       0x1.b14371e31ff44p-15,  0x1.7798c785a3e98p-16, -0x1.7ff8e06291fb9p-17,
       -0x1.072a8c18d6ae8p-20, 0x1.d55b1af993875p-20, -0x1.9a56f78765a14p-25,
       -0x1.0f7ea91015a19p-22, 0x1.0c50494565703p-26, 0x1.1a366a40b78cbp-25,
       -0x1.906ae1b8288e6p-31, -0x1.446d7c8fec632p-29});
  // What rounding leaves out of the square, which the exponential magnifies.
  Value square = f.mul(a, a);
  Value low = f.fma(a, a, f.neg(square));
  Value gauss = expandExactExp(f, f.neg(square));
  gauss = f.fma(gauss, f.neg(low), gauss);
  Value tail = f.mul(gauss, f.div(series, f.fma(a, f.real(2.0), f.real(1.0))));
  Value far = f.select(f.less(x, f.real(0.0)), f.sub(f.real(2.0), tail), tail);
  // Next to 1 the error of the polynomial would show.
  Value near = f.sub(f.real(1.0), erfNearZero(f, x));
  return f.select(f.less(f.abs(x), f.real(0.5)), near, far);
}
