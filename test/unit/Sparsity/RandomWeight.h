//===- RandomWeight.h - Seeded N:M weights for the tests --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes weights of a given pattern without using the code under test.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_UNIT_SPARSITY_RANDOMWEIGHT_H
#define NM_TEST_UNIT_SPARSITY_RANDOMWEIGHT_H

#include "nm/Sparsity/Condensed.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace nm {
namespace sparsity {

inline constexpr uint64_t kSeed = 20261121;

/// A non-zero value.
inline double randomValue(std::mt19937_64 &rng) {
  double value = std::uniform_real_distribution<double>(0.5, 1.5)(rng);
  return rng() & 1 ? value : -value;
}

/// A dense [k, n] weight with exactly `keep` non-zero units in each full
/// window.
inline std::vector<double> randomWeight(int64_t k, int64_t n,
                                        const Pattern &pattern,
                                        std::mt19937_64 &rng) {
  std::vector<double> dense(k * n, 0.0);
  int64_t units = (k + pattern.unitK - 1) / pattern.unitK;
  int64_t window = pattern.window ? pattern.window : units;
  for (int64_t first = 0; first < units; first += window) {
    for (int64_t col = 0; col < n; col += pattern.unitN) {
      std::vector<int64_t> positions(std::min(window, units - first));
      std::iota(positions.begin(), positions.end(), first);
      std::shuffle(positions.begin(), positions.end(), rng);
      positions.resize(std::min<size_t>(positions.size(), pattern.keep));
      for (int64_t unit : positions)
        for (int64_t r = unit * pattern.unitK;
             r < std::min(k, (unit + 1) * pattern.unitK); ++r)
          for (int64_t c = col; c < std::min(n, col + pattern.unitN); ++c)
            dense[r * n + c] = randomValue(rng);
    }
  }
  return dense;
}

inline NonZeroMask maskOf(const std::vector<double> &dense, int64_t k,
                          int64_t n) {
  return NonZeroMask::create(
      k, n, [&](int64_t r, int64_t c) { return dense[r * n + c] != 0; });
}

} // namespace sparsity
} // namespace nm

#endif // NM_TEST_UNIT_SPARSITY_RANDOMWEIGHT_H
