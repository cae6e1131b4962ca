//===- SharedTiles.h - Operands' tiles in shared memory ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the tiles of a step lie in shared memory is decided here: for
// nm-promote-shared, which has the tiles before it, and for a plan, which knows
// a product and a schedule.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_KERNELPLAN_SHAREDTILES_H
#define NM_DIALECT_NM_KERNELPLAN_SHAREDTILES_H

#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// The operands of one step of a block, as nm-tile cuts them: what their tiles
/// in shared memory depend on beside the schedule. Extents are those of a whole
/// tile, also where the last one is shorter.
struct StepOperands {
  /// The windows in which positions count.
  PatternAttr pattern;
  mlir::Type a, values, indices; // types of elements
  bool isAFeatureMajor;
  /// Rows of k.
  int64_t rowsOfA;
  /// Condensed rows, but that `laneRows` of them lie together as one.
  int64_t rowsOfValues, laneRows;
  /// Whether values lie as fragments of mma.m16n8k16.
  bool fragments;
  IndexCoding coding;
  llvm::SmallVector<int64_t, 3> shapeOfIndices;

  /// The operands of `op`, whose step has `stepK` rows of k, or all of them
  /// where that is 0.
  static StepOperands get(TileMmaOp op, int64_t stepK);
  /// The operands of kernels of `schedule`, for a product of A with elements
  /// of type `a` and `weight`, which is packed, or will be as the schedule's
  /// kind chooses.
  static StepOperands get(ScheduleAttr schedule, CondensedType weight,
                          mlir::Type a, bool isAFeatureMajor);
};

/// A tile of an operand in shared memory, and how it gets there.
struct SharedTile {
  llvm::StringRef name; // of the operand, for remarks
  llvm::SmallVector<int64_t, 3> shape;
  mlir::Type element;
  int64_t padding = 0;    // elements more a row
  bool swizzled = false;  // SwizzledBuffers.h
  bool transpose = false; // by the copy

  int64_t getBytes() const;
  /// Bytes of one of several slots, each of which begins at a multiple of 16
  /// bytes: it has rows more where the tile's do not end there.
  int64_t getSlotBytes() const;
};

/// The rows of a ring's slot of tiles of `rows` rows, `rowBytes` bytes each:
/// slots begin where vectors do. LLVM reads whole ones, beyond the last of a
/// few indices, which may not be what is copied at that time.
int64_t getSlotRows(int64_t rows, int64_t rowBytes);

/// The tile of A in shared memory.
SharedTile getTileOfA(ScheduleAttr schedule, const StepOperands &operands);
/// The tile of the weight's values in shared memory.
SharedTile getTileOfValues(ScheduleAttr schedule, const StepOperands &operands);
/// The tile of the weight's indices in shared memory.
SharedTile getTileOfIndices(ScheduleAttr schedule,
                            const StepOperands &operands);

} // namespace nm

#endif // NM_DIALECT_NM_KERNELPLAN_SHAREDTILES_H
