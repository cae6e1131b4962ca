//===- ClusterSum.h - Sums of the blocks of a cluster -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_CLUSTERSUM_H
#define NM_LIB_DIALECT_NM_MAP_CLUSTERSUM_H

#include "nm/Dialect/NM/Map/KindLowering.h"

namespace nm {

/// Adds `acc`, the thread's values in each block of the cluster, in the order
/// of the blocks' ranks, whatever the kind. Returns `part` of the sums.
FragmentValues lowerClusterSum(TileReduceOp op, mlir::gpu::LaunchOp launch,
                               mlir::ValueRange acc, SumPart part);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_CLUSTERSUM_H
