//===- WorkspaceLayout.h - Where buffers lie in one memory ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers that never live at the same time may have the same bytes. Where all
// sizes are known their offsets are chosen: the largest first, each as low as
// those before it allow. Buffers whose sizes are known in the call only share
// slots, whose sizes and offsets are computed there.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_TRANSFORMS_BUFFERS_WORKSPACELAYOUT_H
#define NM_LIB_TRANSFORMS_BUFFERS_WORKSPACELAYOUT_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace nm {

/// Of every buffer's first byte.
inline constexpr uint64_t kBufferAlignment = 256;

/// One buffer of a function: it lives from op `begin` to op `end`, in the order
/// of the text.
struct PlannedBuffer {
  uint64_t begin = 0, end = 0;
  /// Nothing if it is known in the call only.
  std::optional<uint64_t> bytes;
  /// Buffers of equal sizes, as far as one can tell.
  llvm::SmallVector<mlir::Value> dynamicSizes;
  uint64_t staticFactor = 0;

  /// Of a buffer of known size, its first byte; of another, its slot.
  uint64_t offset = 0;
  size_t slot = 0;

  bool overlaps(const PlannedBuffer &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// Sets the offsets of the buffers of known size, and returns the bytes that
/// they take together.
uint64_t layOutStatic(llvm::MutableArrayRef<PlannedBuffer> buffers);

/// Sets the slots of the others, and returns how many there are.
size_t layOutDynamic(llvm::MutableArrayRef<PlannedBuffer> buffers);

} // namespace nm

#endif // NM_LIB_TRANSFORMS_BUFFERS_WORKSPACELAYOUT_H
