//===- DoubleBuffer.cpp - Rings of buffers and a rotated loop ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Transforms/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Support/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace nm {
#define GEN_PASS_DEF_NMDOUBLEBUFFERPASS
#include "nm/Dialect/NM/Transforms/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// Rotates the loop over steps of one kernel.
class RingBuilder {
public:
  RingBuilder(gpu::LaunchOp launch, TileMmaOp mma, scf::ForOp loop,
              int64_t stages)
      : launch(launch), mma(mma), loop(loop), stages(stages),
        b(loop.getLoc(), loop) {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isa<gpu::BarrierOp, TileCopyOp, TileGatherOp>(op))
        replaced.push_back(&op);
      if (!isa<gpu::BarrierOp, TileMmaOp>(op))
        producers.push_back(&op);
    }
  }

  /// Builds the rotated loop; returns the bytes of all rings.
  int64_t build() {
    SmallVector<Value> buffers;
    for (Operation *op : replaced)
      if (Value buffer = getDestination(op)) {
        buffers.push_back(buffer);
        createRing(buffer);
      }
    buildPrologue();
    rotate();
    for (Operation *op : llvm::reverse(replaced))
      op->erase();
    for (Value buffer : buffers)
      eraseUnused(buffer);
    return bytes;
  }

private:
  /// The buffer that a copy fills; null for other ops.
  static Value getDestination(Operation *op) {
    if (auto gather = dyn_cast<TileGatherOp>(op))
      return gather.getDestination();
    auto copy = dyn_cast<TileCopyOp>(op);
    return copy ? copy.getDestination() : Value();
  }

  /// Makes the ring that takes the place of `buffer`.
  void createRing(Value buffer) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&launch.getBody().front());
    Value storage = buffer;
    if (auto view = buffer.getDefiningOp<memref::SubViewOp>())
      storage = view.getSource();
    auto type = cast<MemRefType>(storage.getType());
    SmallVector<int64_t> shape = {stages};
    llvm::append_range(shape, type.getShape());
    rings[buffer] = allocateWorkgroup(b, shape, type.getElementType(), 0);
    bytes +=
        ShapedType::getNumElements(shape) * (type.getElementTypeBitWidth() / 8);
  }

  /// Slot `slot` of the ring of `buffer`.
  Value createSlot(Value buffer, Value slot) {
    auto shape = cast<MemRefType>(buffer.getType()).getShape();
    auto ring = cast<MemRefType>(rings[buffer].getType());
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    SmallVector<OpFoldResult> offsets = {getAsOpFoldResult(slot), zero, zero};
    SmallVector<OpFoldResult> sizes = {one, b.getIndexAttr(shape[0]),
                                       b.getIndexAttr(shape[1])};
    SmallVector<OpFoldResult> strides(3, one);
    MemRefType type = memref::SubViewOp::inferRankReducedResultType(
        shape, ring, offsets, sizes, strides);
    return memref::SubViewOp::create(b, type, rings[buffer], offsets, sizes,
                                     strides);
  }

  /// Issues the copies of `step` into `slot`, where `predicate` says so.
  void issueCopies(Value step, Value slot, Value predicate) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), step);
    for (auto &[buffer, ring] : rings)
      mapping.map(buffer, createSlot(buffer, slot));
    for (Operation *op : producers) {
      Operation *clone = b.clone(*op, mapping);
      auto issue = [&](auto copy) {
        copy.setAsync(true);
        if (predicate)
          copy.getPredicateMutable().assign(predicate);
      };
      if (auto copy = dyn_cast<TileCopyOp>(clone))
        issue(copy);
      if (auto gather = dyn_cast<TileGatherOp>(clone))
        issue(gather);
    }
  }

  /// Issues the first S - 1 steps, as far as there are any. A group is closed
  /// for each all the same: the loop counts groups, not copies.
  void buildPrologue() {
    int64_t steps = *getConstantIntValue(loop.getUpperBound());
    for (int64_t step = 0; step < stages - 1; ++step) {
      if (step < steps) {
        Value place = indexConstant(b, step);
        issueCopies(place, place, /*predicate=*/Value());
      }
      CommitOp::create(b);
    }
  }

  /// Makes the loop issue step s + S - 1 before it computes step s. It carries
  /// the slot of a step, as a remainder would be computed again and again.
  void rotate() {
    Value slot = carrySlot();
    b.setInsertionPointToStart(loop.getBody());
    WaitOp::create(b, b.getI64IntegerAttr(stages - 2));
    gpu::BarrierOp::create(b);
    // Beyond the last step, it is the last one that nobody copies: a branch
    // would keep the copies from mixing with what follows.
    Value next = addIndex(b, loop.getInductionVar(), stages - 1);
    Value end = loop.getUpperBound();
    Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, next, end);
    Value last = arith::SubIOp::create(b, end, indexConstant(b, 1));
    issueCopies(arith::MinSIOp::create(b, next, last), createPrevious(slot),
                more);
    CommitOp::create(b);
    for (auto &[buffer, ring] : rings) {
      Value current = createSlot(buffer, slot);
      Value filled = buffer;
      filled.replaceUsesWithIf(
          current, [&](OpOperand &use) { return use.getOwner() == mma; });
    }
  }

  /// Adds the slot of the step to what the loop carries.
  Value carrySlot() {
    IRRewriter rewriter(b);
    rewriter.setInsertionPoint(loop);
    auto next = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
      // First, for what looks ahead from within the step.
      rewriter.setInsertionPointToStart(rewriter.getInsertionBlock());
      return SmallVector<Value>{createNext(rewriter, carried.back())};
    };
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, indexConstant(b, 0), /*replaceInitOperandUsesInLoop=*/false,
        next));
    return loop.getRegionIterArgs().back();
  }

  /// The slot after `slot`.
  Value createNext(OpBuilder &builder, Value slot) {
    ImplicitLocOpBuilder b(loop.getLoc(), builder);
    Value next = addIndex(b, slot, 1);
    Value wraps = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next,
                                        indexConstant(b, stages));
    return arith::SelectOp::create(b, wraps, indexConstant(b, 0), next);
  }

  /// The slot before `slot`, which is that of S - 1 steps later.
  Value createPrevious(Value slot) {
    Value zero = indexConstant(b, 0);
    Value isFirst =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, slot, zero);
    Value previous = arith::SubIOp::create(b, slot, indexConstant(b, 1));
    return arith::SelectOp::create(b, isFirst, indexConstant(b, stages - 1),
                                   previous);
  }

  gpu::LaunchOp launch;
  TileMmaOp mma;
  scf::ForOp loop;
  int64_t stages;
  ImplicitLocOpBuilder b;
  SmallVector<Operation *> producers;  // copies and what they need
  SmallVector<Operation *> replaced;   // barriers and copies of the old form
  llvm::MapVector<Value, Value> rings; // buffer -> ring
  int64_t bytes = 0;
};
} // namespace

/// Checks that `op` of the loop can be issued ahead, or left where it is.
static LogicalResult verifyLoopOp(Operation &op, TileMmaOp mma) {
  if (&op == mma || isa<gpu::BarrierOp>(op))
    return success();
  auto copy = dyn_cast<TileCopyOp>(op);
  auto gather = dyn_cast<TileGatherOp>(op);
  if (!copy && !gather) {
    if (isMemoryEffectFree(&op))
      return success();
    return op.emitOpError("unsupported in a loop over steps whose copies are "
                          "issued ahead: it would be executed twice");
  }
  if (copy ? copy.getAsync() : gather.getAsync())
    return op.emitOpError("expected a synchronous copy, as nm-promote-shared "
                          "makes it; the loop is rotated already");
  Value buffer = copy ? copy.getDestination() : gather.getDestination();
  for (Operation *user : buffer.getUsers())
    if (user != mma && user != &op)
      return op.emitOpError("expected a buffer that only nm.tile_mma reads")
                 .attachNote(user->getLoc())
             << "it is also used here";
  return success();
}

/// Checks what the rotation relies on.
static LogicalResult verifyLoop(scf::ForOp loop, TileMmaOp mma) {
  if (getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1)
    return loop.emitOpError("expected a loop over steps from 0 by 1");
  for (Operation &op : loop.getBody()->without_terminator())
    if (failed(verifyLoopOp(op, mma)))
      return failure();
  return success();
}

/// Why the loop of a kernel is left alone; empty when it is not.
static StringRef getObstacle(scf::ForOp loop, ScheduleAttr schedule) {
  if (!loop)
    return "no loop over steps";
  if (schedule.getStages() == 1)
    return "the schedule has one stage";
  if (!loop.getOps<WaitOp>().empty())
    return "copies are issued ahead already";
  std::optional<int64_t> steps = getConstantIntValue(loop.getUpperBound());
  if (!steps)
    return "the number of steps is not known";
  if (*steps == 1)
    return "there is one step";
  if (loop.getOps<TileCopyOp>().empty() && loop.getOps<TileGatherOp>().empty())
    return "nothing is promoted";
  return "";
}

/// Rotates the loop of `kernel` if it copies tiles; says why not otherwise.
static LogicalResult doubleBuffer(TiledKernel kernel) {
  auto [launch, schedule, mma] = kernel;
  auto loop = dyn_cast<scf::ForOp>(mma->getParentOp());
  if (StringRef why = getObstacle(loop, schedule); !why.empty()) {
    emitRemark(launch, RemarkId::LoopNotBuffered) << remarkReason("{0}", why);
    return success();
  }
  if (failed(verifyLoop(loop, mma)))
    return failure();
  int64_t bytes = RingBuilder(launch, mma, loop, schedule.getStages()).build();
  emitRemark(launch, RemarkId::LoopBuffered)
      << remarkKey(RemarkKey::Slots, schedule.getStages())
      << remarkKey(RemarkKey::Bytes, bytes);
  return success();
}

namespace {
struct DoubleBuffer : nm::impl::NMDoubleBufferPassBase<DoubleBuffer> {
  void runOnOperation() override {
    if (failed(forEachKernel(getOperation(), doubleBuffer)))
      signalPassFailure();
  }
};
} // namespace
