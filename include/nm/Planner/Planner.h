//===- Planner.h - The schedule of a product --------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_PLANNER_PLANNER_H
#define NM_PLANNER_PLANNER_H

#include "nm/Planner/TuningDatabase.h"
#include "nm/Support/ReasonEmitter.h"
#include <optional>

namespace nm {

/// Rows up to which a product has a kernel of its own, where their number is
/// not known: a step of decoding has few, a short prompt some.
inline constexpr int64_t kVariantRows[] = {
    1, 2, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 128, 256, 512, 1024, 2048};

/// Rows for which the kernel of more than those is planned.
inline constexpr int64_t kManyRows = 4096;

/// Rows from which on it may pay to transpose a token-major A for one product
/// of an unknown number of rows. Fewer are transposed as they are copied, or
/// not at all: up to 16 `mma_gemv` computes by one block of rows. 32 rows of
/// 11008x4096 at 8:32, L = 128, take 8.6 us so, and took 12.6 by two blocks
/// (H200, throw-away runs).
inline constexpr int64_t kLeastTransposedRows = 20;

/// What a candidate took.
struct MeasuredTime {
  double microseconds;
  const TuningEntry *entry; // that has it
};

/// A candidate of a strategy and its times.
struct Choice {
  Candidate candidate;
  Cost cost;
  llvm::StringRef strategy;
  std::optional<MeasuredTime> measured = std::nullopt;

  /// Measured where it was.
  double getSeconds() const {
    return measured ? measured->microseconds * 1e-6 : cost.seconds;
  }
};

/// Reports what of `options` is out of range through `emitError`.
mlir::LogicalResult
checkOptions(const ScheduleOptions &options,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// All candidates for `product`, the fastest first; empty when no strategy can
/// compute it. Deterministic.
llvm::SmallVector<Choice, 0> rankSchedules(const ProductInfo &product,
                                           const TargetInfo &target,
                                           const ScheduleOptions &options);

/// Seconds of the fastest candidate for `product`, predicted; none where no
/// strategy can compute it.
std::optional<double> predictFastest(const ProductInfo &product,
                                     const TargetInfo &target,
                                     const ScheduleOptions &options);

/// Puts the candidates that `database` has times of before the others, the
/// fastest first. The first entry that has one counts, alone. Says of each
/// schedule of such an entry that is no candidate why it is ignored.
void preferMeasured(llvm::SmallVectorImpl<Choice> &choices,
                    const ProductInfo &product, const TargetInfo &target,
                    const TuningDatabase &database, ReasonEmitter emitIgnored);

/// Seconds of the fastest candidate for `product` with a weight of which
/// nothing is pruned, predicted; none where no strategy can compute that.
std::optional<double> predictDense(ProductInfo product,
                                   const TargetInfo &target,
                                   const ScheduleOptions &options);

/// Why the first of `choices` was chosen, as one line; `dense` is what
/// predictDense says of the product.
std::string describeChoice(llvm::ArrayRef<Choice> choices,
                           std::optional<double> dense);

} // namespace nm

#endif // NM_PLANNER_PLANNER_H
