//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each file is alphabetical. Every pass says what it expects and what it leaves,
// gives an example, and names its remarks.
//
//===----------------------------------------------------------------------===//

#ifndef NM_CONVERSION_PASSES_TD
#define NM_CONVERSION_PASSES_TD

include "nm/Conversion/ImportPasses.td"
include "nm/Conversion/KernelPasses.td"
include "nm/Conversion/TensorPasses.td"

#endif // NM_CONVERSION_PASSES_TD
