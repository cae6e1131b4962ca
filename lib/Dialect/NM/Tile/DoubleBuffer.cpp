//===- DoubleBuffer.cpp - Rings of buffers and a rotated loop ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rings.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Support/Remarks.h"
#include <map>

namespace nm {
#define GEN_PASS_DEF_NMDOUBLEBUFFERPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
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
        b(loop.getLoc(), loop), rings(launch) {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto transpose = dyn_cast<TileTransposeOp>(op))
        transposes.push_back(transpose);
      else if (!isa<gpu::BarrierOp, TileMmaOp>(op))
        producers.push_back(&op);
      if (isa<gpu::BarrierOp, TileTransposeOp>(op) || getFilledBuffer(&op))
        replaced.push_back(&op);
    }
  }

  /// Builds the rotated loop; returns the bytes of all rings.
  int64_t build() {
    createRings();
    buildPrologue();
    rotate();
    if (loop->getParentOp() != launch)
      freeSlots();
    for (Operation *op : llvm::reverse(replaced))
      op->erase();
    rings.eraseBuffers();
    return rings.getBytes();
  }

private:
  /// A buffer that is read by products has the steps that are under way and the
  /// one that is computed. What is fetched to be transposed has been read when
  /// its step is computed: one slot less. The tile that it becomes is written
  /// in the step before it is read, after the barrier behind which nobody reads
  /// the tile before: two slots.
  void createRings() {
    for (Operation *op : replaced) {
      if (auto transpose = dyn_cast<TileTransposeOp>(op))
        rings.create(b, transpose.getDestination(), 2);
      else if (Value buffer = getFilledBuffer(op))
        rings.create(b, buffer, isa<TileFetchOp>(op) ? stages - 1 : stages);
    }
  }

  using GetSlot = Rings::GetSlot;

  /// Issues the copies of `step`, where `predicate` says so, into the slots
  /// that `getSlot` says of a ring.
  void issueCopies(Value step, GetSlot getSlot, Value predicate) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), step);
    rings.issueCopies(b, producers, mapping, getSlot, predicate);
  }

  /// Steps whose copies may be under way when a step begins: where tiles are
  /// transposed, not those of the next, which the step transposes.
  int64_t getPending() const {
    return transposes.empty() ? stages - 2 : stages - 3;
  }

  /// Transposes what has been fetched for a step.
  void transpose(GetSlot getSlot) {
    for (TileTransposeOp op : transposes) {
      Value from = op.getStaging(), to = op.getDestination();
      from = rings.createSlot(b, from, getSlot(rings.getNumSlots(from)));
      to = rings.createSlot(b, to, getSlot(rings.getNumSlots(to)));
      TileTransposeOp::create(b, from, to);
    }
  }

  /// Issues the first S - 1 steps, as far as there are any. A group is closed
  /// for each all the same: the loop counts groups, not copies.
  void buildPrologue() {
    StepCount steps = *getStepCount(loop);
    for (int64_t step = 0; step < stages - 1; ++step) {
      Value place = indexConstant(b, step);
      auto getSlot = [&](int64_t) { return place; };
      if (step < steps.least) {
        issueCopies(place, getSlot, /*predicate=*/Value());
      } else if (step < steps.most) {
        auto [named, more] = clampStep(place);
        issueCopies(named, getSlot, more);
      }
      CommitOp::create(b);
    }
    if (transposes.empty())
      return;
    WaitOp::create(b, stages - 2);
    gpu::BarrierOp::create(b);
    transpose([&](int64_t) { return indexConstant(b, 0); });
  }

  /// Makes the loop issue step s + S - 1 before it computes step s.
  void rotate() {
    carrySlots();
    b.setInsertionPointToStart(loop.getBody());
    WaitOp::create(b, getPending());
    gpu::BarrierOp::create(b);
    issueAhead();
    CommitOp::create(b);
    rings.useSlots(b, mma, [&](int64_t count) { return slots[count].current; });
    // The next step's tile, while this one is computed.
    b.setInsertionPoint(mma);
    transpose([&](int64_t count) { return slots[count].next; });
  }

  /// Lets the block begin anew behind the loop: copies of steps beyond its last
  /// one write zeros, and some threads are still at that.
  void freeSlots() {
    b.setInsertionPointAfter(loop);
    WaitOp::create(b, 0);
    gpu::BarrierOp::create(b);
  }

  /// The step to be named in the place of `step`, and whether that is there.
  /// Beyond the last step, it is the last one that nobody copies: a branch
  /// would keep the copies from mixing with what follows.
  std::pair<Value, Value> clampStep(Value step) {
    Value end = loop.getUpperBound();
    Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, step, end);
    Value last = arith::SubIOp::create(b, end, indexConstant(b, 1));
    return {arith::MinSIOp::create(b, step, last), more};
  }

  /// Issues the copies of step s + S - 1.
  void issueAhead() {
    Value next = addIndex(b, loop.getInductionVar(), stages - 1);
    auto [step, more] = clampStep(next);
    // In a ring of S - 1 slots, that step has the slot of this one.
    Value previous = createPrevious(slots[stages].current);
    auto getSlot = [&](int64_t count) {
      return count == stages ? previous : slots[count].current;
    };
    issueCopies(step, getSlot, more);
  }

  /// Adds the slots of the step, in rings of each size, to what the loop
  /// carries, as a remainder would be computed again and again.
  void carrySlots() {
    for (int64_t count : rings.listNumSlots())
      slots[count] = {};
    slots[stages] = {};
    IRRewriter rewriter(b);
    rewriter.setInsertionPoint(loop);
    Value zero = indexConstant(b, 0);
    slots[1] = {zero, zero};
    SmallVector<Value> init(slots.size() - 1, zero);
    auto next = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
      // First, for what looks ahead from within the step.
      rewriter.setInsertionPointToStart(rewriter.getInsertionBlock());
      return createNext(rewriter, carried);
    };
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, init, /*replaceInitOperandUsesInLoop=*/false, next));
  }

  /// Notes the slots that are `carried`, and those that follow them.
  SmallVector<Value> createNext(OpBuilder &builder,
                                ArrayRef<BlockArgument> carried) {
    ImplicitLocOpBuilder b(loop.getLoc(), builder);
    SmallVector<Value> following;
    for (auto &[count, place] : slots) {
      if (count == 1)
        continue;
      place.current = carried[following.size()];
      place.next = createNextSlot(b, place.current, count).first;
      following.push_back(place.next);
    }
    return following;
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
  SmallVector<Operation *> producers; // copies and what they need
  SmallVector<TileTransposeOp> transposes;
  SmallVector<Operation *> replaced; // all but the product, of the old form
  /// Slots of this step and the next in rings of so many.
  struct Place {
    Value current, next;
  };
  std::map<int64_t, Place> slots;
  Rings rings;
};
} // namespace

/// Why the loop of a kernel is left alone; empty when it is not.
static StringRef getObstacle(scf::ForOp loop, ScheduleAttr schedule) {
  if (!loop)
    return "no loop over steps";
  if (schedule.getStages() == 1)
    return "the schedule has one stage";
  if (schedule.getStages() == 2 && !loop.getOps<TileTransposeOp>().empty())
    return "two stages leave no step to transpose a tile in";
  if (!loop.getOps<WaitOp>().empty())
    return "copies are issued ahead already";
  std::optional<StepCount> steps = getStepCount(loop);
  if (!steps)
    return "the number of steps is not known";
  if (steps->most == 1)
    return "there is one step";
  if (llvm::none_of(*loop.getBody(),
                    [](Operation &op) { return getFilledBuffer(&op); }))
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
  if (failed(verifyStepsAhead(loop, mma)))
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
