//===- LaneSupport.h - Building blocks of the lane functions ----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Templates that turn a function of one lane into a function of a warp. All
// lanes are computed into a temporary first and then written under the mask:
// the first loop always vectorises, and operands may overlap the result.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_LANESUPPORT_H
#define NM_LIB_EMULATOR_LANESUPPORT_H

#include "LaneOps.h"

// The namespace of this compilation's copy.
#ifndef NM_LANE_NAMESPACE
#define NM_LANE_NAMESPACE baseline
#endif

namespace nm {
namespace emulator {
namespace NM_LANE_NAMESPACE {

/// Storage of the 16-bit floating-point types; arithmetic is done in float.
struct Half {
  uint16_t bits;
};
struct BFloat {
  uint16_t bits;
};
/// Two of them in one 32-bit register.
struct Half2 {
  Half low, high;
};
struct BFloat2 {
  BFloat low, high;
};
struct Float2 {
  float low, high;
};

template <class To, class From> inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}

inline float toFloat(BFloat value) {
  return bitCast<float>(uint32_t(value.bits) << 16);
}

/// IEEE binary16 to binary32, exact. Multiplying by 2^112 rebiases the exponent
/// and normalises denormals in one step.
inline float toFloat(Half value) {
  uint32_t magnitude = uint32_t(value.bits & 0x7fff) << 13;
  float scaled = bitCast<float>(magnitude) * 0x1p112f;
  uint32_t special = magnitude | 0x7f800000u;
  uint32_t bits =
      magnitude >= 0x0f800000u ? special : bitCast<uint32_t>(scaled);
  return bitCast<float>(bits | uint32_t(value.bits & 0x8000) << 16);
}

/// Rounds to nearest even, NaN to 0x7fff, which is the NaN that PTX makes.
inline BFloat toBFloat(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  bool isNaN = (bits & 0x7fffffff) > 0x7f800000u;
  return {uint16_t(isNaN ? 0x7fff : rounded)};
}

inline Half toHalf(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  uint32_t sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  // Normal results: rebias, then round to nearest even on the low 13 bits.
  uint32_t rebiased = magnitude - 0x38000000u;
  uint32_t normal = (rebiased + 0xfff + (rebiased >> 13 & 1)) >> 13;
  // Denormal results: adding 0.5 aligns the bits and rounds in hardware.
  uint32_t denormal =
      bitCast<uint32_t>(bitCast<float>(magnitude) + 0.5f) - 0x3f000000u;
  uint32_t result = magnitude < 0x38800000u ? denormal : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00 : result;
  result = magnitude > 0x7f800000u ? 0x7fff : result | sign;
  return {uint16_t(result)};
}

inline bool isNaN(float value) { return value != value; }
inline bool isNaN(double value) { return value != value; }

/// Rounds a double to float so that a later rounding to at most 22 bits sees
/// whether anything was cut off: the last bit is set if so ("round to odd").
inline float roundToOdd(double value) {
  float nearest = float(value);
  double back = double(nearest);
  uint32_t bits = bitCast<uint32_t>(nearest);
  if (back == value || isNaN(value) || (bits & 1))
    return nearest;
  bool awayFromZero = __builtin_fabs(back) < __builtin_fabs(value);
  if ((bits & 0x7fffffffu) == 0x7f800000u)
    return bitCast<float>(bits - 1);
  return bitCast<float>(awayFromZero ? bits + 1 : bits - 1);
}

/// A denormal becomes a zero of its sign.
inline float flush(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  return bitCast<float>((bits & 0x7f800000u) ? bits : bits & 0x80000000u);
}

/// NaN becomes +0, as .sat says.
inline float saturate(float value) {
  float low = value > 0.0f ? value : 0.0f;
  return low < 1.0f ? low : 1.0f;
}

template <class T> struct TypeOf;
template <> struct TypeOf<uint16_t> {
  static constexpr OperandType value = OperandType::Bits16;
};
template <> struct TypeOf<int16_t> : TypeOf<uint16_t> {};
template <> struct TypeOf<uint32_t> {
  static constexpr OperandType value = OperandType::Bits32;
};
template <> struct TypeOf<int32_t> : TypeOf<uint32_t> {};
template <> struct TypeOf<uint64_t> {
  static constexpr OperandType value = OperandType::Bits64;
};
template <> struct TypeOf<int64_t> : TypeOf<uint64_t> {};
template <> struct TypeOf<Half2> : TypeOf<uint32_t> {};
template <> struct TypeOf<BFloat2> : TypeOf<uint32_t> {};
template <> struct TypeOf<Float2> : TypeOf<uint64_t> {};
template <> struct TypeOf<Half> {
  static constexpr OperandType value = OperandType::F16;
};
template <> struct TypeOf<BFloat> {
  static constexpr OperandType value = OperandType::BF16;
};
template <> struct TypeOf<float> {
  static constexpr OperandType value = OperandType::F32;
};
template <> struct TypeOf<double> {
  static constexpr OperandType value = OperandType::F64;
};

template <class T>
inline const T *lanes(const uint8_t *registers, uint32_t at) {
  return reinterpret_cast<const T *>(registers + at);
}

/// Writes the lanes of `mask`.
template <class T>
inline void writeLanes(uint8_t *registers, uint32_t at, const T *values,
                       uint32_t mask) {
  T *destination = reinterpret_cast<T *>(registers + at);
  if (mask == fullWarp) {
    __builtin_memcpy(destination, values, sizeof(T) * warpSize);
    return;
  }
  for (unsigned lane = 0; lane < warpSize; ++lane)
    destination[lane] = (mask >> lane & 1) ? values[lane] : destination[lane];
}

/// A predicate is a bit a lane.
inline void writePredicate(uint8_t *registers, uint32_t at, uint32_t value,
                           uint32_t mask) {
  uint32_t *destination = reinterpret_cast<uint32_t *>(registers + at);
  *destination = (*destination & ~mask) | (value & mask);
}

inline uint32_t readPredicate(const uint8_t *registers, uint32_t at) {
  return *reinterpret_cast<const uint32_t *>(registers + at);
}

template <class D, class A, class F>
void unary(uint8_t *registers, const LaneOperands &operands, uint32_t mask) {
  const A *a = lanes<A>(registers, operands.source[0]);
  D result[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = F::apply(a[lane]);
  writeLanes(registers, operands.destination, result, mask);
}

template <class D, class A, class B, class F>
void binary(uint8_t *registers, const LaneOperands &operands, uint32_t mask) {
  const A *a = lanes<A>(registers, operands.source[0]);
  const B *b = lanes<B>(registers, operands.source[1]);
  D result[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = F::apply(a[lane], b[lane]);
  writeLanes(registers, operands.destination, result, mask);
}

template <class D, class A, class B, class C, class F>
void ternary(uint8_t *registers, const LaneOperands &operands, uint32_t mask) {
  const A *a = lanes<A>(registers, operands.source[0]);
  const B *b = lanes<B>(registers, operands.source[1]);
  const C *c = lanes<C>(registers, operands.source[2]);
  D result[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = F::apply(a[lane], b[lane], c[lane]);
  writeLanes(registers, operands.destination, result, mask);
}

template <class D, class A, class F>
void addUnary(LaneOpTable &table, const char *name, const char *type,
              const char *modifiers = "") {
  table.add(name, modifiers, type,
            {&unary<D, A, F>, TypeOf<D>::value, {TypeOf<A>::value}});
}

template <class D, class A, class B, class F>
void addBinary(LaneOpTable &table, const char *name, const char *type,
               const char *modifiers = "") {
  table.add(name, modifiers, type,
            {&binary<D, A, B, F>,
             TypeOf<D>::value,
             {TypeOf<A>::value, TypeOf<B>::value}});
}

template <class D, class A, class B, class C, class F>
void addTernary(LaneOpTable &table, const char *name, const char *type,
                const char *modifiers = "") {
  table.add(name, modifiers, type,
            {&ternary<D, A, B, C, F>,
             TypeOf<D>::value,
             {TypeOf<A>::value, TypeOf<B>::value, TypeOf<C>::value}});
}

// The parts of the table, one per file.
void fillIntegerOps(LaneOpTable &table);
void fillBitOps(LaneOpTable &table);
void fillFloatOps(LaneOpTable &table);
void fillHalfOps(LaneOpTable &table);
void fillCompareOps(LaneOpTable &table);
void fillSelectOps(LaneOpTable &table);
void fillConversionOps(LaneOpTable &table);
void convertLanes(uint8_t *registers, const LaneOperands &operands,
                  uint32_t mask);
void convertPairLanes(uint8_t *registers, const LaneOperands &operands,
                      uint32_t mask);

} // namespace NM_LANE_NAMESPACE
} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_LANESUPPORT_H
