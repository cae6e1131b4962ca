//===- PackValues.cpp - Values in the order of their indices --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Layout/IndexCoding.h"
#include "nm/Layout/PanelLayout.h"

#include <algorithm>
#include <numeric>

using namespace nm;
using namespace nm::layout;

namespace {
/// Copies the values of one weight.
class ValuePacker {
public:
  ValuePacker(const Geometry &geometry, const Elements &values,
              const PackedIndices &indices, char *out)
      : g(geometry), values(values), indices(indices), out(out) {
    // As many as come from one row and lie in one panel are copied at once.
    width = indices.order.empty() ? g.panelColumns
                                  : std::gcd(g.unitColumnWidth, g.panelColumns);
  }

  /// Writes the condensed row `row` of the padded values.
  void packRow(int64_t row) {
    for (int64_t column = 0; column < g.valueColumns; column += width)
      packPart(row, getSource(row, column), column);
  }

private:
  /// The row of the condensed form that is row `row` in `column`.
  int64_t getSource(int64_t row, int64_t column) const {
    // Rows behind all steps are zeros, as those behind the weight's, and so are
    // columns behind all blocks.
    if (indices.order.empty() || row >= g.getRowsOfSteps() ||
        column >= g.getColumns())
      return row;
    int64_t unitRow = row / g.unitK;
    int64_t step = unitRow / g.unitRows;
    int64_t place =
        getRunPlace(g, column / g.unitColumnWidth, step, unitRow % g.unitRows);
    return (step * g.unitRows + indices.order[place]) * g.unitK + row % g.unitK;
  }

  /// The `width` columns from `column` on; zeros beyond the weight.
  void packPart(int64_t row, int64_t source, int64_t column) {
    int64_t bytes = values.elementBytes;
    int64_t copied = source < g.getStoredValueRows()
                         ? std::clamp<int64_t>(g.n - column, 0, width)
                         : 0;
    auto placeOf = [&](int64_t i) {
      return out + g.getValuePlace(row, column + i) * bytes;
    };
    if (values.isSplat || g.laneRows != 1)
      for (int64_t i = 0; i < copied; ++i)
        std::memcpy(placeOf(i), values.get(source * g.n + column + i), bytes);
    else if (copied != 0)
      std::memcpy(placeOf(0), values.get(source * g.n + column),
                  copied * bytes);
    for (int64_t i = copied; i < width; ++i)
      std::memset(placeOf(i), 0, bytes);
  }

  const Geometry &g;
  const Elements &values;
  const PackedIndices &indices;
  char *out;
  int64_t width;
};
} // namespace

void PanelLayout::packValues(const Elements &values,
                             const PackedIndices &indices, char *out,
                             const sparsity::RangeLoop &loop) const {
  ValuePacker packer(geometry, values, indices, out);
  loop(geometry.valueRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      packer.packRow(row);
  });
}
