//===- LoadColumnsAhead.cpp - Rows to copy, known a step before -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NM-SpMM III-C copies the rows of A that the column information lists. The
// number of a row comes from global memory, and a copy that needs it at once
// stops its warp until it is there.
//
//===----------------------------------------------------------------------===//

#include "LoopLoads.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/Occupancy.h"

namespace nm {
#define GEN_PASS_DEF_NMLOADCOLUMNSAHEADPASS
#include "nm/Dialect/NM/Map/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Whether an asynchronous copy, of what it says, needs `load`.
static bool isForCopy(Operation *load) {
  SetVector<Operation *> users;
  getForwardSlice(load, &users);
  return llvm::any_of(users, llvm::IsaPred<nvgpu::DeviceAsyncCopyOp>);
}

/// Loads for the first turn of `loop`, if it has one.
static SmallVector<Value> loadFirst(OpBuilder &b, scf::ForOp loop,
                                    ArrayRef<LoopLoad> loads) {
  auto load = [&](OpBuilder &b) {
    SmallVector<Value> values;
    for (const LoopLoad &found : loads)
      values.push_back(loadFor(b, found, loop, loop.getLowerBound()));
    return values;
  };
  auto least = getConstantIntValue(loop.getLowerBound());
  auto end = getConstantIntValue(loop.getUpperBound());
  if (least && end && *least < *end)
    return load(b);
  Value exists =
      arith::CmpIOp::create(b, loop.getLoc(), arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  auto guarded = scf::IfOp::create(
      b, loop.getLoc(), exists,
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, load(b));
      },
      [&](OpBuilder &b, Location loc) {
        SmallVector<Value> none;
        for (const LoopLoad &found : loads)
          none.push_back(arith::ConstantOp::create(
              b, loc, b.getZeroAttr(found.load->getResult(0).getType())));
        scf::YieldOp::create(b, loc, none);
      });
  return guarded.getResults();
}

/// Lets `loop` carry what `loads` bring for its next turn; the last one loads
/// its own again.
static void carry(scf::ForOp loop, ArrayRef<LoopLoad> loads) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value argument = loop.getInductionVar();
  SmallVector<Value> first = loadFirst(b, loop, loads), next;
  b.setInsertionPointToStart(loop.getBody());
  Value following = arith::AddIOp::create(b, loc, argument, loop.getStep());
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                        following, loop.getUpperBound());
  following = arith::SelectOp::create(b, loc, isThere, following, argument);
  for (const LoopLoad &found : loads) {
    b.setInsertionPoint(found.load);
    next.push_back(loadFor(b, found, loop, following));
  }
  carryLoads(loop, loads, first, next);
}

/// The innermost loops of `launch` that copy.
static SetVector<scf::ForOp> findStepLoops(gpu::LaunchOp launch) {
  SetVector<scf::ForOp> loops;
  launch.walk([&](nvgpu::DeviceAsyncCopyOp copy) {
    if (auto loop = copy->getParentOfType<scf::ForOp>())
      loops.insert(loop);
  });
  loops.remove_if([&](scf::ForOp loop) {
    return llvm::any_of(
        loops, [&](scf::ForOp other) { return loop->isProperAncestor(other); });
  });
  return loops;
}

/// Whether an SM holds one block of `launch` by its shared memory. Of several,
/// others compute while one waits for its columns.
static bool isAlone(gpu::LaunchOp launch, const TargetInfo &target) {
  Value size = launch.getDynamicSharedMemorySize();
  std::optional<int64_t> bytes =
      size ? getConstantIntValue(size) : std::nullopt;
  return bytes && isAloneByMemory(target, *bytes);
}

namespace {
struct LoadColumnsAhead
    : nm::impl::NMLoadColumnsAheadPassBase<LoadColumnsAhead> {
  void runOnOperation() override {
    TargetInfo target = getTarget(getOperation());
    getOperation()->walk([&](gpu::LaunchOp launch) {
      if (!isAlone(launch, target))
        return;
      for (scf::ForOp loop : findStepLoops(launch)) {
        SmallVector<LoopLoad> loads = findLoopLoads(loop);
        llvm::erase_if(loads, [](const LoopLoad &found) {
          return !isForCopy(found.load);
        });
        if (loads.empty() || storesToGlobal(loop))
          continue;
        emitRemark(launch, RemarkId::ColumnsAhead)
            << remarkKey(RemarkKey::Loads, int64_t(loads.size()));
        carry(loop, loads);
      }
    });
  }
};
} // namespace
