//===- Floats.h - Numbers of a frame as floats ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_VM_FLOATS_H
#define NM_LIB_VM_FLOATS_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace nm {
namespace vm {

/// A float of type T lies in the low bits of a number; those above are zero.
template <typename T> T toFloat(int64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T)); // little-endian, as all of nm's files
  return value;
}

template <typename T> int64_t fromFloat(T value) {
  int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

/// 1 less, 2 equal, 4 greater, 8 unordered.
template <typename T> uint32_t compareFloats(T x, T y) {
  return x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
}

/// What does not fit is the nearest that does; NaN is 0.
template <typename Integer, typename T> int64_t toInteger(T value) {
  // Both bounds are powers of 2, or 0, and so exact.
  constexpr T least = static_cast<T>(std::numeric_limits<Integer>::min());
  const T end = std::ldexp(T(1), std::numeric_limits<Integer>::digits);
  if (std::isnan(value))
    return 0;
  if (value < least)
    return static_cast<int64_t>(std::numeric_limits<Integer>::min());
  if (value >= end)
    return static_cast<int64_t>(std::numeric_limits<Integer>::max());
  return static_cast<int64_t>(static_cast<Integer>(value));
}

} // namespace vm
} // namespace nm

#endif // NM_LIB_VM_FLOATS_H
