//===- Random.cpp - The numbers that decide a function --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Random.h"

#include "mlir/IR/TypeRange.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace nm::folds;
using llvm::APFloat;
using llvm::APInt;

/// Boundaries of the types of 8, 16, 32 and 64 bits; of the narrower ones also
/// in the wider.
static constexpr int64_t kBoundaries[] = {
    127,         128,
    129,         255,
    256,         257,
    -127,        -128,
    -129,        -255,
    -256,        32767,
    32768,       65535,
    65536,       -32768,
    -32769,      2147483646,
    2147483647,  2147483648,
    4294967295,  4294967296,
    -2147483647, -2147483648,
    -2147483649, 300,
    1ll << 62,   std::numeric_limits<int64_t>::max() - 1};

APInt Random::integer(unsigned width) {
  switch (below(8)) {
  case 0:
  case 1:
    return APInt(64, below(2)).trunc(width);
  case 2:
  case 3:
    return APInt(64, static_cast<int64_t>(below(12)) - 4, true).trunc(width);
  case 4:
    return APInt(64, pick(kBoundaries), true).trunc(width);
  case 5:
    return chance(50) ? APInt::getSignedMaxValue(width)
                      : APInt::getSignedMinValue(width);
  case 6:
    return APInt::getAllOnes(width) - (chance(30) ? 1 : 0);
  default:
    return APInt(64, next()).trunc(width);
  }
}

APInt Random::floatingPoint(FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  constexpr double values[] = {0.0,  -0.0, 1.0,   -1.0, 0.5, 2.0, 3.0,   -2.5,
                               1e-3, 1e9,  255.0, 1e30, 0.1, 7.0, -100.0};
  if (chance(75)) {
    APFloat value(pick(values));
    bool isInexact;
    value.convert(semantics, APFloat::rmNearestTiesToEven, &isInexact);
    return value.bitcastToAPInt();
  }
  switch (below(6)) {
  case 0:
    return APFloat::getInf(semantics, chance(50)).bitcastToAPInt();
  case 1:
    return APFloat::getNaN(semantics).bitcastToAPInt();
  case 2:
    return APFloat::getLargest(semantics, chance(50)).bitcastToAPInt();
  case 3:
    return APFloat::getSmallest(semantics, chance(50)).bitcastToAPInt();
  default:
    return APInt(64, next()).trunc(type.getWidth());
  }
}

APInt Random::number(Type type) {
  if (auto element = dyn_cast<FloatType>(type))
    return floatingPoint(element);
  return integer(getWidth(type));
}

llvm::SmallVector<Datum> Random::arguments(TypeRange types) {
  int64_t usual = 1 + below(3);
  llvm::SmallVector<Datum> data;
  for (Type type : types) {
    Type element = getElementTypeOrSelf(type);
    Datum datum;
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t extent : tensor.getShape()) {
        if (ShapedType::isDynamic(extent))
          extent = chance(85) ? usual : below(4);
        datum.extents.push_back(extent);
      }
    int64_t count = countElements(datum.extents);
    for (int64_t i = 0; i < count; ++i) {
      APInt bits = number(element);
      if (element.isIndex() && chance(55))
        bits = APInt(64, chance(50) ? usual : below(usual + 1));
      datum.elements.push_back({bits});
    }
    data.push_back(std::move(datum));
  }
  return data;
}
