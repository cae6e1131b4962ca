//===- Rings.h - Rings of slots in the place of buffers ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the two ways to copy ahead share: a loop over steps whose buffers get
// rings (nm-double-buffer, nm-assign-roles).
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_TILE_RINGS_H
#define NM_LIB_DIALECT_NM_TILE_RINGS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "llvm/ADT/MapVector.h"

namespace nm {

/// The buffer that `op` brings there from global memory; null where it does
/// not.
mlir::Value getFilledBuffer(mlir::Operation *op);

/// Checks that what the loop over steps does can be done for other steps than
/// the one that is computed: copies to buffers that `mma` alone reads, what
/// they need, barriers and transposes.
mlir::LogicalResult verifyStepsAhead(mlir::scf::ForOp loop, TileMmaOp mma);

/// The rings of one kernel.
class Rings {
public:
  explicit Rings(mlir::gpu::LaunchOp launch) : launch(launch) {}

  /// Makes the ring of `slots` slots that takes the place of `buffer`, at the
  /// beginning of the launch.
  void create(mlir::ImplicitLocOpBuilder &b, mlir::Value buffer, int64_t slots);

  bool contains(mlir::Value buffer) const { return rings.contains(buffer); }
  int64_t getNumSlots(mlir::Value buffer) const {
    return rings.lookup(buffer).slots;
  }
  /// Numbers of slots that rings have.
  llvm::SmallVector<int64_t> listNumSlots() const;

  /// Slot `slot` of the ring of `buffer`.
  mlir::Value createSlot(mlir::ImplicitLocOpBuilder &b, mlir::Value buffer,
                         mlir::Value slot) const;

  /// Clones `producers`, copies and what they need, as asynchronous ones of
  /// `step` of `loop`, where `predicate` says so, into the slots that `getSlot`
  /// says of a ring. `mapping` says what else has another name there.
  using GetSlot = llvm::function_ref<mlir::Value(int64_t slots)>;
  void issueCopies(mlir::ImplicitLocOpBuilder &b,
                   llvm::ArrayRef<mlir::Operation *> producers,
                   mlir::IRMapping mapping, GetSlot getSlot,
                   mlir::Value predicate) const;

  /// Lets `mma` read slots, which `getSlot` says, and no buffers.
  void useSlots(mlir::ImplicitLocOpBuilder &b, TileMmaOp mma,
                GetSlot getSlot) const;

  /// Erases the buffers, which nothing uses any more.
  void eraseBuffers();

  int64_t getBytes() const { return bytes; }

private:
  /// What takes the place of a buffer.
  struct Ring {
    mlir::Value memory;
    int64_t slots = 0;
  };

  mlir::gpu::LaunchOp launch;
  llvm::MapVector<mlir::Value, Ring> rings; // of each buffer
  int64_t bytes = 0;
};

/// The slot after `slot` of a ring of `count`, and whether that is the first.
std::pair<mlir::Value, mlir::Value>
createNextSlot(mlir::ImplicitLocOpBuilder &b, mlir::Value slot, int64_t count);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_TILE_RINGS_H
