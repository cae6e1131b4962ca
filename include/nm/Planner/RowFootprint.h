//===- RowFootprint.h - Which rows of A blocks read -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of A that a block has to copy are those that any of its columns
// keeps: the footprint of packing (NM-SpMM III-C).
//
//===----------------------------------------------------------------------===//

#ifndef NM_PLANNER_ROWFOOTPRINT_H
#define NM_PLANNER_ROWFOOTPRINT_H

#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Support/RawElements.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace nm {

/// The share of A's rows that a block of `blockN` columns reads where each unit
/// column keeps N of M at random.
double getExpectedRowShare(CondensedType weight, int64_t blockN);

/// The rows that blocks read of a constant weight, counted.
class RowFootprint {
public:
  /// Null where the weight of `op` is no constant whose indices can be read.
  /// The constant has to outlive the result.
  static std::shared_ptr<RowFootprint> get(ProductOpInterface op);

  /// The share of A's rows that a block of `blockN` columns reads on average.
  double getShare(int64_t blockN);

private:
  RowFootprint(CondensedType type, RawElements indices)
      : type(type), indices(std::move(indices)) {}
  double countShare(int64_t blockN) const;

  CondensedType type;
  RawElements indices;
  llvm::DenseMap<int64_t, double> shares; // that were counted
};

} // namespace nm

#endif // NM_PLANNER_ROWFOOTPRINT_H
