//===- KernelGroup.h - Ops that become one kernel ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group is a set of linalg.generic on tensors and one iteration space for all
// of them, to whose dimensions theirs are mapped. Dimensions of one element are
// none: ops that have them and ops that do not are of one space.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_KERNELGROUP_H
#define NM_LIB_DIALECT_NM_ROWS_KERNELGROUP_H

#include "MemberOps.h"

namespace nm {

class KernelGroup {
public:
  explicit KernelGroup(mlir::linalg::GenericOp op);

  /// The ops, in the order of the block.
  llvm::ArrayRef<mlir::linalg::GenericOp> getOps() const { return ops; }
  bool contains(mlir::Operation *op) const { return places.contains(op); }
  bool isReduction() const { return columns.has_value(); }

  /// The extents of the dimensions.
  llvm::ArrayRef<int64_t> getExtents() const { return extents; }
  /// Whether a dimension is of the elements of a row. Without a reduction the
  /// last one is, and all are where the extent of that is not known.
  bool isElement(int64_t dim) const {
    if (columns)
      return columns->test(dim);
    return dim + 1 == int64_t(extents.size()) ||
           mlir::ShapedType::isDynamic(extents.back());
  }
  /// The dimension of rows along which transposed results follow each other;
  /// kUnit where none is transposed.
  int64_t getTransposedDim() const;
  /// Whether an op outside of the group uses `value`, also by way of a reshape
  /// that is for others than the group's ops.
  bool isUsedOutside(mlir::Value value) const;
  /// Whether each dimension is one of an array that is read or stored, which
  /// says its extent. One that is only counted is not.
  bool hasExtents() const;
  /// Whether what is asserted is asserted of rows.
  bool canAssert() const;
  /// Dimension `dim` of `op` in those of the group; kUnit for one of one
  /// element.
  int64_t getPlace(mlir::Operation *op, int64_t dim) const {
    return places.find(op)->second[dim];
  }
  /// `access`, in the dimensions of `op`, in those of the group.
  Access toGroup(mlir::Operation *op, Access access) const;

  /// Takes the ops of `later` up, if they can be computed with these: nothing
  /// is changed otherwise, and the result says why not. It is empty if all is
  /// well. At least one group reads what is computed or read by the other.
  llvm::StringRef merge(const KernelGroup &later);

private:
  /// For each dimension of `later` the one of this; `extents.size()` and on for
  /// new ones.
  std::optional<llvm::SmallVector<int64_t>>
  matchDims(const KernelGroup &later) const;
  bool hasWholeRows(const KernelGroup &of) const;
  bool canTranspose() const;

  llvm::SmallVector<mlir::linalg::GenericOp> ops;
  llvm::SmallVector<int64_t> extents;
  /// No value before there is a reduction, which says what a row is.
  std::optional<llvm::SmallBitVector> columns;
  /// Of each op the dimension for each of its own.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>> places;
};

/// Whether all of `ops`, which are in the order of one block, can be computed
/// at once: no other op depends on one of them and is read by another.
bool isConvex(llvm::ArrayRef<mlir::linalg::GenericOp> ops);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_KERNELGROUP_H
