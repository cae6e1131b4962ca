//===- NumberOps.h - Arithmetic on numbers of any type ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of types (NumericTypes.h) on the types of MLIR, and the ops that
// differ between floats and integers, so that a lowering of products is written
// once. All work on scalars and on vectors.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_NUMBEROPS_H
#define NM_SUPPORT_NUMBEROPS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Numbers/NumericTypes.h"

namespace nm {

/// The row of `type`; null if there is none. Signless integers are signed;
/// MLIR's signed ones, which no op of arith takes, have no row.
const NumericType *lookupNumericType(mlir::Type type);

/// Whether `type` is a float of the table.
bool isFloatNumber(mlir::Type type);

/// Whether ops of nm take arrays of `type`: floats of the table and signless
/// integers.
bool isOperandType(mlir::Type type);

/// For messages: what elements of arrays may be, "f16, ... integers of 1 to 64
/// bits, index, complex<f32> or complex<f64>".
std::string listElementTypes(mlir::MLIRContext *context);

/// For messages: the types of all rows as MLIR writes them.
std::string listNumericTypes(mlir::MLIRContext *context);

/// Bytes that an element of `type` takes in a buffer; nothing for a type whose
/// elements no buffer of ours has: vectors, pointers, quantized numbers, floats
/// that are no row of the table, integers of no or of more than 64 bits.
std::optional<uint64_t> getElementBytes(mlir::Type type);

/// The type of a row.
mlir::Type getType(mlir::MLIRContext *context, ElementType type);

/// `getAccumulator` of NumericTypes.h; null where no kernel takes the two.
mlir::Type getAccumulatorType(mlir::Type a, mlir::Type weight);

/// `isAccumulator` and `isProductResult` of NumericTypes.h.
bool isAccumulator(mlir::Type type);
bool isProductResult(mlir::Type accumulator, mlir::Type result);

/// `listProductResults` of NumericTypes.h.
std::string listProductResults(mlir::Type accumulator);

/// The type in which scale, bias, activation and residual are computed: that of
/// the sums, and f32 where a scale makes floats of integers.
mlir::Type getEpilogueType(mlir::Type accumulator, bool hasScale);

/// `value` as numbers of `element`: floats are rounded to nearest even, signed
/// integers are extended or converted to floats. A float never becomes an
/// integer.
mlir::Value convertNumber(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                          mlir::Type element);

/// x + y; integers wrap.
mlir::Value createAdd(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                      mlir::Value y);

/// x * y; integers wrap.
mlir::Value createMul(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                      mlir::Value y);

} // namespace nm

#endif // NM_SUPPORT_NUMBEROPS_H
