//===- Passes.h - Kernels of rows -------------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_ROWS_PASSES_H
#define NM_DIALECT_NM_ROWS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "nm/Dialect/NM/IR/NMDialect.h"

namespace nm {
#define GEN_PASS_DECL
#include "nm/Dialect/NM/Rows/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

#endif // NM_DIALECT_NM_ROWS_PASSES_H
