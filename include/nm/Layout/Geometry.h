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

/// How the index of a kept unit is written.
enum class IndexCoding {
  /// i32: the row of the step's tile at which it begins, or its place in a list
  /// of columns.
  Rows,
  /// i8, i16 or i32, the smallest that holds all: its position in the window,
  /// or in several that follow each other (`positionRows`).
  Positions,
  /// A bit for each unit of as many whole windows as an i32 holds, or of one
  /// window in an i64; the first unit has the highest bit.
  Mask,
  /// In i32 words: as many bits as positions in the window have, those of a
  /// step one behind the other from the lowest bit of the first word on.
  Bits,
};

/// For which kernels: the words of `#nm.packing`.
struct Packing {
  /// Columns that a block computes.
  int64_t blockN = 0;
  /// Rows of k of a step: whole windows, or all of k.
  int64_t stepK = 0;
  /// Panels in which the values of a block lie.
  int64_t panels = 1;
  /// Condensed rows of a column that follow each other in memory.
  int64_t laneRows = 1;
  IndexCoding coding = IndexCoding::Rows;
  /// Whether the 16 rows that lie together are, of each 16 columns, a fragment
  /// of `mma.m16n8k16`.
  bool fragments = false;
  /// Rows of k, whole windows, in which a position counts and the units stand
  /// in any order; 0: the window, in which they ascend.
  int64_t positionRows = 0;
  /// Condensed rows to which the values are filled up with zeros, so that
  /// kernels of other steps share them; 0: those of all steps.
  int64_t valueRows = 0;
  /// Columns to which the values are filled up with panels of zeros, so that
  /// kernels with other blocks share them; 0: those of all blocks.
  int64_t valueColumns = 0;
};

/// Windows of `windowUnits` units of which a word of a mask has the bits.
inline int64_t getWordWindows(int64_t windowUnits) {
  constexpr int64_t wordBits = 32;
  return windowUnits < wordBits ? wordBits / windowUnits : 1;
}

/// Bits that hold each position in a window of `windowUnits` units.
inline int64_t getPositionBits(int64_t windowUnits) {
  int64_t bits = 1;
  while (bits < 62 && (int64_t(1) << bits) < windowUnits)
    ++bits;
  return bits;
}

/// Condensed rows of a fragment.
inline constexpr int64_t kFragmentRows = 16;

/// The row of a fragment that is place `place` of the instruction's k: of its
/// pairs, 2 t and 2 t + 1 in either half, a lane has four rows that follow each
/// other.
inline int64_t getFragmentRow(int64_t place) {
  return place % 8 / 2 * 4 + place / 8 * 2 + place % 2;
}

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
  /// Condensed rows of a column that follow each other, which divide a step's.
  int64_t laneRows;
  IndexCoding coding;
  bool fragments;
  /// Rows of k in which a position counts.
  int64_t positionRows;
  /// Condensed rows of the values, at least those of all steps, and their
  /// columns, at least those of all blocks.
  int64_t valueRows, valueColumns;
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
  int64_t getRowsOfSteps() const { return steps * getStepRows(); }
  /// Columns of all blocks: padded to whole blocks.
  int64_t getColumns() const { return blocks * blockN; }
  /// Panels of the values.
  int64_t getPanels() const { return valueColumns / panelColumns; }
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

  /// Bytes of an element of the indices.
  int64_t getIndexBytes() const;
  /// Windows of which a word of a mask has the bits.
  int64_t getWordWindows() const { return layout::getWordWindows(windowUnits); }
  /// Bits of a position.
  int64_t getPositionBits() const {
    return layout::getPositionBits(windowUnits);
  }
  /// Whether indices are bits of words, which lie as getWordPlace says.
  bool areIndicesInWords() const {
    return coding == IndexCoding::Mask || coding == IndexCoding::Bits;
  }
  /// Words of a step for each unit column, where indices are bits of them.
  int64_t getStepWords() const {
    return coding == IndexCoding::Mask ? unitRows / (getWordWindows() * keep)
                                       : unitRows * getPositionBits() / 32;
  }

  /// Whether indices of a column lie together as its values do. Columns of a
  /// fragment share theirs.
  bool areIndicesTogether() const { return laneRows != 1 && !fragments; }

  /// Where in the indices, unless they are in words, that of unit row `unitRow`
  /// of a step stands, for `run`, counted through all blocks: the columns of a
  /// block that share indices.
  int64_t getIndexPlace(int64_t run, int64_t step, int64_t unitRow) const {
    int64_t tile = run / unitColumns * steps + step, u = run % unitColumns;
    int64_t together = areIndicesTogether() ? laneRows : unitRows;
    int64_t group = unitRow / together * unitColumns + u;
    return tile * getTileIndices() + group * together + unitRow % together;
  }

  /// Where word `word` of the indices of a step stands for `run`.
  int64_t getWordPlace(int64_t run, int64_t step, int64_t word) const {
    int64_t tile = run / unitColumns * steps + step;
    return (tile * getStepWords() + word) * unitColumns + run % unitColumns;
  }

  /// Where in the values the element at a padded condensed row and column
  /// stands. Of a panel, the columns follow each other, each as `laneRows`
  /// rows, or 16 of them as a fragment.
  int64_t getValuePlace(int64_t row, int64_t column) const {
    int64_t panel = column / panelColumns, inPanel = column % panelColumns;
    int64_t group = (panel * valueRows + row) / laneRows;
    if (fragments)
      return (group * panelColumns + inPanel / 16 * 16) * 16 +
             getFragmentPlace(row % 16, inPanel % 16);
    return (group * panelColumns + inPanel) * laneRows + row % laneRows;
  }

  /// Where in a fragment the element at a row and column of it stands: each of
  /// 32 lanes has eight, of four rows that follow each other and of two columns
  /// that are eight apart, two rows of a column a register. Which of the
  /// instruction's sixteen products of a sum a row is does not matter, as long
  /// as the rows of A agree.
  static int64_t getFragmentPlace(int64_t row, int64_t column);

  /// The first row of a step's tile that unit row `unitRow` names with
  /// `position` in its window.
  int32_t getTileRow(int64_t unitRow, int64_t position) const {
    return static_cast<int32_t>(unitRow / keep * getWindowRows() +
                                position * unitK);
  }

  /// The first row of a step's tile in which the position of unit row `unitRow`
  /// counts.
  int64_t getPositionBase(int64_t unitRow) const {
    int64_t kept = positionRows / getWindowRows() * keep;
    return unitRow / kept * positionRows;
  }
};

} // namespace layout
} // namespace nm

#endif // NM_LAYOUT_GEOMETRY_H
