//===- Strategy.h - Ways to compute a product -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strategy enumerates `#nm.schedule`s for the products it can compute, and
// counts what each does; what is chosen is data that passes obey. A new one is
// a file in lib/Planner and a line in its registry.
//
//===----------------------------------------------------------------------===//

#ifndef NM_PLANNER_STRATEGY_H
#define NM_PLANNER_STRATEGY_H

#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/KernelPlan/KernelPlan.h"
#include "nm/Planner/CostModel.h"
#include "nm/Planner/RowFootprint.h"

namespace nm {

/// What a strategy may know of a product, and what its times depend on.
struct ProductInfo {
  ProductInfo() = default;
  explicit ProductInfo(ProductOpInterface op);

  /// What a kernel of `schedule` is made of that computes the product.
  KernelPlan getPlan(ScheduleAttr schedule, const TargetInfo &target) const;

  CondensedType weight;
  mlir::Type a, sum, c; // element types of A, of the sums and of C
  int64_t m = 0;        // rows of A; ShapedType::kDynamic when unknown
  bool isAFeatureMajor = false, isCFeatureMajor = false; // how A and C lie
  /// Bytes at multiples of which rows of [k, m] begin, up to a sector's.
  int64_t rowAlignment = 1;
  std::shared_ptr<RowFootprint> footprint; // null where indices are not known
  bool isRuntimeWeight = false; // no list of the rows that a block reads
  bool isBehindOthers = false;  // nm.behind_others: it begins after their end
};

/// Rows to plan for: an unknown m is taken to be large, and kernels are correct
/// for any.
int64_t getPlannedRows(const ProductInfo &product);

/// What the user of the planner may ask for.
struct ScheduleOptions {
  int64_t stages;          // buffers of the ring, at most
  double packingThreshold; // least share of pruned units to pack A
  ScheduleAttr kept = {};  // one that there is for more rows, or null
};

/// A way to compute a product.
struct Candidate {
  ScheduleAttr schedule;
  std::string name; // for people, such as "64x128 tile"
  KernelWork work;
};

class Strategy {
public:
  virtual ~Strategy() = default;
  virtual llvm::StringRef getName() const = 0;
  /// Adds the schedules worth considering for `product`, none if it cannot be
  /// computed so on `target`; of equally fast ones the first is chosen.
  virtual void
  enumerate(const ProductInfo &product, const TargetInfo &target,
            const ScheduleOptions &options,
            llvm::SmallVectorImpl<Candidate> &candidates) const = 0;
};

/// All strategies.
llvm::ArrayRef<const Strategy *> getStrategies();

} // namespace nm

#endif // NM_PLANNER_STRATEGY_H
