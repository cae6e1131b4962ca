//===- TensorBoxes.cpp - What the copy engine fetches at once -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/KernelPlan/TensorBoxes.h"
#include "nm/Base/TensorMapLimits.h"
#include "nm/Dialect/NM/IR/SwizzledBuffers.h"
#include <algorithm>
#include <numeric>

using namespace nm;

/// Bytes of a row of shared memory that the engine swizzles at once, at most.
static constexpr int64_t kMostSwizzledBytes = 128;

std::optional<TensorBoxes> TensorBoxes::get(const FetchedTile &tile) {
  int64_t element = tile.elementBytes, rowBytes = tile.columns * element;
  bool moves = tile.swizzled && rowBytes > kSwizzledChunkBytes;
  TensorBoxes boxes;
  boxes.swizzle = moves ? std::min(rowBytes, kMostSwizzledBytes) : 0;
  boxes.alignment = moves ? kSwizzlePeriod : kBoxAlignment;
  boxes.columns = std::gcd(tile.columns, tile.together);
  if (moves) {
    boxes.columns = std::min(boxes.columns, boxes.swizzle / element);
    // Chunks of a panel's shorter rows have other places.
    if (boxes.columns * element != boxes.swizzle)
      return std::nullopt;
  }
  bool fits = boxes.columns <= int64_t(kMostTensorMapBox) &&
              tile.rows <= int64_t(kMostTensorMapBox) &&
              tile.columns % boxes.columns == 0 &&
              boxes.columns * element % int64_t(kTensorMapUnit) == 0;
  // Slots, and their panels, follow each other without gaps.
  int64_t bytes = tile.rows * boxes.columns * element;
  if (!fits || bytes % boxes.alignment != 0)
    return std::nullopt;
  return boxes;
}
