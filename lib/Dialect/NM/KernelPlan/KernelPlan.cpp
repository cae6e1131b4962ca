//===- KernelPlan.cpp - What a kernel is made of --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/KernelPlan/KernelPlan.h"
#include "nm/Dialect/NM/IR/SwizzledBuffers.h"
#include "nm/Dialect/NM/KernelPlan/BlockExtents.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// Bytes of an mbarrier, which PTX says.
static constexpr int64_t kBarrierBytes = 8;
/// Bytes that a block of stream_k takes for two counts of the blocks that have
/// arrived at a tile: one when it came itself, and one when it had waited.
/// GridSum.cpp makes a buffer for each, which takes what buffers are aligned
/// to.
static constexpr int64_t kCountBytes = 2 * kSharedAlignment;

int64_t SharedRing::getBytes() const {
  int64_t bytes = slots == 1 ? tile.getBytes() : slots * tile.getSlotBytes();
  return llvm::alignTo(bytes, kSharedAlignment);
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

TransposePlan nm::planTranspose(ScheduleAttr schedule, const SharedTile &tile,
                                std::optional<int64_t> mostSteps) {
  int64_t stages = schedule.getStages();
  if (stages == 1)
    return {{}, "no copies are issued ahead"};
  // A step's tile has to be there a step before, to be transposed.
  if (stages == 2)
    return {{}, "with two stages there is no step between a copy and its use"};
  // If no block can have as many, there are slots that nobody fills, whose
  // chunks are read all the same.
  if (!mostSteps || *mostSteps < stages - 1)
    return {{}, "there are fewer steps than buffers to fetch to"};
  if (!TransposeBlocks::getExtent(tile.element))
    return {{}, "elements of a byte are not transposed in chunks"};
  std::optional<TransposeBlocks> blocks = TransposeBlocks::get(
      tile.element, tile.shape[0], tile.shape[1], schedule.getNumThreads());
  if (!blocks)
    return {{}, "the tile is not made of whole blocks of chunks"};
  return {blocks};
}

TransposeRings nm::getTransposeRings(SharedTile tile,
                                     const TransposeBlocks &blocks,
                                     int64_t stages) {
  auto [rows, columns] = blocks.getStagingShape();
  SharedTile staging = {"staging", {rows, columns}, tile.element};
  staging.swizzled = canSwizzle(columns, tile.element);
  return {{std::move(staging), stages - 1}, {std::move(tile), 2}};
}

std::optional<TransposeBlocks> nm::chooseTranspose(ScheduleAttr schedule,
                                                   CondensedType weight, Type a,
                                                   bool isAFeatureMajor) {
  if (isAFeatureMajor || !schedule.getPromoteA() || schedule.getPacked())
    return std::nullopt;
  SharedTile tile = getTileOfA(
      schedule, StepOperands::get(schedule, weight, a, isAFeatureMajor));
  // Threads store words of several rows 16 bytes at a time.
  if (!tile.transpose || tile.shape.size() != 2)
    return std::nullopt;
  int64_t steps =
      BlockExtents::get(schedule, weight).getMostSteps(schedule.getSplitK());
  std::optional<TransposeBlocks> blocks =
      planTranspose(schedule, tile, steps).blocks;
  // Rows of A are whole chunks.
  return blocks && weight.getK() % blocks->extent == 0 ? blocks : std::nullopt;
}

//===----------------------------------------------------------------------===//
// KernelPlan
//===----------------------------------------------------------------------===//

/// Rows of A of a step that a block of a packed schedule reads at most: those
/// of the lists, or as many of `rows` as its columns may keep.
static int64_t getGatheredRows(int64_t rows, CondensedType weight,
                               const BlockExtents &extents) {
  if (PackingAttr packing = weight.getPacking())
    return packing.getColumns();
  return std::min(rows, extents.rows * extents.unitColumns);
}

/// Bytes at multiples of which a ring of `tile` begins where the copy engine
/// fills what it can. A tile of a weight is one range of bytes, if it lies in
/// shared memory as in the array. Others are fetched in boxes, or by threads.
static int64_t getFetchedAlignment(const SharedTile &tile, bool isOfA) {
  if (!isOfA && !tile.swizzled)
    return kBoxAlignment;
  if (tile.transpose || tile.shape.size() != 2)
    return kSharedAlignment;
  int64_t columns = tile.shape.back() + tile.padding;
  auto boxes = TensorBoxes::get(
      {tile.shape.front(), columns, columns,
       int64_t(tile.element.getIntOrFloatBitWidth()) / 8, tile.swizzled});
  return boxes ? boxes->alignment : kSharedAlignment;
}

/// The rings of `schedule`; A's is transposed in `blocks`, if there are any.
static SmallVector<SharedRing, 4>
listRings(ScheduleAttr schedule, CondensedType weight,
          const StepOperands &operands,
          const std::optional<TransposeBlocks> &blocks) {
  BlockExtents extents = BlockExtents::get(schedule, weight);
  int64_t stages = schedule.getStages();
  // A block of one step has nothing to copy ahead.
  int64_t slots = extents.getMostSteps(schedule.getSplitK()) == 1 ? 1 : stages;
  SmallVector<SharedRing, 4> rings;
  if (schedule.getPromoteA()) {
    SharedTile tile = getTileOfA(schedule, operands);
    if (schedule.getPacked())
      tile.shape[0] = getGatheredRows(tile.shape[0], weight, extents);
    if (blocks) {
      auto [staging, transposed] = getTransposeRings(tile, *blocks, stages);
      rings = {staging, transposed};
    } else {
      rings.push_back({std::move(tile), slots});
    }
  }
  if (schedule.getPromoteWeight()) {
    rings.push_back({getTileOfValues(schedule, operands), slots});
    rings.push_back({getTileOfIndices(schedule, operands), slots});
  }
  if (schedule.getEngine() == CopyEngine::Tma)
    for (auto [number, ring] : llvm::enumerate(rings))
      ring.alignment = getFetchedAlignment(
          ring.tile, /*isOfA=*/schedule.getPromoteA() && number == 0);
  return rings;
}

/// Bytes of the barriers of a kernel of `schedule`. A slot that producers fill
/// has two, which say that it is full and that it is free; one that the copy
/// engine fills for all warps has one.
static int64_t countBarrierBytes(ScheduleAttr schedule) {
  int64_t bytes =
      llvm::alignTo(schedule.getStages() * kBarrierBytes, kSharedAlignment);
  if (schedule.getProducers() != 0)
    return 2 * bytes;
  return schedule.getEngine() == CopyEngine::Bulk ? bytes : 0;
}

static void addSums(KernelPlan &plan, ScheduleAttr schedule, Type sum,
                    const TargetInfo &target) {
  if (schedule.getStreamK() != 0) {
    plan.sumBytes = kCountBytes;
    plan.keepsRings = true;
    return;
  }
  // Without clusters, blocks that share a tile leave their sums in global
  // memory.
  int64_t blocks = target.hasClusters ? schedule.getSplitK() : 1;
  InstructionKind kind = schedule.getKind();
  plan.sumBytes =
      kind.countSharedSums(blocks) * int64_t(sum.getIntOrFloatBitWidth()) / 8;
  plan.keepsRings = kind.keepsTiles();
}

KernelPlan KernelPlan::get(ScheduleAttr schedule, CondensedType weight, Type a,
                           bool isAFeatureMajor, const TargetInfo &target) {
  StepOperands operands =
      StepOperands::get(schedule, weight, a, isAFeatureMajor);
  KernelPlan plan;
  plan.threads = schedule.getNumThreads() + 32 * schedule.getProducers();
  plan.barrierBytes = countBarrierBytes(schedule);
  plan.transpose = chooseTranspose(schedule, weight, a, isAFeatureMajor);
  plan.rings = listRings(schedule, weight, operands, plan.transpose);
  addSums(plan, schedule, getAccumulatorType(a, weight.getElementType()),
          target);
  if (!plan.transpose || plan.getSharedBytes() <= target.sharedMemoryPerBlock)
    return plan;
  plan.transpose = std::nullopt;
  plan.rings = listRings(schedule, weight, operands, plan.transpose);
  return plan;
}

int64_t KernelPlan::getSharedBytes() const {
  int64_t bytes = barrierBytes;
  for (const SharedRing &ring : llvm::reverse(rings))
    bytes = llvm::alignTo(bytes, ring.alignment) + ring.getBytes();
  return keepsRings ? bytes + sumBytes : std::max(bytes, sumBytes);
}
