//===- PanelLayout.h - Weights in panels of columns -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of `#nm.packing` (NM-SpMM III-C): three parts, of which a kernel
// reads a piece for each block of columns and step of k. Another layout is a
// file beside this one.
//
// Data are little-endian arrays of the caller's. Loops over them are the
// caller's, too, which may run their ranges at once.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LAYOUT_PANELLAYOUT_H
#define NM_LAYOUT_PANELLAYOUT_H

#include "nm/Layout/Geometry.h"
#include "nm/Layout/RowOrder.h"

#include <cstring>

namespace nm {
namespace layout {

/// How a weight lies for one kernel, without lists of columns.
struct WeightLayout {
  /// Without a block (block_n = 0) the condensed form itself.
  Packing packing;
  /// Of the rows of each `orderedRows` rows of k (0: of a whole step).
  RowOrder order = RowOrder::Ascending;
  int64_t orderedRows = 0;

  bool isPacked() const { return packing.blockN != 0; }
};

/// Whether such a layout exists of `weight`: its geometry does, its coding
/// names units, and its order is one of parts of a step. Says in `error` what
/// is wrong.
bool check(const Weight &weight, const WeightLayout &layout,
           std::string &error);

/// Elements in row-major order.
struct Elements {
  const char *data = nullptr;
  int64_t elementBytes = 0;
  /// Whether there is one element, which stands for all.
  bool isSplat = false;

  const char *get(int64_t index) const {
    return data + (isSplat ? 0 : index * elementBytes);
  }
  /// Element `index` of integers of 1, 2 or 4 bytes, without a sign.
  uint32_t getUnsigned(int64_t index) const {
    switch (elementBytes) {
    case 1:
      return read<uint8_t>(index);
    case 2:
      return read<uint16_t>(index);
    default:
      return read<uint32_t>(index);
    }
  }

private:
  template <typename Word> uint32_t read(int64_t index) const {
    Word word;
    std::memcpy(&word, get(index), sizeof(Word));
    return word;
  }
};

/// The parts of a packed weight.
enum class PartKind { Values, Indices, Columns };

/// One array of a packed weight.
struct Part {
  PartKind kind;
  const char *name;
  std::vector<int64_t> shape;
  int64_t elementBytes;
  /// Bytes that divide its address.
  int64_t alignment;
};

/// Bytes of a part, counted from its first.
struct ByteRange {
  int64_t offset;
  int64_t size;
};

/// The indices of a packed weight, and how its values are to follow them.
struct PackedIndices {
  /// The part, of elements as the coding has them.
  std::vector<char> indices;
  /// [blocks * steps, width]; empty where there are no lists.
  std::vector<int32_t> columns;
  int64_t width = 0;
  /// [blocks * steps, unit columns, unit rows]: of each row which unit row of
  /// the step it was; empty where all are in the order of k.
  std::vector<int32_t> order;
};

/// The data of a packed weight.
struct PackedWeight {
  const char *values;
  const char *indices;
  /// Null where there are no lists.
  const int32_t *columns = nullptr;
  int64_t width = 0;
};

/// The condensed form: values [w, n] and indices [w / Bk, ceil(n / Bn)].
struct CondensedWeight {
  std::vector<char> values;
  std::vector<int32_t> indices;
};

/// A weight of one type in panels.
class PanelLayout {
public:
  /// `elementBytes`: of a value, at most 8. Fails as Geometry::get.
  static std::optional<PanelLayout> get(const Weight &weight,
                                        const Packing &packing,
                                        int64_t elementBytes,
                                        std::string &error);

  const Geometry &getGeometry() const { return geometry; }
  /// The parts, with lists of `width` columns; without lists where it is 0.
  std::vector<Part> getParts(int64_t width) const;

  /// What a kernel reads of `part` in step `step`, as one range: of the values
  /// those of panel `place`, of other parts what belongs to block `place`.
  ByteRange getSlab(const Part &part, int64_t place, int64_t step) const;

  /// Re-bases the indices of the condensed form to the steps' tiles, puts those
  /// of each `orderedRows` rows of k of a step (0: of all of it) into `order`,
  /// and with `wantsColumns` lists the rows that a block reads in a step. There
  /// are no lists where units do not divide a step: one could be longer than
  /// the step, and saves next to nothing. An order and lists are for indices
  /// that are rows.
  PackedIndices packIndices(const Elements &indices, bool wantsColumns,
                            RowOrder order, int64_t orderedRows,
                            const sparsity::RangeLoop &loop) const;

  /// Writes the values of the condensed form to `out`, as many bytes as the
  /// part has, in the order of `indices`.
  void packValues(const Elements &values, const PackedIndices &indices,
                  char *out, const sparsity::RangeLoop &loop) const;

  /// The condensed form of `packed`. On failure returns nothing, and says in
  /// `error` which index names no kept unit.
  std::optional<CondensedWeight> unpack(const PackedWeight &packed,
                                        std::string &error,
                                        const sparsity::RangeLoop &loop) const;

  /// Writes row `row` of the dense weight to `out`: n elements. The data must
  /// be such as `unpack` takes.
  void unpackRow(const PackedWeight &packed, int64_t row, char *out) const;

private:
  PanelLayout(const Geometry &geometry, int64_t elementBytes)
      : geometry(geometry), elementBytes(elementBytes) {}

  void packTile(const Elements &stored, int64_t tile, int32_t *packed) const;
  void fillPadding(int32_t *packed) const;
  bool unpackRun(const PackedWeight &packed, int64_t run, int64_t step,
                 CondensedWeight &out) const;

  Geometry geometry;
  int64_t elementBytes;
};

} // namespace layout
} // namespace nm

#endif // NM_LAYOUT_PANELLAYOUT_H
