//===- Factors.h - Factors and pairwise coverage ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The suite varies some twenty factors. Testing all combinations is out of
// reach; errors of lowerings come from one value or from two that meet, so the
// list of cases holds every pair of values of every two factors.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_INTEGRATION_NUMERIC_FACTORS_H
#define NM_TEST_INTEGRATION_NUMERIC_FACTORS_H

#include "KernelCase.h"

#include <array>
#include <random>
#include <vector>

namespace nm {
namespace numeric {

enum Factor : int {
  FactorPattern,
  FactorUnit,
  FactorType,
  FactorLayoutA,
  FactorLayoutC,
  FactorTail,
  FactorPromote,
  FactorPackTile,
  FactorPacked,
  FactorDoubleBuffer,
  FactorPrefetch,
  FactorStages,
  FactorProduct,
  FactorWeight,
  FactorEpilogue,
  FactorScale,
  FactorBias,
  FactorResidual,
  FactorSchedule,
  FactorSplitK,
  FactorChip,
  FactorEngine,
  FactorTileLoop,
  NumFactors
};

/// The value of FactorSchedule that is on tensor cores, and those whose threads
/// share k: each with several columns, with one, and on tensor cores.
inline constexpr int kScheduleMmaSync = 5, kScheduleGemv = 6,
                     kScheduleColumns = 7, kScheduleMmaGemv = 8;

/// A factor's name and the names of its values.
struct FactorInfo {
  const char *name;
  std::vector<const char *> values;
};
const FactorInfo &getFactor(int factor);

/// One value for each factor.
using Values = std::array<int, NumFactors>;

/// The element types of a case. A scale makes floats of integer sums.
CaseTypes getTypes(const Values &values);

/// Why no case can have value `va` of factor `a` and value `vb` of factor `b`;
/// null when one can.
const char *whyInfeasible(int a, int va, int b, int vb);

/// A seeded list of at least `count` cases: first cases that cover all pairs,
/// then random ones.
std::vector<Values> chooseCases(size_t count, uint64_t seed);

/// The feasible pairs that no case of `cases` has, described; and the number of
/// feasible and of infeasible pairs.
struct Coverage {
  std::vector<std::string> missing;
  size_t feasible = 0, infeasible = 0;
};
Coverage checkCoverage(const std::vector<Values> &cases);

/// The case that `values` stand for, its extents drawn from `seed`.
KernelCase makeCase(const Values &values, int64_t number, uint64_t seed);

} // namespace numeric
} // namespace nm

#endif // NM_TEST_INTEGRATION_NUMERIC_FACTORS_H
