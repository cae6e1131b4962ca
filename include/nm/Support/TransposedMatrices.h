//===- TransposedMatrices.h - Transpositions as matrices --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_TRANSPOSEDMATRICES_H
#define NM_SUPPORT_TRANSPOSEDMATRICES_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace nm {

/// Bytes of a number of `type`; nothing for others, and where those are not as
/// many as a load has.
std::optional<int64_t> getTransposedBytes(mlir::Type type);

/// The dimensions of an array that number matrices, and those that are their
/// rows and columns, which change places. The dimensions of each follow each
/// other, but for those of one element, which are none of them.
struct TransposedDims {
  llvm::SmallVector<int64_t> matrices, rows, columns;
};

/// What it is for a row-major tensor of `shape`, static or not, that its
/// dimensions get the order `permutation`. Nothing where it is something else,
/// such as a copy.
std::optional<TransposedDims>
getTransposedDims(llvm::ArrayRef<int64_t> shape,
                  llvm::ArrayRef<int64_t> permutation);

/// The dimensions of matrices of units, those of a unit, which are the last
/// ones, and its elements.
struct TransposedUnits {
  TransposedDims of;
  llvm::SmallVector<int64_t> unit;
  int64_t elements;
};

/// What it is for a row-major tensor of `shape`, of elements of `bytes` bytes,
/// that its dimensions get the order `permutation`, if that keeps the last ones
/// behind and these are short: units of less than a sector that are no multiple
/// of 8 bytes. Nothing where known rows or columns are few.
std::optional<TransposedUnits>
getTransposedUnits(llvm::ArrayRef<int64_t> shape,
                   llvm::ArrayRef<int64_t> permutation, int64_t bytes);

/// Matrices, one after the other in memory, that change rows for columns.
struct TransposedMatrices {
  int64_t matrices, rows, columns;
};

/// As getTransposedDims, by their extents. Nothing where the shape is not
/// static, too.
std::optional<TransposedMatrices>
getTransposedMatrices(llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> permutation);

} // namespace nm

#endif // NM_SUPPORT_TRANSPOSEDMATRICES_H
