//===- MatrixProduct.h - A product in one form ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_TILE_MATRIXPRODUCT_H
#define NM_LIB_DIALECT_NM_TILE_MATRIXPRODUCT_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Support/NumberOps.h"

namespace nm {

/// The operands of a product on memrefs in one form: A and C are matrices.
struct MatrixProduct {
  mlir::Value a, c, scale, bias, residual;
  mlir::Value paddedA; // A, or what it is a part of: more rows of m
  AssembleOp weight;
  Layout aLayout, cLayout;
  Epilogue epilogue;
  Combine combine;
  ScheduleAttr schedule;
  /// Rows of C that there are at most; nothing where that is not known.
  std::optional<int64_t> mostRows;

  CondensedType type() const { return AssembleOp(weight).getType(); }
  mlir::Type accumulator() const {
    return getAccumulatorType(mlir::getElementTypeOrSelf(a),
                              type().getElementType());
  }
  bool aIsFeatureMajor() const { return aLayout == Layout::FeatureMajor; }
  bool cIsFeatureMajor() const { return cLayout == Layout::FeatureMajor; }
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_TILE_MATRIXPRODUCT_H
