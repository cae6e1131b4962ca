//===- Gemv.cpp - Few rows on CUDA cores ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products that take the time of their weight: a thread reads 16 bytes of it at
// once, of neighbouring columns that share an index, or of neighbouring rows of
// one column, and the warps of a block share k. All of A that a block needs is
// in shared memory before.
//
//===----------------------------------------------------------------------===//

#include "Gemv.h"
#include "ScheduleFit.h"
#include "mlir/IR/Builders.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace nm;

/// Rows of C. More take time of their own, and A is transposed.
static constexpr int64_t kMostRows = 1;
/// Columns of a warp: those of a unit mostly, so that its lanes read whole
/// lines of the weight, or one a lane.
static constexpr int64_t kColumns = 32;
/// Warps that share k, condensed rows of a thread in a slice, and blocks that
/// share k, the better ones first where they are as fast. Fewer than eight
/// warps have too little under way, and are for few rows (H200, 87.5 %: 8192^2
/// of f32 18.0 us with four, 10.6 with eight; 28672x8192 of f16 26.5 and 21.5).
static constexpr int64_t kEnoughWarps = 8, kManyWarps = 16;
static constexpr int64_t kFewWarps[] = {4, 2};
/// Bytes of the weight that a thread of eight warps should have to read.
/// Threads with fewer wait for their first ones mostly, and sixteen warps have
/// more of them under way (8192^2, f16, 3:32: 7.7 and 6.9 us, 6.1 and 5.7 in
/// units of 32 columns, which are 192 bytes; of 512 bytes 13.5 and 14.0).
static constexpr int64_t kEnoughBytes = 384;
/// Warps side by side, which share the tile of A: two where threads have one
/// column each and read masks (8192^2, f16: 16:32 23.4 us with one, 22.8 with
/// two; 4:32 8.2 and 8.4).
static constexpr int64_t kWarpsSideBySide[] = {2, 1};
static constexpr int64_t kThreadRows[] = {4, 2, 1};
/// Condensed rows of a thread that reads a mask at once.
static constexpr int64_t kMostMaskRows = 32;
static constexpr int64_t kSplits[] = {1, 2, 4, 8};

/// A weight may be padded by one row of so many.
static constexpr int64_t kPaddedShare = 16;

/// What a condensed row takes a thread beside its FMAs: an index, its address,
/// an element of A, a load of the weight, in FMAs.
static constexpr double kPerRow = 6;
/// What a block takes to add the sums of its warps.
static constexpr double kPerSum = 300;

/// Elements of the weight that a thread reads at once.
static int64_t getWidth(const ProductInfo &product) {
  return 128 / product.weight.getElementType().getIntOrFloatBitWidth();
}

/// Columns of a thread: 16 bytes, where they divide a unit, or one.
static int64_t getThreadColumns(const ProductInfo &product) {
  PatternAttr pattern = product.weight.getPattern();
  if (pattern.getUnitN() % 8 != 0 && pattern.getUnitK() == 1)
    return 1;
  int64_t most = std::min<int64_t>(getWidth(product), kColumns / 2);
  return std::gcd(most, pattern.getUnitN());
}

/// Whether threads of eight warps have enough to read.
static bool hasEnoughBytes(const ProductInfo &product) {
  CondensedType weight = product.weight;
  int64_t rows = weight.getPattern().getCondensedRows(weight.getK());
  int64_t threads = kEnoughWarps * 32 / kColumns;
  int64_t bits = weight.getElementType().getIntOrFloatBitWidth();
  return rows / threads * bits / 8 >= kEnoughBytes;
}

/// Whether threads read masks, each of one column.
static bool readsMasks(const ProductInfo &product) {
  return getThreadColumns(product) == 1 &&
         product.weight.getPattern().isMaskSmall();
}

/// Condensed rows of a thread in a slice, the better ones first: of one column
/// whole masks, or 16 bytes.
static SmallVector<int64_t> getThreadRows(const ProductInfo &product) {
  SmallVector<int64_t> rows;
  if (getThreadColumns(product) == 1) {
    int64_t width = getWidth(product);
    PatternAttr pattern = product.weight.getPattern();
    int64_t ofMask = std::lcm(width, pattern.getMaskUnits());
    if (readsMasks(product) && ofMask <= kMostMaskRows)
      rows.push_back(ofMask);
    for (; width > kThreadRows[0]; width /= 2)
      rows.push_back(width);
  }
  llvm::append_range(rows, kThreadRows);
  return rows;
}

static GemvAttr makeKind(const ProductInfo &product, int64_t sideBySide,
                         int64_t warps, int64_t rows) {
  MLIRContext *context = product.weight.getContext();
  Builder b(context);
  int64_t columns = getThreadColumns(product), lanes = kColumns / columns;
  return GemvAttr::get(context, b.getDenseI64ArrayAttr({sideBySide, warps}),
                       b.getDenseI64ArrayAttr({lanes, 32 / lanes}),
                       b.getDenseI64ArrayAttr({kMostRows, columns, rows}));
}

/// Rows of k of each of `splitK` blocks: whole windows, and as many as make
/// whole slices where that is little more than there are; nothing where they
/// cannot share k evenly.
static std::optional<int64_t> getStep(const ProductInfo &product, GemvAttr kind,
                                      int64_t splitK) {
  PatternAttr pattern = product.weight.getPattern();
  if (pattern.isWindowAll())
    return splitK == 1 ? std::optional<int64_t>(0) : std::nullopt;
  int64_t k = product.weight.getK(), windows = pattern.getNumWindows(k);
  int64_t slice = kind.getSliceRows();
  int64_t ofWindow = pattern.getKeep() * pattern.getUnitK();
  int64_t ofBlock = llvm::alignTo(llvm::divideCeil(windows, splitK),
                                  slice / std::gcd(slice, ofWindow));
  if ((ofBlock * splitK - windows) * kPaddedShare > windows)
    return std::nullopt;
  return ofBlock * pattern.getWindowRows(k);
}

/// Null where blocks cannot share k evenly.
static ScheduleAttr makeSchedule(const ProductInfo &product, GemvAttr kind,
                                 int64_t splitK) {
  std::optional<int64_t> step = getStep(product, kind, splitK);
  if (!step)
    return {};
  Builder b(product.weight.getContext());
  return ScheduleAttr::get(
      b.getContext(), kind,
      b.getDenseI64ArrayAttr({kind.getBlockM(), kind.getBlockN(), *step}),
      /*promoteA=*/true, /*promoteWeight=*/false, /*packed=*/false,
      /*stages=*/1, /*prefetch=*/false, splitK, CopyEngine::CpAsync,
      /*streamK=*/0, /*persistent=*/0, /*producers=*/0);
}

/// Bytes of the weight as it is packed for `schedule`.
static double getPackedBytes(const ProductInfo &product,
                             ScheduleAttr schedule) {
  CondensedType weight = product.weight;
  int64_t step = schedule.getStepRows(weight.getK());
  WeightForm form = schedule.getKind().chooseForm(weight, step);
  std::string error;
  auto geometry = layout::Geometry::get(
      getWeight(weight.getK(), weight.getN(), weight.getPattern()),
      {schedule.getBlockN(), step, /*panels=*/1, form.laneRows,
       getCoding(form.coding)},
      error);
  if (!geometry)
    return getWeightBytes(weight);
  auto count = [](const std::vector<int64_t> &shape) {
    return double(ShapedType::getNumElements(shape));
  };
  double bits = double(weight.getElementType().getIntOrFloatBitWidth());
  return count(geometry->getValuesShape()) * bits / 8 +
         count(geometry->getIndicesShape()) * double(geometry->getIndexBytes());
}

static KernelWork countWork(const ProductInfo &product,
                            const TargetInfo &target, ScheduleAttr schedule) {
  CondensedType weight = product.weight;
  int64_t k = weight.getK(), splitK = schedule.getSplitK();
  int64_t tiles = llvm::divideCeil(weight.getN(), schedule.getBlockN());
  double rows = double(weight.getPattern().getCondensedRows(k));
  double ofWeight = getPackedBytes(product, schedule);
  double ofA = double(k) * double(product.a.getIntOrFloatBitWidth()) / 8;
  KernelWork work;
  work.blocks = tiles * splitK;
  work.threads = schedule.getNumThreads();
  work.registers = 64;
  work.sharedBytes = getSharedMemoryBytes(schedule, weight, product.a, target);
  work.bytes = (ofWeight / double(tiles) + ofA) / double(splitK);
  work.uniqueBytes = ofWeight + ofA;
  work.weightBytes = ofWeight;
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
    PatternAttr pattern = product.weight.getPattern();
    if (product.m != kMostRows ||
        (pattern.getUnitN() % 8 != 0 && pattern.getUnitK() != 1))
      return;
    for (int64_t splitK : kSplits)
      if (splitK == 1 || target.hasClusters)
        for (int64_t sideBySide : kWarpsSideBySide)
          if (sideBySide == 1 || readsMasks(product))
            addAll(product, target, sideBySide, splitK, candidates);
  }

private:
  /// Of each number of warps the first candidate that can be.
  static void addAll(const ProductInfo &product, const TargetInfo &target,
                     int64_t sideBySide, int64_t splitK,
                     llvm::SmallVectorImpl<Candidate> &candidates) {
    auto addWarps = [&](int64_t warps) {
      return llvm::any_of(getThreadRows(product), [&](int64_t rows) {
        return add(product, target, makeKind(product, sideBySide, warps, rows),
                   splitK, candidates);
      });
    };
    bool hasEight = hasEnoughBytes(product) && addWarps(kEnoughWarps);
    if (addWarps(kManyWarps) || hasEight || addWarps(kEnoughWarps))
      return;
    for (int64_t warps : kFewWarps)
      addWarps(warps);
  }

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
