//===- MapToThreads.cpp - Tile ops to the work of one thread --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver: fragments become vectors through the loops that carry them. What
// each tile op becomes is in MapCopies-, MapMma- and MapStoreToThreads.cpp.
//
//===----------------------------------------------------------------------===//

#include "KernelForm.h"
#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Base/Assert.h"
#include "nm/Dialect/NM/Transforms/Passes.h"
#include <numeric>

namespace nm {
#define GEN_PASS_DEF_NMMAPTOTHREADSPASS
#include "nm/Dialect/NM/Transforms/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

//===----------------------------------------------------------------------===//
// The distribution
//===----------------------------------------------------------------------===//

ThreadMap::ThreadMap(ImplicitLocOpBuilder &b, ScheduleAttr schedule,
                     int64_t unitN, Value thread)
    : schedule(schedule), thread(thread) {
  int64_t warpsN = schedule.getWarps()[1];
  int64_t lanesM = schedule.getLanes()[0], lanesN = schedule.getLanes()[1];
  tm = schedule.getThread()[0];
  tn = schedule.getThread()[1];
  vecM = std::gcd(tm, int64_t(4));
  // A group lies within one unit, so that one index serves it.
  vecN = std::gcd(std::gcd(tn, int64_t(4)), unitN);
  groupsM = tm / vecM;
  groupsN = tn / vecN;
  NM_ASSERT(schedule.getWarps()[0] * lanesM * tm == schedule.getBlockM() &&
                warpsN * lanesN * tn == schedule.getBlockN() &&
                lanesM * lanesN == 32,
            "the verifier of schedules: the threads' tiles make the block");
  strideM = lanesM * vecM;
  strideN = lanesN * vecN;
  warpTileN = lanesN * tn;
  Value warp = divIndex(b, thread, 32), lane = remIndex(b, thread, 32);
  Value warpM = divIndex(b, warp, warpsN), warpN = remIndex(b, warp, warpsN);
  warpN0 = mulIndex(b, warpN, warpTileN);
  m0 = addIndex(b, mulIndex(b, warpM, lanesM * tm),
                mulIndex(b, divIndex(b, lane, lanesN), vecM));
  n0 = addIndex(b, warpN0, mulIndex(b, remIndex(b, lane, lanesN), vecN));
}

Value ThreadMap::row(ImplicitLocOpBuilder &b, int64_t i) const {
  return addIndex(b, m0, i / vecM * strideM + i % vecM);
}

Value ThreadMap::column(ImplicitLocOpBuilder &b, int64_t g) const {
  return addIndex(b, n0, g * strideN);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

Value nm::createZero(ImplicitLocOpBuilder &b, Type type) {
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

bool nm::needsGuard(Value memref, int64_t dim, int64_t bound) {
  auto type = cast<MemRefType>(memref.getType());
  return type.isDynamicDim(dim) || type.getDimSize(dim) < bound;
}

Value nm::isInside(ImplicitLocOpBuilder &b, Value memref, Value i, Value j,
                   Guard guard) {
  Value inside;
  auto check = [&](Value index, int64_t dim) {
    Value within = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index,
                                         dimOf(b, memref, dim));
    inside =
        inside ? arith::AndIOp::create(b, inside, within).getResult() : within;
  };
  if (guard.dim0)
    check(i, 0);
  if (guard.dim1)
    check(j, 1);
  return inside;
}

/// `build()` where `condition` holds (or is null), else a zero of `type`.
static Value selectOrZero(ImplicitLocOpBuilder &b, Value condition, Type type,
                          function_ref<Value()> build) {
  if (!condition)
    return build();
  auto choice = scf::IfOp::create(b, type, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, build());
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, createZero(b, type));
  return choice.getResult(0);
}

/// Whether `width` elements along the last dimension can be one access.
static bool isOneAccess(Value memref, int64_t width, Guard guard) {
  return maxVectorWidth(memref) % width == 0 &&
         (!guard.dim1 || extentDivisor(memref, 1) % width == 0);
}

/// The alignment of a vector of `width` elements of `memref`, in bytes.
static llvm::MaybeAlign vectorAlignment(Value memref, int64_t width) {
  auto type = cast<MemRefType>(memref.getType());
  return llvm::Align(width * type.getElementTypeBitWidth() / 8);
}

Value nm::loadVector(ImplicitLocOpBuilder &b, Value memref, Value i, Value j,
                     int dim, int64_t width, Guard guard) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto type = VectorType::get({width}, element);
  if (width > 1 && dim == 1 && isOneAccess(memref, width, guard)) {
    Value inside = isInside(b, memref, i, j, guard);
    return selectOrZero(b, inside, type, [&]() -> Value {
      return vector::LoadOp::create(b, type, memref, ValueRange{i, j},
                                    /*nontemporal=*/false,
                                    vectorAlignment(memref, width));
    });
  }
  SmallVector<Value> elements;
  for (int64_t e = 0; e < width; ++e) {
    Value ie = dim == 0 ? addIndex(b, i, e) : i;
    Value je = dim == 1 ? addIndex(b, j, e) : j;
    Value inside = isInside(b, memref, ie, je, guard);
    elements.push_back(selectOrZero(b, inside, element, [&]() -> Value {
      return memref::LoadOp::create(b, memref, ValueRange{ie, je});
    }));
  }
  return vector::FromElementsOp::create(b, type, elements);
}

/// `build()` where `condition` holds or is null.
static void executeIf(ImplicitLocOpBuilder &b, Value condition,
                      function_ref<void()> build) {
  if (!condition)
    return build();
  auto guarded = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard insertion(b);
  b.setInsertionPointToStart(guarded.thenBlock());
  build();
}

void nm::storeVector(ImplicitLocOpBuilder &b, Value vector, Value memref,
                     Value i, Value j, Guard guard) {
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  if (width > 1 && isOneAccess(memref, width, guard)) {
    executeIf(b, isInside(b, memref, i, j, guard), [&] {
      vector::StoreOp::create(b, vector, memref, ValueRange{i, j},
                              /*nontemporal=*/false,
                              vectorAlignment(memref, width));
    });
    return;
  }
  for (int64_t e = 0; e < width; ++e) {
    Value je = addIndex(b, j, e);
    executeIf(b, isInside(b, memref, i, je, guard), [&] {
      Value element = vector::ExtractOp::create(b, vector, e);
      memref::StoreOp::create(b, element, memref, ValueRange{i, je});
    });
  }
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

namespace {
/// Lowers one launch.
class LaunchMapper {
public:
  LaunchMapper(gpu::LaunchOp launch, int64_t unitN)
      : launch(launch), b(launch.getLoc(), launch.getContext()),
        map(createMap(unitN)) {}

  void run() {
    lowerCopies(launch, map.thread, map.schedule.getNumThreads());
    lowerBlock(launch.getBody().front());
    eraseDead(0);
    launch->removeAttr(kScheduleAttrName);
  }

private:
  ThreadMap createMap(int64_t unitN) {
    b.setInsertionPointToStart(&launch.getBody().front());
    return ThreadMap(b, getSchedule(launch), unitN, launch.getThreadIds().x);
  }

  /// Lowers the ops on fragments in `block`, in order.
  void lowerBlock(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      b.setInsertionPoint(&op);
      b.setLoc(op.getLoc());
      if (auto zero = dyn_cast<TileZeroOp>(op)) {
        auto type =
            VectorType::get({map.vecN}, zero.getType().getElementType());
        fragments[zero.getResult()] =
            Accumulators(map.tm * map.groupsN, createZero(b, type));
      } else if (auto mma = dyn_cast<TileMmaOp>(op)) {
        Accumulators acc = fragments.at(mma.getAcc());
        lowerTileMma(mma, map, acc);
        fragments[mma.getResult()] = acc;
      } else if (auto store = dyn_cast<TileStoreOp>(op)) {
        lowerTileStore(store, map, fragments.at(store.getValue()));
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
    Accumulators &init = fragments.at(loop.getInitArgs()[0]);
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
    Accumulators sums = fragments.at(yield->getOperand(0));
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
  ImplicitLocOpBuilder b;
  ThreadMap map;
  DenseMap<Value, Accumulators> fragments;
  SmallVector<Operation *> dead;
};

struct MapToThreads : nm::impl::NMMapToThreadsPassBase<MapToThreads> {
  void runOnOperation() override {
    auto mapKernel = [](TiledKernel kernel) {
      LaunchMapper(kernel.launch, kernel.mma.getPattern().getUnitN()).run();
      return success();
    };
    if (failed(forEachKernel(getOperation(), mapKernel)))
      signalPassFailure();
  }
};
} // namespace
