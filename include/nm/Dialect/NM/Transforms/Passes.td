//===- Passes.td - nm-to-nm passes -------------------------*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Alphabetical. Every pass says what it expects and what it leaves, gives an
// example, and names its remarks.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_TRANSFORMS_PASSES_TD
#define NM_DIALECT_NM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // NM_DIALECT_NM_TRANSFORMS_PASSES_TD
