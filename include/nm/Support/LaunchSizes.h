//===- LaunchSizes.h - How much a launch is ---------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_LAUNCHSIZES_H
#define NM_SUPPORT_LAUNCHSIZES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <optional>

namespace nm {

/// Blocks of `launch`; nothing where they are not known, or beyond what 64 bits
/// hold.
std::optional<int64_t> countBlocks(mlir::gpu::LaunchFuncOp launch);

/// Blocks of a cluster of `launch`, one where it has none.
std::optional<int64_t> countBlocksOfCluster(mlir::gpu::LaunchFuncOp launch);

/// Threads of a block of `launch`, as `countBlocks`.
std::optional<int64_t> countThreads(mlir::gpu::LaunchFuncOp launch);

/// Bytes of shared memory that a block of `launch` claims when it is launched,
/// at least where it claims more of them for a small grid
/// (`nm-limit-occupancy`); nothing where they are not known.
std::optional<int64_t> countSharedBytes(mlir::gpu::LaunchFuncOp launch);

} // namespace nm

#endif // NM_SUPPORT_LAUNCHSIZES_H
