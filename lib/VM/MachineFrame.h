//===- MachineFrame.h - What running code works on --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_VM_MACHINEFRAME_H
#define NM_LIB_VM_MACHINEFRAME_H

#include "nm/VM/Machine.h"

namespace nm {
namespace vm {

/// A frame's numbers and buffers.
struct Machine::Frame {
  int64_t *numbers;
  Buffer *buffers;
  /// After `execute`: the operands of the return.
  const uint32_t *results;
};

inline Status invalid(const char *message) {
  return Status(NMRT_INVALID_ARGUMENT, message);
}

/// Whether `buffer` has `bytes` bytes from `first` on.
inline bool isWithin(const Buffer &buffer, uint64_t first, uint64_t bytes) {
  return first <= buffer.bytes && bytes <= buffer.bytes - first;
}

inline void *addressOf(const Buffer &buffer, uint64_t first) {
  return static_cast<char *>(buffer.address) + first;
}

} // namespace vm
} // namespace nm

#endif // NM_LIB_VM_MACHINEFRAME_H
