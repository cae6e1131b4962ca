//===- Reassociation.h - Dimensions that a reshape names --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_REASSOCIATION_H
#define NM_SUPPORT_REASSOCIATION_H

#include "llvm/Support/LogicalResult.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace nm {

/// Whether every expand_shape and collapse_shape under `root`, of tensors and
/// of memrefs, names the dimensions in order; else an error. MLIR's verifier
/// cuts them to 32 bits, and what asks for the groups gets them whole.
llvm::LogicalResult verifyReassociations(mlir::Operation *root);

} // namespace nm

#endif // NM_SUPPORT_REASSOCIATION_H
