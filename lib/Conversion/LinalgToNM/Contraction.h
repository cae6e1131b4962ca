//===- Contraction.h - Products with a constant weight -------- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds linalg ops that sum products of an activation and something computed
// from constants, and sorts their loops into the m, n and k of
// C[m,n] = A[m,k] x B[k,n]. Named or generic, of whatever rank, with casts and
// scales inside or before: everything is one walk over indexing maps and body.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTONM_CONTRACTION_H
#define NM_LIB_CONVERSION_LINALGTONM_CONTRACTION_H

#include "Claim.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "nm/Dialect/NM/Utils/WeightSource.h"
#include "nm/Support/ReasonEmitter.h"

namespace nm {

/// A contraction one of whose factors is computed from constants.
struct Contraction {
  mlir::linalg::LinalgOp op;
  mlir::OpOperand *activation = nullptr;
  /// A: the operand, or what it is widened from.
  mlir::Value a;
  /// What the body widens the activation to before the product; its own element
  /// type if it does not.
  mlir::Type activationType;
  /// Whether integers of the activation are unsigned.
  bool isUnsigned = false;
  /// What the body subtracts from a widened integer activation; with sorted
  /// loops, what is to be subtracted from it as a signed one.
  int64_t zeroPoint = 0;
  /// The weight, along the loops of `op`.
  WeightSource weight;
  /// The loops that an operand with the weight's constants runs along.
  llvm::SmallBitVector weightLoops;

  // What sortLoops finds:

  /// The loops that the dimensions of A and C run along.
  llvm::SmallVector<unsigned, 4> aLoops, cLoops;
  /// The steps in A for each iteration of these loops; static where not 1.
  llvm::SmallVector<int64_t, 4> aStrides;
  /// Loops of A and C with a weight for each iteration, in C's order.
  llvm::SmallVector<unsigned, 1> batch;
  /// Loops of A and C along which there is one weight, in C's order.
  llvm::SmallVector<unsigned, 4> m;
  /// Loops of B and C, in C's order. Without any, the weight is one column.
  llvm::SmallVector<unsigned, 2> n;
  /// Reduction loops, in A's order.
  llvm::SmallVector<unsigned, 2> k;
  /// The element type of the product: C's, or that of exact sums, which C
  /// widens.
  mlir::Type productType;
  /// Whether the product is added to what the op's init holds.
  bool accumulates = false;
};

/// The indexing maps of `op` with 0 for loops of one iteration where they are
/// part of something else: a convolution with a window of 1x1 has none.
llvm::SmallVector<mlir::AffineMap> getProductMaps(mlir::linalg::LinalgOp op);

/// What findContraction made of an op.
enum class Candidate {
  /// It is no product with constants.
  No,
  /// It is one.
  Yes,
  /// It is one with a weight that is chosen at run time of several constants.
  Chosen,
  /// It has the shape of one, but cannot be raised.
  Unsupported
};

/// Decides whether `op` sums products of an activation, at most widened or (an
/// integer) shifted by a zero point, and a factor computed from constants. If
/// so, fills `contraction`, whose loops are not sorted yet, also where the
/// factor is one of several, chosen at run time; if it is something near to
/// that, says why it is not raised.
Candidate findContraction(mlir::linalg::LinalgOp op,
                          std::optional<Contraction> &contraction,
                          ReasonEmitter emitReason);

/// A reduction `acc + x` whose x is an element-wise product is one sum of
/// products, `torch.dot` for instance. Makes that op beside `op`, which stays;
/// null if there is none.
mlir::linalg::LinalgOp fuseSumOfProducts(mlir::RewriterBase &rewriter,
                                         mlir::linalg::LinalgOp op);

/// Sorts the loops. Fails when the op is no product of weight matrices, or its
/// result or element types are not those of nm.spmm.
llvm::LogicalResult sortLoops(Contraction &contraction,
                              ReasonEmitter emitReason);

/// The iterations of the batch loops, the last one fastest; one of no indices
/// if there are none.
llvm::SmallVector<llvm::SmallVector<int64_t>>
getBatchIndices(const Contraction &contraction);

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTONM_CONTRACTION_H
