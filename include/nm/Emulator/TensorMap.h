//===- TensorMap.h - Tensor maps of the emulator ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cp.async.bulk.tensor copies: a box of a tensor of up to five dimensions.
// On a GPU the driver packs the description into 128 bytes in a way of its own;
// the emulator packs it in another, which only it can read.
//
//===----------------------------------------------------------------------===//

#ifndef NM_EMULATOR_TENSORMAP_H
#define NM_EMULATOR_TENSORMAP_H

#include "nm/Base/TensorMapLimits.h"

#include <string>

namespace nm {
namespace emulator {

/// The arguments of cuTensorMapEncodeTiled, dimensions from the innermost on;
/// numbers of types and modes are those of cuda.h.
struct TensorMap {
  static constexpr unsigned bytes = kTensorMapBytes;
  static constexpr unsigned alignment = kTensorMapAlignment;

  uint64_t address = 0;
  uint64_t extents[5] = {0, 0, 0, 0, 0}; ///< In elements.
  uint64_t strides[4] = {0, 0, 0, 0};    ///< In bytes, from the second on.
  uint32_t box[5] = {0, 0, 0, 0, 0};     ///< In elements.
  uint32_t elementStrides[5] = {1, 1, 1, 1, 1};
  uint32_t rank = 0;
  int32_t elementType = 0;
  int32_t interleave = 0;
  int32_t swizzle = 0;
  int32_t outOfBounds = 0;

  unsigned elementBytes() const;
  uint64_t boxBytes() const;
};

/// Packs `map`. Returns false, with what was expected in `error`, when a driver
/// would refuse it or the emulator does not execute it.
bool encodeTensorMap(const TensorMap &map, void *encoded, std::string &error);

/// Reads 128 bytes that encodeTensorMap made; false when they are others.
bool decodeTensorMap(const void *encoded, TensorMap &map);

} // namespace emulator
} // namespace nm

#endif // NM_EMULATOR_TENSORMAP_H
