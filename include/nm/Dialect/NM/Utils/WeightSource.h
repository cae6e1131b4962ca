//===- WeightSource.h - From an operand back to its constant -- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Importers print a weight as a constant behind transposes, broadcasts,
// reshapes, slices and casts, and nothing folds those. A WeightSource is the
// outcome of walking from an operand to the constant: which element of the
// constant each element of the operand is, and by which casts it becomes one.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_WEIGHTSOURCE_H
#define NM_DIALECT_NM_UTILS_WEIGHTSOURCE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "nm/Dialect/NM/IR/CondenseElements.h"

namespace nm {

/// A part of a dimension: `size` steps of `stride` elements of the constant. A
/// broadcast has stride 0, and then the size may be dynamic.
struct StridedFactor {
  int64_t size;
  int64_t stride;
  bool operator==(const StridedFactor &other) const {
    return size == other.size && stride == other.stride;
  }
};

/// The parts of a dimension, outermost first, of sizes other than 1, as few as
/// possible. Empty for a dimension of size 1.
using StridedDimension = llvm::SmallVector<StridedFactor, 2>;

/// What an operand is of a constant: a strided view of it and casts.
class WeightSource {
public:
  /// Walks from `value` to an `arith.constant`, through tensor.cast,
  /// expand_shape, collapse_shape and extract_slice, and linalg ops that only
  /// permute, broadcast or cast (extf, truncf). Nothing if there is no such
  /// walk. A new form is looked through by a case in `apply`.
  static std::optional<WeightSource> trace(mlir::Value value);

  mlir::arith::ConstantOp getConstant() const { return constant; }
  mlir::ElementsAttr getElements() const { return elements; }
  /// The element type of the operand, after all casts.
  mlir::Type getElementType() const;
  /// The types that the elements are cast to, first to last.
  llvm::ArrayRef<mlir::Type> getCasts() const { return casts; }

  /// The first element of the constant that the view has.
  int64_t getOffset() const { return offset; }
  unsigned getRank() const { return dims.size(); }
  llvm::ArrayRef<StridedFactor> getDim(unsigned dim) const { return dims[dim]; }
  /// The extent of a dimension; dynamic only for a broadcast.
  int64_t getSize(unsigned dim) const;
  /// Whether the elements do not depend on the index of a dimension.
  bool isBroadcast(unsigned dim) const;
  /// Whether the elements depend on all parts of a dimension, so that it is no
  /// larger than the constant.
  bool hasNoBroadcast(unsigned dim) const;

  /// Reads the operand as a weight [k, n], where k runs over the dimensions
  /// `kDims`, the last one fastest, and n over `nDims`; none of them is
  /// broadcast, and the other dimensions are. Fails as RawElements::get does;
  /// a splat of more than 2^26 elements is unsupported.
  std::optional<DenseWeight> read(llvm::ArrayRef<unsigned> kDims,
                                  llvm::ArrayRef<unsigned> nDims,
                                  RawElements::Error &kind,
                                  std::string &error) const;

private:
  WeightSource(mlir::arith::ConstantOp constant, mlir::ElementsAttr elements);
  /// Extends the view by the op that makes the next value of the walk.
  bool apply(mlir::Operation *op);
  bool applyReshape(llvm::ArrayRef<mlir::ReassociationIndices> groups,
                    mlir::RankedTensorType expandedType, bool expand);
  bool applySlice(mlir::Operation *op);
  bool applyLinalg(mlir::Operation *op);
  std::vector<int64_t> getOffsets(llvm::ArrayRef<unsigned> of) const;

  mlir::arith::ConstantOp constant;
  mlir::ElementsAttr elements;
  int64_t offset = 0;
  llvm::SmallVector<StridedDimension, 4> dims;
  llvm::SmallVector<mlir::Type, 1> casts;
};

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_WEIGHTSOURCE_H
