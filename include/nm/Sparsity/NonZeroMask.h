//===- NonZeroMask.h - Which elements of a weight are not zero --*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One bit an element, so that patterns are searched without knowing the element
// type or the layout of the weight. Bits lie along k, because windows do.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SPARSITY_NONZEROMASK_H
#define NM_SPARSITY_NONZEROMASK_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nm {
namespace sparsity {

/// A bit matrix of `rows` (along k) x `columns` (along n), stored column by
/// column; bits past the last row are 0.
class NonZeroMask {
public:
  /// All bits 0. Both extents are >= 0.
  NonZeroMask(int64_t rows, int64_t columns)
      : rowCount(rows), columnCount(columns), wordCount((rows + 63) / 64),
        words(static_cast<size_t>(wordCount * columns), 0) {}

  /// The mask of a weight; `isNonZero(row, column)` is called once an element,
  /// in tiles, so that neither a [k, n] nor an [n, k] array is read with a
  /// large stride. It must say false for -0.0, as `value != 0` does.
  template <typename Predicate>
  static NonZeroMask create(int64_t k, int64_t n, Predicate isNonZero) {
    NonZeroMask mask(k, n);
    mask.fill(0, n, isNonZero);
    return mask;
  }

  /// Sets the bits of columns [begin, end) as `create` does. Different columns
  /// may be filled at once.
  template <typename Predicate>
  void fill(int64_t begin, int64_t end, Predicate isNonZero) {
    for (int64_t column = begin; column < end; column += 64)
      for (int64_t word = 0; word < wordCount; ++word)
        fillTile(word, column, std::min<int64_t>(64, end - column), isNonZero);
  }

  int64_t rows() const { return rowCount; }
  int64_t columns() const { return columnCount; }
  /// 64-bit words of a column.
  uint64_t *column(int64_t index) { return words.data() + index * wordCount; }
  const uint64_t *column(int64_t index) const {
    return words.data() + index * wordCount;
  }

  bool test(int64_t row, int64_t col) const {
    return column(col)[row / 64] >> (row % 64) & 1;
  }

  /// Set bits among rows [begin, begin + count) of a column; rows past the last
  /// one count as 0.
  int64_t count(int64_t col, int64_t begin, int64_t count) const;

  /// The mask of units of unitK x unitN elements: a bit is set when any element
  /// of the unit is.
  NonZeroMask units(int64_t unitK, int64_t unitN) const;

private:
  template <typename Predicate>
  void fillTile(int64_t word, int64_t firstColumn, int64_t width,
                Predicate &isNonZero) {
    uint64_t tile[64] = {};
    int64_t height = std::min<int64_t>(64, rowCount - word * 64);
    for (int64_t r = 0; r < height; ++r)
      for (int64_t c = 0; c < width; ++c)
        tile[c] |= uint64_t(bool(isNonZero(word * 64 + r, firstColumn + c)))
                   << r;
    for (int64_t c = 0; c < width; ++c)
      column(firstColumn + c)[word] = tile[c];
  }

  int64_t rowCount;
  int64_t columnCount;
  int64_t wordCount;
  std::vector<uint64_t> words;
};

} // namespace sparsity
} // namespace nm

#endif // NM_SPARSITY_NONZEROMASK_H
