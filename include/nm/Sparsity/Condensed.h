//===- Condensed.h - N:M patterns and the condensed form --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an N:M-sparse weight is, in plain C++: the definition that the compiler,
// the tests and the Python package are checked against. B is the weight [k, n]
// of C[m, n] = A[m, k] x B[k, n]. In each window of M consecutive units along
// k, N units are kept; a unit is a block of Bk x Bn elements (k extent x n
// extent).
//
//===----------------------------------------------------------------------===//

#ifndef NM_SPARSITY_CONDENSED_H
#define NM_SPARSITY_CONDENSED_H

#include "nm/Sparsity/NonZeroMask.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nm {
namespace sparsity {

/// keep:window with units of unitK x unitN elements.
struct Pattern {
  /// N: units kept of each window.
  int64_t keep = 1;
  /// M: units of a window; 0 means all of k.
  int64_t window = 0;
  /// Bk: rows (along k) of a unit.
  int64_t unitK = 1;
  /// Bn: columns (along n) of a unit.
  int64_t unitN = 1;

  bool operator==(const Pattern &other) const {
    return keep == other.keep && window == other.window &&
           unitK == other.unitK && unitN == other.unitN;
  }
  bool operator!=(const Pattern &other) const { return !(*this == other); }
};

/// "8:32, unit 1x32", or "96:all, unit 1x1".
std::string toString(const Pattern &pattern);

/// The sizes that follow from k, n and a pattern. All fit int64_t, and so do
/// the element counts of the two arrays of the condensed form.
struct CondensedShape {
  /// Units of a window; ceil(k / Bk) when the window is all of k.
  int64_t windowUnits;
  /// ceil(k / (M * Bk)).
  int64_t windows;
  /// ceil(n / Bn).
  int64_t unitColumns;
  /// Rows of the indices: windows * N.
  int64_t indexRows;
  /// w, rows of the values: windows * N * Bk.
  int64_t valueRows;
};

/// Checks a pattern against k and n and derives the sizes. On failure returns
/// nothing and says in `error` which number is wrong.
std::optional<CondensedShape>
getShape(int64_t k, int64_t n, const Pattern &pattern, std::string &error);

/// Bytes in which positions in a window of `windowUnits` units are stored.
inline int64_t getPositionBytes(int64_t windowUnits) {
  return windowUnits <= 256 ? 1 : windowUnits <= 65536 ? 2 : 4;
}

/// A weight in condensed form.
struct Condensed {
  /// The logical (dense) shape.
  int64_t k = 0;
  int64_t n = 0;
  Pattern pattern;
  /// [w, n], row-major. Row (window * N + slot) * Bk + r holds row r of the
  /// unit in that slot. Places beyond k hold zeros.
  std::vector<double> values;
  /// [w / Bk, ceil(n / Bn)], row-major: position of the kept unit inside its
  /// window, ascending and unique along the slots of a window. In a partial
  /// last window a position may lie beyond k; it then contributes nothing.
  std::vector<int32_t> indices;

  /// Row of the dense weight that row `valueRow` of the values holds in column
  /// `column`; >= k for a place beyond the weight. The form must be valid.
  int64_t denseRow(int64_t valueRow, int64_t column) const;
};

/// Checks sizes, and that the indices are in range, ascending and unique. On
/// failure `error` names the first offending place.
bool validate(const Condensed &condensed, std::string &error);

/// Calls `body(begin, end)` for ranges that make up [0, count), in any order or
/// at once.
using RangeLoop = std::function<void(
    int64_t count,
    const std::function<void(int64_t begin, int64_t end)> &body)>;

/// As one range.
inline void
loopOnce(int64_t count,
         const std::function<void(int64_t begin, int64_t end)> &body) {
  body(0, count);
}

/// The indices of the condensed form of a weight whose non-zero elements are
/// `mask`. Windows with fewer than N non-zero units keep the lowest other
/// positions as well, so that N stay distinct and ascending. On failure `error`
/// names the first offending window: window number, unit column, rows, columns,
/// and how many units are non-zero of how many allowed. Unit columns are done
/// by `loop`.
std::optional<std::vector<int32_t>>
selectIndices(const NonZeroMask &mask, const Pattern &pattern,
              std::string &error, const RangeLoop &loop = loopOnce);

/// Condenses a dense row-major weight [k, n]; -0.0 counts as zero. Errors as
/// `selectIndices`.
std::optional<Condensed> condense(const double *dense, int64_t k, int64_t n,
                                  const Pattern &pattern, std::string &error);

/// The dense row-major weight [k, n]. The form must be valid.
std::vector<double> expand(const Condensed &condensed);

} // namespace sparsity
} // namespace nm

#endif // NM_SPARSITY_CONDENSED_H
