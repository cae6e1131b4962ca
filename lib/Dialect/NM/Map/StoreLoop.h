//===- StoreLoop.h - Stores part by part ------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NM_LIB_DIALECT_NM_MAP_STORELOOP_H
#define NM_LIB_DIALECT_NM_MAP_STORELOOP_H

#include "nm/Dialect/NM/Map/KindLowering.h"

namespace nm {

/// Stores `acc`, all of a thread's sums, by `kind`: in a loop over parts of
/// them where the activation would make much code, which only ptxas would
/// notice.
void lowerStoreInParts(KindMapper &kind, TileStoreOp op, mlir::ValueRange acc);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_STORELOOP_H
