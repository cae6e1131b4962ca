//===- Passes.h - Launches and outlined kernels -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TRANSFORMS_KERNELS_PASSES_H
#define NM_TRANSFORMS_KERNELS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace nm {
#define GEN_PASS_DECL
#include "nm/Transforms/Kernels/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

#endif // NM_TRANSFORMS_KERNELS_PASSES_H
