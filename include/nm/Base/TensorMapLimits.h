//===- TensorMapLimits.h - Numbers of CUDA on tensor maps --------*- C++
//-*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of CUDA that the compiler, programs, their verifier and the
// emulator agree on, without cuda.h.
//
//===----------------------------------------------------------------------===//

#ifndef NM_BASE_TENSORMAPLIMITS_H
#define NM_BASE_TENSORMAPLIMITS_H

#include <cstdint>

namespace nm {

/// The types of CUtensorMapDataType that only copy.
enum class TensorMapElement : uint32_t {
  U8,
  U16,
  U32,
  I32,
  U64,
  I64,
  F16,
  F32,
  F64,
  BF16
};

/// Bytes of each.
inline constexpr unsigned kTensorMapElementBytes[] = {1, 2, 4, 4, 8,
                                                      8, 2, 4, 8, 2};
inline constexpr unsigned kTensorMapElements = 10;

/// The number of the longest swizzle, of 128 bytes, in CUtensorMapSwizzle: 0 is
/// none, and each of the others is twice as long as the one before it.
inline constexpr unsigned kLongestTensorMapSwizzle = 3;

inline constexpr unsigned kMostTensorMapDimensions = 5;
/// Elements of a box along each dimension.
inline constexpr unsigned kMostTensorMapBox = 256;
/// A map's size, also as a parameter of a kernel, and its alignment there.
inline constexpr unsigned kTensorMapBytes = 128;
inline constexpr unsigned kTensorMapAlignment = 64;
/// What the address, the strides and rows of a box are multiples of, in bytes.
inline constexpr unsigned kTensorMapUnit = 16;

} // namespace nm

#endif // NM_BASE_TENSORMAPLIMITS_H
