//===- CudaCore.h - FMAs on CUDA cores --------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PLANNER_CUDACORE_H
#define NM_LIB_PLANNER_CUDACORE_H

#include "nm/Planner/Strategy.h"

namespace nm {
/// Instruction kind fma: any pattern, any shape.
const Strategy &getCudaCoreStrategy();
} // namespace nm

#endif // NM_LIB_PLANNER_CUDACORE_H
