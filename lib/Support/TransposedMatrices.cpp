//===- TransposedMatrices.cpp - Transpositions as matrices ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/TransposedMatrices.h"
#include "nm/Support/Extents.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using nm::kSectorBytes;

/// Bytes of the shortest accesses with which a copy of pieces has 80 % of a
/// copy's speed: pieces of 8 bytes have 84 % (?640x?100x?100x4 of bf16 in
/// docs/results/2026-11-30-h200-transpose-4.jsonl).
static constexpr int64_t kFewestBytes = 8;
/// Rows, or columns, of units that are worth a tile: half of one has them.
static constexpr int64_t kFewestUnits = 16;

std::optional<int64_t> nm::getTransposedBytes(Type type) {
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  if (bits < 8 || bits > 64 || !llvm::isPowerOf2_32(bits))
    return std::nullopt;
  return bits / 8;
}

std::optional<nm::TransposedDims>
nm::getTransposedDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation) {
  // The dimensions as they get their order, and as they are.
  SmallVector<int64_t> order;
  for (int64_t dim : permutation)
    if (shape[dim] != 1)
      order.push_back(dim);
  SmallVector<int64_t> dims = order;
  llvm::sort(dims);
  // Some stay in front. The first ones of the others go behind the rest.
  auto changed = size_t(llvm::mismatch(order, dims).first - order.begin());
  if (changed == dims.size())
    return std::nullopt;
  SmallVector<int64_t> rotated = dims;
  auto *columns = llvm::find(rotated, order[changed]);
  auto ofRows = size_t(columns - rotated.begin()) - changed;
  std::rotate(rotated.begin() + changed, columns, rotated.end());
  if (rotated != order)
    return std::nullopt;
  ArrayRef<int64_t> all = dims;
  return TransposedDims{
      llvm::to_vector<4>(all.take_front(changed)),
      llvm::to_vector<4>(all.slice(changed, ofRows)),
      llvm::to_vector<4>(all.drop_front(changed + ofRows)),
  };
}

/// The product of the extents of `dims`, if it is known.
static std::optional<int64_t> multiply(ArrayRef<int64_t> dims,
                                       ArrayRef<int64_t> shape) {
  return nm::getProduct(llvm::to_vector<4>(
      llvm::map_range(dims, [&](int64_t dim) { return shape[dim]; })));
}

std::optional<nm::TransposedUnits>
nm::getTransposedUnits(ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation,
                       int64_t bytes) {
  size_t moved = shape.size();
  while (moved > 0 && permutation[moved - 1] == int64_t(moved - 1))
    --moved;
  auto elements = getProduct(shape.drop_front(moved));
  if (!elements || *elements <= 1 || *elements >= kSectorBytes / bytes ||
      *elements * bytes % kFewestBytes == 0)
    return std::nullopt;
  auto of =
      getTransposedDims(shape.take_front(moved), permutation.take_front(moved));
  auto isFew = [&](ArrayRef<int64_t> dims) {
    auto extent = multiply(dims, shape);
    return extent && *extent < kFewestUnits;
  };
  if (!of || isFew(of->rows) || isFew(of->columns))
    return std::nullopt;
  auto unit = llvm::to_vector(llvm::seq<int64_t>(moved, shape.size()));
  return TransposedUnits{*of, unit, *elements};
}

std::optional<nm::TransposedMatrices>
nm::getTransposedMatrices(ArrayRef<int64_t> shape,
                          ArrayRef<int64_t> permutation) {
  auto dims = getTransposedDims(shape, permutation);
  if (!dims)
    return std::nullopt;
  auto matrices = multiply(dims->matrices, shape),
       rows = multiply(dims->rows, shape),
       columns = multiply(dims->columns, shape);
  if (!matrices || !rows || !columns)
    return std::nullopt;
  return TransposedMatrices{*matrices, *rows, *columns};
}
