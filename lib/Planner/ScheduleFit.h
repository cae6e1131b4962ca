//===- ScheduleFit.h - The memory of one tile -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PLANNER_SCHEDULEFIT_H
#define NM_LIB_PLANNER_SCHEDULEFIT_H

#include "nm/Planner/Strategy.h"

namespace nm {

/// Rows of C with which steps through shared memory take longer than predicted.
inline constexpr int64_t kMostSomeRows = 64;

/// Whether no second block of `threads` threads with so many registers each
/// fits an SM, to compute while the other waits.
bool isAlone(int64_t registers, int64_t threads, const TargetInfo &target);

/// Whether `schedule` can compute `product`.
bool isLegal(ScheduleAttr schedule, const ProductInfo &product);

/// Warps of a block of which each thread has `registers`.
int64_t countMostWarps(int64_t registers, const TargetInfo &target);

/// Bytes of the values of `weight` and of its packed indices.
double getWeightBytes(CondensedType weight);

/// Whether gathering the rows that blocks of `blockN` columns read could be
/// worth it: enough of the weight is pruned, and the share that they read is
/// `mostGathered` at most.
bool isWorthPacking(const ProductInfo &product, const ScheduleOptions &options,
                    int64_t blockN, double mostGathered);

/// Whether warps of their own should copy for those of `kind`: the copy engine
/// can fetch A's tiles, and the producers' registers are worth having.
bool canProduce(const ProductInfo &product, const TargetInfo &target,
                InstructionKind kind);

/// Who computes the steps of a tile, and who copies for them.
struct Sharing {
  int64_t splitK = 1;     // blocks that share those of one
  int64_t streamK = 0;    // blocks that share those of all, 0 where none do
  int64_t persistent = 0; // blocks that compute all tiles, 0 for one a tile
  int64_t producers = 0;  // warps that copy, by tensor maps; 0 where all do
};

/// The step, stages and promotions with which a tile of any kind fits a block's
/// shared memory, and what they move.
class ScheduleFit {
public:
  /// With steps of at most `windows` windows.
  ScheduleFit(const ProductInfo &product, const TargetInfo &target,
              const ScheduleOptions &options, InstructionKind kind,
              int64_t windows, bool packed, Sharing sharing);

  ScheduleAttr make(bool prefetch) const;
  int64_t getStepRows() const;
  /// Condensed rows of a step, on average.
  double countRows() const;
  bool hasStages() const { return stages > 1; }
  int64_t getStages() const { return stages; }
  /// Whether threads transpose A in blocks, through a buffer more.
  bool transposesInBlocks() const { return chooseTranspose().has_value(); }
  bool isPacked() const { return packed; }
  /// Whether warps of their own copy: there must be steps to be ahead of.
  bool hasProducers() const {
    return sharing.producers != 0 && hasStages() && isPromoted() && !packed;
  }
  /// Whether A goes through shared memory.
  bool isPromotedA() const { return promoteA; }
  /// Whether both operands do.
  bool isPromoted() const { return promoteA && promoteWeight; }

  /// Whether the kind can compute the product so (Spec.md, section 5).
  bool isLegal() const;

  /// Of a block: all but registers, the instructions that load operands and
  /// multiply, and their wavefronts.
  KernelWork countTraffic() const;
  /// The blocks that would share all steps where one a tile, which does `work`,
  /// would leave SMs idle; 0 where they would not.
  int64_t chooseStreamK(const KernelWork &work) const;
  /// The blocks that would compute all tiles where one a tile, which does
  /// `work`, would be alone on its SM; 0 where each would have one tile.
  int64_t choosePersistent(const KernelWork &work) const;
  /// Such as "64x128 tile, 32 rows a step, packed"; `tile` is empty for the
  /// extents.
  std::string describe(llvm::StringRef tile) const;

private:
  void fit();
  bool fits() const;
  KernelPlan getPlan() const;
  void shortenStep();
  /// How a token-major A is transposed, if there is room.
  std::optional<TransposeBlocks> chooseTranspose() const;
  int64_t countTiles() const;
  double getSumBytesOfTile() const;
  void countSums(KernelWork &work) const;
  void countStream(KernelWork &work, int64_t tileSteps) const;
  double countCopies(double bytesOfA, double bytesOfB) const;

  const ProductInfo &product;
  const TargetInfo &target;
  const ScheduleOptions &options;
  InstructionKind kind;
  int64_t windows, step = 0, stages = 1;
  Sharing sharing;
  bool promoteA = true, promoteWeight = true, packed;
};

} // namespace nm

#endif // NM_LIB_PLANNER_SCHEDULEFIT_H
