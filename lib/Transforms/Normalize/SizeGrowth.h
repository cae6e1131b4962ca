//===- SizeGrowth.h - Sizes that were taken for 1 ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module may take a dynamic size for 1: by a tensor.cast to `?x1xK`, or by an
// op on such an operand whose result says 1. This is what follows from taking
// the size as it is: the dimensions of which values grow. A collapse of
// `?x1xK` to `?xK`, which meant to merge the first two dimensions, merges them:
// a view keeps the number of elements, so that the dynamic size beside grows.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_TRANSFORMS_NORMALIZE_SIZEGROWTH_H
#define NM_LIB_TRANSFORMS_NORMALIZE_SIZEGROWTH_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace nm {

/// Where a size is taken for 1: a cast, or an op on tensors and its loops.
struct NarrowedSize {
  mlir::Operation *op;
  llvm::SmallBitVector dims;
};

/// The casts and linalg ops under `root` that take a dynamic size for 1.
llvm::SmallVector<NarrowedSize> findNarrowedSizes(mlir::Operation *root);

/// What grows with some narrowed sizes.
class SizeGrowth {
public:
  explicit SizeGrowth(llvm::ArrayRef<NarrowedSize> roots);

  /// The values with the dimensions that grow.
  llvm::MapVector<mlir::Value, llvm::SmallBitVector> values;
  /// The linalg ops with the loops that grow.
  llvm::MapVector<mlir::Operation *, llvm::SmallBitVector> loops;
  /// The collapses that merge others of their operand's dimensions; a group
  /// without any is a dimension of size 1.
  llvm::MapVector<mlir::Operation *,
                  llvm::SmallVector<mlir::ReassociationIndices>>
      regrouped;

  /// The first op for which it is not certain what a larger size means, with
  /// the reason; null where all is well. What follows from it is found still.
  mlir::Operation *refused = nullptr;
  llvm::StringRef reason;

private:
  void grow(mlir::Value value, const llvm::SmallBitVector &dims);
  void growLoops(mlir::linalg::LinalgOp op, const llvm::SmallBitVector &grown);
  void followUse(mlir::OpOperand &use, const llvm::SmallBitVector &dims);
  void followLinalg(mlir::linalg::LinalgOp op, mlir::OpOperand &use,
                    const llvm::SmallBitVector &dims);
  void followCollapse(mlir::tensor::CollapseShapeOp op,
                      const llvm::SmallBitVector &dims);
  void followExpand(mlir::tensor::ExpandShapeOp op,
                    const llvm::SmallBitVector &dims);
  void checkStaticOperands();
  void refuse(mlir::Operation *op, llvm::StringRef why);

  llvm::SmallVector<mlir::Value> worklist;
};

} // namespace nm

#endif // NM_LIB_TRANSFORMS_NORMALIZE_SIZEGROWTH_H
