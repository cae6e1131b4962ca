//===- HostHeap.h - Host memory that a call may leave behind ----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result of CPU code may be fresh memory, an argument or a constant, and its
// descriptor does not say which. So compiled code gets its memory here, and what
// it has not freed is freed when the call's results have been copied.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_HOSTHEAP_H
#define NM_LIB_EXECUTION_HOSTHEAP_H

#include <cstddef>
#include <unordered_set>

namespace nm {

/// While it lives, `allocate` in this thread belongs to it.
class HostHeap {
public:
  HostHeap();
  HostHeap(const HostHeap &) = delete;
  ~HostHeap();

  // In place of malloc, aligned_alloc and free in compiled code.
  static void *allocate(size_t bytes);
  static void *allocateAligned(size_t alignment, size_t bytes);
  static void release(void *pointer);

private:
  HostHeap *previous;
  std::unordered_set<void *> live;
};

} // namespace nm

#endif // NM_LIB_EXECUTION_HOSTHEAP_H
