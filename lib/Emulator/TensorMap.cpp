//===- TensorMap.cpp - Tensor maps of the emulator ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 128 bytes are a mark and the fields as they are, in the narrowest types
// that hold them.
//
//===----------------------------------------------------------------------===//

#include "nm/Emulator/TensorMap.h"

#include <cstring>

using namespace nm;
using namespace nm::emulator;

namespace {

struct Packed {
  uint64_t mark, address, strides[4];
  uint32_t lastIndex[5]; ///< Extents less 1: one may be 2^32.
  uint16_t box[5];
  uint8_t rank, elementType, swizzle;
  uint8_t unused[TensorMap::bytes - 81];
};
static_assert(sizeof(Packed) == TensorMap::bytes, "as PTX has it");

constexpr uint64_t mark = 0x70616d726f736e65ull;

std::string number(uint64_t value) { return std::to_string(value); }

/// What is wrong with dimension `i`; empty when nothing is.
std::string checkDimension(const TensorMap &map, unsigned i) {
  std::string where = " in dimension " + number(i) + ", got ";
  if (map.extents[i] == 0 || map.extents[i] > 1ull << 32)
    return "an extent of 1 to 2^32" + where + number(map.extents[i]);
  if (map.box[i] == 0 || map.box[i] > 256)
    return "a box of 1 to 256 elements" + where + number(map.box[i]);
  if (map.elementStrides[i] != 1)
    return "an element stride of 1" + where + number(map.elementStrides[i]);
  if (i == 0)
    return {};
  uint64_t stride = map.strides[i - 1];
  if (stride % 16 != 0 || stride >= 1ull << 40)
    return "a stride below 2^40 bytes, a multiple of 16," + where +
           number(stride);
  uint64_t inner = i == 1 ? map.elementBytes() : map.strides[i - 2];
  if (stride / inner < map.extents[i - 1])
    return "a stride of at least the " + number(map.extents[i - 1]) +
           " elements of the dimension before it" + where + number(stride) +
           " bytes";
  return {};
}

std::string check(const TensorMap &map) {
  if (map.rank < 1 || map.rank > 5)
    return "a rank of 1 to 5, got " + number(map.rank);
  if (map.elementType < 0 || map.elementType >= int32_t(kTensorMapElements))
    return "an element type of 0 to 9 (the emulator has no others), got " +
           std::to_string(map.elementType);
  if (map.interleave != 0)
    return "no interleave (the emulator has none), got " +
           std::to_string(map.interleave);
  if (map.outOfBounds != 0)
    return "zeros out of bounds (the emulator has nothing else), got " +
           std::to_string(map.outOfBounds);
  if (map.swizzle < 0 || map.swizzle > 3)
    return "a swizzle of 0 to 3, got " + std::to_string(map.swizzle);
  if (map.address % 16 != 0)
    return "an address that is a multiple of 16";
  for (unsigned i = 0; i < map.rank; ++i) {
    std::string error = checkDimension(map, i);
    if (!error.empty())
      return error;
  }
  unsigned row = map.box[0] * map.elementBytes();
  if (row % 16 != 0)
    return "rows of the box of a multiple of 16 bytes, got " + number(row);
  // Where shorter rows would lie is not documented.
  unsigned span = map.swizzle ? 16u << map.swizzle : row;
  if (row != span)
    return "rows of the box of the " + number(span) +
           " bytes of the swizzle, got " + number(row);
  return {};
}

} // namespace

unsigned TensorMap::elementBytes() const {
  return kTensorMapElementBytes[elementType];
}

uint64_t TensorMap::boxBytes() const {
  uint64_t size = elementBytes();
  for (unsigned i = 0; i < rank; ++i)
    size *= box[i];
  return size;
}

bool nm::emulator::encodeTensorMap(const TensorMap &map, void *encoded,
                                   std::string &error) {
  error = check(map);
  if (!error.empty()) {
    error = "expected " + error;
    return false;
  }
  Packed packed = {};
  packed.mark = mark;
  packed.address = map.address;
  packed.rank = static_cast<uint8_t>(map.rank);
  packed.elementType = static_cast<uint8_t>(map.elementType);
  packed.swizzle = static_cast<uint8_t>(map.swizzle);
  for (unsigned i = 0; i < map.rank; ++i) {
    packed.lastIndex[i] = static_cast<uint32_t>(map.extents[i] - 1);
    packed.box[i] = static_cast<uint16_t>(map.box[i]);
    if (i > 0)
      packed.strides[i - 1] = map.strides[i - 1];
  }
  std::memcpy(encoded, &packed, sizeof(packed));
  return true;
}

bool nm::emulator::decodeTensorMap(const void *encoded, TensorMap &map) {
  Packed packed;
  std::memcpy(&packed, encoded, sizeof(packed));
  if (packed.mark != mark)
    return false;
  map = TensorMap();
  map.address = packed.address;
  map.rank = packed.rank;
  map.elementType = packed.elementType;
  map.swizzle = packed.swizzle;
  for (unsigned i = 0; i < 5; ++i) {
    map.extents[i] = uint64_t(packed.lastIndex[i]) + 1;
    map.box[i] = packed.box[i];
    if (i > 0)
      map.strides[i - 1] = packed.strides[i - 1];
  }
  // A kernel may have made the bytes itself.
  return check(map).empty();
}
