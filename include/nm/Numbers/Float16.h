//===- Float16.h - Conversion of f16 and bf16 by their bits -----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GCC 12 has no bf16 type, and the libraries without MLIR no APFloat. All
// conversions to 16 bits round to nearest even, overflow to infinity and keep
// NaN a (quiet) NaN.
//
//===----------------------------------------------------------------------===//

#ifndef NM_NUMBERS_FLOAT16_H
#define NM_NUMBERS_FLOAT16_H

#include <cstdint>
#include <cstring>

namespace nm {

inline uint32_t floatToBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float floatFromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Rounds f64 to f32 such that a second rounding to fewer bits gives what one
/// rounding would: an inexact result gets an odd last bit.
inline float roundToOdd(double value) {
  float nearest = static_cast<float>(value);
  uint32_t bits = floatToBits(nearest);
  bool isNaN = value != value;
  if (isNaN || static_cast<double>(nearest) == value)
    return nearest;
  // Step back when rounding went away from zero, then set the last bit.
  double magnitude = value < 0 ? -value : value;
  double rounded = nearest < 0 ? -double(nearest) : double(nearest);
  if (rounded > magnitude)
    --bits;
  return floatFromBits(bits | 1);
}

inline uint16_t floatToBFloat16(float value) {
  uint32_t bits = floatToBits(value);
  if (value != value)
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline uint16_t doubleToBFloat16(double value) {
  return floatToBFloat16(roundToOdd(value));
}

inline float bfloat16ToFloat(uint16_t bits) {
  return floatFromBits(static_cast<uint32_t>(bits) << 16);
}

inline uint16_t floatToHalf(float value) {
  uint32_t bits = floatToBits(value);
  uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  bits &= 0x7fffffff;
  if (bits > 0x7f800000)
    return sign | 0x7e00 | static_cast<uint16_t>(bits >> 13 & 0x1ff);
  // 65520 and above round to infinity.
  if (bits >= 0x477ff000)
    return sign | 0x7c00;
  // Below 2^-14 the result is subnormal: adding 0.5 puts its last bit, of
  // weight 2^-24, at the end of an f32, and the addition rounds to it.
  if (bits < 0x38800000)
    return sign |
           static_cast<uint16_t>(floatToBits(floatFromBits(bits) + 0.5f) -
                                 floatToBits(0.5f));
  uint32_t odd = bits >> 13 & 1;
  return sign | static_cast<uint16_t>((bits - 0x38000000 + 0xfff + odd) >> 13);
}

inline uint16_t doubleToHalf(double value) {
  return floatToHalf(roundToOdd(value));
}

inline float halfToFloat(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  uint32_t magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00)
    return floatFromBits(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude < 0x400) {
    float value = static_cast<float>(magnitude) * 0x1p-24f;
    return sign ? -value : value;
  }
  return floatFromBits(sign | ((magnitude << 13) + 0x38000000));
}

} // namespace nm

#endif // NM_NUMBERS_FLOAT16_H
