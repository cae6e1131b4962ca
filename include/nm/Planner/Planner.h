//===- Planner.h - The schedule of a product --------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_PLANNER_PLANNER_H
#define NM_PLANNER_PLANNER_H

#include "nm/Planner/Strategy.h"

namespace nm {

/// A candidate of a strategy and its predicted time.
struct Choice {
  Candidate candidate;
  Cost cost;
  llvm::StringRef strategy;
};

/// All candidates for `product`, the fastest first; empty when no strategy can
/// compute it. Deterministic.
llvm::SmallVector<Choice> rankSchedules(const ProductInfo &product,
                                        const TargetInfo &target,
                                        const ScheduleOptions &options);

/// Why the first of `choices` was chosen, as one line.
std::string describeChoice(llvm::ArrayRef<Choice> choices);

} // namespace nm

#endif // NM_PLANNER_PLANNER_H
