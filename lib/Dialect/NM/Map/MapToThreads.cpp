//===- MapToThreads.cpp - Tile ops to the work of one thread --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments become a thread's values through the loops that carry them. What
// each op on them becomes is the business of the instruction kind
// (KindLowering).
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Map/KindLowering.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"

namespace nm {
#define GEN_PASS_DEF_NMMAPTOTHREADSPASS
#include "nm/Dialect/NM/Map/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// Lowers one launch.
class LaunchMapper {
public:
  LaunchMapper(gpu::LaunchOp launch, KindMapper &kind)
      : launch(launch), kind(kind), b(launch.getLoc(), launch.getContext()) {}

  void run() {
    lowerCopies(launch, launch.getThreadIds().x,
                getSchedule(launch).getNumThreads());
    lowerBlock(launch.getBody().front());
    eraseDead(0);
    launch->removeAttr(kScheduleAttrName);
  }

private:
  /// Lowers the ops on fragments in `block`, in order.
  void lowerBlock(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      b.setInsertionPoint(&op);
      b.setLoc(op.getLoc());
      if (auto zero = dyn_cast<TileZeroOp>(op)) {
        fragments[zero.getResult()] = kind.lowerZero(zero);
      } else if (auto mma = dyn_cast<TileMmaOp>(op)) {
        fragments[mma.getResult()] =
            kind.lowerProduct(mma, fragments.at(mma.getAcc()));
      } else if (auto store = dyn_cast<TileStoreOp>(op)) {
        kind.lowerStore(store, fragments.at(store.getValue()));
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        lowerLoop(loop);
        continue;
      } else {
        continue;
      }
      dead.push_back(&op);
    }
  }

  /// Erases the ops replaced since there were `count`, uses before definitions.
  void eraseDead(size_t count) {
    while (dead.size() > count)
      dead.pop_back_val()->erase();
  }

  /// Replaces a loop that carries one fragment by one that carries vectors.
  void lowerLoop(scf::ForOp loop) {
    if (loop.getNumRegionIterArgs() != 1 ||
        !isa<FragmentType>(loop.getRegionIterArgs()[0].getType()))
      return;
    FragmentValues &init = fragments.at(loop.getInitArgs()[0]);
    auto replacement = scf::ForOp::create(
        b, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), init);
    Block *body = replacement.getBody();
    if (!body->empty())
      body->back().erase();
    fragments[loop.getRegionIterArgs()[0]] =
        llvm::to_vector<0>(ValueRange(replacement.getRegionIterArgs()));
    loop.getInductionVar().replaceAllUsesWith(replacement.getInductionVar());
    body->getOperations().splice(body->end(), loop.getBody()->getOperations());
    size_t count = dead.size();
    lowerBlock(*body);
    Operation *yield = body->getTerminator();
    FragmentValues sums = fragments.at(yield->getOperand(0));
    b.setInsertionPoint(yield);
    scf::YieldOp::create(b, sums);
    yield->erase();
    // They use the argument of the loop that is to go.
    eraseDead(count);
    fragments[loop.getResult(0)] =
        llvm::to_vector<0>(ValueRange(replacement.getResults()));
    dead.push_back(loop);
  }

  gpu::LaunchOp launch;
  KindMapper &kind;
  ImplicitLocOpBuilder b;
  DenseMap<Value, FragmentValues> fragments;
  SmallVector<Operation *> dead;
};

struct MapToThreads : nm::impl::NMMapToThreadsPassBase<MapToThreads> {
  void runOnOperation() override {
    auto mapKernel = [](TiledKernel kernel) -> LogicalResult {
      InstructionKind kind = kernel.schedule.getKind();
      auto lowering = dyn_cast<KindLowering>(kind);
      if (!lowering)
        return kernel.launch.emitOpError()
               << "expected an instruction kind with a lowering, got " << kind;
      std::unique_ptr<KindMapper> mapper = lowering.createMapper(
          {kernel.launch, kernel.schedule, kernel.mma.getPattern()});
      LaunchMapper(kernel.launch, *mapper).run();
      return success();
    };
    if (failed(forEachKernel(getOperation(), mapKernel)))
      signalPassFailure();
  }
};
} // namespace
