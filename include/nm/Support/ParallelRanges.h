//===- ParallelRanges.h - Loops over large data in threads ---- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing the elements of large constants on the threads of the
// context. The result must not depend on the number of threads: an iteration
// writes what no other one reads or writes, and emits nothing.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_PARALLELRANGES_H
#define NM_SUPPORT_PARALLELRANGES_H

#include "mlir/IR/Threading.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <atomic>

namespace nm {

/// Elements below which a thread is not worth its start.
inline constexpr int64_t kElementsOfRange = int64_t(1) << 16;

/// Calls `body(begin, end)` for ranges that make up [0, count), at once on the
/// threads of `context`. An iteration is about `elements` elements.
inline void
parallelRanges(mlir::MLIRContext *context, int64_t count, int64_t elements,
               llvm::function_ref<void(int64_t begin, int64_t end)> body) {
  int64_t length =
      kElementsOfRange / std::clamp<int64_t>(elements, 1, kElementsOfRange);
  if (count <= length)
    return body(0, count);
  mlir::parallelFor(context, 0, llvm::divideCeil(count, length),
                    [&](size_t range) {
                      int64_t begin = range * length;
                      body(begin, std::min(count, begin + length));
                    });
}

/// The first i in [0, count) for which `isWanted(i)`, or `count`; looked for
/// as by parallelRanges.
template <typename Predicate>
int64_t findFirst(mlir::MLIRContext *context, int64_t count, int64_t elements,
                  Predicate isWanted) {
  std::atomic<int64_t> first(count);
  parallelRanges(context, count, elements, [&](int64_t begin, int64_t end) {
    int64_t i = begin;
    while (i < end && !isWanted(i))
      ++i;
    int64_t known = first;
    while (i < end && i < known && !first.compare_exchange_weak(known, i)) {
    }
  });
  return first;
}

} // namespace nm

#endif // NM_SUPPORT_PARALLELRANGES_H
