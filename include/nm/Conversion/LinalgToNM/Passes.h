//===- Passes.h - Linalg with sparse constants to nm ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_CONVERSION_LINALGTONM_PASSES_H
#define NM_CONVERSION_LINALGTONM_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "nm/Dialect/NM/IR/NMDialect.h"

namespace nm {
#define GEN_PASS_DECL
#include "nm/Conversion/LinalgToNM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nm/Conversion/LinalgToNM/Passes.h.inc"
} // namespace nm

#endif // NM_CONVERSION_LINALGTONM_PASSES_H
