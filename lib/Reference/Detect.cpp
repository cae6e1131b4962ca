//===- Detect.cpp - The tightest N:M pattern of a weight ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates are tried in the order of preference and replace the best one only
// when strictly lower, so a candidate is abandoned at the first window that
// makes it as high as the best so far. A dense weight thus costs little more
// than reading it.
//
//===----------------------------------------------------------------------===//

#include "nm/Reference/Detect.h"

#include <cmath>

using namespace nm::reference;

namespace {

struct Unit {
  int64_t k;
  int64_t n;
};

/// The units to search, the preferred ones (large, then 1xL before LxL) first.
std::vector<Unit> orderedUnits(int64_t k, int64_t n,
                               const DetectOptions &options) {
  std::vector<Unit> units;
  for (int64_t length : options.unitLengths) {
    if (length < 1 || length > n)
      continue;
    units.push_back({1, length});
    if (length > 1 && length <= k)
      units.push_back({length, length});
  }
  std::sort(units.begin(), units.end(), [](Unit lhs, Unit rhs) {
    int64_t areaL = lhs.k * lhs.n, areaR = rhs.k * rhs.n;
    return areaL != areaR ? areaL > areaR : lhs.k < rhs.k;
  });
  return units;
}

/// The search of one weight.
class Search {
public:
  Search(const NonZeroMask &mask, const DetectOptions &options)
      : mask(mask), options(options), k(mask.rows()) {
    double limit = std::max(options.maxHeight, options.maxHeightWide);
    lowest = static_cast<int64_t>(std::floor(limit * double(k))) + 1;
  }

  std::optional<Detection> run();

private:
  /// Tries all windows of one unit on the mask of such units.
  void tryUnit(const NonZeroMask &units, Unit unit);
  void tryWindow(const NonZeroMask &units, Unit unit, int64_t windowUnits,
                 int64_t window);

  const NonZeroMask &mask;
  const DetectOptions &options;
  int64_t k;
  /// A new candidate must have less rows than this.
  int64_t lowest;
  std::optional<Detection> best;
};

} // namespace

/// The largest count of set bits in any window, or `limit` + 1 as soon as one
/// exceeds `limit`.
static int64_t maxCount(const NonZeroMask &units, int64_t windowUnits,
                        int64_t limit) {
  int64_t most = 0;
  for (int64_t col = 0; col < units.columns(); ++col) {
    for (int64_t row = 0; row < units.rows(); row += windowUnits) {
      int64_t count = units.count(col, row, windowUnits);
      if (count > limit)
        return limit + 1;
      most = std::max(most, count);
    }
  }
  return most;
}

void Search::tryWindow(const NonZeroMask &units, Unit unit, int64_t windowUnits,
                       int64_t window) {
  int64_t windows = (units.rows() + windowUnits - 1) / windowUnits;
  int64_t limit = (lowest - 1) / (windows * unit.k);
  if (limit < 1)
    return;
  int64_t keep = maxCount(units, windowUnits, limit);
  if (keep == 0 || keep > limit)
    return;
  lowest = windows * keep * unit.k;
  double share =
      unit.n >= options.wideUnit ? options.maxHeightWide : options.maxHeight;
  best = Detection{Pattern{keep, window, unit.k, unit.n}, lowest,
                   double(lowest) <= share * double(k)};
}

void Search::tryUnit(const NonZeroMask &units, Unit unit) {
  // Beyond the number of units a window is the same as all of k.
  int64_t last = std::min<int64_t>({options.maxWindow, 64, units.rows()});
  for (int64_t window = 2; window <= last; ++window)
    tryWindow(units, unit, window, window);
  if (units.rows() > last)
    tryWindow(units, unit, units.rows(), 0);
}

std::optional<Detection> Search::run() {
  for (Unit unit : orderedUnits(k, mask.columns(), options)) {
    if (unit.k == 1 && unit.n == 1)
      tryUnit(mask, unit);
    else
      tryUnit(mask.units(unit.k, unit.n), unit);
  }
  return best;
}

std::optional<Detection>
nm::reference::detectTightest(const NonZeroMask &mask,
                              const DetectOptions &options) {
  if (mask.rows() < 1 || mask.columns() < 1)
    return std::nullopt;
  return Search(mask, options).run();
}

std::optional<Pattern> nm::reference::detect(const NonZeroMask &mask,
                                             const DetectOptions &options) {
  std::optional<Detection> detection = detectTightest(mask, options);
  if (!detection || !detection->accepted)
    return std::nullopt;
  return detection->pattern;
}
