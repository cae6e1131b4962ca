//===- TransposedMatrices.cpp - Transpositions as matrices ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/TransposedMatrices.h"
#include "nm/Support/Extents.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

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

std::optional<nm::TransposedMatrices>
nm::getTransposedMatrices(ArrayRef<int64_t> shape,
                          ArrayRef<int64_t> permutation) {
  auto dims = getTransposedDims(shape, permutation);
  if (!dims)
    return std::nullopt;
  auto multiply = [&](ArrayRef<int64_t> some) {
    return getProduct(llvm::to_vector<4>(
        llvm::map_range(some, [&](int64_t dim) { return shape[dim]; })));
  };
  auto matrices = multiply(dims->matrices), rows = multiply(dims->rows),
       columns = multiply(dims->columns);
  if (!matrices || !rows || !columns)
    return std::nullopt;
  return TransposedMatrices{*matrices, *rows, *columns};
}
