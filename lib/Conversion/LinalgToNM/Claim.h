//===- Claim.h - A pattern that an operand's encoding claims -- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nm-import-sparse-encodings hands to nm-import-linalg: two discardable
// attributes of a linalg op. They name a loop of the op, not a dimension of the
// weight, so that they hold whatever lies between the product and the constant.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTONM_CLAIM_H
#define NM_LIB_CONVERSION_LINALGTONM_CLAIM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "nm/Dialect/NM/IR/NMDialect.h"

namespace nm {

/// A constant factor of a contraction is N:M-sparse in windows along `loop`.
struct Claim {
  PatternAttr pattern;
  unsigned loop;
};

/// Notes `claim` on `op`.
void setClaim(mlir::linalg::LinalgOp op, const Claim &claim);

/// Takes the claim of `op`, if any, off it. Fails, with an error, when the
/// attributes are not those that setClaim makes.
mlir::FailureOr<std::optional<Claim>> takeClaim(mlir::linalg::LinalgOp op);

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTONM_CLAIM_H
