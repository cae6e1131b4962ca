//===- Gemv.cpp - Few rows on CUDA cores ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products that take the time of their weight: a thread reads 16 bytes of a row
// of it at once, several rows in turn, and the warps of a block share k. All of
// A that a block needs is in shared memory before.
//
//===----------------------------------------------------------------------===//

#include "Gemv.h"
#include "ScheduleFit.h"
#include "mlir/IR/Builders.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace nm;

/// Rows of C. More take time of their own, and A is transposed.
static constexpr int64_t kMostRows = 1;
/// Columns of a warp: those of a unit mostly, so that its lanes read whole
/// lines of the weight.
static constexpr int64_t kColumns = 32;
/// Warps that share k, condensed rows of a thread in a slice, and blocks that
/// share k, the better ones first where they are as fast. Fewer than eight
/// warps have too little under way, and are for few rows (H200, 87.5 %: 8192^2
/// of f32 18.0 us with four, 10.6 with eight; 28672x8192 of f16 26.5 and 21.5).
static constexpr int64_t kWarps[] = {8, 16, 4, 2};
static constexpr int64_t kEnoughWarps = 8;
static constexpr int64_t kThreadRows[] = {4, 2, 1};
static constexpr int64_t kSplits[] = {1, 2, 4, 8};

/// What a condensed row takes a thread beside its FMAs: an index, its address,
/// an element of A, a load of the weight, in FMAs.
static constexpr double kPerRow = 6;
/// What a block takes to add the sums of its warps.
static constexpr double kPerSum = 300;

/// Columns of a thread: 16 bytes, where they divide a unit.
static int64_t getThreadColumns(const ProductInfo &product) {
  int64_t bits = product.weight.getElementType().getIntOrFloatBitWidth();
  int64_t most = std::min<int64_t>(128 / bits, kColumns / 2);
  return std::gcd(most, product.weight.getPattern().getUnitN());
}

static GemvAttr makeKind(const ProductInfo &product, int64_t warps,
                         int64_t rows) {
  MLIRContext *context = product.weight.getContext();
  Builder b(context);
  int64_t columns = getThreadColumns(product), lanes = kColumns / columns;
  return GemvAttr::get(context, b.getDenseI64ArrayAttr({1, warps}),
                       b.getDenseI64ArrayAttr({lanes, 32 / lanes}),
                       b.getDenseI64ArrayAttr({kMostRows, columns, rows}));
}

/// Null where blocks cannot share k evenly.
static ScheduleAttr makeSchedule(const ProductInfo &product, GemvAttr kind,
                                 int64_t splitK) {
  PatternAttr pattern = product.weight.getPattern();
  int64_t k = product.weight.getK(), windows = pattern.getNumWindows(k);
  if (windows % splitK != 0)
    return {};
  // Of whole windows, even where k is not.
  int64_t step =
      pattern.isWindowAll() ? 0 : windows / splitK * pattern.getWindowRows(k);
  Builder b(product.weight.getContext());
  return ScheduleAttr::get(
      b.getContext(), kind,
      b.getDenseI64ArrayAttr({kind.getBlockM(), kind.getBlockN(), step}),
      /*promoteA=*/true, /*promoteWeight=*/false, /*packed=*/false,
      /*stages=*/1, /*prefetch=*/false, splitK, CopyEngine::CpAsync,
      /*streamK=*/0, /*persistent=*/0, /*producers=*/0);
}

static KernelWork countWork(const ProductInfo &product,
                            const TargetInfo &target, ScheduleAttr schedule) {
  CondensedType weight = product.weight;
  int64_t k = weight.getK(), splitK = schedule.getSplitK();
  int64_t tiles = llvm::divideCeil(weight.getN(), schedule.getBlockN());
  double rows = double(weight.getPattern().getCondensedRows(k));
  double ofWeight = getWeightBytes(weight);
  double ofA = double(k) * double(product.a.getIntOrFloatBitWidth()) / 8;
  KernelWork work;
  work.blocks = tiles * splitK;
  work.threads = schedule.getNumThreads();
  work.registers = 64;
  work.sharedBytes = getSharedMemoryBytes(schedule, weight, product.a, target);
  work.bytes = (ofWeight / double(tiles) + ofA) / double(splitK);
  work.uniqueBytes = ofWeight + ofA;
  work.readsOnce = true;
  int64_t columns = getThreadColumns(product);
  double threadRows = rows /
                      double(splitK * schedule.getKind().getSliceRows()) *
                      double(cast<GemvAttr>(schedule.getKind()).getThread()[2]);
  // Narrower numbers are converted.
  bool isNarrow = weight.getElementType().getIntOrFloatBitWidth() < 32;
  work.instructions =
      threadRows * (double(columns) * (isNarrow ? 2 : 1) + kPerRow) + kPerSum;
  work.wavefronts = threadRows * double(work.threads) / 32;
  if (splitK > 1) {
    work.cluster = splitK;
    work.clusterBytes = double(schedule.getBlockN() * work.threads / 32 * 4);
  }
  return work;
}

namespace {
class Gemv : public Strategy {
public:
  llvm::StringRef getName() const override { return "gemv"; }

  void enumerate(const ProductInfo &product, const TargetInfo &target,
                 const ScheduleOptions &options,
                 llvm::SmallVectorImpl<Candidate> &candidates) const override {
    if (product.m != kMostRows ||
        product.weight.getPattern().getUnitN() % 8 != 0)
      return;
    for (int64_t splitK : kSplits) {
      if (splitK > 1 && !target.hasClusters)
        return;
      bool hasEnough = false;
      for (int64_t warps : kWarps) {
        if (warps < kEnoughWarps && hasEnough)
          break;
        for (int64_t rows : kThreadRows)
          if (add(product, target, makeKind(product, warps, rows), splitK,
                  candidates)) {
            hasEnough = true;
            break;
          }
      }
    }
  }

private:
  /// Adds what `kind` makes, if it can do the product; whether it can.
  static bool add(const ProductInfo &product, const TargetInfo &target,
                  GemvAttr kind, int64_t splitK,
                  llvm::SmallVectorImpl<Candidate> &candidates) {
    ScheduleAttr schedule = makeSchedule(product, kind, splitK);
    if (!schedule || !isLegal(schedule, product) ||
        getSharedMemoryBytes(schedule, product.weight, product.a, target) >
            target.sharedMemoryPerBlock)
      return false;
    std::string name = std::to_string(schedule.getBlockN()) +
                       " columns, k shared by " +
                       std::to_string(kind.getWarps()[1]) + " warps";
    if (splitK > 1)
      name += " of each of " + std::to_string(splitK) + " blocks";
    candidates.push_back(
        {schedule, std::move(name), countWork(product, target, schedule)});
    return true;
  }
};
} // namespace

const Strategy &nm::getGemvStrategy() {
  static const Gemv strategy;
  return strategy;
}
