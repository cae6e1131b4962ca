//===- KernelPlan.h - What a kernel is made of ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule names a kernel in few words. What follows from them is computed
// here: for passes, which do it, and for those who ask before there is a
// kernel.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_KERNELPLAN_KERNELPLAN_H
#define NM_DIALECT_NM_KERNELPLAN_KERNELPLAN_H

#include "nm/Dialect/NM/IR/TransposeBlocks.h"
#include "nm/Dialect/NM/KernelPlan/SharedTiles.h"
#include "nm/Dialect/NM/KernelPlan/TensorBoxes.h"
#include "nm/Target/TargetInfo.h"

namespace nm {

/// Bytes at multiples of which all buffers of shared memory begin: where
/// vectors do.
inline constexpr int64_t kSharedAlignment = 16;

/// A tile in shared memory of which steps have slots in turn.
struct SharedRing {
  SharedTile tile;
  int64_t slots = 1;
  /// Bytes at a multiple of which it begins.
  int64_t alignment = kSharedAlignment;

  int64_t getBytes() const;
};

/// How threads transpose the tile of a token-major A in blocks.
struct TransposePlan {
  std::optional<TransposeBlocks> blocks;
  /// Why they do it element by element, without blocks.
  llvm::StringRef obstacle = {};
};

/// What becomes of the copy that transposes to `tile`, of two dimensions, in a
/// kernel of `schedule` whose blocks have up to `mostSteps` steps of a tile of
/// C; nothing where their number is not known.
TransposePlan planTranspose(ScheduleAttr schedule, const SharedTile &tile,
                            std::optional<int64_t> mostSteps);

/// The rings of a tile that is transposed in blocks. What is fetched has been
/// read when its step is computed: it has a slot less than there are stages.
/// The tile that it becomes is written in the step before it is read, behind
/// the barrier after which nobody reads the tile before: it has two slots.
struct TransposeRings {
  SharedRing staging, transposed;
};
TransposeRings getTransposeRings(SharedTile tile, const TransposeBlocks &blocks,
                                 int64_t stages);

/// The blocks in which threads would transpose A in kernels of `schedule`, were
/// there room in shared memory; nothing where they would not.
std::optional<TransposeBlocks> chooseTranspose(ScheduleAttr schedule,
                                               CondensedType weight,
                                               mlir::Type a,
                                               bool isAFeatureMajor);

/// What kernels of a schedule are made of.
struct KernelPlan {
  int64_t threads; // of a block, producers included
  /// In the order of the operands, the last of which lies first.
  llvm::SmallVector<SharedRing, 4> rings;
  /// Bytes of barriers of slots, which lie before the rings.
  int64_t barrierBytes = 0;
  /// The blocks in which threads transpose A, if they do.
  std::optional<TransposeBlocks> transpose;
  /// Bytes of the sums that threads, and the blocks of a cluster, leave each
  /// other, and whether they lie behind the rings, and not in their place.
  int64_t sumBytes = 0;
  bool keepsRings = false;

  /// The plan of `schedule` on `target`, for a product of A with elements of
  /// type `a` and `weight`. A weight that is not packed yet is taken to be in
  /// the form that the schedule's kind chooses; blocks that gather rows of A,
  /// to gather all that their columns may keep.
  static KernelPlan get(ScheduleAttr schedule, CondensedType weight,
                        mlir::Type a, bool isAFeatureMajor,
                        const TargetInfo &target);

  /// Bytes of shared memory of a block.
  int64_t getSharedBytes() const;
};

} // namespace nm

#endif // NM_DIALECT_NM_KERNELPLAN_KERNELPLAN_H
