//===- GridSum.h - Sums of blocks of the grid -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_GRIDSUM_H
#define NM_LIB_DIALECT_NM_MAP_GRIDSUM_H

#include "nm/Dialect/NM/Map/KindLowering.h"

namespace nm {

/// Adds `acc`, the thread's values, to those of the blocks that share the tile,
/// whatever the kind, as the nm.tile_reduce across the grid that `store` stores
/// says. `storeAll` stores what the thread has of the sum where `store` is
/// then, in the block that arrives last.
void lowerGridSum(TileStoreOp store, mlir::gpu::LaunchOp launch,
                  mlir::ValueRange acc,
                  llvm::function_ref<void(mlir::ValueRange sums)> storeAll);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_GRIDSUM_H
