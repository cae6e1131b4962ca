//===- Transposes.h - Blocks of A that a thread transposes ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_TRANSPOSES_H
#define NM_LIB_DIALECT_NM_MAP_TRANSPOSES_H

#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// Creates before `op` the accesses of `thread`, of `threads` of the block, to
/// its chunks or blocks.
void lowerFetch(TileFetchOp op, mlir::Value thread, int64_t threads);
void lowerTranspose(TileTransposeOp op, mlir::Value thread, int64_t threads);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_TRANSPOSES_H
