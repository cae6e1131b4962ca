//===- Factors.cpp - Factors and pairwise coverage ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Factors.h"

#include <array>
#include <bitset>
#include <set>

using namespace nm;
using namespace nm::numeric;

namespace {
// Values that the rules below and makeCase name.
enum { TailNone, TailM, TailN, TailK, TailAll };
enum { PromoteBoth, PromoteOff, PromoteA, PromoteWeight };
enum { ProductLarge, ProductSmall, ProductVector };
enum { EpilogueNone, EpilogueRelu };
enum { Off, On };
constexpr int kScheduleSelected = 0;
constexpr int kFeatureMajor = 1;
constexpr int kTypeI8 = 3;
constexpr int kPattern4of8 = 2, kPattern8of32 = 3, kPattern16of32 = 4,
              kPattern5of7 = 5, kPattern3of10 = 6, kPatternAll = 7;
constexpr int kUnit1x1 = 0, kUnit1x4 = 1, kUnit4x4 = 4, kUnit16x16 = 5,
              kUnit1x8 = 6, kUnit1x24 = 7;
constexpr int kTypeF16 = 1, kTypeBF16 = 2, kTypeF64 = 7, kTypeF64xF32 = 8,
              kTypeBF16xI8 = 5, kTypeF16xI8 = 9;
constexpr int kLastStreamK = 5; // of the tile loops
constexpr int kChipSm80 = 1, kEngineCpAsync = 0, kEngineBulk = 1;
} // namespace

const FactorInfo &nm::numeric::getFactor(int factor) {
  static const FactorInfo factors[NumFactors] = {
      {"pattern",
       {"1:2", "2:4", "4:8", "8:32", "16:32", "5:7", "3:10", "N:all", "4:4"}},
      {"unit", {"1x1", "1x4", "1x32", "1x64", "4x4", "16x16", "1x8", "1x24"}},
      {"type",
       {"f32", "f16", "bf16", "i8", "f32 x i8", "bf16 x i8", "f16 x f32", "f64",
        "f64 x f32", "f16 x i8"}},
      {"A", {"token-major", "feature-major"}},
      {"C", {"token-major", "feature-major"}},
      {"tail", {"none", "m", "n", "k", "all"}},
      {"promote", {"both", "off", "A", "weight"}},
      {"pack-tile", {"off", "on"}},
      {"packed", {"off", "on"}},
      {"double-buffer", {"off", "on"}},
      {"prefetch", {"off", "on"}},
      {"stages", {"1", "2", "3", "4"}},
      {"product", {"large m", "small m", "spmv"}},
      {"weight", {"constant", "arguments"}},
      {"epilogue", {"none", "relu", "gelu_erf", "gelu_tanh", "silu"}},
      {"scale", {"off", "on"}},
      {"bias", {"off", "on"}},
      {"residual", {"off", "add", "mul"}},
      {"schedule",
       {"selected", "A", "B", "C", "D", "mma_sync", "gemv", "columns",
        "mma_gemv"}},
      {"split_k", {"1", "2", "3", "4", "5", "6", "7", "8"}},
      {"chip", {"sm_90", "sm_80", "sm_90a"}},
      {"engine",
       {"cp_async", "bulk", "producers = 1", "producers = 4",
        "engine = tma, producers = 4"}},
      {"tile loop",
       {"none", "stream_k = 1", "stream_k = 2", "stream_k = 3", "stream_k = 5",
        "stream_k = 8", "persistent = 1", "persistent = 2", "persistent = 5"}},
  };
  return factors[factor];
}

CaseTypes nm::numeric::getTypes(const Values &values) {
  using T = ElementType;
  static const CaseTypes types[] = {
      {T::F32, T::F32, T::F32},    {T::F16, T::F16, T::F16},
      {T::BF16, T::BF16, T::BF16}, {T::I8, T::I8, T::I32},
      {T::F32, T::I8, T::F32},     {T::BF16, T::I8, T::BF16},
      {T::F16, T::F32, T::BF16},   {T::F64, T::F64, T::F64},
      {T::F64, T::F32, T::F64},    {T::F16, T::I8, T::F16}};
  CaseTypes result = types[values[FactorType]];
  if (result.c == T::I32 && values[FactorScale] == On)
    result.c = T::F32;
  return result;
}

namespace {
struct Rule {
  Factor a;
  int va;
  Factor b;
  int vb;
  const char *why;
};
} // namespace

/// As whyInfeasible, of who copies, which one of the two factors is.
static const char *whyInfeasibleEngine(int a, int va, int b, int vb) {
  if (b == FactorEngine)
    return whyInfeasibleEngine(b, vb, a, va);
  if (a != FactorEngine || va == kEngineCpAsync)
    return nullptr;
  if (b == FactorStages && vb == 0)
    return "schedule_c10, schedule_c16";
  if (b == FactorSchedule && vb == kScheduleSelected)
    return "nm-select-schedule chooses the engine";
  if (b == FactorSplitK && vb != 0 && va != kEngineBulk)
    return "schedule_c16";
  return nullptr;
}

const char *nm::numeric::whyInfeasible(int a, int va, int b, int vb) {
  static const Rule rules[] = {
      {FactorProduct, ProductVector, FactorLayoutA, kFeatureMajor,
       "vectors have one layout"},
      {FactorProduct, ProductVector, FactorLayoutC, kFeatureMajor,
       "vectors have one layout"},
      {FactorProduct, ProductVector, FactorTail, TailM, "m is 1"},
      {FactorPromote, PromoteA, FactorSchedule, kScheduleSelected,
       "nm-select-schedule promotes both"},
      {FactorPromote, PromoteWeight, FactorSchedule, kScheduleSelected,
       "nm-select-schedule promotes both"},
      {FactorPromote, PromoteWeight, FactorPacked, On, "schedule_c4"},
      {FactorSchedule, kScheduleMmaSync, FactorUnit, kUnit1x1, "mma_sync_c5"},
      {FactorSchedule, kScheduleMmaSync, FactorUnit, kUnit1x4, "mma_sync_c5"},
      {FactorSchedule, kScheduleMmaSync, FactorUnit, kUnit4x4, "mma_sync_c5"},
      {FactorSchedule, kScheduleGemv, FactorType, kTypeF64, "gemv_c6"},
      {FactorSchedule, kScheduleGemv, FactorType, kTypeF64xF32, "gemv_c6"},
      {FactorSchedule, kScheduleColumns, FactorType, kTypeF64, "gemv_c6"},
      {FactorSchedule, kScheduleColumns, FactorType, kTypeF64xF32, "gemv_c6"},
      // Threads read the weight themselves, in a form of their own.
      {FactorSchedule, kScheduleColumns, FactorPromote, 0, "as gemv"},
      {FactorSchedule, kScheduleColumns, FactorPromote, 1, "as gemv"},
      {FactorSchedule, kScheduleColumns, FactorPromote, 3, "as gemv"},
      {FactorSchedule, kScheduleColumns, FactorPacked, 1, "as gemv"},
      {FactorSchedule, kScheduleMmaGemv, FactorPromote, 1, "as gemv"},
      {FactorSchedule, kScheduleMmaGemv, FactorPromote, 3, "as gemv"},
      {FactorSchedule, kScheduleMmaGemv, FactorPacked, 1, "as gemv"},
      {FactorSchedule, kScheduleMmaGemv, FactorUnit, kUnit1x1, "mma_gemv_c5"},
      {FactorSchedule, kScheduleMmaGemv, FactorUnit, kUnit1x4, "mma_gemv_c5"},
      {FactorSchedule, kScheduleMmaGemv, FactorUnit, kUnit4x4, "mma_gemv_c5"},
      {FactorSchedule, kScheduleMmaGemv, FactorUnit, kUnit1x8, "mma_gemv_c5"},
      {FactorSchedule, kScheduleMmaGemv, FactorUnit, kUnit1x24, "mma_gemv_c5"},
  };
  for (const Rule &r : rules)
    if ((r.a == a && r.va == va && r.b == b && r.vb == vb) ||
        (r.a == b && r.va == vb && r.b == a && r.vb == va))
      return r.why;
  if (const char *why = whyInfeasibleEngine(a, va, b, vb))
    return why;
  // The planner shares steps where it likes, and all of k is one step.
  if (b == FactorSplitK && vb != 0 &&
      ((a == FactorSchedule && va == kScheduleSelected) ||
       (a == FactorPattern && va == kPatternAll)))
    return a == FactorPattern ? "schedule_c9" : "nm-select-schedule splits";
  auto areBoth = [&](int one, int other) {
    return va != 0 && vb != 0 &&
           ((a == one && b == other) || (a == other && b == one));
  };
  if (areBoth(FactorSplitK, FactorTileLoop))
    return "schedule_c12, schedule_c14";
  if (vb != 0 && b == FactorTileLoop && a == FactorSchedule &&
      va == kScheduleSelected)
    return "nm-select-schedule shares";
  if (b == FactorTileLoop && vb >= 1 && vb <= kLastStreamK &&
      a == FactorSchedule && va >= kScheduleGemv)
    return "schedule_c18";
  if (a == FactorType && b == FactorSchedule)
    return whyInfeasible(b, vb, a, va);
  if (a == FactorSchedule && b == FactorType && vb != kTypeF16 &&
      vb != kTypeBF16 && vb != kTypeBF16xI8 && vb != kTypeF16xI8) {
    if (va == kScheduleMmaSync)
      return "mma_sync_c4";
    if (va == kScheduleMmaGemv)
      return "mma_gemv_c4";
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Choosing cases
//===----------------------------------------------------------------------===//

namespace {
struct Pair {
  int a, va, b, vb;
};

/// All pairs of values of two different factors.
std::vector<Pair> listPairs() {
  std::vector<Pair> pairs;
  for (int a = 0; a < NumFactors; ++a)
    for (int b = a + 1; b < NumFactors; ++b)
      for (int va = 0; va < int(getFactor(a).values.size()); ++va)
        for (int vb = 0; vb < int(getFactor(b).values.size()); ++vb)
          pairs.push_back({a, va, b, vb});
  return pairs;
}

/// A window of 112 to 160 rows is a step, of which three buffers of f64 may
/// pass the shared memory of a block.
bool hasMiddleWindow(const Values &values) {
  int pattern = values[FactorPattern];
  bool isOf32 = pattern == kPattern8of32 || pattern == kPattern16of32;
  return values[FactorUnit] == kUnit4x4
             ? isOf32
             : values[FactorUnit] == kUnit16x16 &&
                   (pattern == kPattern4of8 || pattern == kPattern5of7 ||
                    pattern == kPattern3of10);
}

/// A window of 32 units of 16 rows is a step of 512 rows: three buffers of it
/// in f32 pass the shared memory of a block, two in f64, four of the tiles of
/// tensor cores, and fewer on sm_80.
/// More than two blocks that share such steps take long to emulate.
bool exceedsLimits(const Values &values) {
  bool largeWindow = values[FactorUnit] == kUnit16x16 &&
                     (values[FactorPattern] == kPattern8of32 ||
                      values[FactorPattern] == kPattern16of32);
  CaseTypes types = getTypes(values);
  bool isWritten = values[FactorSchedule] != kScheduleSelected;
  bool isSmall = values[FactorChip] == kChipSm80;
  if (hasMiddleWindow(values) && types.a == ElementType::F64 &&
      values[FactorStages] + 1 > 2 && isWritten)
    return true;
  // Blocks have three times as many columns with units of 24.
  if (values[FactorUnit] == kUnit1x24 && types.a == ElementType::F64 &&
      values[FactorStages] + 1 > 3 && isSmall && isWritten)
    return true;
  bool isWide = types.a == ElementType::F32 || types.weight == ElementType::F32;
  bool isMatrix = values[FactorSchedule] == kScheduleMmaSync;
  int mostStages = types.a == ElementType::F64 ? 1
                   : isWide                    ? 2
                   : isMatrix                  ? 3
                                               : 4;
  return largeWindow &&
         (values[FactorStages] + 1 > mostStages || values[FactorSplitK] > 1 ||
          isSmall) &&
         isWritten;
}

/// product_c10: without a scale, i8 gives i32.
bool isActivationOfIntegers(const Values &values) {
  return values[FactorType] == kTypeI8 && values[FactorScale] == Off &&
         values[FactorEpilogue] > EpilogueRelu;
}

constexpr int kMostValues = 16; // of a factor

/// A bit for each two values of two factors.
using PairBits = std::array<
    std::array<std::array<std::bitset<kMostValues>, NumFactors>, kMostValues>,
    NumFactors>;

/// The pairs that whyInfeasible gives a reason for, in a table, as millions of
/// draws are looked at.
const PairBits &getInfeasible() {
  static const PairBits table = [] {
    PairBits found;
    for (const Pair &p : listPairs())
      found[p.a][p.va][p.b][p.vb] =
          whyInfeasible(p.a, p.va, p.b, p.vb) != nullptr;
    return found;
  }();
  return table;
}

bool isFeasible(const Values &values) {
  if (exceedsLimits(values) || isActivationOfIntegers(values))
    return false;
  const PairBits &infeasible = getInfeasible();
  for (int a = 0; a < NumFactors; ++a)
    for (int b = a + 1; b < NumFactors; ++b)
      if (infeasible[a][values[a]][b][values[b]])
        return false;
  return true;
}

/// Random feasible values.
class Drawer {
public:
  explicit Drawer(uint64_t seed) : rng(seed) {}

  /// With `pair`'s two values, unless it is null.
  Values draw(const Pair *pair) {
    // A schedule that is feasible with few values gets as many cases as others:
    // it is drawn anew when these have been drawn often.
    constexpr int kTries = 512;
    Values values;
    int tries = 0, schedule = 0;
    do {
      if (tries++ % kTries == 0)
        schedule = drawValue(FactorSchedule);
      for (int f = 0; f < NumFactors; ++f)
        values[f] = f == FactorSchedule ? schedule : drawValue(f);
      if (pair) {
        values[pair->a] = pair->va;
        values[pair->b] = pair->vb;
      }
    } while (!isFeasible(values));
    return values;
  }

private:
  int drawValue(int factor) {
    // Kernels of the selected schedules are the largest: fewer of them.
    if (factor == FactorSchedule && rng() % 3 != 0)
      return 1 + rng() % (getFactor(factor).values.size() - 1);
    return rng() % getFactor(factor).values.size();
  }

  std::mt19937_64 rng;
};

/// The pairs that are still to be covered.
class Uncovered {
public:
  Uncovered() {
    for (const Pair &p : listPairs())
      open[p.a][p.va][p.b][p.vb] = !getInfeasible()[p.a][p.va][p.b][p.vb];
  }

  size_t count(const Values &values) const {
    size_t covered = 0;
    for (int a = 0; a < NumFactors; ++a)
      for (int b = a + 1; b < NumFactors; ++b)
        covered += open[a][values[a]][b][values[b]];
    return covered;
  }
  void cover(const Values &values) {
    for (int a = 0; a < NumFactors; ++a)
      for (int b = a + 1; b < NumFactors; ++b)
        open[a][values[a]][b][values[b]] = false;
  }
  bool isOpen(const Pair &p) const { return open[p.a][p.va][p.b][p.vb]; }

private:
  PairBits open;
};
} // namespace

std::vector<Values> nm::numeric::chooseCases(size_t count, uint64_t seed) {
  constexpr int kCandidates = 40;
  Drawer drawer(seed);
  Uncovered uncovered;
  std::vector<Values> cases;
  std::set<Values> known;
  for (const Pair &pair : listPairs()) {
    if (!uncovered.isOpen(pair))
      continue;
    Values best;
    size_t most = 0;
    for (int i = 0; i < kCandidates; ++i) {
      Values values = drawer.draw(&pair);
      if (size_t covered = uncovered.count(values); covered > most) {
        most = covered;
        best = values;
      }
    }
    uncovered.cover(best);
    known.insert(best);
    cases.push_back(best);
  }
  while (cases.size() < count) {
    Values values = drawer.draw(nullptr);
    if (known.insert(values).second)
      cases.push_back(values);
  }
  return cases;
}

Coverage nm::numeric::checkCoverage(const std::vector<Values> &cases) {
  Coverage coverage;
  for (const Pair &p : listPairs()) {
    if (whyInfeasible(p.a, p.va, p.b, p.vb)) {
      ++coverage.infeasible;
      continue;
    }
    ++coverage.feasible;
    bool found = false;
    for (const Values &values : cases)
      found |= values[p.a] == p.va && values[p.b] == p.vb;
    if (!found)
      coverage.missing.push_back(
          std::string(getFactor(p.a).name) + "=" + getFactor(p.a).values[p.va] +
          " with " + getFactor(p.b).name + "=" + getFactor(p.b).values[p.vb]);
  }
  return coverage;
}
