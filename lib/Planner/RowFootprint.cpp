//===- RowFootprint.cpp - Which rows of A blocks read ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Planner/RowFootprint.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace nm;

/// Indices that are looked at for one width of a block: of a larger weight only
/// some windows are, evenly spread. These take a millisecond.
static constexpr int64_t kMostIndices = int64_t(1) << 20;

double nm::getExpectedRowShare(CondensedType weight, int64_t blockN) {
  PatternAttr pattern = weight.getPattern();
  double kept =
      double(pattern.getKeep()) / double(pattern.getWindowUnits(weight.getK()));
  return 1 - std::pow(1 - kept, double(pattern.getUnitColumns(blockN)));
}

std::shared_ptr<RowFootprint> RowFootprint::get(ProductOpInterface op) {
  CondensedType type = op.getWeightType();
  auto constant = op.getWeight().getDefiningOp<ConstantOp>();
  if (!constant || type.getPacking())
    return nullptr;
  auto indices = RawElements::get(constant.getIndices(), ignoreReason);
  if (failed(indices))
    return nullptr;
  return std::shared_ptr<RowFootprint>(
      new RowFootprint(type, std::move(*indices)));
}

double RowFootprint::getShare(int64_t blockN) {
  auto [place, isNew] = shares.try_emplace(blockN);
  if (isNew)
    place->second = countShare(blockN);
  return place->second;
}

double RowFootprint::countShare(int64_t blockN) const {
  PatternAttr pattern = type.getPattern();
  int64_t units = pattern.getWindowUnits(type.getK());
  int64_t windows = pattern.getNumWindows(type.getK());
  int64_t columns = pattern.getUnitColumns(type.getN());
  int64_t ofBlock = pattern.getUnitColumns(blockN), keep = pattern.getKeep();
  int64_t stride = llvm::divideCeil(keep * columns * windows, kMostIndices);
  // Of each unit of a window, the last block that read it.
  SmallVector<int64_t> reader(units, -1);
  int64_t read = 0, blocks = 0;
  auto readUnit = [&](int64_t row, int64_t column) {
    int64_t unit = indices.getUnsigned(row * columns + column);
    // Padding may name any.
    if (unit >= units || reader[unit] == blocks)
      return;
    reader[unit] = blocks;
    ++read;
  };
  for (int64_t window = 0; window < windows; window += stride)
    for (int64_t first = 0; first < columns; first += ofBlock, ++blocks) {
      int64_t end = std::min(columns, first + ofBlock);
      for (int64_t row = window * keep; row < (window + 1) * keep; ++row)
        for (int64_t column = first; column < end; ++column)
          readUnit(row, column);
    }
  return double(read) / (double(blocks) * double(units));
}
