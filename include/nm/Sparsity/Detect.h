//===- Detect.h - The tightest N:M pattern of a weight ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search that the importer uses to tell a pruned weight from a dense one.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SPARSITY_DETECT_H
#define NM_SPARSITY_DETECT_H

#include "nm/Sparsity/Condensed.h"
#include "nm/Sparsity/NonZeroMask.h"

#include <optional>
#include <vector>

namespace nm {
namespace sparsity {

struct DetectOptions {
  DetectOptions(double maxDensity, double maxDensityWide)
      : maxDensity(maxDensity), maxDensityWide(maxDensityWide) {}

  /// Windows searched: 2 to maxWindow units, and all of k. At most 64.
  int64_t maxWindow = 64;
  /// Units searched: 1xL and LxL for these L, ascending, where L <= n (and
  /// L <= k for LxL).
  std::vector<int64_t> unitLengths = {1, 4, 8, 16, 32, 64, 128};
  /// Of each M units of a window at most this share may be kept,
  double maxDensity;
  /// or this share when the unit has at least `wideUnit` columns.
  double maxDensityWide;
  int64_t wideUnit = 8;
};

/// What the search found.
struct Detection {
  Pattern pattern;
  /// Rows of the condensed form, ceil(k / (M * Bk)) * N * Bk.
  int64_t height;
  /// Whether N / M is within the options' limit for the unit.
  bool accepted;
};

/// The pattern with the least height of the condensed form, among those whose
/// N / M is within the limit if there are any; of equal ones that with the
/// largest unit (by area, 1xL before LxL), then the smallest window ("all of k"
/// counts as the largest). N is the largest count of non-zero units in any
/// window, so the weight always satisfies the result. A last window that k cuts
/// short may keep N units like the others, but the condensed form has fewer
/// rows than the weight. Nothing when the weight is all zeros or empty, or no
/// pattern is below both limits (dense).
std::optional<Detection> detectTightest(const NonZeroMask &mask,
                                        const DetectOptions &options);

/// The pattern of `detectTightest` when it is accepted.
std::optional<Pattern> detect(const NonZeroMask &mask,
                              const DetectOptions &options);

/// A pattern that a weight has but for some windows.
struct NearPattern {
  Pattern pattern;
  /// Windows of all columns of units, and those that keep more than N units.
  int64_t windows, violated;
  /// The first window that keeps more than N units: its first row and column,
  /// and the units that it keeps.
  int64_t row, column, kept;
};

/// The pattern, of the units that are searched and within the limits, of which
/// at least nine of ten windows keep exactly N units and some keep more: that
/// of a weight which was pruned to it and then changed. Patterns with the
/// largest unit come first; among them the one counts that the least share of
/// windows violates. Nothing for a weight that is dense, has a pattern, or was
/// pruned to none.
std::optional<NearPattern> detectNear(const NonZeroMask &mask,
                                      const DetectOptions &options);

} // namespace sparsity
} // namespace nm

#endif // NM_SPARSITY_DETECT_H
