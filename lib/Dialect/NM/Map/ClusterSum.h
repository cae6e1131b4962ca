//===- ClusterSum.h - Sums of the blocks of a cluster -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_CLUSTERSUM_H
#define NM_LIB_DIALECT_NM_MAP_CLUSTERSUM_H

#include "nm/Dialect/NM/Map/KindLowering.h"
#include "nm/Dialect/NM/Utils/ClusterOps.h"

namespace nm {

/// Adds `acc`, the thread's values in each block of the cluster, in the order
/// of the blocks' ranks, whatever the kind. The blocks take the `parts` parts
/// of the values in turn, and `storePart` stores the sums of one where `store`
/// is then.
void lowerClusterSum(
    TileStoreOp store, mlir::gpu::LaunchOp launch, mlir::ValueRange acc,
    int64_t parts,
    llvm::function_ref<void(SumPart part, mlir::ValueRange sums)> storePart);

/// Lets the block end when all of the cluster have arrived once more, as they
/// may read its shared memory until then.
void waitAtEnd(mlir::gpu::LaunchOp launch);

/// Loads a vector from `offset` bytes behind `address` on, a multiple of its
/// bytes or of 16.
mlir::Value loadOfCluster(mlir::ImplicitLocOpBuilder &b, mlir::Value address,
                          int64_t offset, mlir::VectorType type);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_CLUSTERSUM_H
