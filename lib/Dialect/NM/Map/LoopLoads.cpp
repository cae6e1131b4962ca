//===- LoopLoads.cpp - Loads that can be made for other turns -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLoads.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/MemRefs.h"

using namespace mlir;
using namespace nm;

bool nm::storesToGlobal(scf::ForOp loop) {
  return loop
      ->walk([](Operation *op) {
        auto store = dyn_cast<memref::StoreOp>(op);
        auto vectorStore = dyn_cast<vector::StoreOp>(op);
        bool isGlobal = (store && !isWorkgroup(store.getMemRef())) ||
                        (vectorStore && !isWorkgroup(vectorStore.getBase()));
        return isGlobal ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isGlobalLoad(Operation &op) {
  Value buffer = getLoadedBuffer(&op);
  return buffer && !isWorkgroup(buffer);
}

/// Adds what computes the operands of `op` from the number of the turn and
/// what is outside of `loop`; false where anything else does.
static bool addSlice(Operation *op, scf::ForOp loop,
                     llvm::SetVector<Operation *> &slice) {
  for (Value operand : op->getOperands()) {
    if (loop.isDefinedOutsideOfLoop(operand) ||
        operand == loop.getInductionVar() ||
        slice.contains(operand.getDefiningOp()))
      continue;
    Operation *producer = operand.getDefiningOp();
    if (!producer || !isMemoryEffectFree(producer) ||
        !addSlice(producer, loop, slice))
      return false;
    slice.insert(producer);
  }
  return true;
}

SmallVector<LoopLoad> nm::findLoopLoads(scf::ForOp loop) {
  SmallVector<LoopLoad> loads;
  for (Operation &op : *loop.getBody()) {
    LoopLoad found = {&op, {}};
    if (isGlobalLoad(op) && addSlice(&op, loop, found.slice))
      loads.push_back(std::move(found));
  }
  return loads;
}

Value nm::loadFor(OpBuilder &b, const LoopLoad &found, scf::ForOp loop,
                  Value turn) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), turn);
  for (Operation *op : found.slice)
    b.clone(*op, mapping);
  return b.clone(*found.load, mapping)->getResult(0);
}

scf::ForOp nm::carryLoads(scf::ForOp loop, ArrayRef<LoopLoad> loads,
                          ValueRange first, ValueRange next) {
  IRRewriter b(loop);
  auto yield = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
    for (auto [found, value] : llvm::zip(loads, carried))
      found.load->getResult(0).replaceAllUsesWith(value);
    return SmallVector<Value>(next);
  };
  auto replaced = loop.replaceWithAdditionalYields(
      b, first, /*replaceInitOperandUsesInLoop=*/false, yield);
  for (const LoopLoad &found : loads)
    found.load->erase();
  return cast<scf::ForOp>(replaced->getOperation());
}
