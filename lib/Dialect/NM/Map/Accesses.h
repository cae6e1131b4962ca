//===- Accesses.h - Loads and stores of one thread --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the lowerings of copies, products and stores of all kinds share.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_ACCESSES_H
#define NM_LIB_DIALECT_NM_MAP_ACCESSES_H

#include "nm/Dialect/NM/Utils/TileUtils.h"

namespace nm {

/// How an access may leave its memref: for rows and columns, whether the index
/// has to be checked against the extent.
struct Guard {
  bool dim0 = false, dim1 = false;
};

/// Loads `width` elements of `memref`, a matrix or in panels, from (i, j) on
/// along `dim`. Guarded elements outside read as zero.
mlir::Value loadVector(mlir::ImplicitLocOpBuilder &b, mlir::Value memref,
                       mlir::Value i, mlir::Value j, int dim, int64_t width,
                       Guard guard);

/// Whether `width` elements along the last dimension can be one access, at a
/// place that is a multiple of `width` there.
bool isOneAccess(mlir::Value memref, int64_t width, Guard guard);

/// Stores the elements of `vector` to `memref` from (i, j) on along its last
/// dimension. Guarded elements outside are dropped.
void storeVector(mlir::ImplicitLocOpBuilder &b, mlir::Value vector,
                 mlir::Value memref, mlir::Value i, mlir::Value j, Guard guard);

/// An element of a memref of rank 2.
struct Place {
  mlir::Value memref, i, j;
};

/// Issues an asynchronous copy of `width` elements along the last dimension, 4,
/// 8 or 16 bytes. Guarded places outside of the source read as zero; where
/// `predicate`, which may be null, is false nothing is read. Pieces of 16 bytes
/// do not go through L1 unless they are `cached`.
void copyAsync(mlir::ImplicitLocOpBuilder &b, Place source, Place destination,
               int64_t width, Guard guard, mlir::Value predicate,
               bool cached = false);

/// A place of a tile as one of a matrix: of the panel that it lies in, where
/// the tile is in panels. It has to lie within the tile's columns.
Place getMatrixPlace(mlir::ImplicitLocOpBuilder &b, Place place);

/// `rows` x `columns` elements of `memref` from a place on.
mlir::Value createView(mlir::ImplicitLocOpBuilder &b, Place from, int64_t rows,
                       int64_t columns);

/// The condition that the guarded indices lie within `memref`; null when
/// nothing is guarded. Indices are compared as unsigned, so -1 is outside.
mlir::Value isInside(mlir::ImplicitLocOpBuilder &b, mlir::Value memref,
                     mlir::Value i, mlir::Value j, Guard guard);

/// Whether an index of `dim` up to `bound` has to be checked.
bool needsGuard(mlir::Value memref, int64_t dim, int64_t bound);

/// `build()` where `condition` holds or is null.
void executeIf(mlir::ImplicitLocOpBuilder &b, mlir::Value condition,
               llvm::function_ref<void()> build);

/// `build()` where `condition` holds (or is null), else a zero of `type`.
mlir::Value selectOrZero(mlir::ImplicitLocOpBuilder &b, mlir::Value condition,
                         mlir::Type type,
                         llvm::function_ref<mlir::Value()> build);

/// A zero of `type`, a number or a vector of numbers.
mlir::Value createZero(mlir::ImplicitLocOpBuilder &b, mlir::Type type);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_ACCESSES_H
