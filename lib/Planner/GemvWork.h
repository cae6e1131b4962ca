//===- GemvWork.h - What few rows take --------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PLANNER_GEMVWORK_H
#define NM_LIB_PLANNER_GEMVWORK_H

#include "nm/Planner/CostModel.h"
#include "nm/Planner/Strategy.h"

namespace nm {
namespace gemv {

/// Whether a block's threads have registers for their sums and what they load.
bool hasRegisters(const ProductInfo &product, ScheduleAttr schedule,
                  const TargetInfo &target);

/// What blocks of `schedule`, of one of these kinds, do for `product`.
KernelWork countWork(const ProductInfo &product, const TargetInfo &target,
                     ScheduleAttr schedule);

} // namespace gemv
} // namespace nm

#endif // NM_LIB_PLANNER_GEMVWORK_H
