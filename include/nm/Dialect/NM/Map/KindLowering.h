//===- KindLowering.h - How a kind becomes IR -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_MAP_KINDLOWERING_H
#define NM_DIALECT_NM_MAP_KINDLOWERING_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// What a thread has of a fragment: values of the types that the kind chooses.
using FragmentValues = llvm::SmallVector<mlir::Value>;

/// How nm-load-fragments cuts a step of k, in condensed rows. A slice is what
/// one nm.mma takes.
struct SlicePlan {
  int64_t rows;     // of a slice
  int64_t units;    // whose positions are loaded together, at most
  int64_t unrolled; // rows that are written out one by one, at most
};

/// One of the equal parts into which a thread's values of a sum are cut, in
/// their order: what a block stores at once where those of a cluster share a
/// tile.
struct SumPart {
  int64_t parts = 1;
  mlir::Value number; // from 0 on; null for the only part
};

/// What a lowering may know of its kernel when it begins.
struct KernelContext {
  mlir::gpu::LaunchOp launch; // with the schedule
  PatternAttr pattern;        // of the weight
  /// Whether each call brings the weight from DRAM: nothing of it is in L2 from
  /// the call before.
  bool streamsWeight = false;

  /// Builds what the whole kernel needs, such as a thread's place.
  mlir::ImplicitLocOpBuilder atBegin() const;
};

/// Lowers the ops on fragments of one kernel, each to the work of one thread.
class KindMapper {
public:
  virtual ~KindMapper() = default;

  /// Sums of zeros.
  virtual FragmentValues lowerZero(TileZeroOp op) = 0;
  /// Operands of a slice.
  virtual FragmentValues lowerPositions(LoadPositionsOp op) = 0;
  virtual FragmentValues lowerRows(LoadRowsOp op,
                                   mlir::ValueRange positions) = 0;
  virtual FragmentValues lowerValues(LoadValuesOp op) = 0;
  /// `acc` and the product of a slice.
  virtual FragmentValues lowerMma(MmaOp op, mlir::ValueRange rows,
                                  mlir::ValueRange values,
                                  mlir::ValueRange acc) = 0;
  /// Into how many parts, at most `most`, the values of a sum can be cut so
  /// that each is stored like a whole; `most` is a power of two, and so is the
  /// result.
  virtual int64_t countParts(int64_t most) { return 1; }
  /// Adds what the threads of a block have of one sum, before blocks add
  /// theirs: each of them has it then. Asked once, and before the store.
  virtual FragmentValues lowerBlockSum(TileStoreOp op, mlir::ValueRange acc) {
    return acc;
  }
  /// Adds `acc` of all blocks of the cluster and stores the sums after the
  /// epilogue, where the kind has a way of its own; false where it has none.
  virtual bool lowerClusterStore(TileStoreOp op, mlir::ValueRange acc) {
    return false;
  }
  /// Stores `acc`, which is `part` of the values, after the epilogue.
  virtual void lowerStore(TileStoreOp op, mlir::ValueRange acc,
                          SumPart part) = 0;
};

/// Attaches the lowerings of the dialect's own kinds.
void registerKindLowerings(mlir::DialectRegistry &registry);

} // namespace nm

#include "nm/Dialect/NM/Map/KindLowering.h.inc"

namespace nm {

/// The lowering of the kind of `launch`'s schedule; reports where it has none.
mlir::FailureOr<KindLowering> getLowering(mlir::gpu::LaunchOp launch);

} // namespace nm

#endif // NM_DIALECT_NM_MAP_KINDLOWERING_H
