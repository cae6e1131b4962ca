//===- StridedView.h - Which elements of a constant ------------ -*- C++
//-*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposes, broadcasts, reshapes and slices of a constant only choose and
// order its elements. A StridedView is their composition, so that a weight is
// read where it lies.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_STRIDEDVIEW_H
#define NM_DIALECT_NM_UTILS_STRIDEDVIEW_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

#include <vector>

namespace nm {

/// A part of a dimension: `size` steps of `stride` elements of the constant. A
/// broadcast has stride 0, and then the size may be dynamic.
struct StridedFactor {
  int64_t size;
  int64_t stride;
};

/// The parts of a dimension, outermost first, of sizes other than 1, as few as
/// possible. Empty for a dimension of size 1.
using StridedDimension = llvm::SmallVector<StridedFactor, 2>;

class StridedView {
public:
  /// Elements of a constant beyond which it is not looked at: keeps every
  /// product of sizes and strides within 64 bits.
  static constexpr int64_t maxElements = int64_t(1) << 40;

  /// All of a row-major constant. Nothing when it is empty or too large.
  static std::optional<StridedView> create(llvm::ArrayRef<int64_t> shape);

  /// The first element of the constant that the view has.
  int64_t getOffset() const { return offset; }
  unsigned getRank() const { return dims.size(); }
  llvm::ArrayRef<StridedFactor> getDim(unsigned dim) const { return dims[dim]; }
  /// Whether the elements do not depend on the index of a dimension.
  bool isBroadcast(unsigned dim) const;
  /// Whether the elements depend on all parts of a dimension, so that it is no
  /// larger than the constant.
  bool hasNoBroadcast(unsigned dim) const;

  /// The ops that a view is taken through. Those that return false may fail,
  /// and leave a view that must not be used.
  bool expandShape(llvm::ArrayRef<mlir::ReassociationIndices> groups,
                   llvm::ArrayRef<int64_t> shape);
  void collapseShape(llvm::ArrayRef<mlir::ReassociationIndices> groups);
  /// A slice of one index that is known only at run time is a choice.
  bool extractSlice(mlir::tensor::ExtractSliceOp slice);
  /// As above for a box of static size: `dropped` dimensions disappear.
  bool extractSlice(llvm::ArrayRef<int64_t> offsets,
                    llvm::ArrayRef<int64_t> sizes,
                    llvm::ArrayRef<int64_t> strides,
                    const llvm::SmallBitVector &dropped);
  /// Dimension i becomes what dimension `from[i]` was, or where there is none a
  /// broadcast of `shape[i]`. Dimensions that are not chosen have size 1.
  void permute(llvm::ArrayRef<std::optional<unsigned>> from,
               llvm::ArrayRef<int64_t> shape);
  /// Gives a broadcast whose size is dynamic this size.
  void setBroadcastSize(unsigned dim, int64_t size);
  /// Fixes the index of a dimension, which then has size 1.
  void fix(unsigned dim, int64_t index);

  /// Leaves the index of a dimension open, which then has size 1: it is known
  /// only at run time. False if one is open already.
  bool leaveOpen(unsigned dim);
  /// How many views this is one of; 1 if no index is open.
  int64_t countChoices() const;
  /// Gives the open index, which is less than that.
  void choose(int64_t index);

  /// The offsets of the elements that `of` run over, the last one fastest, from
  /// the view's own.
  std::vector<int64_t> getOffsets(llvm::ArrayRef<unsigned> of) const;

private:
  int64_t offset = 0;
  llvm::SmallVector<StridedDimension, 4> dims;
  /// What the open index steps over; nothing if there is none.
  StridedDimension open;
};

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_STRIDEDVIEW_H
