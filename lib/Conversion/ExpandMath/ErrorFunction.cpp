//===- ErrorFunction.cpp - erf --------------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"

using namespace mlir;
using namespace nm;

Value nm::expandErf(FloatBuilder &f, Value x) {
  Value square = f.mul(x, x);
  Value series = f.polynomial(
      square, {0.128379166f, -0.376126319f, 0.112836659f, -0.0268577784f,
               0.00519708544f, -0.000809887249f, 8.18904737e-05f});
  Value near = f.fma(series, x, x);

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
