//===- StepLoop.h - The loop over steps of a kernel -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NM_LIB_DIALECT_NM_MAP_STEPLOOP_H
#define NM_LIB_DIALECT_NM_MAP_STEPLOOP_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// The loop over steps of a kernel, as nm-double-buffer and nm-load-fragments
/// leave it: a step waits for its copies, and for the tile of the next that it
/// transposes, and passes a barrier.
struct StepLoop {
  mlir::scf::ForOp loop;
  WaitOp wait;
  mlir::gpu::BarrierOp barrier; // null: the wait is for a barrier in memory
  ArriveOp release;             // of the step's slot; null: by the barrier
  llvm::SmallVector<TileTransposeOp> transposes;
  llvm::SmallVector<MmaOp> mmas; // of the step itself, not of a loop in it
};

/// The loop of `launch` that waits for copies; none where there is none.
StepLoop findStepLoop(mlir::gpu::LaunchOp launch);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_STEPLOOP_H
