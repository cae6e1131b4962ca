//===- CountNew.cpp - How often a thread asks for memory ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from the tests, where GCC would inline these and not know them.
//
//===----------------------------------------------------------------------===//

#include "CountNew.h"

#include <cstdlib>
#include <new>

thread_local uint64_t newCalls;

void *operator new(size_t bytes) {
  ++newCalls;
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
