//===- Gemv.h - Few rows on CUDA cores --------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PLANNER_GEMV_H
#define NM_LIB_PLANNER_GEMV_H

#include "nm/Planner/Strategy.h"

namespace nm {
/// Instruction kind gemv: one row of C, units of multiples of 8 columns.
const Strategy &getGemvStrategy();
} // namespace nm

#endif // NM_LIB_PLANNER_GEMV_H
