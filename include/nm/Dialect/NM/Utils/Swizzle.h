//===- Swizzle.h - Rows of tiles on other banks -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where lanes of a warp each read 16 bytes of a row of their own, rows of a
// multiple of 128 bytes would all lie on the same banks. In a swizzled buffer,
// chunk c of 16 bytes of row r lies at c xor r mod 8: eight rows that follow
// each other lie on all banks, and so do any eight that differ modulo 8. (Of
// rows of 64 bytes, two fill the banks: r / 2 mod 4, and so on.)
//
// Padding the rows by 16 bytes would do as much for the banks. But cp.async
// then brings the 32-byte sectors of every other row twice, since their halves
// lie in two of shared memory's.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_SWIZZLE_H
#define NM_DIALECT_NM_UTILS_SWIZZLE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/SwizzledBuffers.h"

namespace nm {

/// Makes the buffer that `memref` is a view of a swizzled one. Nothing may have
/// been stored there.
void setSwizzled(mlir::Value memref);

/// Whether `memref` is a view of a swizzled buffer.
bool isSwizzled(mlir::Value memref);

/// What the columns of row `i` of `memref` are xored with, in elements; null
/// where the buffer is not swizzled. Rows that are a multiple of eight apart
/// have the same.
mlir::Value getSwizzle(mlir::ImplicitLocOpBuilder &b, mlir::Value memref,
                       mlir::Value i);

/// Column `j` of row `i` of `memref`, as it lies in memory.
mlir::Value swizzleColumn(mlir::ImplicitLocOpBuilder &b, mlir::Value memref,
                          mlir::Value i, mlir::Value j);

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_SWIZZLE_H
