//===- PanelLayout.cpp - Weights in panels of columns ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Layout/PanelLayout.h"

using namespace nm;
using namespace nm::layout;

/// Of every part, so that 16 bytes can be moved at once.
static constexpr int64_t kAlignment = 16;

bool nm::layout::check(const Weight &weight, const WeightLayout &layout,
                       std::string &error) {
  if (!layout.isPacked())
    return true;
  std::optional<Geometry> geometry =
      Geometry::get(weight, layout.packing, error);
  if (!geometry)
    return false;
  if (layout.order == RowOrder::Ascending && layout.orderedRows == 0)
    return true;
  int64_t rows = layout.orderedRows, windowRows = geometry->getWindowRows();
  if (rows < 0 || rows > geometry->stepK ||
      (rows != 0 && (geometry->stepK % rows != 0 || rows % windowRows != 0))) {
    error = "expected an order of rows that divide a step of " +
            std::to_string(geometry->stepK) +
            " rows and are whole windows, got one of " + std::to_string(rows);
    return false;
  }
  int64_t ordered = rows == 0 ? geometry->stepK : rows;
  if (layout.order == RowOrder::Ascending ||
      geometry->coding == IndexCoding::Rows ||
      (geometry->coding == IndexCoding::Positions &&
       geometry->positionRows % ordered == 0))
    return true;
  error = "expected indices that are rows, or positions that count in as many "
          "as are ordered, with an order of the rows";
  return false;
}

std::optional<PanelLayout> PanelLayout::get(const Weight &weight,
                                            const Packing &packing,
                                            int64_t elementBytes,
                                            std::string &error) {
  std::optional<Geometry> geometry = Geometry::get(weight, packing, error);
  if (!geometry)
    return std::nullopt;
  if (elementBytes < 1 || elementBytes > 8) {
    error =
        "expected values of 1 to 8 bytes, got " + std::to_string(elementBytes);
    return std::nullopt;
  }
  return PanelLayout(*geometry, elementBytes);
}

ByteRange PanelLayout::getSlab(const Part &part, int64_t place,
                               int64_t step) const {
  int64_t bytes = part.elementBytes;
  // The values lie as [panel][step][row][column], with rows behind the last
  // step.
  if (part.kind == PartKind::Values) {
    bytes *= geometry.panelColumns;
    int64_t rows = geometry.getStepRows();
    return {(place * geometry.valueRows + step * rows) * bytes, rows * bytes};
  }
  // Others lie as [block][step][...].
  for (int64_t extent : part.shape)
    bytes *= extent;
  int64_t size = bytes / geometry.getTiles();
  return {(place * geometry.steps + step) * size, size};
}

std::vector<Part> PanelLayout::getParts(int64_t width) const {
  std::vector<Part> parts = {
      {PartKind::Values, "values", geometry.getValuesShape(), elementBytes,
       kAlignment},
      {PartKind::Indices, "indices", geometry.getIndicesShape(),
       geometry.getIndexBytes(), kAlignment}};
  if (width != 0)
    parts.push_back({PartKind::Columns, "columns",
                     geometry.getColumnsShape(width), sizeof(int32_t),
                     kAlignment});
  return parts;
}
