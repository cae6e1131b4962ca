//===- PaddedRows.h - Where a transposed A is written -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of k of a feature-major A that begin at multiples of 128 bytes, the line
// of L2, are fetched as lines that no other row has a part of, and by the copy
// engine, whose strides are multiples of 16 bytes, whatever the rows of m.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_PLAN_PADDEDROWS_H
#define NM_LIB_DIALECT_NM_PLAN_PADDEDROWS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace nm {

/// Whether `m` elements of `element` are known to be whole lines of 128 bytes;
/// a dynamic `m` is not.
bool areWholeLines(int64_t m, mlir::Type element);

/// A tensor [k, m] without contents, of `type`, whose rows begin at multiples
/// of 128 bytes: a slice of a new buffer of longer rows. `m` is a number where
/// `type` has one.
mlir::Value createPaddedRows(mlir::ImplicitLocOpBuilder &b,
                             mlir::RankedTensorType type, mlir::OpFoldResult m);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_PLAN_PADDEDROWS_H
