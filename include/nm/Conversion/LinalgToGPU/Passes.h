//===- Passes.h - Linalg on buffers to launches -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_CONVERSION_LINALGTOGPU_PASSES_H
#define NM_CONVERSION_LINALGTOGPU_PASSES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace nm {
#define GEN_PASS_DECL
#include "nm/Conversion/LinalgToGPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nm/Conversion/LinalgToGPU/Passes.h.inc"
} // namespace nm

#endif // NM_CONVERSION_LINALGTOGPU_PASSES_H
