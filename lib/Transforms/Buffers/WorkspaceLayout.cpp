//===- WorkspaceLayout.cpp - Where buffers lie in one memory --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkspaceLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace nm;

using Buffers = llvm::SmallVector<PlannedBuffer *>;

/// The lowest place for `buffer` between those of `placed` that live when it
/// does.
static uint64_t findOffset(const PlannedBuffer &buffer, const Buffers &placed) {
  Buffers live;
  for (PlannedBuffer *other : placed)
    if (other->overlaps(buffer))
      live.push_back(other);
  llvm::sort(live, [](const PlannedBuffer *a, const PlannedBuffer *b) {
    return a->offset < b->offset;
  });
  uint64_t offset = 0;
  for (const PlannedBuffer *other : live) {
    if (offset <= other->offset && other->offset - offset >= *buffer.bytes)
      break;
    uint64_t end =
        llvm::alignTo(other->offset + *other->bytes, kBufferAlignment);
    offset = std::max(offset, end);
  }
  return offset;
}

uint64_t nm::layOutStatic(llvm::MutableArrayRef<PlannedBuffer> buffers) {
  Buffers order, placed;
  for (PlannedBuffer &buffer : buffers)
    if (buffer.bytes)
      order.push_back(&buffer);
  // Of equal ones, which lie in one array, the first.
  llvm::sort(order, [](const PlannedBuffer *a, const PlannedBuffer *b) {
    return std::make_pair(*b->bytes, a) < std::make_pair(*a->bytes, b);
  });
  uint64_t size = 0;
  for (PlannedBuffer *buffer : order) {
    buffer->offset = findOffset(*buffer, placed);
    placed.push_back(buffer);
    size = std::max(size, buffer->offset + *buffer->bytes);
  }
  return llvm::alignTo(size, kBufferAlignment);
}

size_t nm::layOutDynamic(llvm::MutableArrayRef<PlannedBuffer> buffers) {
  // The last buffer of each slot.
  Buffers slots;
  for (PlannedBuffer &buffer : buffers) {
    if (buffer.bytes)
      continue;
    std::optional<size_t> chosen;
    for (auto [slot, last] : llvm::enumerate(slots)) {
      if (last->overlaps(buffer) || last->begin > buffer.begin)
        continue;
      bool isEqual = last->dynamicSizes == buffer.dynamicSizes;
      bool isSame = isEqual && last->staticFactor == buffer.staticFactor;
      if (!chosen || isEqual)
        chosen = slot;
      if (isSame)
        break;
    }
    buffer.slot = chosen.value_or(slots.size());
    if (!chosen)
      slots.push_back(nullptr);
    slots[buffer.slot] = &buffer;
  }
  return slots.size();
}
