//===- LaneConvert.cpp - cvt in all its forms -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frequent conversions have functions of their own in the table. All others
// go through the widest type of their kind (a double, or 64 bits of integer) in
// three steps, each a loop over the lanes: read, convert, write.
//
//===----------------------------------------------------------------------===//

#include "LaneSupport.h"

namespace nm {
namespace emulator {
namespace NM_LANE_NAMESPACE {
namespace {

inline bool isFloat(NumberType type) { return type >= NumberType::F16; }
inline bool isSignedInteger(NumberType type) {
  return type >= NumberType::S8 && type <= NumberType::S64;
}

inline unsigned bytesOf(NumberType type) {
  static constexpr uint8_t bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  return bytes[unsigned(type)];
}

/// The lane's register as 64 bits, zero-extended.
inline uint64_t readBits(const uint8_t *lane, unsigned bytes) {
  switch (bytes) {
  case 2:
    return *reinterpret_cast<const uint16_t *>(lane);
  case 4:
    return *reinterpret_cast<const uint32_t *>(lane);
  default:
    return *reinterpret_cast<const uint64_t *>(lane);
  }
}

inline uint64_t extend(uint64_t bits, NumberType type) {
  unsigned unused = 64 - 8 * bytesOf(type);
  if (isSignedInteger(type))
    return uint64_t(int64_t(bits << unused) >> unused);
  return bits << unused >> unused;
}

inline double readFloat(uint64_t bits, NumberType type) {
  switch (type) {
  case NumberType::F16:
    return double(toFloat(Half{uint16_t(bits)}));
  case NumberType::BF16:
    return double(toFloat(BFloat{uint16_t(bits)}));
  case NumberType::F32:
    return double(bitCast<float>(uint32_t(bits)));
  default:
    return bitCast<double>(bits);
  }
}

inline uint64_t nearestBits(double value, NumberType type) {
  switch (type) {
  case NumberType::F16:
    return toHalf(roundToOdd(value)).bits;
  case NumberType::BF16:
    return toBFloat(roundToOdd(value)).bits;
  case NumberType::F32:
    return isNaN(value) ? 0x7fffffffu : bitCast<uint32_t>(float(value));
  default:
    return bitCast<uint64_t>(value);
  }
}

/// Rounds to nearest, then steps back if that went the wrong way. A step by one
/// in the bits is a step to the next number, and from infinity to the largest.
inline uint64_t narrowFloat(double value, NumberType type, Rounding rounding) {
  uint64_t bits = nearestBits(value, type);
  if (rounding <= Rounding::Nearest || type == NumberType::F64 || isNaN(value))
    return bits;
  double back = readFloat(bits, type);
  bool grew = __builtin_fabs(back) > __builtin_fabs(value);
  bool shrank = __builtin_fabs(back) < __builtin_fabs(value);
  bool awayFromZero =
      rounding != Rounding::Zero && (rounding == Rounding::Down) == (value < 0);
  if (grew && !awayFromZero)
    return bits - 1;
  return shrank && awayFromZero ? bits + 1 : bits;
}

inline double roundIntegral(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return __builtin_trunc(value);
  case Rounding::Down:
    return __builtin_floor(value);
  case Rounding::Up:
    return __builtin_ceil(value);
  default:
    return __builtin_nearbyint(value);
  }
}

/// Out-of-range values become the nearest integer there is. NaN becomes 0, or
/// the top bit alone where 64 bits are involved.
inline uint64_t floatToInteger(double value, const Conversion &how) {
  unsigned bits = 8 * bytesOf(how.to);
  if (isNaN(value))
    return bits == 64 || how.from == NumberType::F64 ? 1ull << (bits - 1) : 0;
  double rounded = roundIntegral(value, how.rounding);
  if (isSignedInteger(how.to)) {
    int64_t largest = int64_t((1ull << (bits - 1)) - 1);
    double limit = double(1ull << (bits - 1));
    if (rounded >= limit)
      return uint64_t(largest);
    return uint64_t(rounded < -limit ? -largest - 1 : int64_t(rounded));
  }
  double limit = 2.0 * double(1ull << (bits - 1));
  if (rounded >= limit)
    return ~0ull >> (64 - bits);
  return rounded > 0 ? uint64_t(rounded) : 0;
}

/// Clamps to the range of the result.
inline uint64_t saturateInteger(uint64_t value, const Conversion &how) {
  unsigned bits = 8 * bytesOf(how.to);
  bool fromSigned = isSignedInteger(how.from);
  if (fromSigned && int64_t(value) < 0) {
    if (!isSignedInteger(how.to))
      return 0;
    int64_t smallest = int64_t(~0ull << (bits - 1));
    return int64_t(value) < smallest ? uint64_t(smallest) : value;
  }
  uint64_t largest = ~0ull >> (64 - bits) >> isSignedInteger(how.to);
  return value > largest ? largest : value;
}

inline uint64_t integerToFloat(uint64_t value, const Conversion &how) {
  bool negative = isSignedInteger(how.from) && int64_t(value) < 0;
  uint64_t magnitude = negative ? 0 - value : value;
  double result = double(magnitude);
  bool isRounded =
      how.to == NumberType::F64 && how.rounding <= Rounding::Nearest;
  if (!isRounded && magnitude >> 53) {
    // What does not fit a double is kept as one sticky bit below the others.
    uint64_t sticky = magnitude >> 11 | ((magnitude & 0x7ff) != 0);
    result = double(sticky) * 2048.0;
    if (how.to == NumberType::F64) {
      // Directed rounding: cut off, or take the next one up.
      bool away = how.rounding != Rounding::Zero &&
                  (how.rounding == Rounding::Down) == negative;
      unsigned exponent = 63 - unsigned(__builtin_clzll(magnitude));
      uint64_t cut = magnitude >> (exponent - 52) << (exponent - 52);
      result = double(cut);
      if (away && cut != magnitude)
        result = bitCast<double>(bitCast<uint64_t>(result) + 1);
    }
  }
  return narrowFloat(negative ? -result : result, how.to, how.rounding);
}

inline uint64_t floatToFloat(double value, const Conversion &how) {
  if (how.toInteger)
    value = roundIntegral(value, how.rounding);
  if (how.saturate)
    value = value > 0 ? (value < 1 ? value : 1.0) : 0.0;
  if (how.relu && !isNaN(value))
    value = value > 0 ? value : 0.0;
  uint64_t bits = narrowFloat(value, how.to,
                              how.toInteger ? Rounding::Nearest : how.rounding);
  if (how.ftz && how.to == NumberType::F32)
    return bitCast<uint32_t>(flush(bitCast<float>(uint32_t(bits))));
  return bits;
}

inline uint64_t convertOne(uint64_t bits, const Conversion &how) {
  if (!isFloat(how.from)) {
    uint64_t value = extend(bits, how.from);
    if (isFloat(how.to)) {
      uint64_t result = integerToFloat(value, how);
      return how.saturate ? floatToFloat(readFloat(result, how.to), how)
                          : result;
    }
    return how.saturate ? saturateInteger(value, how) : value;
  }
  double value = readFloat(bits, how.from);
  if (how.ftz && how.from == NumberType::F32)
    value = double(flush(float(value)));
  return isFloat(how.to) ? floatToFloat(value, how)
                         : floatToInteger(value, how);
}

template <class T>
inline void writeTruncated(uint8_t *registers, uint32_t at,
                           const uint64_t *values, uint32_t mask) {
  T narrow[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    narrow[lane] = T(values[lane]);
  writeLanes(registers, at, narrow, mask);
}

struct WidenUnsigned {
  static uint64_t apply(uint32_t a) { return a; }
  static uint32_t apply(uint16_t a) { return a; }
};
struct WidenSigned {
  static int64_t apply(int32_t a) { return a; }
  static int32_t apply(int16_t a) { return a; }
};
struct Truncate {
  static uint32_t apply(uint64_t a) { return uint32_t(a); }
  static uint16_t apply(uint32_t a) { return uint16_t(a); }
};
struct Widen {
  template <class T> static float apply(T a) {
    float wide = toFloat(a);
    return isNaN(wide) ? bitCast<float>(0x7fffffffu) : wide;
  }
};
struct NarrowHalf {
  static Half apply(float a) { return toHalf(a); }
};
struct NarrowBFloat {
  static BFloat apply(float a) { return toBFloat(a); }
};
struct FromSigned {
  static float apply(int32_t a) { return float(a); }
};
struct FromUnsigned {
  static float apply(uint32_t a) { return float(a); }
};

} // namespace

void convertLanes(uint8_t *registers, const LaneOperands &operands,
                  uint32_t mask) {
  Conversion how = Conversion::unpack(operands.immediate);
  const uint8_t *source = registers + operands.source[0];
  uint64_t result[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = convertOne(readBits(source + lane * how.sourceRegisterSize,
                                       how.sourceRegisterSize),
                              how);
  // An integer in a wider register fills it by its sign.
  if (!isFloat(how.to))
    for (uint64_t &value : result)
      value = extend(value, how.to);
  if (how.registerSize == 2)
    writeTruncated<uint16_t>(registers, operands.destination, result, mask);
  else if (how.registerSize == 4)
    writeTruncated<uint32_t>(registers, operands.destination, result, mask);
  else
    writeTruncated<uint64_t>(registers, operands.destination, result, mask);
}

void convertPairLanes(uint8_t *registers, const LaneOperands &operands,
                      uint32_t mask) {
  Conversion how = Conversion::unpack(operands.immediate);
  const float *high = lanes<float>(registers, operands.source[0]);
  const float *low = lanes<float>(registers, operands.source[1]);
  uint32_t result[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = uint32_t(floatToFloat(double(high[lane]), how)) << 16 |
                   uint32_t(floatToFloat(double(low[lane]), how));
  writeLanes(registers, operands.destination, result, mask);
}

void fillConversionOps(LaneOpTable &table) {
  addUnary<uint64_t, uint32_t, WidenUnsigned>(table, "cvt", ".u64.u32");
  addUnary<uint64_t, uint32_t, WidenUnsigned>(table, "cvt", ".s64.u32");
  addUnary<uint32_t, uint16_t, WidenUnsigned>(table, "cvt", ".u32.u16");
  addUnary<uint32_t, uint16_t, WidenUnsigned>(table, "cvt", ".s32.u16");
  addUnary<int64_t, int32_t, WidenSigned>(table, "cvt", ".s64.s32");
  addUnary<int32_t, int16_t, WidenSigned>(table, "cvt", ".s32.s16");
  addUnary<uint32_t, uint64_t, Truncate>(table, "cvt", ".u32.u64");
  addUnary<uint16_t, uint32_t, Truncate>(table, "cvt", ".u16.u32");
  addUnary<float, Half, Widen>(table, "cvt", ".f32.f16");
  addUnary<float, BFloat, Widen>(table, "cvt", ".f32.bf16");
  addUnary<Half, float, NarrowHalf>(table, "cvt.rn", ".f16.f32");
  addUnary<BFloat, float, NarrowBFloat>(table, "cvt.rn", ".bf16.f32");
  addUnary<float, int32_t, FromSigned>(table, "cvt.rn", ".f32.s32");
  addUnary<float, uint32_t, FromUnsigned>(table, "cvt.rn", ".f32.u32");
}

static void fillAll(LaneOpTable &table) {
  fillIntegerOps(table);
  fillBitOps(table);
  fillFloatOps(table);
  fillHalfOps(table);
  fillCompareOps(table);
  fillSelectOps(table);
  fillConversionOps(table);
}

} // namespace NM_LANE_NAMESPACE

#ifdef NM_LANE_AVX2
const LaneSet avx2LaneSet = {
#else
const LaneSet baselineLaneSet = {
#endif
    NM_LANE_NAMESPACE::fillAll, NM_LANE_NAMESPACE::convertLanes,
    NM_LANE_NAMESPACE::convertPairLanes};

} // namespace emulator
} // namespace nm
