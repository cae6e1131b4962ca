//===- Passes.h - Products to tiles and their copies ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_TILE_PASSES_H
#define NM_DIALECT_NM_TILE_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "nm/Dialect/NM/IR/NMDialect.h"

namespace nm {
#define GEN_PASS_DECL
#include "nm/Dialect/NM/Tile/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

#endif // NM_DIALECT_NM_TILE_PASSES_H
