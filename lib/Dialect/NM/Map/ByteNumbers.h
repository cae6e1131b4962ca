//===- ByteNumbers.h - Numbers of i8 without conversions --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An SM converts 16 integers to floating-point numbers a clock. It puts a byte
// below the exponent of a number that has its last bits free eight times as
// fast: what results is that number and so many, exactly.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_MAP_BYTENUMBERS_H
#define NM_DIALECT_NM_MAP_BYTENUMBERS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// Four of the eight bytes of `low` and `high`, both i32: digit i of `selector`
/// says which one is byte i (PTX prmt).
mlir::Value permuteBytes(mlir::ImplicitLocOpBuilder &b, mlir::Value low,
                         mlir::Value high, mlir::Value selector);

/// An i32 as two numbers of `element`, of 16 bits.
mlir::Value toPair(mlir::ImplicitLocOpBuilder &b, mlir::Value word,
                   mlir::Type element);

/// The four i8 of `word`, an i32, as two vectors of two f16, or bf16:
/// `element`.
std::array<mlir::Value, 2> bytesToPairs(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Value word, mlir::Type element);

/// `values`, eight numbers of 16 bits, or of i8, as four vectors of two numbers
/// of `element`: what a lane has of an operand of mma.m16n8k16.
llvm::SmallVector<mlir::Value> toPairs(mlir::ImplicitLocOpBuilder &b,
                                       mlir::Value values, mlir::Type element);

/// The four i8 of `word`, an i32, as four f32.
std::array<mlir::Value, 4> bytesToNumbers(mlir::ImplicitLocOpBuilder &b,
                                          mlir::Value word);

} // namespace nm

#endif // NM_DIALECT_NM_MAP_BYTENUMBERS_H
