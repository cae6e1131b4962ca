//===- Fma.h - Multiply-adds on CUDA cores ----------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_FMA_H
#define NM_LIB_DIALECT_NM_MAP_FMA_H

#include "mlir/IR/MLIRContext.h"

namespace nm {

void attachFmaLowering(mlir::MLIRContext &context);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_FMA_H
