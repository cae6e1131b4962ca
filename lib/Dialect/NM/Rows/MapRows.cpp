//===- MapRows.cpp - nm.rows to gpu.launch --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowBody.h"
#include "RowDigits.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Rows/Passes.h"
#include "nm/Dialect/NM/Utils/ClusterOps.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMMAPROWSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Threads of an SM for which registers should last: half of all, with 64 each.
/// More would leave too few for what a thread keeps of a row.
static constexpr int64_t kThreadsOfSM = 1024;
/// A thread that keeps so many elements of a row has enough of 64 registers.
/// The number is a guess: a LayerNorm of 768 elements of bf16, with 24 a
/// thread, did not spill.
static constexpr int64_t kFewElements = 24;
/// A block with fewer threads than these counts as one that has them, so that
/// no more than eight blocks are asked of an SM.
static constexpr int64_t kLeastThreads = 128;

/// Blocks of `rows` rows each for all rows.
static Value countBlocks(ImplicitLocOpBuilder &b, RowsOp op, int64_t rows) {
  if (auto known = getStaticPoints(op, 0, op.getRows()))
    return indexConstant(b, llvm::divideCeil(*known, rows));
  Value count = countPoints(b, op, 0, op.getRows());
  if (rows == 1)
    return count;
  return arith::CeilDivUIOp::create(b, count, indexConstant(b, rows));
}

/// The parts of a row: as many as its elements need where the schedule does not
/// say how many.
static Value countParts(ImplicitLocOpBuilder &b, RowsOp op) {
  RowScheduleAttr schedule = *op.getSchedule();
  if (schedule.getParts() > 0)
    return indexConstant(b, schedule.getParts());
  int64_t ofPart =
      schedule.getThreads() * schedule.getVector() * schedule.getChunks();
  Value elements = countPoints(b, op, op.getRows(), op.getNumDims());
  return arith::CeilDivUIOp::create(b, elements, indexConstant(b, ofPart));
}

/// The work of thread `id` of block `block`.
static RowBody::Work getWork(ImplicitLocOpBuilder &b, RowsOp op, Value block,
                             Value id) {
  RowScheduleAttr schedule = *op.getSchedule();
  int64_t threads = schedule.getThreads(), rows = schedule.getRows();
  RowBody::Work work;
  if (int64_t parts = schedule.getParts(); parts > 1) {
    work.part = remIndex(b, block, parts);
    block = divIndex(b, block, parts);
  } else if (parts == 0 && op.getRows() == 0) {
    work.part = block;
    block = indexConstant(b, 0);
  } else if (parts == 0) {
    // No row has more parts than the grid has blocks.
    std::tie(work.part, block) = splitBlock(b, block, countParts(b, op));
  }
  work.row = block;
  work.thread = id;
  if (rows == 1)
    return work;
  Value first = mulIndex(b, block, rows), inBlock = divIndex(b, id, threads);
  Value element;
  if (work.part)
    element = mulIndex(b, work.part,
                       threads * schedule.getVector() * schedule.getChunks());
  work.inBlock = {first, element, inBlock, id};
  work.row = addIndex(b, first, inBlock);
  work.thread = remIndex(b, id, threads);
  auto known = getStaticPoints(op, 0, op.getRows());
  if (!known || *known % rows != 0) {
    // Lanes of a row that is none take part in shuffles: they compute the last
    // one, and store nothing.
    Value count = countPoints(b, op, 0, op.getRows());
    work.isRow =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, work.row, count);
    Value last = arith::SubIOp::create(b, count, indexConstant(b, 1));
    work.row = arith::MinUIOp::create(b, work.row, last);
  }
  return work;
}

/// Whether blocks that share a row exchange what they reduce.
static bool isCluster(RowsOp op) {
  return op.getSchedule()->getParts() > 1 &&
         !op.getBody().getOps<ReduceOp>().empty();
}

/// Bytes of `memref` from which, at most, `points` elements are read.
static std::optional<int64_t> countBytes(Value memref,
                                         std::optional<int64_t> points) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  int64_t elements = type.getNumElements(), bytes;
  if (points)
    elements = std::min(elements, *points);
  auto ofElement = int64_t(*getElementBytes(type.getElementType()));
  if (llvm::MulOverflow(elements, ofElement, bytes))
    return std::nullopt;
  return bytes;
}

/// Counts the bytes of the operands of `op`, where an operand counts once, and
/// of the elements that it gathers of other arrays: one for each point of the
/// space. The result is none where an extent is not known.
static std::optional<int64_t> countBytes(RowsOp op) {
  auto points = getStaticPoints(op, 0, op.getNumDims());
  SetVector<Value> operands(op->operand_begin(), op->operand_end());
  int64_t sum = 0;
  auto add = [&](std::optional<int64_t> bytes) {
    return bytes && !llvm::AddOverflow(sum, *bytes, sum);
  };
  for (Value operand : operands)
    if (!add(countBytes(operand, std::nullopt)))
      return std::nullopt;
  for (auto load : op.getBody().getOps<memref::LoadOp>())
    if (!points || !add(countBytes(load.getMemRef(), points)))
      return std::nullopt;
  return sum;
}

/// Writes the body of a thread: with vectors and without where only the call
/// says whether they are whole. Parts of elements choose for themselves.
static void buildBody(ImplicitLocOpBuilder &b, RowsOp op,
                      const RowBody::Work &work) {
  RowScheduleAttr schedule = *op.getSchedule();
  Value areWhole;
  if (op.hasUnknownElements() && schedule.getParts() != 0)
    areWhole = createAreWhole(b, op, schedule.getVector());
  if (!areWhole)
    return RowBody(b, op, work).build();
  auto choice = scf::IfOp::create(b, areWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  RowBody(b, op, work, RowBody::Vectors::Whole).build();
  b.setInsertionPointToStart(choice.elseBlock());
  RowBody(b, op, work, RowBody::Vectors::Singles).build();
}

static gpu::LaunchOp mapRows(RowsOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  RowScheduleAttr schedule = *op.getSchedule();
  SmallVector<Value> reciprocals = createReciprocals(b, op);
  Value blocks = countBlocks(b, op, schedule.getRows());
  blocks = b.createOrFold<arith::MulIOp>(blocks, countParts(b, op));
  gpu::LaunchOp launch =
      createLaunch(b, blocks, schedule.getThreads() * schedule.getRows(),
                   isCluster(op) ? schedule.getParts() : 1);
  int64_t threads = schedule.getThreads() * schedule.getRows();
  if (schedule.getVector() * schedule.getChunks() <= kFewElements)
    launch->setAttr(
        kResidentAttrName,
        b.getI64IntegerAttr(kThreadsOfSM / std::max(threads, kLeastThreads)));
  if (std::optional<int64_t> bytes = countBytes(op))
    launch->setAttr(kBytesAttrName, b.getI64IntegerAttr(*bytes));
  b.setInsertionPointToEnd(&launch.getBody().front());
  auto terminator = gpu::TerminatorOp::create(b);
  b.setInsertionPoint(terminator);
  RowBody::Work work =
      getWork(b, op, launch.getBlockIds().x, launch.getThreadIds().x);
  work.reciprocals = reciprocals;
  buildBody(b, op, work);
  return launch;
}

namespace {
struct MapRows : nm::impl::NMMapRowsPassBase<MapRows> {
  void runOnOperation() override {
    SmallVector<RowsOp> ops;
    getOperation().walk([&](RowsOp op) { ops.push_back(op); });
    KernelNames names(getOperation());
    for (RowsOp op : ops) {
      if (op->getNumResults() != 0 || !op.getSchedule()) {
        op.emitOpError("expected memrefs and a schedule; run "
                       "one-shot-bufferize and nm-schedule-rows first");
        return signalPassFailure();
      }
      if (isCluster(op) && !getTarget(getOperation()).hasClusters) {
        op.emitOpError("expected one part of a row that is reduced, as the "
                       "chip has no clusters, got ")
            << op.getSchedule()->getParts();
        return signalPassFailure();
      }
      std::string what = ("rows_" + describeBody(op.getBody().front())).str();
      names.assign(mapRows(op), what);
      op.erase();
    }
  }
};
} // namespace
