//===- Copies.h - Tile copies to the accesses of a thread -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_COPIES_H
#define NM_LIB_DIALECT_NM_MAP_COPIES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace nm {

/// Replaces every tile_copy, tile_gather, tile_fetch, tile_transpose, commit
/// and wait of `launch`.
void lowerCopies(mlir::Region &region, mlir::Value thread, int64_t numThreads);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_COPIES_H
