//===- Passes.h - What each stage promises ----------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_VERIFY_PASSES_H
#define NM_DIALECT_NM_VERIFY_PASSES_H

#include "mlir/Pass/Pass.h"
#include "nm/Dialect/NM/IR/NMDialect.h"

namespace nm {
#define GEN_PASS_DECL
#include "nm/Dialect/NM/Verify/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nm/Dialect/NM/Verify/Passes.h.inc"
} // namespace nm

#endif // NM_DIALECT_NM_VERIFY_PASSES_H
