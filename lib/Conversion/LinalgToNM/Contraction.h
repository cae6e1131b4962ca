//===- Contraction.h - Products with a constant weight -------- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorts the loops of a linalg contraction into the m, n and k of
// C[m,n] = A[m,k] x B[k,n], B being the operand that comes from a constant.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTONM_CONTRACTION_H
#define NM_LIB_CONVERSION_LINALGTONM_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "nm/Dialect/NM/Utils/WeightSource.h"

namespace nm {

/// A contraction one of whose operands is a view of a constant.
struct Contraction {
  mlir::linalg::LinalgOp op;
  mlir::OpOperand *activation;
  mlir::OpOperand *weight;
  WeightSource source;
  /// Loops of A and C along which there is one weight, in C's order.
  llvm::SmallVector<unsigned, 4> m;
  /// Loops of B and C, in C's order. Without any, the weight is one column.
  llvm::SmallVector<unsigned, 2> n;
  /// Reduction loops, in A's order.
  llvm::SmallVector<unsigned, 2> k;

  /// The loops that the dimensions of an operand run along, in their order.
  llvm::SmallVector<unsigned, 4> getLoops(mlir::OpOperand *operand) const;
  /// The dimensions of the weight along `loops`.
  llvm::SmallVector<unsigned, 4>
  getWeightDims(llvm::ArrayRef<unsigned> loops) const;
};

/// The contraction that `op` is, when it is a contraction (op by op: a sum of
/// products, each factor at most widened) and an operand comes from a constant;
/// its loops are not sorted yet.
std::optional<Contraction> findContraction(mlir::linalg::LinalgOp op);

/// Whether `op` is a contraction of which an operand is computed from constants
/// only, by ops that WeightSource does not look through.
bool hasComputedWeight(mlir::linalg::LinalgOp op);

/// Sorts the loops. Fails when the op is no product of one weight matrix, or
/// its result or element types are not those of nm.spmm, and says so in
/// `reason`.
bool sortLoops(Contraction &contraction, std::string &reason);

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTONM_CONTRACTION_H
