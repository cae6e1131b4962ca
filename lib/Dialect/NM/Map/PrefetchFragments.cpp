//===- PrefetchFragments.cpp - The first slice of the next step -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMPREFETCHFRAGMENTSPASS
#include "nm/Dialect/NM/Map/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Adds `op` and what it needs of its block to `ops`, in an order in which they
/// can be cloned. False when something of that is neither pure nor a load.
static bool collectProducers(Operation *op, llvm::SetVector<Operation *> &ops) {
  if (ops.contains(op))
    return true;
  if (!isMemoryEffectFree(op) &&
      !isa<LoadPositionsOp, LoadRowsOp, LoadValuesOp>(op))
    return false;
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (producer && producer->getBlock() == op->getBlock() &&
        !collectProducers(producer, ops))
      return false;
  }
  ops.insert(op);
  return true;
}

namespace {
/// Moves the loads of the first slice a step ahead.
class Rotation {
public:
  explicit Rotation(StepLoop step)
      : step(step), b(step.loop.getLoc(), step.loop) {}

  /// Rotates the loop; returns why it cannot be done, nothing where it is.
  StringRef run() {
    StringRef why = findFirstSlice();
    if (why.empty())
      rotate();
    return why;
  }

private:
  /// Finds the loads of the first slice; returns why there is none to be moved.
  StringRef findFirstSlice() {
    if (step.mmas.empty())
      return "the slices of a step are not written out";
    // The wait and the barrier move there.
    for (Operation *op = step.mmas.back()->getNextNode(); op;
         op = op->getNextNode())
      if (!isMemoryEffectFree(op) && op != step.release)
        return "the last product is not the end of a step";
    MmaOp first = step.mmas.front();
    auto rows = first.getRows().getDefiningOp<LoadRowsOp>();
    auto values = first.getValues().getDefiningOp<LoadValuesOp>();
    if (!rows || !values)
      return "the first slice is loaded ahead already";
    fragments = {rows.getPositions(), rows, values};
    for (Value fragment : fragments) {
      Operation *load = fragment.getDefiningOp();
      if (!load || load->getBlock() != step.loop.getBody() ||
          !collectProducers(load, producers))
        return "the first slice is not loaded in the loop";
    }
    for (Value operand : step.wait->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == step.loop.getBody())
        collectProducers(producer, ofWait);
    return "";
  }

  void rotate() {
    // The first step's slice, as soon as its copies are there.
    SmallVector<Value> init(step.loop.getInitArgs());
    IRMapping first =
        mapStep(step.loop.getLowerBound(), init, step.loop.getRegionIterArgs());
    wait(first);
    llvm::append_range(init, load(first));
    auto loop = scf::ForOp::create(b, step.loop.getLowerBound(),
                                   step.loop.getUpperBound(),
                                   step.loop.getStep(), init);
    moveBody(loop);
    loadNext(loop);
    useCarried(loop);
    step.loop.replaceAllUsesWith(
        loop.getResults().take_front(step.loop.getNumResults()));
    step.loop.erase();
  }

  /// What step `at` has in the place of this one's values, to which the loop
  /// carries `values` as `arguments`.
  IRMapping mapStep(Value at, ValueRange values, ValueRange arguments) {
    IRMapping mapping;
    mapping.map(step.loop.getInductionVar(), at);
    mapping.map(arguments, values);
    return mapping;
  }

  /// Clones the wait for the copies of the step that `mapping` says.
  void wait(IRMapping &mapping) {
    for (Operation *op : ofWait)
      b.clone(*op, mapping);
    b.clone(*step.wait, mapping);
    if (step.barrier)
      b.clone(*step.barrier);
  }

  /// Clones the loads of the first slice of the step that `mapping` says.
  SmallVector<Value> load(IRMapping &mapping) {
    for (Operation *op : producers)
      b.clone(*op, mapping);
    return llvm::map_to_vector(
        fragments, [&](Value fragment) { return mapping.lookup(fragment); });
  }

  /// Moves the step to `loop`.
  void moveBody(scf::ForOp loop) {
    Block *body = loop.getBody();
    body->getOperations().splice(body->end(),
                                 step.loop.getBody()->getOperations());
    for (auto [from, to] :
         llvm::zip(step.loop.getRegionIterArgs(), loop.getRegionIterArgs()))
      from.replaceAllUsesWith(to);
  }

  /// Lets the step wait for the next one's copies before its last product, when
  /// it has loaded all its operands, and load the next one's first slice.
  void loadNext(scf::ForOp loop) {
    MmaOp last = step.mmas.back();
    while (last->getNextNode() != last->getBlock()->getTerminator())
      last->getNextNode()->moveBefore(last);
    b.setInsertionPoint(last);
    // The last step waits for its own copies and loads its own slice again,
    // that nobody uses: no other may have been copied.
    Value one = indexConstant(b, 1);
    Value next = arith::AddIOp::create(b, step.loop.getInductionVar(), one);
    Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, next,
                                       loop.getUpperBound());
    auto choose = [&](Value ofNext, Value ofThis) -> Value {
      return arith::SelectOp::create(b, more, ofNext, ofThis);
    };
    Operation *yield = loop.getBody()->getTerminator();
    SmallVector<Value> values(yield->getOperands());
    ValueRange arguments = loop.getRegionIterArgs().take_front(values.size());
    // Sums are no part of what is loaded.
    for (auto [value, argument] : llvm::zip(values, arguments))
      if (!isa<FragmentType>(value.getType()))
        value = choose(value, argument);
    IRMapping following =
        mapStep(choose(next, step.loop.getInductionVar()), values, arguments);
    wait(following);
    yield->insertOperands(yield->getNumOperands(), load(following));
    // Behind the loads, which the last step has of its own slot.
    if (step.release)
      step.release->moveBefore(last);
    step.wait->erase();
    if (step.barrier)
      step.barrier->erase();
    for (Operation *op : llvm::reverse(ofWait))
      if (op->use_empty())
        op->erase();
  }

  /// Lets the step take its first slice from the last values of `loop`.
  void useCarried(scf::ForOp loop) {
    size_t count = step.loop.getNumRegionIterArgs();
    for (auto [fragment, argument] :
         llvm::zip(fragments, loop.getRegionIterArgs().drop_front(count)))
      fragment.replaceAllUsesWith(argument);
    for (Operation *op : llvm::reverse(producers))
      if (op->use_empty())
        op->erase();
    step.loop.getInductionVar().replaceAllUsesWith(loop.getInductionVar());
  }

  StepLoop step;
  ImplicitLocOpBuilder b;
  SmallVector<Value> fragments; // positions, rows and values of the first slice
  llvm::SetVector<Operation *> producers, ofWait;
};

struct PrefetchFragments
    : nm::impl::NMPrefetchFragmentsPassBase<PrefetchFragments> {
  void runOnOperation() override {
    auto prefetch = [](LoadedKernel kernel) -> LogicalResult {
      StepLoop step = findStepLoop(kernel.launch);
      StringRef why;
      if (!getSchedule(kernel.launch).getPrefetch())
        why = "the schedule does not ask for it";
      else if (!step.loop)
        why = "no loop over steps copies ahead";
      else
        why = Rotation(step).run();
      if (why.empty())
        emitRemark(kernel.launch, RemarkId::FragmentsPrefetched)
            << remarkKey(RemarkKey::Slices, step.mmas.size());
      else
        emitRemark(kernel.launch, RemarkId::FragmentsNotPrefetched)
            << remarkReason("{0}", why);
      return success();
    };
    if (failed(forEachLoadedKernel(getOperation(), prefetch)))
      signalPassFailure();
  }
};
} // namespace
