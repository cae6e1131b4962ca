//===- StoreEpilogue.h - From sums to elements of C -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NM_LIB_DIALECT_NM_MAP_STOREEPILOGUE_H
#define NM_LIB_DIALECT_NM_MAP_STOREEPILOGUE_H

#include "Accesses.h"
#include "nm/Dialect/NM/Utils/EpilogueMath.h"

namespace nm {

/// What the stores of all kinds do with a sum, whichever thread has it: scale,
/// bias, activation, residual, and the store of what lies within C.
class StoreEpilogue {
public:
  explicit StoreEpilogue(TileStoreOp op);

  /// What one column needs, in the type of the epilogue; null where the op has
  /// none.
  struct Column {
    mlir::Value scale, bias;
  };
  Column loadColumn(mlir::Value n);

  /// `sum` of a column up to the activation, not yet rounded.
  mlir::Value finish(mlir::Value sum, const Column &column);

  /// Stores finished `values`, neighbours in memory from row `m` and column `n`
  /// of the tile on: along m where C is feature-major, else along n.
  void store(llvm::ArrayRef<mlir::Value> values, mlir::Value m, mlir::Value n);

  /// Finished `values` as elements of C, without a residual.
  mlir::Value round(llvm::ArrayRef<mlir::Value> values);
  /// Stores the bits of elements of C, in words of 32, like `store`.
  void storeBits(llvm::ArrayRef<mlir::Value> words, mlir::Value m,
                 mlir::Value n);

  bool isFeatureMajor() const { return featureMajor; }
  bool hasResidual() { return bool(op.getResidual()); }
  int64_t getElementBits() { return element.getIntOrFloatBitWidth(); }
  /// Whether `width` neighbours are stored by one access, where a multiple of
  /// `width` rows or columns stands before them.
  bool isOneAccess(int64_t width);
  mlir::ImplicitLocOpBuilder &builder() { return b; }

private:
  mlir::Value loadElement(mlir::Value vector, mlir::Value n);
  /// Of C, as it lies in memory.
  Guard getGuard() const;
  void storeElements(mlir::Value vector, mlir::Value m, mlir::Value n);

  TileStoreOp op;
  mlir::ImplicitLocOpBuilder b;
  bool featureMajor, guardM, guardN;
  /// Of C, and in which the epilogue is computed.
  mlir::Type element, epilogueType;
  EpilogueMath math;
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_STOREEPILOGUE_H
