//===- Passes.h - Code for the CPU to runtime calls -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_CONVERSION_HOSTTORUNTIME_PASSES_H
#define NM_CONVERSION_HOSTTORUNTIME_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace nm {
#define GEN_PASS_DECL
#include "nm/Conversion/HostToRuntime/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nm/Conversion/HostToRuntime/Passes.h.inc"
} // namespace nm

#endif // NM_CONVERSION_HOSTTORUNTIME_PASSES_H
