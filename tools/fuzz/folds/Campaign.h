//===- Campaign.h - Many functions, in processes of their own ---*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are checked in forked processes, some hundred in each: what crashes
// takes only its process along, and the next one goes on behind it.
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_FOLDS_CAMPAIGN_H
#define NM_FUZZ_FOLDS_CAMPAIGN_H

#include "Finding.h"

namespace nm {
namespace folds {

/// Makes the function number `index`.
using Source = std::function<mlir::OwningOpRef<mlir::ModuleOp>(uint64_t index)>;

class Campaign {
public:
  /// Runs each function with `inputs` random arguments.
  Campaign(std::vector<Mode> modes, Source source, unsigned inputs);
  ~Campaign();
  Campaign(const Campaign &) = delete;
  Campaign &operator=(const Campaign &) = delete;

  /// Checks functions, and calls `report` for each finding.
  void run(uint64_t first, uint64_t count,
           llvm::function_ref<void(const Finding &)> report);

  const Counts &getCounts() const;

private:
  /// What the forked process tells.
  struct Shared;

  void runChunk(uint64_t first, uint64_t end, llvm::raw_ostream &findings);
  void checkOne(mlir::ModuleOp module, const Checker &checker, const Mode &mode,
                llvm::raw_ostream &findings);
  /// Of a function on which a process ended: the smallest such, each tried in a
  /// process of its own.
  Finding describeEnd(uint64_t index, const Mode &mode, Kind kind);
  Kind tryAlone(mlir::ModuleOp module, const Mode &mode);

  std::vector<Mode> modes;
  Source source;
  unsigned inputs, inputsOfSmaller;
  Shared *shared;
};

} // namespace folds
} // namespace nm

#endif // NM_FUZZ_FOLDS_CAMPAIGN_H
