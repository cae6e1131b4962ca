//===- WeightPieces.h - Tensors put together of others -------- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights that a user packs himself, as the projections of an attention: what
// tensor.concat and chains of tensor.insert_slice write, piece by piece.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_UTILS_WEIGHTPIECES_H
#define NM_LIB_DIALECT_NM_UTILS_WEIGHTPIECES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "nm/Dialect/NM/IR/CondenseElements.h"

namespace nm {

/// A box of a tensor that the elements of `value` are written to, in row-major
/// order; `value` may lack dimensions of one element.
struct Piece {
  mlir::Value value;
  llvm::SmallVector<int64_t> offsets, sizes, strides;
};

/// The pieces of what a tensor.concat or a chain of tensor.insert_slice makes,
/// in the order in which they are written; nothing for other values, or where
/// something is known only at run time.
std::optional<llvm::SmallVector<Piece>> getPieces(mlir::Value value);

/// The one piece of `value` that holds all of a slice, where the dimensions of
/// the piece are those of `value`.
std::optional<Piece> findPiece(mlir::Value value,
                               llvm::ArrayRef<int64_t> offsets,
                               llvm::ArrayRef<int64_t> sizes,
                               llvm::ArrayRef<int64_t> strides);

/// Puts the data of pieces together.
class PieceWriter {
public:
  /// Nothing where elements are not of whole bytes, or more than `maxElements`.
  static std::optional<PieceWriter> create(mlir::RankedTensorType type,
                                           int64_t maxElements);

  /// Writes `data`, the elements of `piece` row by row. False if they are not
  /// as many, or have no place.
  bool write(const Piece &piece, const DenseWeight &data);

  mlir::ElementsAttr take();

private:
  PieceWriter(mlir::RankedTensorType type, int64_t elementBytes)
      : type(type), elementBytes(elementBytes),
        bytes(type.getNumElements() * elementBytes, 0) {}

  mlir::RankedTensorType type;
  int64_t elementBytes;
  std::vector<char> bytes;
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_UTILS_WEIGHTPIECES_H
