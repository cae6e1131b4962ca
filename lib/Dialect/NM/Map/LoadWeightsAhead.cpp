//===- LoadWeightsAhead.cpp - Weights on the way before they are needed ---===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of few rows takes the time of its weight, which its threads read
// from global memory themselves. ptxas places the loads of a turn among the
// decoding of its masks, and behind the barriers of A's tile, so that each turn
// waits for memory anew.
//
//===----------------------------------------------------------------------===//

#include "LoopLoads.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/MemRefs.h"
#include "nm/Support/Remarks.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMLOADWEIGHTSAHEADPASS
#include "nm/Dialect/NM/Map/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Registers that a thread has at most for what a turn loads. It has those of
/// two turns beside its sums, and with more it spills.
static constexpr int64_t kMostRegisters = 64;

/// A loop of at most so many mma.sync of a thread, in all its turns, is written
/// out. ptxas unrolls short loops of kernels for a known number of rows, whose
/// loads then begin earlier, and leaves those for any number of rows: 8 rows of
/// 4096x11008 took 8.1 us and 9.7 us (H200, bf16, 8:32, L = 32, a throw-away
/// run). The number is a guess at what keeps code small.
static constexpr int64_t kMostProducts = 64;

//===----------------------------------------------------------------------===//
// Loads of a turn, a turn before
//===----------------------------------------------------------------------===//

/// Whether threads wait in `loop` for each other, or for copies.
static bool waits(scf::ForOp loop) {
  return loop
      ->walk([](Operation *op) {
        return isa<gpu::BarrierOp, nvgpu::DeviceAsyncCopyOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Makes `loads` for the turn after that of `loop`, if there is one.
static ValueRange loadNext(OpBuilder &b, scf::ForOp loop,
                           ArrayRef<LoopLoad> loads) {
  Location loc = loop.getLoc();
  Value next =
      arith::AddIOp::create(b, loc, loop.getInductionVar(), loop.getStep());
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, next,
                                        loop.getUpperBound());
  auto guarded = scf::IfOp::create(
      b, loc, isThere,
      [&](OpBuilder &b, Location loc) {
        SmallVector<Value> values;
        for (const LoopLoad &found : loads)
          values.push_back(loadFor(b, found, loop, next));
        scf::YieldOp::create(b, loc, values);
      },
      [&](OpBuilder &b, Location loc) {
        SmallVector<Value> none;
        for (const LoopLoad &found : loads)
          none.push_back(
              ub::PoisonOp::create(b, loc, found.load->getResult(0).getType()));
        scf::YieldOp::create(b, loc, none);
      });
  return guarded.getResults();
}

/// Lets `loop` carry what `loads` bring for its next turn. Returns the loop
/// that does.
static scf::ForOp carry(scf::ForOp loop, ArrayRef<LoopLoad> loads) {
  OpBuilder b(loop);
  SmallVector<Value> first;
  for (const LoopLoad &found : loads)
    first.push_back(loadFor(b, found, loop, loop.getLowerBound()));
  b.setInsertionPointToStart(loop.getBody());
  return carryLoads(loop, loads, first, loadNext(b, loop, loads));
}

/// Writes the turns of `loop` out, where they have no more than kMostProducts.
static LogicalResult writeOut(scf::ForOp loop) {
  int64_t products = 0;
  loop.walk([&](NVVM::MmaOp) { ++products; });
  auto turns = loop.getStaticTripCount();
  bool areFew = products != 0 && turns->ule(kMostProducts / products);
  return areFew ? loopUnrollFull(loop) : success();
}

/// Registers of what `loads` bring.
static int64_t countRegisters(ArrayRef<LoopLoad> loads) {
  int64_t registers = 0;
  for (const LoopLoad &found : loads) {
    Type type = found.load->getResult(0).getType();
    int64_t bits = DataLayout::closest(found.load).getTypeSizeInBits(type);
    registers += int64_t(llvm::divideCeil(bits, 32));
  }
  return registers;
}

/// The loads of the weight in `loop`, where a turn may make those of the next.
static SmallVector<LoopLoad> findWeights(scf::ForOp loop) {
  // The first turn is there: its loads are not guarded.
  auto turns = loop.getStaticTripCount();
  if (!turns || turns->isZero() || waits(loop) || storesToGlobal(loop))
    return {};
  return findLoopLoads(loop);
}

//===----------------------------------------------------------------------===//
// First loads, before A's tile
//===----------------------------------------------------------------------===//

/// Whether threads begin to copy A's tile at `op`, or wait for others: whatever
/// copies it loads what is no constant.
static bool beginsTile(Operation &op) {
  auto begins = [](Operation *inner) {
    Value buffer = getLoadedBuffer(inner);
    bool loads = buffer && !isWorkgroup(buffer) && !isConstantBuffer(buffer);
    return loads || isa<gpu::BarrierOp, nvgpu::DeviceAsyncCopyOp>(inner)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return op.walk(begins).wasInterrupted();
}

/// Whether `op` multiplies, or something in it.
static bool isProduct(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<LLVM::FMAOp, NVVM::MmaOp>(inner) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a product needs `load`, or a loop that has one.
static bool isForProduct(Operation *load) {
  SetVector<Operation *> users;
  getForwardSlice(load, &users);
  return llvm::any_of(users, isProduct);
}

/// Adds `op`, and what it needs of the block of `place` behind that, to `ops`.
/// False where any of that has effects of its own.
static bool addProducers(Operation *op, Operation *place,
                         SetVector<Operation *> &ops) {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (!producer || producer->getBlock() != place->getBlock() ||
        producer->isBeforeInBlock(place) || ops.contains(producer))
      continue;
    if (!isMemoryEffectFree(producer) || !addProducers(producer, place, ops))
      return false;
  }
  ops.insert(op);
  return true;
}

/// The loads of the weight that stand right in `block`, each with the beginning
/// of a tile that it may as well precede: the first one, or the first one
/// behind the products of another weight, from where on registers are free.
static SmallVector<std::pair<Operation *, Operation *>>
findLateLoads(Block &block) {
  SmallVector<std::pair<Operation *, Operation *>> loads;
  Operation *tile = nullptr;
  bool isBehindProducts = false;
  for (Operation &op : block) {
    isBehindProducts |= isProduct(&op);
    if ((!tile || isBehindProducts) && beginsTile(op)) {
      tile = &op;
      isBehindProducts = false;
    }
    Value buffer = tile ? getLoadedBuffer(&op) : nullptr;
    if (buffer && isConstantBuffer(buffer) && isForProduct(&op))
      loads.push_back({&op, tile});
  }
  return loads;
}

/// Moves loads of the weight that stand right in `block` before A's tile; how
/// many.
static int64_t hoistLoads(Block &block) {
  int64_t count = 0;
  for (auto [load, tile] : findLateLoads(block)) {
    SetVector<Operation *> ops;
    if (!addProducers(load, tile, ops))
      continue;
    for (Operation *op : ops)
      op->moveBefore(tile);
    ++count;
  }
  return count;
}

namespace {
struct LoadWeightsAhead
    : nm::impl::NMLoadWeightsAheadPassBase<LoadWeightsAhead> {
  void runOnOperation() override {
    getOperation()->walk([&](gpu::LaunchOp launch) {
      SmallVector<scf::ForOp> loops;
      launch.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      int64_t carried = 0, hoisted = 0;
      for (scf::ForOp loop : loops) {
        SmallVector<LoopLoad> loads = findWeights(loop);
        int64_t registers = countRegisters(loads);
        if (registers > kMostRegisters) {
          emitRemark(launch, RemarkId::WeightsNotAhead) << remarkReason(
              "a turn of a thread loads {0} registers, and those of two turns "
              "have room up to {1}",
              registers, kMostRegisters);
          continue;
        }
        if (!loads.empty() && failed(writeOut(carry(loop, loads))))
          return signalPassFailure();
        carried += int64_t(loads.size());
      }
      launch.walk([&](Block *block) { hoisted += hoistLoads(*block); });
      if (carried > 0 || hoisted > 0)
        emitRemark(launch, RemarkId::WeightsAhead)
            << remarkKey(RemarkKey::Loads, carried)
            << remarkKey(RemarkKey::BeforeA, hoisted);
    });
  }
};
} // namespace
