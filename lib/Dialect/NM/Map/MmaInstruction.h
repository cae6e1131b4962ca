//===- MmaInstruction.h - mma.m16n8k16 --------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_MMAINSTRUCTION_H
#define NM_LIB_DIALECT_NM_MAP_MMAINSTRUCTION_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// Adds the product of two operands of f16 or bf16, 16 x 16 and 16 x 8, to the
/// four sums of a lane. Its four and two registers of the operands are vectors
/// of two elements.
llvm::SmallVector<mlir::Value> createMma(mlir::ImplicitLocOpBuilder &b,
                                         mlir::ValueRange first,
                                         mlir::ValueRange second,
                                         mlir::ValueRange sums);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_MMAINSTRUCTION_H
