//===- Detect.cpp - The tightest N:M pattern of a weight ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates are tried in the order of preference and replace the best one only
// when strictly lower (or the first that is accepted), so a candidate is
// abandoned at the first window that makes it as high as the best so far. A
// dense weight thus costs little more than reading it.
//
//===----------------------------------------------------------------------===//

#include "nm/Sparsity/Detect.h"

#include <cmath>

using namespace nm::sparsity;

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
      : mask(mask), options(options), k(mask.rows()) {}

  std::optional<Detection> run();

private:
  /// Tries all windows of one unit on the mask of such units.
  void tryUnit(const NonZeroMask &units, Unit unit);
  void tryWindow(const NonZeroMask &units, Unit unit, int64_t windowUnits,
                 int64_t window);
  double getLimit(Unit unit) const {
    return unit.n >= options.wideUnit ? options.maxDensityWide
                                      : options.maxDensity;
  }

  const NonZeroMask &mask;
  const DetectOptions &options;
  int64_t k;
  std::optional<Detection> best;
};

} // namespace

/// The largest N with N / `window` at most `share`. The quotient is compared,
/// as it is the double nearest to a ratio that was written in decimals.
static int64_t maxKept(double share, int64_t window) {
  int64_t keep = static_cast<int64_t>(std::floor(share * double(window))) + 1;
  while (keep > 0 && double(keep) / double(window) > share)
    --keep;
  return keep;
}

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
  int64_t rowsOfOne = windows * unit.k; // of the condensed form, for N = 1
  // The largest N of a density up to `share` and less rows than `other`, or
  // than the weight. A share of all takes a dense weight as well.
  auto maxKeep = [&](double share, const Detection *other) {
    int64_t rows = other ? other->height - 1 : share < 1 ? k - 1 : k;
    return std::min(maxKept(share, windowUnits), rows / rowsOfOne);
  };
  bool hasAccepted = best && best->accepted;
  int64_t accepted = maxKeep(getLimit(unit), hasAccepted ? &*best : nullptr);
  int64_t limit = accepted;
  // What is not accepted is looked for only until something is.
  if (!hasAccepted)
    limit = std::max(
        limit, maxKeep(std::max(options.maxDensity, options.maxDensityWide),
                       best ? &*best : nullptr));
  if (limit < 1)
    return;
  int64_t keep = maxCount(units, windowUnits, limit);
  if (keep == 0 || keep > limit)
    return;
  best = Detection{Pattern{keep, window, unit.k, unit.n}, keep * rowsOfOne,
                   keep <= accepted};
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
nm::sparsity::detectTightest(const NonZeroMask &mask,
                             const DetectOptions &options) {
  if (mask.rows() < 1 || mask.columns() < 1)
    return std::nullopt;
  return Search(mask, options).run();
}

std::optional<Pattern> nm::sparsity::detect(const NonZeroMask &mask,
                                            const DetectOptions &options) {
  std::optional<Detection> detection = detectTightest(mask, options);
  if (!detection || !detection->accepted)
    return std::nullopt;
  return detection->pattern;
}
