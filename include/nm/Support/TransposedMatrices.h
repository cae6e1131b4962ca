//===- TransposedMatrices.h - Transpositions as matrices --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_TRANSPOSEDMATRICES_H
#define NM_SUPPORT_TRANSPOSEDMATRICES_H

#include "mlir/Support/LLVM.h"
#include <cstdint>
#include <optional>

namespace nm {

/// Matrices, one after the other in memory, that change rows for columns.
struct TransposedMatrices {
  int64_t matrices, rows, columns;
};

/// What it is for a row-major tensor of `shape` that its dimensions get the
/// order `permutation`. Those that stay together count as one, and those of one
/// element not at all. Nothing where it is something else, such as a copy, and
/// where the shape is not static.
std::optional<TransposedMatrices>
getTransposedMatrices(llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> permutation);

} // namespace nm

#endif // NM_SUPPORT_TRANSPOSEDMATRICES_H
