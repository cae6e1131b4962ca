//===- Liveness.cpp - How much memory is needed at once -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Liveness.h"

#include <algorithm>
#include <utility>

using namespace nm::runtime;

uint64_t Liveness::maximum() const {
  // What begins counts before what ends at the same time.
  std::vector<std::pair<uint64_t, int64_t>> changes;
  for (const Span &span : spans) {
    changes.push_back({2 * span.first, static_cast<int64_t>(span.bytes)});
    changes.push_back({2 * span.last + 1, -static_cast<int64_t>(span.bytes)});
  }
  std::sort(changes.begin(), changes.end());
  int64_t current = 0, most = 0;
  for (auto [time, change] : changes) {
    (void)time;
    current += change;
    most = std::max(most, current);
  }
  return static_cast<uint64_t>(most);
}
