//===- HostHeap.cpp - Host memory that a call may leave behind ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostHeap.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdlib>

using nm::HostHeap;

static thread_local HostHeap *active = nullptr;

HostHeap::HostHeap() : previous(active) { active = this; }

HostHeap::~HostHeap() {
  active = previous;
  for (void *pointer : live)
    std::free(pointer);
}

// Compiled code checks no allocation, so there is no use in returning null.
static void *orExit(void *pointer) {
  if (!pointer)
    llvm::report_fatal_error("out of host memory", /*gen_crash_diag=*/false);
  return pointer;
}

void *HostHeap::allocate(size_t bytes) {
  void *pointer = orExit(std::malloc(bytes ? bytes : 1));
  if (active)
    active->live.insert(pointer);
  return pointer;
}

void *HostHeap::allocateAligned(size_t alignment, size_t bytes) {
  size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void *pointer =
      orExit(std::aligned_alloc(alignment, rounded ? rounded : alignment));
  if (active)
    active->live.insert(pointer);
  return pointer;
}

void HostHeap::release(void *pointer) {
  if (active)
    active->live.erase(pointer);
  std::free(pointer);
}
