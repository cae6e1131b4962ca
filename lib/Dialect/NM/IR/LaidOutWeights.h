//===- LaidOutWeights.h - Weights that the caller lays out ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_IR_LAIDOUTWEIGHTS_H
#define NM_LIB_DIALECT_NM_IR_LAIDOUTWEIGHTS_H

#include "mlir/IR/Operation.h"

namespace nm {

/// Checks `attribute`, `nm.part` on argument `argument` of `op`.
mlir::LogicalResult verifyParts(mlir::Operation *op, unsigned argument,
                                mlir::NamedAttribute attribute);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_IR_LAIDOUTWEIGHTS_H
