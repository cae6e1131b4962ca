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

#include "ClusterSum.h"
#include "GridSum.h"
#include "Roles.h"
#include "StoreLoop.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "nm/Dialect/NM/KernelPlan/BlockShares.h"
#include "nm/Dialect/NM/Map/KindLowering.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Support/MemRefs.h"
#include "nm/Target/TargetInfo.h"

namespace nm {
#define GEN_PASS_DEF_NMMAPTOTHREADSPASS
#include "nm/Dialect/NM/Map/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Bytes of the constants of `module`, all of which a call may read.
static double countConstantBytes(ModuleOp module) {
  DataLayout layout(module);
  double bytes = 0;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    MemRefType type = global.getType();
    if (global.getConstant())
      bytes += double(type.getNumElements()) *
               double(layout.getTypeSize(type.getElementType()));
  }
  return bytes;
}

/// Whether `launch` reads its weight from DRAM in each call: one of the
/// caller's, who has others, or of a module whose constants L2 does not hold.
static bool streamsWeight(gpu::LaunchOp launch, bool holdsConstants) {
  bool streams = false;
  launch.walk([&](LoadValuesOp load) {
    Value root = getViewRoot(load.getValues());
    bool isKept = holdsConstants && root.getDefiningOp<memref::GetGlobalOp>();
    streams = isConstantBuffer(root) && !isKept;
    return WalkResult::interrupt();
  });
  return streams;
}

namespace {
/// Lowers one launch.
class LaunchMapper {
public:
  LaunchMapper(gpu::LaunchOp launch, KindMapper &kind)
      : launch(launch), kind(kind), b(launch.getLoc(), launch.getContext()) {}

  void run() {
    lowerCopiesOfRoles(launch);
    lowerBlock(launch.getBody().front());
    eraseDead(0);
    lowerRoles(launch);
    if (getSchedule(launch).getKind().getSumThreads() > 1)
      launch->setAttr(kFewRowsAttrName, b.getUnitAttr());
    launch->removeAttr(kScheduleAttrName);
    launch->removeAttr(kMostRowsAttrName);
  }

private:
  /// Lowers the ops on fragments in `block`, in order.
  void lowerBlock(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      b.setInsertionPoint(&op);
      b.setLoc(op.getLoc());
      if (!lowerOp(&op))
        continue;
      dead.push_back(&op);
    }
  }

  FragmentValues &valuesOf(Value fragment) { return fragments.at(fragment); }

  /// Lowers `op` if it is one on fragments, which is to be erased then.
  bool lowerOp(Operation *op) {
    if (auto zero = dyn_cast<TileZeroOp>(op))
      fragments[zero.getResult()] = kind.lowerZero(zero);
    else if (auto load = dyn_cast<LoadPositionsOp>(op))
      fragments[load.getResult()] = kind.lowerPositions(load);
    else if (auto load = dyn_cast<LoadRowsOp>(op))
      fragments[load.getResult()] =
          kind.lowerRows(load, valuesOf(load.getPositions()));
    else if (auto load = dyn_cast<LoadValuesOp>(op))
      fragments[load.getResult()] = kind.lowerValues(load);
    else if (auto mma = dyn_cast<MmaOp>(op))
      fragments[mma.getResult()] =
          kind.lowerMma(mma, valuesOf(mma.getRows()), valuesOf(mma.getValues()),
                        valuesOf(mma.getAcc()));
    else if (isa<TileReduceOp>(op))
      return true; // lowered with its store
    else if (auto store = dyn_cast<TileStoreOp>(op))
      lowerStore(store);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      return lowerLoop(loop);
    else if (auto roles = dyn_cast<RolesOp>(op))
      return lowerConsumers(roles);
    else
      return false;
    return true;
  }

  /// Lowers what those do that compute; the op stays for now.
  bool lowerConsumers(RolesOp roles) {
    lowerBlock(roles.getConsume().front());
    return false;
  }

  /// Stores what the block has, or what it is to store of the sum of those that
  /// share the tile.
  void lowerStore(TileStoreOp op) {
    auto reduce = op.getValue().getDefiningOp<TileReduceOp>();
    if (!reduce)
      return lowerStoreInParts(kind, op, valuesOf(op.getValue()));
    ValueRange acc = valuesOf(reduce.getAcc());
    if (reduce.isAcrossGrid())
      return lowerGridSum(op, launch, acc, [&](ValueRange sums) {
        lowerStoreInParts(kind, op, sums);
      });
    if (kind.lowerClusterStore(op, acc))
      return;
    auto storePart = [&](SumPart part, ValueRange sums) {
      kind.lowerStore(op, sums, part);
    };
    int64_t parts =
        chooseSumParts(getSchedule(launch).getSplitK(),
                       [&](int64_t most) { return kind.countParts(most); });
    lowerClusterSum(op, launch, kind.lowerBlockSum(op, acc), parts, storePart);
  }

  /// Erases the ops replaced since there were `count`, uses before definitions.
  void eraseDead(size_t count) {
    while (dead.size() > count)
      dead.pop_back_val()->erase();
  }

  /// `values` with the thread's values in place of fragments.
  SmallVector<Value> expand(ValueRange values) {
    SmallVector<Value> expanded;
    for (Value value : values)
      if (isa<FragmentType>(value.getType()))
        llvm::append_range(expanded, valuesOf(value));
      else
        expanded.push_back(value);
    return expanded;
  }

  /// Lets `values`, some of them fragments, be `expanded`.
  void replace(ValueRange values, ValueRange init, ValueRange expanded) {
    for (auto [value, begin] : llvm::zip(values, init)) {
      bool isFragment = isa<FragmentType>(value.getType());
      size_t count = isFragment ? valuesOf(begin).size() : 1;
      if (isFragment)
        fragments[value] = llvm::to_vector<0>(expanded.take_front(count));
      else
        value.replaceAllUsesWith(expanded.front());
      expanded = expanded.drop_front(count);
    }
  }

  /// Replaces a loop that carries fragments by one that carries vectors; false
  /// for other loops, such as that over segments.
  bool lowerLoop(scf::ForOp loop) {
    if (!llvm::any_of(loop.getResultTypes(), llvm::IsaPred<FragmentType>)) {
      lowerBlock(*loop.getBody());
      return false;
    }
    auto replacement =
        scf::ForOp::create(b, loop.getLowerBound(), loop.getUpperBound(),
                           loop.getStep(), expand(loop.getInitArgs()));
    Block *body = replacement.getBody();
    if (!body->empty())
      body->back().erase();
    replace(loop.getRegionIterArgs(), loop.getInitArgs(),
            replacement.getRegionIterArgs());
    loop.getInductionVar().replaceAllUsesWith(replacement.getInductionVar());
    body->getOperations().splice(body->end(), loop.getBody()->getOperations());
    size_t count = dead.size();
    lowerBlock(*body);
    Operation *yield = body->getTerminator();
    b.setInsertionPoint(yield);
    scf::YieldOp::create(b, expand(yield->getOperands()));
    yield->erase();
    // They use the arguments of the loop that is to go.
    eraseDead(count);
    replace(loop.getResults(), loop.getInitArgs(), replacement.getResults());
    return true;
  }

  gpu::LaunchOp launch;
  KindMapper &kind;
  ImplicitLocOpBuilder b;
  DenseMap<Value, FragmentValues> fragments;
  SmallVector<Operation *> dead;
};

struct MapToThreads : nm::impl::NMMapToThreadsPassBase<MapToThreads> {
  void runOnOperation() override {
    auto module = dyn_cast<ModuleOp>(getOperation());
    bool holdsConstants = !module || countConstantBytes(module) <=
                                         double(getTarget(module).l2Bytes);
    auto mapKernel = [&](LoadedKernel kernel) -> LogicalResult {
      FailureOr<KindLowering> lowering = getLowering(kernel.launch);
      if (failed(lowering))
        return failure();
      std::unique_ptr<KindMapper> mapper = lowering->createMapper(
          {kernel.launch, kernel.pattern,
           streamsWeight(kernel.launch, holdsConstants)});
      LaunchMapper(kernel.launch, *mapper).run();
      return success();
    };
    if (failed(forEachLoadedKernel(getOperation(), mapKernel)))
      signalPassFailure();
  }
};
} // namespace
