//===- BulkCopies.h - Copies of rows by the copy engine ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_BULKCOPIES_H
#define NM_LIB_DIALECT_NM_MAP_BULKCOPIES_H

#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// Lets one thread of each of the block's warps begin the copies of its share
/// of the rows of `copy`, which goes through a barrier.
void lowerBulkCopy(TileCopyOp copy, mlir::Value thread, int64_t numThreads);

/// Lets the first thread make the barriers, before the block's next barrier.
/// One thread of the first warp fetches the box.
void lowerTileBox(TileBoxOp op, mlir::Value thread);

void lowerInitBarriers(InitBarriersOp op, mlir::Value thread);

/// Lets the first thread tell the barrier of `op` what bytes to expect.
void lowerExpectedBytes(CommitOp op, mlir::Value thread);

/// Lets a thread wait for the phase of the barrier of `op`.
/// One arrival of each thread, when its copies are complete or at once, or of
/// its warp.
void lowerArrive(ArriveOp op, mlir::Value thread);

void lowerBarrierWait(WaitOp op);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_BULKCOPIES_H
