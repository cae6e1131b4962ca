//===- Positions.cpp - Whether positions are those of units ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Layout/Positions.h"

using namespace nm;
using namespace nm::layout;

bool nm::layout::checkPositions(const sparsity::CondensedShape &shape,
                                int64_t keep, const Elements &positions,
                                std::string &error) {
  for (int64_t row = 0; row < shape.indexRows; ++row) {
    bool isFirst = row % keep == 0;
    for (int64_t column = 0; column < shape.unitColumns; ++column) {
      int64_t place = row * shape.unitColumns + column;
      int64_t position = positions.getUnsigned(place);
      int64_t least =
          isFirst ? 0 : positions.getUnsigned(place - shape.unitColumns) + 1;
      if (position >= least && position < shape.windowUnits)
        continue;
      error = "expected positions below " + std::to_string(shape.windowUnits) +
              " that ascend in their window, got " + std::to_string(position) +
              " at row " + std::to_string(row) + ", column " +
              std::to_string(column);
      return false;
    }
  }
  return true;
}
