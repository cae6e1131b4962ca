//===- Planner.cpp - The schedule of a product ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Planner/Planner.h"
#include "llvm/Support/FormatVariadic.h"

using namespace nm;

ProductInfo::ProductInfo(ProductOpInterface op)
    : weight(op.getWeightType()), a(op.getAType().getElementType()),
      m(op.getRows()), isAFeatureMajor(op.isAFeatureMajor()) {}

llvm::SmallVector<Choice> nm::rankSchedules(const ProductInfo &product,
                                            const TargetInfo &target,
                                            const ScheduleOptions &options) {
  llvm::SmallVector<Choice> choices;
  for (const Strategy *strategy : getStrategies()) {
    llvm::SmallVector<Candidate> candidates;
    strategy->enumerate(product, target, options, candidates);
    for (Candidate &candidate : candidates) {
      Cost cost = predictCost(candidate.work, target);
      // Behind those that are as fast.
      Choice *place = llvm::find_if(choices, [&](const Choice &choice) {
        return choice.cost.seconds > cost.seconds;
      });
      choices.insert(place, {std::move(candidate), cost, strategy->getName()});
    }
  }
  return choices;
}

std::string nm::describeChoice(llvm::ArrayRef<Choice> choices) {
  const Choice &best = choices.front();
  std::string text = llvm::formatv(
      "{0}: {1}, {2} bytes of shared memory, {3:f1} us predicted, bound by {4}",
      best.strategy, best.candidate.name, best.candidate.work.sharedBytes,
      best.cost.seconds * 1e6, getName(best.cost.bound));
  if (choices.size() > 1)
    text +=
        llvm::formatv("; next of {0}: {1}, {2:f1} us", choices.size(),
                      choices[1].candidate.name, choices[1].cost.seconds * 1e6);
  return text;
}
