//===- RowQuotients.h - Elements divided by a number of their row -*- C++
//-*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An f32 division is eight instructions and a branch, of which half are for the
// reciprocal of the divisor. Where many numbers have one divisor, that is
// computed once, and whether all quotients are right is asked once: they are
// rounded correctly unless numbers are very small or large (P. Markstein,
// Computation of elementary functions on the IBM RISC System/6000, 1990).
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWQUOTIENTS_H
#define NM_LIB_DIALECT_NM_ROWS_ROWQUOTIENTS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// The quotients of `dividends` and `divisor`, all of f32, as divisions give
/// them.
llvm::SmallVector<mlir::Value>
createQuotients(mlir::ImplicitLocOpBuilder &b,
                llvm::ArrayRef<mlir::Value> dividends, mlir::Value divisor);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_ROWQUOTIENTS_H
