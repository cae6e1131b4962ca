//===- TileUtils.h - What the tile-level passes share -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_TILEUTILS_H
#define NM_DIALECT_NM_UTILS_TILEUTILS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// The schedule of a kernel that nm-tile made; null for other kernels.
ScheduleAttr getSchedule(mlir::gpu::LaunchOp launch);

/// A constant of index type.
mlir::Value indexConstant(mlir::ImplicitLocOpBuilder &b, int64_t value);

/// A loop from 0 to `count` by `step`. Its constants are created in this order,
/// which calls within one argument list would leave to the compiler.
mlir::scf::ForOp createCountedLoop(mlir::ImplicitLocOpBuilder &b, int64_t count,
                                   int64_t step, mlir::ValueRange init);

/// `lhs * rhs`, `lhs + rhs`, ... on index values, folded where both are
/// constants or one is neutral, so that the IR stays readable.
mlir::Value mulIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                     int64_t rhs);
mlir::Value addIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                     mlir::Value rhs);
mlir::Value addIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                     int64_t rhs);
mlir::Value divIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                     int64_t rhs);
mlir::Value remIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                     int64_t rhs);

/// Whether `index` is below `extent`, as unsigned numbers. Of the sum of a
/// number that is not negative and a constant, the constant is compared with
/// what `extent` leaves of the number: sums for several constants would be
/// known before a loop over tiles, and be kept in a register each throughout
/// it.
mlir::Value isBelow(mlir::ImplicitLocOpBuilder &b, mlir::Value index,
                    mlir::Value extent);

/// Both conditions, of which one or both may be null and hold then.
mlir::Value andIfSet(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                     mlir::Value y);

/// A number that certainly divides the index `value`; 0 for the constant 0,
/// which every number divides.
int64_t knownDivisor(mlir::Value value);

/// A number that the index `value` certainly does not exceed: of constants, of
/// the inductions of loops between constants, and of what is computed of them.
std::optional<int64_t> knownUpperBound(mlir::Value value);

/// The most elements (16 bytes at most, a power of two) of a vector access
/// along the last dimension of `memref` at a place whose last index is a
/// multiple of that many elements and whose other indices are anything. 1 where
/// nothing is known. Buffers are taken to start at 16-byte boundaries, as the
/// runtime allocates them.
int64_t maxVectorWidth(mlir::Value memref);

/// The remainder and the quotient of the number of a block and `count`, both
/// indices below 2^31, as a grid has less blocks. They are divided in 32 bits,
/// as dividing in 64 is slow.
std::pair<mlir::Value, mlir::Value>
splitBlock(mlir::ImplicitLocOpBuilder &b, mlir::Value block, mlir::Value count);

/// A number that certainly divides the extent `dim` of `memref`.
int64_t extentDivisor(mlir::Value memref, int64_t dim);

/// A number that certainly divides the stride, in elements, of dimension `dim`
/// of `memref`: of an allocation, and of a subview of one, also where it is
/// computed.
int64_t strideDivisor(mlir::Value memref, int64_t dim);

/// Whether nothing of its allocation is written but by way of `subview`: what
/// is read of the rest is anything.
bool isOnlyWritten(mlir::memref::SubViewOp subview);

/// As extentDivisor, of the extent together with the memory behind it, if
/// `memref` is the only part of its allocation that is written: what is read
/// there is anything, and so may be what is written.
int64_t paddedDivisor(mlir::Value memref, int64_t dim);

/// Elements that a copy of a tile's rows from `source` to the matrix
/// `destination` moves at once: as many as both sides can, within a row of
/// either and a panel of the former.
int64_t getChunkWidth(mlir::Value source, mlir::Value destination);
/// Whether `cp.async` copies chunks of so many elements from `source` to
/// `destination`, whose rows both have to lie element by element.
bool isAsyncChunk(mlir::Value source, mlir::Value destination, int64_t width);

/// Panel `panel` of a tile in panels, as a matrix.
mlir::Value getPanel(mlir::ImplicitLocOpBuilder &b, mlir::Value tile,
                     mlir::OpFoldResult panel);

/// A memref in workgroup memory of `shape` rows of `rowPadding` more elements.
mlir::Value allocateWorkgroup(mlir::ImplicitLocOpBuilder &b,
                              llvm::ArrayRef<int64_t> shape,
                              mlir::Type elementType, int64_t rowPadding);

/// Whether `memref` lies in workgroup memory.
bool isWorkgroup(mlir::Value memref);

/// Erases the allocation, or the view of one, behind `buffer` if nothing uses
/// it.
void eraseUnused(mlir::Value buffer);

/// The extent `dim` of a memref as a value.
mlir::Value dimOf(mlir::ImplicitLocOpBuilder &b, mlir::Value memref,
                  int64_t dim);

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_TILEUTILS_H
