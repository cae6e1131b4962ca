//===- StepLoop.cpp - The loop over steps of a kernel ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepLoop.h"

using namespace mlir;
using namespace nm;

/// Whether `loop` computes: those of producers do not.
static bool carriesSum(scf::ForOp loop) {
  return llvm::any_of(loop.getResultTypes(), llvm::IsaPred<FragmentType>);
}

StepLoop nm::findStepLoop(gpu::LaunchOp launch) {
  StepLoop found;
  launch.walk([&](WaitOp wait) {
    auto loop = dyn_cast<scf::ForOp>(wait->getParentOp());
    if (!loop)
      return;
    Block *body = loop.getBody();
    auto barrier = dyn_cast_or_null<gpu::BarrierOp>(wait->getNextNode());
    // Copies of this thread are there for others behind a barrier of the block.
    bool needsBarrier = wait.getPending().has_value();
    // Only what names the barrier that is waited for may be before.
    if (!carriesSum(loop) || (needsBarrier && !barrier) ||
        !llvm::all_of(llvm::make_range(body->begin(), wait->getIterator()),
                      [](Operation &op) { return isMemoryEffectFree(&op); }))
      return;
    auto releases = body->getOps<ArriveOp>();
    found = {loop,
             wait,
             needsBarrier ? barrier : gpu::BarrierOp(),
             releases.empty() ? ArriveOp() : *releases.begin(),
             llvm::to_vector(body->getOps<TileTransposeOp>()),
             llvm::to_vector(body->getOps<MmaOp>())};
  });
  return found;
}
