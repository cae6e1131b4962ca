//===- Geometry.h - Panels, blocks and steps of a weight --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes that follow from a weight, its pattern and the words of
// `#nm.packing`, and where a part of the weight lies among them. This is the
// one place that computes them: types, packing and unpacking ask it.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LAYOUT_GEOMETRY_H
#define NM_LAYOUT_GEOMETRY_H

#include "nm/Sparsity/Condensed.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nm {
namespace layout {

/// What is laid out: the extents of the dense weight and its pattern.
struct Weight {
  int64_t k = 0;
  int64_t n = 0;
  sparsity::Pattern pattern;
};

/// For which kernels: the words of `#nm.packing`.
struct Packing {
  /// Columns that a block computes.
  int64_t blockN = 0;
  /// Rows of k of a step: whole windows, or all of k.
  int64_t stepK = 0;
  /// Panels in which the values of a block lie.
  int64_t panels = 1;
};

/// A weight in blocks of columns and steps of k. All sizes are checked: bytes
/// of 8-byte elements of every part fit int64_t.
struct Geometry {
  /// On failure returns nothing and says in `error` which number is wrong, or
  /// that a size is beyond 64 bits.
  static std::optional<Geometry>
  get(const Weight &weight, const Packing &packing, std::string &error);

  int64_t k, n;
  /// Of the pattern: units kept of a window, rows and columns of a unit.
  int64_t keep, unitK, unitN;
  int64_t blockN, stepK;
  /// Columns of a panel, which divide those of a block.
  int64_t panelColumns;
  /// Blocks of columns, and steps of k.
  int64_t blocks, steps;
  /// Units of a window.
  int64_t windowUnits;
  /// Kept unit rows of a step, unit columns of a block.
  int64_t unitRows, unitColumns;
  /// Columns of a block that share an index.
  int64_t unitColumnWidth;
  /// Extents of the indices of the condensed form.
  int64_t storedRows, storedColumns;

  /// Rows of a window along k.
  int64_t getWindowRows() const { return windowUnits * unitK; }
  /// Pairs of a block and a step.
  int64_t getTiles() const { return blocks * steps; }
  /// Indices of a block and step.
  int64_t getTileIndices() const { return unitColumns * unitRows; }
  /// Condensed rows of a step, and of all steps: padded to whole steps.
  int64_t getStepRows() const { return unitRows * unitK; }
  int64_t getRows() const { return steps * getStepRows(); }
  /// Columns of all blocks: padded to whole blocks.
  int64_t getColumns() const { return blocks * blockN; }
  /// Panels of all blocks.
  int64_t getPanels() const { return getColumns() / panelColumns; }
  /// Condensed rows of the weight, without padding.
  int64_t getStoredValueRows() const { return storedRows * unitK; }

  /// The shapes of the parts, as `#nm.packing` defines them; with `width`
  /// entries a list of columns.
  std::vector<int64_t> getValuesShape() const;
  std::vector<int64_t> getIndicesShape() const;
  std::vector<int64_t> getColumnsShape(int64_t width) const;

  /// Unit column of the condensed form that unit column `unitColumn` of block
  /// `block` holds; at least `storedColumns` for padding.
  int64_t getStoredColumn(int64_t block, int64_t unitColumn) const {
    return blockN % unitN == 0 ? block * unitColumns + unitColumn
                               : block * blockN / unitN;
  }

  /// Where in the indices that of unit row `unitRow` of a step stands, for
  /// `run`, counted through all blocks: the columns of a block that share
  /// indices.
  int64_t getIndexPlace(int64_t run, int64_t step, int64_t unitRow) const {
    int64_t tile = run / unitColumns * steps + step;
    return (tile * unitColumns + run % unitColumns) * unitRows + unitRow;
  }

  /// Where in the values the element at a padded condensed row and column
  /// stands; the columns of a panel follow each other.
  int64_t getValuePlace(int64_t row, int64_t column) const {
    int64_t panel = column / panelColumns;
    return (panel * getRows() + row) * panelColumns + column % panelColumns;
  }

  /// The first row of a step's tile that unit row `unitRow` names with
  /// `position` in its window.
  int32_t getTileRow(int64_t unitRow, int64_t position) const {
    return static_cast<int32_t>(unitRow / keep * getWindowRows() +
                                position * unitK);
  }
};

} // namespace layout
} // namespace nm

#endif // NM_LAYOUT_GEOMETRY_H
