//===- RangeReduction.h - Multiples of pi/2 ---------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_EXPANDMATH_RANGEREDUCTION_H
#define NM_LIB_CONVERSION_EXPANDMATH_RANGEREDUCTION_H

#include "FloatBuilder.h"

namespace nm {

/// x = quadrant * pi/2 + rest + low up to a multiple of 2 pi, |rest| <= pi/4.
/// The quadrant is an integer of the width of x of any sign; `low` is what
/// `rest` was rounded by.
struct Reduced {
  mlir::Value quadrant, rest, low;
};

/// Reduces a scalar of f32 or f64, of any finite size, so that the rest is
/// right to more bits than the type has, also where x is next to a multiple of
/// pi/2. What it is for infinities and NaN is not said.
Reduced reduceByHalfPi(FloatBuilder &f, mlir::Value x);

} // namespace nm

#endif // NM_LIB_CONVERSION_EXPANDMATH_RANGEREDUCTION_H
