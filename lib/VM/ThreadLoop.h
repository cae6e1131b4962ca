//===- ThreadLoop.h - Ranges of a loop on threads ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_VM_THREADLOOP_H
#define NM_LIB_VM_THREADLOOP_H

#include <cstdint>
#include <functional>

namespace nm {
namespace vm {

/// A `sparsity::RangeLoop` on as many threads as the machine has. What one of
/// them throws, such as bad_alloc, is thrown here.
void loopOnThreads(int64_t count,
                   const std::function<void(int64_t, int64_t)> &body);

} // namespace vm
} // namespace nm

#endif // NM_LIB_VM_THREADLOOP_H
