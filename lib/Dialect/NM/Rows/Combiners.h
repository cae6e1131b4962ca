//===- Combiners.h - What a reduction combines, and how ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_COMBINERS_H
#define NM_LIB_DIALECT_NM_ROWS_COMBINERS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace nm {

/// How one result of a reduction is computed: of all elements of a row, or as
/// the place of an extreme.
struct Combiner {
  mlir::arith::AtomicRMWKind kind;
  /// What is combined: a value of the body, which depends on no result. Of a
  /// place, the element's.
  mlir::Value element;
  /// What it begins with: a constant.
  mlir::TypedAttr init;
  /// Where this does not hold, an element is left out; null where all are
  /// combined.
  mlir::Value mask;
  /// The number of the result that is the extreme whose place this is: the
  /// first one's, and `init` where no element is beyond the extreme's init.
  std::optional<int64_t> extreme;
  /// Whether a place is that of the extreme of the elements before the first
  /// NaN, as a comparison that NaN fails has it, and not of the NaN.
  bool isBeforeNaN = false;
};

/// The combiners of `op`, a reduction, one for each result; or none, and
/// `reason` says why nm.reduce does not give them.
std::optional<llvm::SmallVector<Combiner>>
findCombiners(mlir::linalg::GenericOp op, llvm::StringRef &reason);

/// The values of the body of `op` that depend on what is combined so far: its
/// arguments for results, and what is computed of them.
llvm::DenseSet<mlir::Value> collectCombined(mlir::linalg::GenericOp op);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_COMBINERS_H
