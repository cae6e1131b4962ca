//===- AssignRoles.cpp - Warps that copy and warps that compute -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Producers go through the same tiles and steps as consumers, and do nothing
// but copy. Which slot of the ring a step has, and whether its barriers have
// been used an odd number of times, both carry from step to step and from tile
// to tile.
//
//===----------------------------------------------------------------------===//

#include "Rings.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/TargetInfo.h"

namespace nm {
#define GEN_PASS_DEF_NMASSIGNROLESPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Threads of a warp.
static constexpr int64_t kWarp = 32;

namespace {
/// What a role is at: a slot, and whether the ring has been gone round an odd
/// number of times.
struct Place {
  Value slot, isOdd;
};

/// Gives the warps of one kernel their roles.
class RoleBuilder {
public:
  RoleBuilder(TiledKernel kernel, scf::ForOp steps)
      : launch(kernel.launch), mma(kernel.mma), schedule(kernel.schedule),
        steps(steps), tiles(dyn_cast<scf::ForOp>(steps->getParentOp())),
        stages(schedule.getStages()), b(steps.getLoc(), steps), rings(launch) {
    for (Operation &op : steps.getBody()->without_terminator()) {
      if (!isa<gpu::BarrierOp, TileMmaOp>(op))
        producers.push_back(&op);
      if (isa<gpu::BarrierOp>(op) || getFilledBuffer(&op))
        replaced.push_back(&op);
    }
  }

  /// Does it; returns the bytes of the rings.
  int64_t build() {
    for (Operation *op : replaced)
      if (Value buffer = getFilledBuffer(op))
        rings.create(b, buffer, stages);
    createBarriers();
    createRoles();
    for (Operation *op : llvm::reverse(replaced))
      op->erase();
    rings.eraseBuffers();
    addThreads();
    return rings.getBytes();
  }

private:
  /// Whether a warp that computes releases a slot by one arrival. Tensor cores
  /// are done with a step so soon that a warp's 32 arrivals, one after another,
  /// hold it up. Beside the multiply-adds of CUDA cores they cost nothing, and
  /// racecheck, which reads machine code, sees which thread is done with what.
  bool releasesByWarps() {
    return !isa<FmaAttr, GemvAttr>(Attribute(schedule.getKind()));
  }

  /// Barriers of the slots that are full, which each thread of the producers
  /// arrives at, and of those that are free, which those who compute do.
  void createBarriers() {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&launch.getBody().front());
    auto create = [&](int64_t arrivals) {
      Value barriers = allocateWorkgroup(b, {stages}, b.getI64Type(),
                                         /*rowPadding=*/0);
      InitBarriersOp::create(b, barriers, arrivals);
      return barriers;
    };
    full = create(kWarp * schedule.getProducers());
    int64_t threads = schedule.getNumThreads();
    free = create(releasesByWarps() ? threads / kWarp : threads);
    gpu::BarrierOp::create(b);
  }

  /// The one of `barriers` that is of `slot`.
  Value createBarrier(Value barriers, Value slot) {
    OpFoldResult one = b.getIndexAttr(1);
    return memref::SubViewOp::create(b, barriers, getAsOpFoldResult(slot), one,
                                     one);
  }

  void createRoles() {
    Operation *outer = tiles ? tiles : steps;
    b.setInsertionPoint(outer);
    auto roles = RolesOp::create(b, schedule.getProducers());
    b.setInsertionPointToStart(&roles.getProduce().front());
    Place begin = createBegin();
    if (tiles)
      produceTiles(begin);
    else
      produceSteps(IRMapping(), begin);
    Block *consume = &roles.getConsume().front();
    Block *body = roles->getBlock();
    consume->getOperations().splice(consume->end(), body->getOperations(),
                                    outer->getIterator(),
                                    body->getTerminator()->getIterator());
    b.setInsertionPointToStart(consume);
    begin = createBegin();
    consumeTiles(begin);
  }

  Place createBegin() {
    return {indexConstant(b, 0), arith::ConstantIntOp::create(b, 0, 1)};
  }

  Place createNext(Place place) {
    auto [next, wraps] = createNextSlot(b, place.slot, stages);
    return {next, arith::XOrIOp::create(b, place.isOdd, wraps)};
  }

  /// A loop like `loop`, but that it carries no fragments, nor anything but the
  /// place, which `body` takes on.
  Place createLoop(scf::ForOp loop, IRMapping mapping, Place begin,
                   function_ref<Place(IRMapping &, Place)> body) {
    auto bound = [&](Value value) { return mapping.lookupOrDefault(value); };
    auto own = scf::ForOp::create(
        b, bound(loop.getLowerBound()), bound(loop.getUpperBound()),
        bound(loop.getStep()), ValueRange{begin.slot, begin.isOdd});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(own.getBody());
    mapping.map(loop.getInductionVar(), own.getInductionVar());
    Place end =
        body(mapping, {own.getRegionIterArg(0), own.getRegionIterArg(1)});
    scf::YieldOp::create(b, ValueRange{end.slot, end.isOdd});
    return {own.getResult(0), own.getResult(1)};
  }

  void produceTiles(Place begin) {
    createLoop(tiles, IRMapping(), begin, [&](IRMapping &mapping, Place place) {
      for (Operation &op : *tiles.getBody()) {
        if (&op == steps)
          break;
        if (!isa<TileZeroOp>(op))
          b.clone(op, mapping);
      }
      return produceSteps(mapping, place);
    });
  }

  Place produceSteps(IRMapping mapping, Place begin) {
    return createLoop(
        steps, mapping, begin, [&](IRMapping &mapping, Place place) {
          // The first round finds slots that nobody has used.
          Value yes = arith::ConstantIntOp::create(b, 1, 1);
          Value phase = arith::XOrIOp::create(b, place.isOdd, yes);
          WaitOp::create(b, createBarrier(free, place.slot), phase);
          rings.issueCopies(
              b, producers, mapping, [&](int64_t) { return place.slot; },
              /*predicate=*/Value());
          ArriveOp::create(b, createBarrier(full, place.slot), /*copies=*/true);
          return createNext(place);
        });
  }

  void consumeTiles(Place begin) {
    if (!tiles)
      return (void)consumeSteps(begin);
    tiles = carryPlace(tiles, begin);
    yieldPlace(tiles, consumeSteps(getCarried(tiles)));
  }

  /// Lets `steps` wait for their slots, and free them.
  Place consumeSteps(Place begin) {
    steps = carryPlace(steps, begin);
    Place place = getCarried(steps);
    b.setInsertionPointToStart(steps.getBody());
    WaitOp::create(b, createBarrier(full, place.slot), place.isOdd);
    rings.useSlots(b, mma, [&](int64_t) { return place.slot; });
    b.setInsertionPoint(steps.getBody()->getTerminator());
    ArriveOp::create(b, createBarrier(free, place.slot), /*copies=*/false,
                     releasesByWarps());
    yieldPlace(steps, createNext(place));
    return getLast(steps);
  }

  /// `loop` with the place among what it carries; the yield is to be given it.
  scf::ForOp carryPlace(scf::ForOp loop, Place begin) {
    IRRewriter rewriter(b);
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> init(loop.getInitArgs());
    llvm::append_values(init, begin.slot, begin.isOdd);
    auto own = scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(), init);
    Block *body = own.getBody();
    if (!body->empty())
      body->back().erase();
    body->getOperations().splice(body->end(), loop.getBody()->getOperations());
    loop.getInductionVar().replaceAllUsesWith(own.getInductionVar());
    for (auto [from, to] :
         llvm::zip(loop.getRegionIterArgs(), own.getRegionIterArgs()))
      from.replaceAllUsesWith(to);
    loop.replaceAllUsesWith(own.getResults().drop_back(2));
    loop.erase();
    return own;
  }

  /// Gives the yield of a loop of carryPlace what it lacks.
  static void yieldPlace(scf::ForOp loop, Place place) {
    Operation *yield = loop.getBody()->getTerminator();
    yield->insertOperands(yield->getNumOperands(), {place.slot, place.isOdd});
  }

  static Place getCarried(scf::ForOp loop) {
    auto carried = loop.getRegionIterArgs().take_back(2);
    return {carried[0], carried[1]};
  }

  static Place getLast(scf::ForOp loop) {
    ValueRange results = loop.getResults().take_back(2);
    return {results[0], results[1]};
  }

  /// The producers are threads beside the kind's.
  void addThreads() {
    b.setInsertionPoint(launch);
    launch.getBlockSizeXMutable().assign(indexConstant(
        b, schedule.getNumThreads() + kWarp * schedule.getProducers()));
  }

  gpu::LaunchOp launch;
  TileMmaOp mma;
  ScheduleAttr schedule;
  scf::ForOp steps, tiles; // null: the block has one tile
  int64_t stages;
  ImplicitLocOpBuilder b;
  Rings rings;
  SmallVector<Operation *> producers; // copies and what they need
  SmallVector<Operation *> replaced;  // all but the product, of the old form
  Value full, free;
};
} // namespace

/// Whether threads can copy `op` asynchronously, whose completion a barrier
/// counts.
static bool isAsynchronous(Operation *op) {
  if (op->hasAttr("transpose"))
    return false;
  Value source = op->getOperand(0), destination = getFilledBuffer(op);
  return isAsyncChunk(source, destination, getChunkWidth(source, destination));
}

/// Why the warps of a kernel all do the same; empty where they do not.
static StringRef getObstacle(scf::ForOp steps, TiledKernel kernel,
                             const TargetInfo &target) {
  if (!target.hasBulkCopies)
    return "the chip has no barriers that wait";
  if (!steps)
    return "no loop over steps";
  if (!steps.getOps<WaitOp>().empty())
    return "copies are issued ahead already";
  Operation *parent = steps->getParentOp();
  auto tiles = dyn_cast<scf::ForOp>(parent);
  // Producers have nothing of what it carries.
  if (tiles && tiles.getNumRegionIterArgs() != 0)
    return "the loop over tiles carries values";
  std::optional<StepCount> count = getStepCount(steps);
  if (parent == kernel.launch && count && count->most == 1)
    return "there is one step";
  if (!steps.getOps<TileTransposeOp>().empty())
    return "a tile is transposed in shared memory";
  bool copies = false;
  for (Operation &op : *steps.getBody()) {
    if (!getFilledBuffer(&op))
      continue;
    if (!isAsynchronous(&op))
      return "threads would wait for what a copy loads";
    copies = true;
  }
  if (!copies)
    return "nothing is promoted";
  for (Operation &op : *steps->getBlock()) {
    if (&op == steps)
      break;
    if (parent != kernel.launch && !isMemoryEffectFree(&op))
      return "what is copied depends on what is loaded for the tile";
  }
  return "";
}

/// Gives the warps of `kernel` roles if its schedule says so; says why not
/// otherwise.
static LogicalResult assignRoles(TiledKernel kernel, const TargetInfo &target) {
  auto [launch, schedule, mma] = kernel;
  if (schedule.getProducers() == 0)
    return success();
  auto steps = dyn_cast<scf::ForOp>(mma->getParentOp());
  if (StringRef why = getObstacle(steps, kernel, target); !why.empty()) {
    emitRemark(launch, RemarkId::RolesNotAssigned) << remarkReason("{0}", why);
    return success();
  }
  if (failed(verifyStepsAhead(steps, mma)))
    return failure();
  int64_t bytes = RoleBuilder(kernel, steps).build();
  emitRemark(launch, RemarkId::RolesAssigned)
      << remarkKey(RemarkKey::Warps, schedule.getProducers())
      << remarkKey(RemarkKey::Bytes, bytes);
  return success();
}

namespace {
struct AssignRoles : nm::impl::NMAssignRolesPassBase<AssignRoles> {
  void runOnOperation() override {
    TargetInfo target = getTarget(getOperation());
    auto assign = [&](TiledKernel kernel) {
      return assignRoles(kernel, target);
    };
    if (failed(forEachKernel(getOperation(), assign)))
      signalPassFailure();
  }
};
} // namespace
