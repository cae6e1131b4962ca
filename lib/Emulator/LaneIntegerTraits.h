//===- LaneIntegerTraits.h - Types of integer lane functions ----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wider and other types of an integer type, and arithmetic that wraps.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_LANEINTEGERTRAITS_H
#define NM_LIB_EMULATOR_LANEINTEGERTRAITS_H

#include "LaneSupport.h"

namespace nm {
namespace emulator {
namespace NM_LANE_NAMESPACE {

template <class T> struct Traits;
template <> struct Traits<uint16_t> {
  using Unsigned = uint16_t;
  using Signed = int16_t;
  using Wide = uint32_t;
};
template <> struct Traits<uint32_t> {
  using Unsigned = uint32_t;
  using Signed = int32_t;
  using Wide = uint64_t;
};
template <> struct Traits<uint64_t> {
  using Unsigned = uint64_t;
  using Signed = int64_t;
  using Wide = unsigned __int128;
};
template <> struct Traits<int16_t> : Traits<uint16_t> {
  using Wide = int32_t;
};
template <> struct Traits<int32_t> : Traits<uint32_t> {
  using Wide = int64_t;
};
template <> struct Traits<int64_t> : Traits<uint64_t> {
  using Wide = __int128;
};

/// Arithmetic wraps: it is done on unsigned operands of at least 32 bits, where
/// C++ neither promotes to int nor calls overflow undefined.
template <class T> inline uint64_t wrap(T value) {
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}
inline uint32_t wrap(int32_t value) { return static_cast<uint32_t>(value); }
inline uint32_t wrap(uint32_t value) { return value; }
inline uint32_t wrap(uint16_t value) { return value; }
inline uint32_t wrap(int16_t value) {
  return static_cast<uint32_t>(static_cast<int32_t>(value));
}

template <class T> constexpr bool isSigned = T(-1) < T(0);
template <class T> constexpr unsigned bitsOf = sizeof(T) * 8;

} // namespace NM_LANE_NAMESPACE
} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_LANEINTEGERTRAITS_H
