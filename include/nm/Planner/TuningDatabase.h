//===- TuningDatabase.h - Measured times of schedules -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What schedules took on a GPU, by product; docs/Tuning.md describes the file.
// nm-tune writes it, the planner prefers its times to what it predicts.
//
//===----------------------------------------------------------------------===//

#ifndef NM_PLANNER_TUNINGDATABASE_H
#define NM_PLANNER_TUNINGDATABASE_H

#include "nm/Planner/Strategy.h"
#include "llvm/Support/JSON.h"
#include <vector>

namespace nm {

/// The version of the format that is read, and that nm-compile
/// --emit=candidates writes.
inline constexpr int64_t kTuningVersion = 1;

/// A time of a schedule; who measured it when is not the planner's business.
struct Measurement {
  std::string schedule; // as text, for it may be of another nm
  double microseconds;
  std::string gpu;
};

/// What was measured of one product.
struct TuningEntry {
  std::string source; // for people: "tuning.json" or "nm's own data"
  std::string chip;
  ProductInfo product;
  std::vector<Measurement> measurements; // the latest last

  /// The last time of each schedule on the GPU of the last measurement: times
  /// of several GPUs do not compare.
  std::vector<const Measurement *> getCurrent() const;
};

/// Entries in the order in which they count: those read first come first.
class TuningDatabase {
public:
  /// Adds the entries of `file`. Emits an error at the place in the file that
  /// is wrong, and adds nothing then.
  llvm::LogicalResult readFile(mlir::MLIRContext *context,
                               llvm::StringRef file);

  /// Adds those of `text`, which is called `source`.
  llvm::LogicalResult read(mlir::MLIRContext *context, llvm::StringRef source,
                           llvm::StringRef text);

  /// Adds those that nm has itself (lib/Planner/TuningData.json).
  llvm::LogicalResult readShipped(mlir::MLIRContext *context);

  /// The entries for `product`, then those for the same with as many rows of A
  /// as the next power of two: strategies have the same candidates between two
  /// of these, and blocks that end beyond the last row take as long.
  std::vector<const TuningEntry *> find(const ProductInfo &product,
                                        llvm::StringRef chip) const;

private:
  std::vector<TuningEntry> entries;
};

/// `product` as an entry names it.
llvm::json::Object describeProduct(const ProductInfo &product,
                                   llvm::StringRef chip);

} // namespace nm

#endif // NM_PLANNER_TUNINGDATABASE_H
