//===- RowDigits.h - Places along dimensions --------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of an element among all gives its place along each dimension by
// divisions by the extents. Of numbers below 2^31 a quotient by an extent d is
//   floor((n + 1) * floor((2^64 - 1) / d) / 2^64) = floor(n / d),
// as the second factor is less than 1 below 2^64 / d, so that the product is
// less than (n + 1) / d and above (n + 1) / d - 1 / d (T. Granlund and
// P. L. Montgomery, Division by invariant integers using multiplication, 1994).
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWDIGITS_H
#define NM_LIB_DIALECT_NM_ROWS_ROWDIGITS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// For each dimension whose extent only the call knows, floor((2^64 - 1) / d)
/// of extent d: the host computes it before a launch. Null for others.
llvm::SmallVector<mlir::Value> createReciprocals(mlir::ImplicitLocOpBuilder &b,
                                                 RowsOp op);

/// Whether numbers of elements have 31 bits, and need no division then: as far
/// as is known when code is created that computes with them.
enum class Numbers { Unknown, Narrow, Wide };

/// Whether the points of dimensions from `begin` to before `end` have numbers
/// of 31 bits. Null where that is known without a call, or no number is
/// divided.
mlir::Value createAreNarrow(mlir::ImplicitLocOpBuilder &b, RowsOp op,
                            int64_t begin, int64_t end);

/// The places along dimensions from `begin` to before `end` of element number
/// `linear` of these. A kernel has both ways of computing them where `numbers`
/// are unknown, and only the call knows them.
llvm::SmallVector<mlir::Value>
computeDigits(mlir::ImplicitLocOpBuilder &b, RowsOp op, mlir::Value linear,
              int64_t begin, int64_t end,
              llvm::ArrayRef<mlir::Value> reciprocals, Numbers numbers);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_ROWDIGITS_H
