//===- SameValues.h - What two launches agree on ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_MAP_SAMEVALUES_H
#define NM_DIALECT_NM_MAP_SAMEVALUES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace nm {

/// Compares what a thread of one launch computes with what the same thread of
/// the same block of another one does, which has as many of both. "Same" is
/// proven: false means that nothing is known.
class SameValues {
public:
  /// `isUnchanged` says of what in global memory views are of whether neither
  /// launch writes it.
  SameValues(mlir::gpu::LaunchOp first, mlir::gpu::LaunchOp second,
             llvm::function_ref<bool(mlir::Value)> isUnchanged)
      : first(first), second(second), isUnchanged(isUnchanged) {}

  /// Whether `x` and `y`, computed by the first and the second launch or
  /// outside of both, are the same. Numbers of loops are those of
  /// `pairLoops`.
  bool areSame(mlir::Value x, mlir::Value y);

  /// Whether a thread of the second launch executes `y` only in turns for which
  /// it has executed `x` in the first: all conditions and loops around `x` are
  /// around `y`, too. From then on loops around both are the same.
  bool isReached(mlir::Operation *x, mlir::Operation *y);

  /// Whether `x` and `y` are the same ops on the same values, regions and all,
  /// and read nothing that changes.
  bool areSame(mlir::Operation *x, mlir::Operation *y);

private:
  bool readsChanged(mlir::Operation *op) const;
  bool compare(mlir::Value x, mlir::Value y);
  bool compare(mlir::BlockArgument x, mlir::BlockArgument y);

  mlir::gpu::LaunchOp first, second;
  llvm::function_ref<bool(mlir::Value)> isUnchanged;
  /// Loops around what isReached was asked about last: those of the first
  /// launch to those of the second.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> loops;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, bool> known;
};

} // namespace nm

#endif // NM_DIALECT_NM_MAP_SAMEVALUES_H
