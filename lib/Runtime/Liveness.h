//===- Liveness.h - How much memory is needed at once -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The measure that allocations are judged by: the largest sum of the sizes of
// buffers between first and last use. Time is counted in uses.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_LIVENESS_H
#define NM_LIB_RUNTIME_LIVENESS_H

#include <cstdint>
#include <vector>

namespace nm {
namespace runtime {

/// When a buffer is used first and last; 0 is never.
struct Lifetime {
  uint64_t first = 0, last = 0;
  bool untilFreed = false;
};

class Liveness {
public:
  /// A launch or a copy begins: uses from now on are later.
  void advance() { ++now; }
  void use(Lifetime &lifetime, bool untilFreed) {
    if (lifetime.first == 0)
      lifetime.first = now;
    lifetime.last = now;
    lifetime.untilFreed |= untilFreed;
  }
  /// The buffer is freed, or its life so far is to be counted.
  void end(Lifetime lifetime, uint64_t bytes) {
    if (lifetime.first != 0)
      spans.push_back(
          {lifetime.first, lifetime.untilFreed ? now : lifetime.last, bytes});
  }
  /// The largest sum of the sizes of what has ended.
  uint64_t maximum() const;

private:
  struct Span {
    uint64_t first, last, bytes;
  };
  std::vector<Span> spans;
  uint64_t now = 1;
};

} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_LIVENESS_H
