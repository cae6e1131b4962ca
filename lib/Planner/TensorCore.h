//===- TensorCore.h - mma.sync on tensor cores ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PLANNER_TENSORCORE_H
#define NM_LIB_PLANNER_TENSORCORE_H

#include "nm/Planner/Strategy.h"

namespace nm {
/// Instruction kind mma_sync: f16 and bf16, units of multiples of 8 columns.
const Strategy &getTensorCoreStrategy();
} // namespace nm

#endif // NM_LIB_PLANNER_TENSORCORE_H
