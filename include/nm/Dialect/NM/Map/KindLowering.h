//===- KindLowering.h - How a kind becomes IR -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_MAP_KINDLOWERING_H
#define NM_DIALECT_NM_MAP_KINDLOWERING_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// What a thread has of a fragment: values of the types that the kind chooses.
using FragmentValues = llvm::SmallVector<mlir::Value>;

/// What a lowering may know of its kernel when it begins.
struct KernelContext {
  mlir::gpu::LaunchOp launch; // with the schedule
  ScheduleAttr schedule;
  PatternAttr pattern; // of the weight
};

/// Lowers the ops on fragments of one kernel, each to the work of one thread.
class KindMapper {
public:
  virtual ~KindMapper() = default;

  /// Accumulators of zeros.
  virtual FragmentValues lowerZero(TileZeroOp op) = 0;
  /// `acc` and one step's product.
  virtual FragmentValues lowerProduct(TileMmaOp op, FragmentValues acc) = 0;
  /// Stores `acc` after the epilogue.
  virtual void lowerStore(TileStoreOp op, mlir::ValueRange acc) = 0;
};

/// Attaches the lowerings of the dialect's own kinds.
void registerKindLowerings(mlir::DialectRegistry &registry);

} // namespace nm

#include "nm/Dialect/NM/Map/KindLowering.h.inc"

#endif // NM_DIALECT_NM_MAP_KINDLOWERING_H
