//===- TensorBoxes.h - What the copy engine fetches at once -----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_KERNELPLAN_TENSORBOXES_H
#define NM_DIALECT_NM_KERNELPLAN_TENSORBOXES_H

#include <cstdint>
#include <optional>

namespace nm {

/// Bytes at multiples of which a ring begins that the copy engine fills: lines
/// of L2 are then lines of shared memory.
inline constexpr int64_t kBoxAlignment = 128;
/// Bytes after which the copy engine's pattern of swizzled rows begins anew: a
/// ring of such rows begins at a multiple of them.
inline constexpr int64_t kSwizzlePeriod = 1024;

/// A tile of rows and columns in shared memory, which the engine may fetch from
/// a tensor.
struct FetchedTile {
  int64_t rows, columns;
  /// Columns that follow each other in the tensor, at most: those of a panel.
  int64_t together;
  int64_t elementBytes;
  bool swizzled; // SwizzledBuffers.h
};

/// The boxes in which the engine fetches a tile. They lie in shared memory one
/// behind the other.
struct TensorBoxes {
  int64_t columns;
  /// Bytes of a row within which chunks change places; 0 where they stay. The
  /// engine does so with rows of 32, 64 and 128 bytes.
  int64_t swizzle;
  int64_t alignment; // of the ring, in bytes

  /// Those of `tile`; nothing where a box would be too large, or would not
  /// begin where the one before ends.
  static std::optional<TensorBoxes> get(const FetchedTile &tile);
};

} // namespace nm

#endif // NM_DIALECT_NM_KERNELPLAN_TENSORBOXES_H
