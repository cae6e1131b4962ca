//===- IndexCoding.h - How a packed weight writes its indices ---*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packing finds for each kept unit of a step the row of the step's tile of A at
// which it begins. A coding is a way to write these rows, and to read them.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LAYOUT_INDEXCODING_H
#define NM_LAYOUT_INDEXCODING_H

#include "nm/Layout/Geometry.h"

namespace nm {
namespace layout {

/// Where `unitRow` of a run of columns and step stands in [blocks * steps, unit
/// columns, unit rows], whatever the coding.
int64_t getRunPlace(const Geometry &geometry, int64_t run, int64_t step,
                    int64_t unitRow);

/// Writes the rows [unit columns, unit rows] of block and step `tile` to `out`,
/// which holds the part of all. In other codings than Rows the units of a
/// window have to ascend.
void encodeTile(const Geometry &geometry, int64_t tile, const int32_t *rows,
                char *out);

/// The row of a step's tile at which unit row `unitRow` begins, or its place in
/// a list of columns. Where a mask has less bits than a window keeps units, -1.
int64_t decodeRow(const Geometry &geometry, const char *indices, int64_t run,
                  int64_t step, int64_t unitRow);

} // namespace layout
} // namespace nm

#endif // NM_LAYOUT_INDEXCODING_H
