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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

namespace nm {

/// The place of a dimension that has one element.
constexpr int64_t kUnit = -1;

/// A value, and for each of its dimensions the one of an iteration space that
/// reads or writes it, or kUnit.
struct Access {
  mlir::Value value;
  llvm::SmallVector<int64_t> dims;
};

/// The reduction that a linalg.generic is.
struct Combiner {
  mlir::arith::AtomicRMWKind kind;
  /// The op of the body that combines, and the operand of it that is combined
  /// with the others.
  mlir::Operation *op;
  mlir::Value element;
  /// What it begins with: a constant.
  mlir::Attribute init;
};

/// The combiner of `op`, a reduction; or null, and `reason` says why it is none
/// that nm.reduce knows.
std::optional<Combiner> findCombiner(mlir::linalg::GenericOp op,
                                     llvm::StringRef &reason);

/// Whether `op` may be a part of a kernel of rows, but for its combiner.
bool isRowOp(mlir::linalg::GenericOp op);

/// Whether a reshape only adds or drops dimensions of one element.
bool movesUnitsAlone(mlir::tensor::ExpandShapeOp op);
bool movesUnitsAlone(mlir::tensor::CollapseShapeOp op);

/// What `op` reads as input number `input`, or writes as result number
/// `result`, in its own dimensions. An input is followed to before reshapes
/// that only add or drop dimensions of one element.
Access getRead(mlir::linalg::GenericOp op, int64_t input);
Access getWritten(mlir::linalg::GenericOp op, int64_t result);

class KernelGroup {
public:
  explicit KernelGroup(mlir::linalg::GenericOp op);

  /// The ops, in the order of the block.
  llvm::ArrayRef<mlir::linalg::GenericOp> getOps() const { return ops; }
  bool contains(mlir::Operation *op) const { return places.contains(op); }
  bool isReduction() const { return columns.has_value(); }

  /// The extents of the dimensions.
  llvm::ArrayRef<int64_t> getExtents() const { return extents; }
  /// Whether a dimension counts the elements of a row.
  bool isColumn(int64_t dim) const { return columns && columns->test(dim); }
  /// `access`, in the dimensions of `op`, in those of the group.
  Access toGroup(mlir::Operation *op, Access access) const;

  /// Takes the ops of `later` up, if they can be computed with these: nothing
  /// is changed otherwise. At least one group reads what is computed or read by
  /// the other.
  bool merge(const KernelGroup &later);

private:
  /// For each dimension of `later` the one of this; `extents.size()` and on for
  /// new ones.
  std::optional<llvm::SmallVector<int64_t>>
  matchDims(const KernelGroup &later) const;
  bool hasWholeRows(const KernelGroup &of) const;

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
