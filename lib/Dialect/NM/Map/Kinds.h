//===- Kinds.h - The lowerings of the dialect's kinds -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_KINDS_H
#define NM_LIB_DIALECT_NM_MAP_KINDS_H

#include "mlir/IR/MLIRContext.h"

namespace nm {

// Each in the file of its kind; Register.cpp calls them.
void attachFmaLowering(mlir::MLIRContext &context);
void attachGemvLowering(mlir::MLIRContext &context);
void attachMmaGemvLowering(mlir::MLIRContext &context);
void attachMmaSyncLowering(mlir::MLIRContext &context);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_KINDS_H
