//===- MapLoopsToGPU.cpp - scf.parallel to gpu.launch ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each outermost scf.parallel becomes one launch. Its dimensions are collapsed
// into one linear index, the last one fastest so that neighbouring threads
// touch neighbouring elements, and only grid x is used: grid y and z end at
// 65535, which a wide matrix passes.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "nm/Conversion/LinalgToGPU/Passes.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMMAPLOOPSTOGPUPASS
#include "nm/Conversion/LinalgToGPU/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Below this many iterations blocks of 128 threads spread over more of the GPU
/// than blocks of 256.
static constexpr int64_t kFewIterations = 1 << 15;

namespace {
/// The iteration space of a parallel loop, counted from 0 in steps of 1.
struct IterationSpace {
  SmallVector<Value> counts; // per dimension
  Value total;
  std::optional<int64_t> staticTotal; // no value if it passes 63 bits, too
};
} // namespace

static Value constantIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// Whether `value` is the extent of a buffer, which is no negative number.
static bool isExtent(Value value) {
  return value.getDefiningOp<memref::DimOp>() != nullptr;
}

/// Number of iterations of `for i = lower to upper step step`: none if `upper`
/// is below `lower`. Their distance needs 64 bits without a sign.
static Value countIterations(OpBuilder &b, Location loc, Value lower,
                             Value upper, Value step) {
  std::optional<int64_t> l = getConstantIntValue(lower),
                         u = getConstantIntValue(upper),
                         s = getConstantIntValue(step);
  if (l && u && s) {
    uint64_t range = *u > *l ? uint64_t(*u) - uint64_t(*l) : 0;
    return constantIndex(b, loc, llvm::divideCeil(range, uint64_t(*s)));
  }
  Value count =
      l == 0 ? upper : arith::SubIOp::create(b, loc, upper, lower).getResult();
  if (!s) {
    Value isPositive = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                             step, constantIndex(b, loc, 0));
    cf::AssertOp::create(b, loc, isPositive,
                         "scf.parallel: the step is not positive");
  }
  if (s != 1)
    count = arith::CeilDivUIOp::create(b, loc, count, step);
  if (l == 0 && isExtent(upper))
    return count;
  Value isEmpty =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, upper, lower);
  return arith::SelectOp::create(b, loc, isEmpty, constantIndex(b, loc, 0),
                                 count);
}

static IterationSpace computeSpace(OpBuilder &b, scf::ParallelOp loop) {
  Location loc = loop.getLoc();
  IterationSpace space;
  space.staticTotal = 1;
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    Value count = countIterations(b, loc, lower, upper, step);
    space.counts.push_back(count);
    space.total =
        space.total ? arith::MulIOp::create(b, loc, space.total, count) : count;
    std::optional<int64_t> known = getConstantIntValue(count);
    int64_t product;
    if (space.staticTotal && known && *known >= 0 &&
        !llvm::MulOverflow(*space.staticTotal, *known, product))
      space.staticTotal = product;
    else
      space.staticTotal = std::nullopt;
  }
  if (llvm::any_of(space.counts,
                   [](Value count) { return isConstantIntValue(count, 0); }))
    space.staticTotal = 0;
  if (space.staticTotal)
    space.total = constantIndex(b, loc, *space.staticTotal);
  return space;
}

/// Whether the number of iterations is known, and none of 63 bits.
static bool isTooLarge(const IterationSpace &space) {
  return llvm::all_of(space.counts,
                      [](Value count) { return getConstantIntValue(count); }) &&
         space.staticTotal.value_or(-1) < 0;
}

/// The loop's induction variables at linear iteration `linear`. Divides in 32
/// bits where all iterations are known to fit: 64-bit division is slow.
static SmallVector<Value> delinearize(OpBuilder &b, scf::ParallelOp loop,
                                      const IterationSpace &space,
                                      Value linear) {
  Location loc = loop.getLoc();
  bool narrow = space.staticTotal && *space.staticTotal <= INT32_MAX;
  auto toWork = [&](Value index) -> Value {
    return narrow ? arith::IndexCastUIOp::create(b, loc, b.getI32Type(), index)
                  : index;
  };
  auto fromWork = [&](Value index) -> Value {
    return narrow
               ? arith::IndexCastUIOp::create(b, loc, b.getIndexType(), index)
               : index;
  };
  SmallVector<Value> ivs(space.counts.size());
  Value rest = toWork(linear);
  for (int64_t i = ivs.size() - 1; i >= 0; --i) {
    Value digit = rest;
    if (i > 0) {
      Value count = toWork(space.counts[i]);
      digit = arith::RemUIOp::create(b, loc, rest, count);
      rest = arith::DivUIOp::create(b, loc, rest, count);
    }
    Value iv = fromWork(digit);
    if (getConstantIntValue(loop.getStep()[i]) != 1)
      iv = arith::MulIOp::create(b, loc, iv, loop.getStep()[i]);
    if (getConstantIntValue(loop.getLowerBound()[i]) != 0)
      iv = arith::AddIOp::create(b, loc, iv, loop.getLowerBound()[i]);
    ivs[i] = iv;
  }
  return ivs;
}

/// Turns the parallel loops inside `block` into sequential ones.
static LogicalResult sequentializeLoops(RewriterBase &rewriter, Block *block) {
  SmallVector<scf::ParallelOp> loops;
  block->walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
  for (scf::ParallelOp loop : loops) {
    if (loop.getNumResults() != 0)
      return loop.emitOpError("unsupported: parallel reduction in a kernel");
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> ivs;
    for (auto [lower, upper, step] : llvm::zip_equal(
             loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
      auto inner =
          scf::ForOp::create(rewriter, loop.getLoc(), lower, upper, step);
      ivs.push_back(inner.getInductionVar());
      rewriter.setInsertionPointToStart(inner.getBody());
    }
    rewriter.eraseOp(loop.getBody()->getTerminator());
    Block *target = rewriter.getInsertionBlock();
    rewriter.inlineBlockBefore(loop.getBody(), target->getTerminator(), ivs);
    rewriter.eraseOp(loop);
  }
  return success();
}

namespace {
struct MapLoopsToGPU : nm::impl::NMMapLoopsToGPUPassBase<MapLoopsToGPU> {
  using NMMapLoopsToGPUPassBase::NMMapLoopsToGPUPassBase;

  void runOnOperation() override;

private:
  LogicalResult mapLoop(RewriterBase &rewriter, scf::ParallelOp loop,
                        KernelNames &names);
  /// The launch with an empty body, and in it the point where the iteration
  /// whose linear number is returned belongs.
  std::pair<gpu::LaunchOp, Value> createLaunch(RewriterBase &rewriter,
                                               Location loc,
                                               const IterationSpace &space);
  void mapStore(RewriterBase &rewriter, memref::StoreOp store,
                KernelNames &names);
};
} // namespace

std::pair<gpu::LaunchOp, Value>
MapLoopsToGPU::createLaunch(RewriterBase &rewriter, Location loc,
                            const IterationSpace &space) {
  int64_t threads = blockSize;
  if (threads == 0)
    threads =
        space.staticTotal && *space.staticTotal < kFewIterations ? 128 : 256;
  int64_t blockLimit = maxBlocks;
  Value block = constantIndex(rewriter, loc, threads), grid;
  Value one = constantIndex(rewriter, loc, 1);
  bool loopNeeded = true;
  if (space.staticTotal) {
    int64_t blocks = llvm::divideCeil(uint64_t(*space.staticTotal), threads);
    loopNeeded = blocks > blockLimit;
    grid = constantIndex(rewriter, loc, std::min(blocks, blockLimit));
  } else {
    grid = arith::CeilDivUIOp::create(rewriter, loc, space.total, block);
    grid = arith::MinUIOp::create(rewriter, loc, grid,
                                  constantIndex(rewriter, loc, blockLimit));
  }

  auto launch =
      gpu::LaunchOp::create(rewriter, loc, grid, one, one, block, one, one);
  rewriter.setInsertionPointToEnd(&launch.getBody().front());
  auto terminator = gpu::TerminatorOp::create(rewriter, loc);
  rewriter.setInsertionPoint(terminator);
  Value first =
      arith::MulIOp::create(rewriter, loc, launch.getBlockIds().x, block);
  first = arith::AddIOp::create(rewriter, loc, first, launch.getThreadIds().x);
  if (loopNeeded) {
    Value stride =
        arith::MulIOp::create(rewriter, loc, launch.getGridSize().x, block);
    auto loop = scf::ForOp::create(rewriter, loc, first, space.total, stride);
    rewriter.setInsertionPointToStart(loop.getBody());
    return {launch, loop.getInductionVar()};
  }
  if (*space.staticTotal % threads != 0) {
    Value inside = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ult, first, space.total);
    auto guard = scf::IfOp::create(rewriter, loc, inside);
    rewriter.setInsertionPointToStart(guard.thenBlock());
  }
  return {launch, first};
}

LogicalResult MapLoopsToGPU::mapLoop(RewriterBase &rewriter,
                                     scf::ParallelOp loop, KernelNames &names) {
  if (loop.getNumResults() != 0)
    return loop.emitOpError("unsupported: parallel loop with a reduction; "
                            "expected loops without results, got ")
           << loop.getNumResults() << " results";
  if (failed(sequentializeLoops(rewriter, loop.getBody())))
    return failure();
  rewriter.setInsertionPoint(loop);
  IterationSpace space = computeSpace(rewriter, loop);
  if (isTooLarge(space))
    return loop.emitOpError("unsupported: 2^63 iterations or more");
  auto [launch, linear] = createLaunch(rewriter, loop.getLoc(), space);
  SmallVector<Value> ivs = delinearize(rewriter, loop, space, linear);
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), rewriter.getInsertionBlock(),
                             rewriter.getInsertionPoint(), ivs);
  auto what = loop->getAttrOfType<StringAttr>(kKernelNameAttr);
  names.assign(launch, what ? what.getValue() : "loop");
  rewriter.eraseOp(loop);
  return success();
}

void MapLoopsToGPU::mapStore(RewriterBase &rewriter, memref::StoreOp store,
                             KernelNames &names) {
  rewriter.setInsertionPoint(store);
  Location loc = store.getLoc();
  Value one = constantIndex(rewriter, loc, 1);
  auto launch =
      gpu::LaunchOp::create(rewriter, loc, one, one, one, one, one, one);
  rewriter.setInsertionPointToEnd(&launch.getBody().front());
  auto terminator = gpu::TerminatorOp::create(rewriter, loc);
  rewriter.moveOpBefore(store, terminator);
  names.assign(launch, "store");
}

void MapLoopsToGPU::runOnOperation() {
  if (blockSize != 0 && (blockSize < 32 || blockSize > 1024)) {
    getOperation().emitError(
        "expected a block size of 32 to 1024 threads, got ")
        << int64_t(blockSize);
    return signalPassFailure();
  }
  if (maxBlocks < 1 || maxBlocks > INT32_MAX) {
    getOperation().emitError("expected a grid limit of 1 to 2147483647 blocks, "
                             "got ")
        << int64_t(maxBlocks);
    return signalPassFailure();
  }
  KernelNames names(getOperation());
  SmallVector<Operation *> work;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp, gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (!isa<scf::ParallelOp, memref::StoreOp>(op))
      return WalkResult::advance();
    work.push_back(op);
    return WalkResult::skip();
  });
  IRRewriter rewriter(&getContext());
  for (Operation *op : work) {
    if (auto store = dyn_cast<memref::StoreOp>(op))
      mapStore(rewriter, store, names);
    else if (failed(mapLoop(rewriter, cast<scf::ParallelOp>(op), names)))
      return signalPassFailure();
  }
}
