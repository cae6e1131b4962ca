//===- PatternCApi.cpp - nm-c/Pattern.h -----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramHandles.h"
#include "nm-c/Pattern.h"

#include "ThreadLoop.h"
#include "nm/Sparsity/Detect.h"

#include <cstring>

using namespace nm;
using namespace nm::vm;
using runtime::guarded;
using sparsity::NonZeroMask;

/// Extents whose bits have a size; checked before there is a mask.
static Status checkWeight(const uint64_t *nonZero, int64_t k, int64_t n) {
  constexpr int64_t limit = int64_t(1) << 31;
  if (k < 1 || n < 1 || k >= limit || n >= limit)
    return invalid("expected extents from 1 to 2^31 - 1, got " +
                   std::to_string(k) + "x" + std::to_string(n));
  return checkPlace(nonZero, "the bits of the weight");
}

static NonZeroMask makeMask(const uint64_t *nonZero, int64_t k, int64_t n) {
  NonZeroMask mask(k, n);
  std::memcpy(mask.column(0), nonZero, (k + 63) / 64 * n * sizeof(uint64_t));
  // Bits beyond k would be units that there are not.
  if (k % 64 != 0)
    for (int64_t column = 0; column < n; ++column)
      mask.column(column)[k / 64] &= (uint64_t(1) << (k % 64)) - 1;
  return mask;
}

nmrtStatus nmPatternFind(const uint64_t *nonZero, int64_t k, int64_t n,
                         double maxRatio, double maxRatioWide,
                         nmPattern *pattern, bool *found) {
  return guarded([&] {
    Status status = checkWeight(nonZero, k, n);
    if (!status.failed())
      status = checkPlace(pattern, "a place for the pattern");
    if (!status.failed())
      status = checkPlace(found, "a place for whether there is one");
    if (status.failed())
      return status;
    auto tightest =
        sparsity::detect(makeMask(nonZero, k, n), {maxRatio, maxRatioWide});
    *found = tightest.has_value();
    if (tightest)
      *pattern = {tightest->keep, tightest->window, tightest->unitK,
                  tightest->unitN};
    return status;
  });
}

nmrtStatus nmPatternSelect(const uint64_t *nonZero, int64_t k, int64_t n,
                           const nmPattern *pattern, void *positions) {
  return guarded([&] {
    Status status = checkWeight(nonZero, k, n);
    if (!status.failed())
      status = checkPlace(pattern, "a pattern");
    if (!status.failed())
      status = checkPlace(positions, "a place for the positions");
    if (status.failed())
      return status;
    sparsity::Pattern of = {pattern->keep, pattern->window, pattern->unitK,
                            pattern->unitN};
    std::string error;
    auto shape = sparsity::getShape(k, n, of, error);
    if (!shape)
      return invalid(error);
    auto indices = sparsity::selectIndices(makeMask(nonZero, k, n), of, error,
                                           loopOnThreads);
    if (!indices)
      return invalid(error);
    int64_t bytes = sparsity::getPositionBytes(shape->windowUnits);
    auto *out = static_cast<char *>(positions);
    for (int32_t index : *indices) {
      std::memcpy(out, &index, bytes); // little-endian, as hosts are
      out += bytes;
    }
    return Status();
  });
}
