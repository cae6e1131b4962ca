//===- KernelForm.h - Kernels in the form of the tile level -----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tile-level passes transform kernels of one form: that of nm-tile, or
// written like it. What does not have it is refused here, for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_KERNELFORM_H
#define NM_DIALECT_NM_UTILS_KERNELFORM_H

#include "nm/Dialect/NM/Utils/TileUtils.h"

namespace nm {

/// A launch with a schedule and the one product that it computes.
struct TiledKernel {
  mlir::gpu::LaunchOp launch;
  ScheduleAttr schedule;
  TileMmaOp mma;
};

/// A launch with a schedule whose product is cut into slices.
struct LoadedKernel {
  mlir::gpu::LaunchOp launch;
  PatternAttr pattern;
};

/// Calls `transform` for each kernel below `root` that has an nm.tile_mma.
/// Fails, after an error, when a kernel does not have the form, or when
/// `transform` fails. The form:
/// - ops on fragments stand in a launch with a schedule, and its threads are
/// the
///   schedule's, along x;
/// - there is one nm.tile_mma, or slices of one pattern (nm.mma and its loads);
///   all threads reach these ops, in the launch or in loops below it that carry
///   a fragment, which with stream_k or persistent may stand in one loop over
///   tiles;
/// - staging buffers have 16 bytes for each thread in a row;
/// - fragments have the extents of the schedule's block and flow through nm ops
///   and loops only.
mlir::LogicalResult
forEachKernel(mlir::Operation *root,
              llvm::function_ref<mlir::LogicalResult(TiledKernel)> transform);

/// The same for kernels of slices; one with an nm.tile_mma is an error.
mlir::LogicalResult forEachLoadedKernel(
    mlir::Operation *root,
    llvm::function_ref<mlir::LogicalResult(LoadedKernel)> transform);

/// How many steps a block has of a tile: of blocks that share one, some may
/// have more than others.
struct StepCount {
  int64_t least, most;
};

/// The steps of a loop that counts them from 0 by 1; nothing where its end is
/// neither a constant, nor a choice of two, nor at most one.
std::optional<StepCount> getStepCount(mlir::scf::ForOp loop);

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_KERNELFORM_H
