//===- Strategy.h - Ways to compute a product -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strategy proposes `#nm.schedule`s for the products it can compute; what it
// proposes is data that passes obey. A new one is a file in lib/Strategy and a
// line in its registry.
//
//===----------------------------------------------------------------------===//

#ifndef NM_STRATEGY_STRATEGY_H
#define NM_STRATEGY_STRATEGY_H

#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Target/TargetInfo.h"

namespace nm {

/// What a strategy may know of a product.
struct ProductInfo {
  CondensedType weight;
  mlir::Type a; // element type of A
  int64_t m;    // rows of A; ShapedType::kDynamic when unknown
};

/// What the user of the planner may ask for.
struct ScheduleOptions {
  int64_t stages;          // buffers of the ring, at most
  double packingThreshold; // least share of pruned units to pack A
};

/// What a strategy proposes for a product, and why, as one line.
struct Proposal {
  ScheduleAttr schedule;
  std::string reason;
};

class Strategy {
public:
  virtual ~Strategy() = default;
  virtual llvm::StringRef getName() const = 0;
  /// Whether this strategy can compute `product` on `target`.
  virtual bool isSupported(const ProductInfo &product,
                           const TargetInfo &target) const = 0;
  /// A schedule for a supported product.
  virtual Proposal propose(const ProductInfo &product, const TargetInfo &target,
                           const ScheduleOptions &options) const = 0;
};

/// All strategies, those to be preferred first.
llvm::ArrayRef<const Strategy *> getStrategies();

/// Bytes of shared memory that `schedule` needs for `weight` unpacked and an
/// activation of elements of type `a`.
int64_t getSharedMemoryBytes(ScheduleAttr schedule, CondensedType weight,
                             mlir::Type a);

} // namespace nm

#endif // NM_STRATEGY_STRATEGY_H
