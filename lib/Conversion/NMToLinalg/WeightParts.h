//===- WeightParts.h - Condensed weights as plain tensors ----- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condensed weight has no storage of its own; this finds or makes the tensors
// that hold its parts, and says which row of the dense weight a kept value is.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_NMTOLINALG_WEIGHTPARTS_H
#define NM_LIB_CONVERSION_NMTOLINALG_WEIGHTPARTS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// The parts of a condensed weight as tensors.
struct WeightParts {
  CondensedType type;
  mlir::Value values;
  mlir::Value indices;
  /// Null unless the packing has column information.
  mlir::Value columns;
};

/// A row of the dense weight.
struct DenseRow {
  mlir::Value row;
  /// Whether there is such a row (i1); null where all places lie inside.
  mlir::Value valid;
};

/// Makes the parts of weights, once each.
class WeightPartsCache {
public:
  /// The parts of `weight`, which an nm.constant, nm.assemble or nm.condense
  /// makes. Otherwise, or when the data of a constant is missing or wrong,
  /// reports an error.
  mlir::FailureOr<WeightParts> get(mlir::Value weight);

private:
  llvm::DenseMap<mlir::Value, WeightParts> cache;
};

/// The values of a weight as a matrix [rows, n]: the panels of a packed one
/// side by side, without the columns of padding.
mlir::Value createValueRows(mlir::ImplicitLocOpBuilder &b,
                            const WeightParts &parts);

/// The row of the dense weight that row `valueRow` of the values holds in
/// column `column`; both are index values.
DenseRow createDenseRow(mlir::ImplicitLocOpBuilder &b, const WeightParts &parts,
                        mlir::Value valueRow, mlir::Value column);

/// Condenses the tensor `dense` when the program runs: loops that count and
/// place the kept units of each window. A window that keeps too many fails an
/// assertion.
WeightParts createCondense(mlir::ImplicitLocOpBuilder &b, CondenseOp op);

} // namespace nm

#endif // NM_LIB_CONVERSION_NMTOLINALG_WEIGHTPARTS_H
