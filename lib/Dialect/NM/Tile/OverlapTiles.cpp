//===- OverlapTiles.cpp - Copies of the next tile before a store ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block alone on its SM multiplies nothing from the end of a tile's loop over
// steps until the first copies of the next have arrived. Issued in front of the
// store, they arrive while the tile is stored.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMOVERLAPTILESPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// What a block does of a tile before its loop over steps.
struct Prologue {
  SmallVector<Operation *> copies; // and what closes their groups
  SetVector<Operation *> needed;   // what they are computed from, and they
  StringRef obstacle;              // why they cannot be issued elsewhere
};
} // namespace

/// Adds the ops in `tile`'s body that `op` is computed from, and `op`.
static void addSlice(Operation *op, scf::ForOp tile,
                     SetVector<Operation *> &slice) {
  if (!op || op->getBlock() != tile.getBody() || slice.contains(op))
    return;
  for (Value operand : op->getOperands())
    addSlice(operand.getDefiningOp(), tile, slice);
  slice.insert(op);
}

/// The copies between the beginning of `tile` and the first op that waits, in
/// front of `steps` at the latest.
static Prologue findPrologue(scf::ForOp tile, scf::ForOp steps) {
  Prologue prologue;
  for (Operation &op : *tile.getBody()) {
    if (&op == steps || isa<WaitOp>(op))
      break;
    if (isMemoryEffectFree(&op))
      continue;
    prologue.copies.push_back(&op);
    addSlice(&op, tile, prologue.needed);
  }
  auto isKnown = [](Operation *op) {
    return isMemoryEffectFree(op) ||
           isa<TileCopyOp, TileGatherOp, TileFetchOp, CommitOp>(op);
  };
  if (prologue.copies.empty())
    prologue.obstacle = "the loop over steps copies nothing ahead";
  else if (!llvm::all_of(prologue.needed, isKnown))
    prologue.obstacle = "what is copied depends on what is loaded for the tile";
  return prologue;
}

/// Issues the copies of `prologue` for the tile at `place` of the loop over
/// tiles, if that has one there.
static void issue(ImplicitLocOpBuilder &b, const Prologue &prologue,
                  scf::ForOp tile, Value place) {
  Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place,
                                       tile.getUpperBound());
  auto guarded = scf::IfOp::create(b, exists, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(guarded.thenBlock());
  IRMapping mapping;
  mapping.map(tile.getInductionVar(), place);
  for (Operation &op : *tile.getBody())
    if (prologue.needed.contains(&op))
      b.clone(op, mapping);
}

/// Rotates the loop over tiles of `kernel`, if it has one.
static LogicalResult overlapTiles(TiledKernel kernel) {
  auto [launch, schedule, mma] = kernel;
  auto steps = dyn_cast<scf::ForOp>(mma->getParentOp());
  auto tile = steps ? dyn_cast<scf::ForOp>(steps->getParentOp()) : scf::ForOp();
  if (!tile)
    return success();
  Prologue prologue = findPrologue(tile, steps);
  // With stream_k, ptxas gives f32 kernels, which have no register to spare, a
  // slower loop over steps (H200, 100 shapes at 50 %: 2 % in the mean, up to
  // 10).
  if (schedule.getPersistent() == 0)
    prologue.obstacle = "blocks share tiles";
  auto wait = dyn_cast<WaitOp>(steps->getNextNode());
  auto barrier =
      wait ? dyn_cast<gpu::BarrierOp>(wait->getNextNode()) : gpu::BarrierOp();
  if (prologue.obstacle.empty() && (!barrier || wait.getPending() != 0u))
    prologue.obstacle = "the ring is in use behind the loop over steps";
  if (!prologue.obstacle.empty()) {
    emitRemark(launch, RemarkId::TilesNotOverlapped)
        << remarkReason("{0}", prologue.obstacle);
    return success();
  }
  ImplicitLocOpBuilder b(tile.getLoc(), tile);
  issue(b, prologue, tile, tile.getLowerBound());
  b.setInsertionPointAfter(barrier);
  Value next = arith::AddIOp::create(b, tile.getInductionVar(), tile.getStep());
  issue(b, prologue, tile, next);
  emitRemark(launch, RemarkId::TilesOverlapped)
      << remarkKey(RemarkKey::Copies,
                   int64_t(llvm::count_if(prologue.copies, [](Operation *op) {
                     return !isa<CommitOp>(op);
                   })));
  for (Operation *op : llvm::reverse(prologue.copies))
    op->erase();
  return success();
}

namespace {
struct OverlapTiles : nm::impl::NMOverlapTilesPassBase<OverlapTiles> {
  void runOnOperation() override {
    if (failed(forEachKernel(getOperation(), overlapTiles)))
      signalPassFailure();
  }
};
} // namespace
