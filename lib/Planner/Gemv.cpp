//===- Gemv.cpp - Few rows on CUDA and tensor cores -----------------------===//
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
#include "GemvThreads.h"
#include "GemvWork.h"
#include "ScheduleFit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;
using namespace nm::gemv;

/// Rows of a block on CUDA cores: fewer than most, but so many, where A's tile
/// then fits; and bytes by which its rows are padded.
static constexpr int64_t kLeastRows = 4, kRowPadding = 16;
/// Warps that share k where there are few condensed rows, blocks that share k,
/// and steps of a block, as few as let A's tile fit.
static constexpr int64_t kFewWarps[] = {4, 2};
static constexpr int64_t kSplits[] = {1, 2, 4, 8};
static constexpr int64_t kSteps[] = {1, 2, 4, 8, 16};
/// Warps side by side, which share the tile of A: two where it has several
/// rows, or where threads have one column each and read masks; many, with as
/// many that share k, where it is large beside the weight, as on tensor cores.
static constexpr int64_t kWarpsSideBySide[] = {2, 1};
/// Warps side by side and warps that share k of blocks on tensor cores that
/// have an SM each. 8 rows of 12288x4096 take 7.6 us with 3 by 8 warps and 9.2
/// with blocks of eight (H200, bf16, 8:32, L = 32,
/// docs/results/2026-11-29-h200-layer-candidates-2.jsonl), 8 rows of 22016x4096
/// 13.2 us with 6 by 4 warps and 13.9 with 3 by 8 (a throw-away run). One row
/// of 12288x4096 takes 6.9 us with 3 by 8 warps and 8.3 with 16 behind another
/// of nm's kernels (a throw-away run), and between PyTorch's 7.8 and 7.3, as
/// blocks that cannot begin early need more of them to begin with; 22016x4096
/// takes 11.1 there, and 12.2 with 6 by 4 (H200, bf16, 8:32, L = 32,
/// docs/results/2026-11-29-h200-between-others.jsonl).
static constexpr WarpExtents kWholeSMs[] = {{3, kEnoughWarps}, {6, 4}};
/// A weight may be padded by one row of so many so that threads of one column
/// read whole words, or eight bytes.
static constexpr int64_t kPaddedSharesOfWords[] = {16, 8};

namespace {
class Gemv : public Strategy {
public:
  llvm::StringRef getName() const override { return "gemv"; }

  void enumerate(const ProductInfo &product, const TargetInfo &target,
                 const ScheduleOptions &options,
                 llvm::SmallVectorImpl<Candidate> &candidates) const override {
    if (ShapedType::isDynamic(product.m) || product.m < 1)
      return;
    bool isOnTensorCores = canMma(product);
    if (!isOnTensorCores && !canFma(product))
      return;
    bool hasBits = !isOnTensorCores && product.m == 1 && readsBits(product);
    bool isShared = product.m > 1 || (!isOnTensorCores && readsMasks(product));
    for (int64_t splitK : kSplits) {
      if (splitK != 1 && !target.hasClusters)
        continue;
      if (hasBits && addBits(product, target, splitK, candidates))
        continue;
      for (int64_t sideBySide : kWarpsSideBySide)
        if (sideBySide == 1 || isShared)
          addAll(product, target, sideBySide, splitK, candidates);
      if (isOnTensorCores && splitK == 1) {
        if (product.m > 1 || !product.isBehindOthers)
          for (auto [sideBySide, warps] : kWholeSMs)
            addWarps(product, target, sideBySide, warps, splitK,
                     /*isWide=*/false, candidates);
        if (int64_t warps = getWarpsOfTurns(product))
          addWarps(product, target, /*sideBySide=*/1, warps, splitK,
                   /*isWide=*/false, candidates);
      }
      if (isOnTensorCores && product.m > kMmaBlockRows / 2)
        addWarps(product, target, kManySideBySide, kManySideBySide, splitK,
                 /*isWide=*/false, candidates);
    }
    addKept(product, target, options.kept, candidates);
  }

private:
  using Candidates = llvm::SmallVectorImpl<Candidate>;

  /// Warps that share k of one row in two turns of four slices each, more than
  /// kManyWarps; 0 where there are none. Of 4096x11008 at 8:32 sixteen warps
  /// have eleven slices each, which are no turns, and take 7.4 us for the 6.4
  /// of 22 (H200, bf16, a throw-away run); with eight rows they do not.
  static int64_t getWarpsOfTurns(const ProductInfo &product) {
    CondensedType weight = product.weight;
    int64_t rows = weight.getPattern().getCondensedRows(weight.getK());
    int64_t ofWarp = makeMmaGemv(product, 1, 1, kMmaBlockRows).getSliceRows();
    int64_t warps = llvm::divideCeil(rows, 8 * ofWarp);
    return product.m == 1 && warps > kManyWarps && warps <= 32 ? warps : 0;
  }

  static ScheduleAttr getSchedule(const Candidate &candidate) {
    return candidate.schedule;
  }

  /// Adds the best candidate of threads that read bits, or where blocks leave
  /// SMs free those of eight and of sixteen warps; whether there is one.
  static bool addBits(const ProductInfo &product, const TargetInfo &target,
                      int64_t splitK, Candidates &candidates) {
    auto addKind = [&](WarpExtents warps, int64_t rows, int64_t share) {
      InstructionKind kind =
          makeGemv(product, warps.first, warps.second, kBlockRows, rows);
      return addSteps(product, target, kind, splitK, share, candidates);
    };
    auto addWarps = [&](WarpExtents warps, int64_t share) {
      return llvm::any_of(getBitsRows(product), [&](int64_t rows) {
        return addKind(warps, rows, share);
      });
    };
    for (int64_t share : kPaddedSharesOfWords) {
      if (!haveAllSMs(product, target)) {
        bool many = addWarps({1, kManyWarps}, share);
        if (addWarps({1, kEnoughWarps}, share) || many)
          return true;
      } else if (addWarps(getBitsWarps(product), share) ||
                 addWarps({1, kManyWarps}, share) ||
                 addWarps({1, kEnoughWarps}, share)) {
        return true;
      }
    }
    return false;
  }

  /// Of each number of warps the first candidate that can be.
  static void addAll(const ProductInfo &product, const TargetInfo &target,
                     int64_t sideBySide, int64_t splitK,
                     Candidates &candidates) {
    // Threads of one column each should read eight bytes at once or more.
    bool isOwn = getThreadColumns(product) == 1 && !canMma(product);
    bool isWide = isOwn;
    auto addWarps = [&](int64_t warps) {
      return Gemv::addWarps(product, target, sideBySide, warps, splitK, isWide,
                            candidates);
    };
    // More warps have more of the weight under way. Several rows have a tile of
    // A that takes as long, except on tensor cores where SMs have one block.
    bool areFew =
        canMma(product) && sideBySide == 1 && !haveAllSMs(product, target);
    bool wantsMany = !hasEnoughBytes(product) && (product.m == 1 || areFew);
    SmallVector<int64_t> order = {kManyWarps};
    if (!wantsMany)
      order.push_back(kEnoughWarps);
    // Threads of one column each have less under way.
    if (!isOwn || sideBySide == 1)
      std::reverse(order.begin(), order.end());
    auto addOrder = [&]() {
      return llvm::count_if(order, addWarps) != 0 || addWarps(kEnoughWarps);
    };
    if (isWide && addOrder())
      return;
    isWide = false;
    if (addOrder() || splitK > 1)
      return;
    for (int64_t warps : kFewWarps)
      addWarps(warps);
  }

  /// Adds `kept`, whose blocks may have other rows than those of `product`. One
  /// row has kernels without a tile of A, which predictions know too little of.
  static void addKept(const ProductInfo &product, const TargetInfo &target,
                      ScheduleAttr kept, Candidates &candidates) {
    if (kept && product.m > 1 &&
        isa<GemvAttr, MmaGemvAttr>(Attribute(kept.getKind())))
      add(product, target, kept, candidates);
  }

  /// Adds the candidate of `kind` with the fewest steps that can be; whether
  /// there is one.
  static bool addSteps(const ProductInfo &product, const TargetInfo &target,
                       InstructionKind kind, int64_t splitK,
                       int64_t paddedShare, Candidates &candidates) {
    return llvm::any_of(kSteps, [&](int64_t steps) {
      return add(product, target,
                 makeSchedule(product, kind, splitK, steps, paddedShare),
                 candidates);
    });
  }

  /// Adds the first candidate with so many warps that can be; whether there is
  /// one. With `isWide`, threads read no less than eight bytes at once.
  static bool addWarps(const ProductInfo &product, const TargetInfo &target,
                       int64_t sideBySide, int64_t warps, int64_t splitK,
                       bool isWide, Candidates &candidates) {
    auto addKind = [&](InstructionKind kind, int64_t share) {
      return addSteps(product, target, kind, splitK, share, candidates);
    };
    auto addRows = [&](int64_t mostRows) {
      ArrayRef<int64_t> shares = isWide ? kPaddedSharesOfWords : kPaddedShares;
      return llvm::any_of(shares, [&](int64_t share) {
        if (canMma(product))
          return addKind(makeMmaGemv(product, sideBySide, warps, mostRows),
                         share);
        return llvm::any_of(getThreadRows(product), [&](int64_t rows) {
          if (isWide && rows < getWidth(product) / 2)
            return false;
          return addKind(makeGemv(product, sideBySide, warps, mostRows, rows),
                         share);
        });
      });
    };
    int64_t fitting = getFittingRows(product, target);
    int64_t most = canMma(product) ? kMmaBlockRows : kBlockRows;
    bool areFewer = product.m > most && kLeastRows <= fitting && fitting < most;
    bool found = areFewer && addRows(fitting);
    return addRows(most) || found;
  }

  /// Rows of A that fit in shared memory, on tensor cores beside the sums of
  /// the warps of a block; an even number.
  static int64_t getFittingRows(const ProductInfo &product,
                                const TargetInfo &target) {
    int64_t ofRow = product.weight.getK() * getBits(product.a) / 8;
    if (canMma(product))
      ofRow += kManyWarps * kColumns * int64_t(sizeof(float));
    return target.sharedMemoryPerBlock / (ofRow + kRowPadding) / 2 * 2;
  }

  /// Whether blocks should share k in the way of `schedule`: on CUDA cores
  /// those of several rows leave each other the sums of all threads, which is
  /// worth it where there are few blocks.
  static bool shouldShare(const ProductInfo &product, const TargetInfo &target,
                          ScheduleAttr schedule) {
    int64_t splitK = schedule.getSplitK();
    if (splitK == 1 || product.m == 1 || canMma(product))
      return true;
    int64_t rowBlocks = llvm::divideCeil(product.m, schedule.getBlockM());
    int64_t blocks =
        llvm::divideCeil(product.weight.getN(), schedule.getBlockN());
    // With one block of rows of single columns, pairs that fill the SMs thrice
    // are better than larger clusters that fill them more than twice (H200, 8
    // rows, 5120x13824 of f16, 16:32: 60 us by 69).
    if (rowBlocks == 1 && getThreadColumns(product) == 1)
      return splitK * blocks <= (splitK == 2 ? 3 : 2) * target.numSMs;
    return 4 * blocks * rowBlocks < 3 * target.numSMs;
  }

  /// Adds `schedule` once, if there is one, and it can do the product; whether
  /// it can.
  static bool add(const ProductInfo &product, const TargetInfo &target,
                  ScheduleAttr schedule, Candidates &candidates) {
    if (!schedule || !isLegal(schedule, product) ||
        !shouldShare(product, target, schedule) ||
        product.getPlan(schedule, target).getSharedBytes() >
            target.sharedMemoryPerBlock)
      return false;
    if (!hasRegisters(product, schedule, target))
      return false;
    if (llvm::is_contained(llvm::map_range(candidates, getSchedule), schedule))
      return true;
    InstructionKind kind = schedule.getKind();
    auto mma = dyn_cast<MmaGemvAttr>(kind);
    int64_t splitK = schedule.getSplitK();
    int64_t sharing =
        mma ? mma.getWarps()[1] : cast<GemvAttr>(kind).getWarps()[1];
    std::string name = std::to_string(schedule.getBlockN()) + " columns, ";
    if (mma)
      name += "on tensor cores, ";
    name += "k shared by " + std::to_string(sharing) + " warps";
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
