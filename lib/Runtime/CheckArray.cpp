//===- CheckArray.cpp - Whether an array is what a function takes ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckArray.h"

#include <string>

using namespace nm::runtime;

/// "[16, 64]"; with `isType`, -1 is any extent: "[?, 64]".
static std::string describe(const int64_t *extents, int32_t rank,
                            bool isType = false) {
  std::string text = "[";
  for (int32_t axis = 0; axis < rank; ++axis) {
    text += axis ? ", " : "";
    text += isType && extents[axis] == -1 ? "?" : std::to_string(extents[axis]);
  }
  return text + "]";
}

Status nm::runtime::checkArray(const Device &device, const char *what,
                               int32_t rank, const void *data, int64_t offset,
                               const int64_t *extents, const int64_t *strides,
                               const int64_t *expected) {
  auto refuse = [&](const std::string &message) {
    return Status(NMRT_INVALID_ARGUMENT, std::string(what) + ": " + message);
  };
  bool fits = true, isEmpty = false;
  for (int32_t axis = 0; axis < rank; ++axis) {
    fits &= extents[axis] >= 0 &&
            (expected[axis] == -1 || extents[axis] == expected[axis]);
    isEmpty |= extents[axis] == 0;
  }
  if (!fits)
    return refuse("expected extents " +
                  describe(expected, rank, /*isType=*/true) + ", got " +
                  describe(extents, rank));
  if (!data && !isEmpty)
    return refuse("expected memory, got null");
  if (!isEmpty && device.isForeign(data))
    return refuse("expected memory of this context, got address " +
                  std::to_string(reinterpret_cast<uintptr_t>(data)));
  if (offset != 0)
    return refuse("expected an offset of 0, got " + std::to_string(offset));
  // Unsigned, for the product may wrap where nothing is compared any more.
  uint64_t stride = 1;
  for (int32_t axis = rank - 1; axis >= 0; --axis) {
    if (!isEmpty && extents[axis] != 1 &&
        static_cast<uint64_t>(strides[axis]) != stride)
      return refuse("expected a row-major array, got strides " +
                    describe(strides, rank));
    stride *= static_cast<uint64_t>(extents[axis]);
  }
  return Status();
}
