//===- ClusterOps.h - Blocks of a cluster -----------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_CLUSTEROPS_H
#define NM_DIALECT_NM_UTILS_CLUSTEROPS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// Makes an empty launch of `blocks` blocks, a linear grid, so that no extent
/// can pass the limit of 65535 that y and z have. `cluster` blocks are one.
mlir::gpu::LaunchOp createLaunch(mlir::ImplicitLocOpBuilder &b,
                                 mlir::Value blocks, int64_t numThreads,
                                 int64_t cluster);

/// The place of a block in its cluster, from 0 on.
mlir::Value createClusterRank(mlir::ImplicitLocOpBuilder &b);

/// A thread arrives at the cluster's barrier: what it wrote before is visible
/// to those that wait for all to have arrived.
void createClusterArrive(mlir::ImplicitLocOpBuilder &b);
void createClusterWait(mlir::ImplicitLocOpBuilder &b);

/// Byte `place` of `buffer`, in shared memory, of the block of the cluster
/// whose place is `rank`, an i32.
mlir::Value createClusterAddress(mlir::ImplicitLocOpBuilder &b,
                                 mlir::Value buffer, mlir::Value place,
                                 mlir::Value rank);

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_CLUSTEROPS_H
