//===- PlaceDeallocs.cpp - Buffers only live while they are used ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's deallocation pipeline frees everything at the end of the function,
// so that a deep network would hold all its activations at once.
//
//===----------------------------------------------------------------------===//

#include "OwnedResults.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "nm/Support/Remarks.h"
#include "nm/Transforms/Buffers/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMPLACEDEALLOCSPASS
#include "nm/Transforms/Buffers/Passes.h.inc"
} // namespace nm

using namespace mlir;

namespace {
/// What becomes of a buffer.
enum class Fate { ends, handedOver, leaves, freed };
} // namespace

/// Whether `terminator` hands its buffers over to who then frees them.
static bool handsOver(Operation *terminator) {
  return isa<func::ReturnOp>(terminator) ||
         terminator->getParentOp()->hasAttr(nm::kOwnsResultsAttr);
}

/// Follows `buffer` and its views to the last op of its block that uses them.
static Fate findLastUse(Value buffer, const BufferViewFlowAnalysis &views,
                        Operation *&last) {
  Block *block = buffer.getParentBlock();
  last = buffer.getDefiningOp();
  Fate fate = Fate::ends;
  for (Value alias : views.resolve(buffer)) {
    for (Operation *user : alias.getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (isa<memref::DeallocOp>(user) && here)
        return Fate::freed;
      if (user->hasAttr(nm::kOwnsResultsAttr))
        return Fate::handedOver;
      if (user == block->getTerminator() && handsOver(user))
        fate = Fate::handedOver;
      else if (!here || here == block->getTerminator())
        fate = fate == Fate::handedOver ? fate : Fate::leaves;
      else if (last->isBeforeInBlock(here))
        last = here;
    }
  }
  return fate;
}

/// Moves allocations, and views of them, right before the first op that uses
/// them: bufferization leaves them where the tensor was made.
static void sinkAllocations(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    bool isView = isa<ViewLikeOpInterface>(op) && isMemoryEffectFree(&op);
    if (!isView && !isa<memref::AllocOp>(op))
      continue;
    Operation *first = nullptr;
    for (Operation *user : op.getUsers()) {
      Operation *here = block.findAncestorOpInBlock(*user);
      if (here && (!first || here->isBeforeInBlock(first)))
        first = here;
    }
    if (first)
      op.moveBefore(first);
  }
}

namespace {
struct PlaceDeallocs : nm::impl::NMPlaceDeallocsPassBase<PlaceDeallocs> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        processFunction(function);
  }

private:
  void processFunction(func::FuncOp function) {
    BufferViewFlowAnalysis views(function);
    SmallVector<Value> buffers;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::LaunchOp>(op))
        return WalkResult::skip();
      if (isa<memref::AllocOp, func::CallOp>(op) ||
          op->hasAttr(nm::kOwnsResultsAttr))
        for (Value result : op->getResults())
          if (isa<MemRefType>(result.getType()))
            buffers.push_back(result);
      return WalkResult::advance();
    });
    for (Value buffer : buffers) {
      Operation *last;
      switch (findLastUse(buffer, views, last)) {
      case Fate::handedOver:
      case Fate::freed:
        break;
      case Fate::leaves:
        nm::emitRemark(buffer.getDefiningOp(), nm::RemarkId::NotFreed)
            << nm::remarkKey(nm::RemarkKey::Text,
                             "buffer leaves its block through control flow");
        break;
      case Fate::ends: {
        OpBuilder b(function.getContext());
        b.setInsertionPointAfter(last);
        memref::DeallocOp::create(b, buffer.getLoc(), buffer);
        break;
      }
      }
    }
    function.walk([](Operation *op) {
      if (isa<gpu::LaunchOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          sinkAllocations(block);
      return WalkResult::advance();
    });
  }
};
} // namespace
