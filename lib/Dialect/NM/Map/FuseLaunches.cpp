//===- FuseLaunches.cpp - nm-fuse-launches --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gate and the up projection of a gated layer read the same A, and the
// second product combines its result with that of the first, tile by tile. So a
// block may compute its tile of the one and then of the other, if each thread
// reads what it has written itself. That is proven of the threads' code.
//
//===----------------------------------------------------------------------===//

#include "BlockMemory.h"
#include "SameValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Support/Locations.h"
#include "nm/Support/MemRefs.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMFUSELAUNCHESPASS
#include "nm/Dialect/NM/Map/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

//===----------------------------------------------------------------------===//
// Which launches can be fused
//===----------------------------------------------------------------------===//

/// Whether `launch` is for few rows and has the form of nm-allocate-shared.
static bool isForFewRows(gpu::LaunchOp launch) {
  Value bytes = launch.getDynamicSharedMemorySize();
  return launch->hasAttr(kFewRowsAttrName) &&
         (!bytes || getConstantIntValue(bytes)) &&
         launch.getAsyncDependencies().empty() && !launch.getAsyncToken() &&
         launch.getNumWorkgroupAttributions() == 0 &&
         launch.getNumPrivateAttributions() == 0 &&
         llvm::hasSingleElement(launch.getBody());
}

/// The launch of few rows that follows `launch` in its block, if what lies
/// between could as well precede `launch`.
static gpu::LaunchOp findNext(gpu::LaunchOp launch) {
  for (Operation *op = launch->getNextNode(); op; op = op->getNextNode()) {
    if (auto next = dyn_cast<gpu::LaunchOp>(op))
      return isForFewRows(next) ? next : nullptr;
    if (!isMemoryEffectFree(op) && !isa<memref::AllocOp>(op))
      return nullptr;
  }
  return nullptr;
}

namespace {
/// Two launches, one after another.
struct LaunchPair {
  LaunchPair(gpu::LaunchOp first, gpu::LaunchOp second)
      : first(first), second(second), before(first), after(second) {}
  LaunchPair(const LaunchPair &) = delete;
  LaunchPair &operator=(const LaunchPair &) = delete;

  SameValues getValues() const { return {first, second, isUnchanged}; }

  gpu::LaunchOp first, second;
  BlockMemory before, after; // what they access
  std::function<bool(Value)> isUnchanged = [this](Value root) {
    return before.getGlobal(root).stores.empty() &&
           after.getGlobal(root).stores.empty();
  };
};
} // namespace

/// Whether both have as many blocks of as many threads.
static bool haveSameSizes(const LaunchPair &pair) {
  gpu::LaunchOp x = pair.first, y = pair.second;
  SameValues values = pair.getValues();
  auto areSame = [&](gpu::KernelDim3 a, gpu::KernelDim3 b) {
    return values.areSame(a.x, b.x) && values.areSame(a.y, b.y) &&
           values.areSame(a.z, b.z);
  };
  return areSame(x.getGridSizeOperandValues(), y.getGridSizeOperandValues()) &&
         areSame(x.getBlockSizeOperandValues(), y.getBlockSizeOperandValues());
}

static int64_t countElements(const MemoryAccess &access) {
  auto vector = dyn_cast<VectorType>(access.type);
  return vector ? vector.getNumElements() : 1;
}

/// Whether the thread that makes `load` has made `store` before, to the same
/// elements of the buffer that both access, or to more.
static bool isOwn(const MemoryAccess &store, const MemoryAccess &load,
                  SameValues &values) {
  if (!store.type || !load.type ||
      getElementTypeOrSelf(store.type) != getElementTypeOrSelf(load.type) ||
      !values.isReached(store.op, load.op))
    return false;
  std::optional<ElementPlace> written = store.getPlace();
  std::optional<ElementPlace> read = load.getPlace();
  auto areSame = [&](auto a, auto b) {
    return a.second == b.second && values.areSame(a.first, b.first);
  };
  if (!written || !read || !llvm::equal(written->terms, read->terms, areSame))
    return false;
  int64_t first = read->constant - written->constant;
  return first >= 0 && first + countElements(load) <= countElements(store);
}

/// What keeps both from being one kernel, in which each thread does what it
/// does in the one and then in the other; or "".
static StringRef findObstacle(const LaunchPair &pair) {
  gpu::LaunchOp first = pair.first, second = pair.second;
  if (first.hasClusterSize() || second.hasClusterSize())
    return "blocks of a cluster share the steps of a tile";
  if (!haveSameSizes(pair))
    return "their blocks or threads are others";
  if (pair.before.hasUnknown() || pair.after.hasUnknown())
    return "memory is accessed by other than loads and stores";
  SameValues values = pair.getValues();
  for (const auto &[root, ofSecond] : pair.after.getGlobal()) {
    const BufferAccesses &ofFirst = pair.before.getGlobal(root);
    bool isWritten = !ofFirst.stores.empty() || !ofSecond.stores.empty();
    // What nothing else aliases.
    if (isWritten && !root.getDefiningOp<memref::AllocOp>())
      return "results are written to arguments";
    if (!ofSecond.stores.empty() &&
        (!ofFirst.stores.empty() || !ofFirst.loads.empty()))
      return "the second writes what the first accesses";
    if (ofFirst.stores.empty())
      continue;
    for (const MemoryAccess &load : ofSecond.loads)
      if (llvm::none_of(ofFirst.stores, [&](const MemoryAccess &store) {
            return isOwn(store, load, values);
          }))
        return "threads read what others write";
  }
  return "";
}

/// Whether the second reads what the first writes, and both read another
/// buffer, which is no constant: A.
static bool shareA(const LaunchPair &pair) {
  bool isGated = false, isSameA = false;
  for (const auto &[root, accesses] : pair.after.getGlobal()) {
    const BufferAccesses &ofFirst = pair.before.getGlobal(root);
    if (accesses.loads.empty() || isConstantBuffer(root))
      continue;
    isGated |= !ofFirst.stores.empty();
    isSameA |= !ofFirst.loads.empty();
  }
  return isGated && isSameA;
}

//===----------------------------------------------------------------------===//
// Fusing
//===----------------------------------------------------------------------===//

/// Ops right in `second` that write to shared memory what `first` has left
/// there.
static llvm::DenseSet<Operation *> findRepeated(const LaunchPair &pair) {
  llvm::DenseSet<Operation *> repeated;
  for (const SharedRange &range : pair.after.getWrittenRanges()) {
    auto left = pair.before.getWriters(range);
    auto wanted = pair.after.getWriters(range);
    if (left && wanted &&
        llvm::equal(*left, *wanted, [&](Operation *x, Operation *y) {
          return pair.getValues().areSame(x, y);
        }))
      repeated.insert_range(*wanted);
  }
  return repeated;
}

/// Removes barriers of `block` between which and the next one no memory that
/// threads share is accessed.
static void eraseEmptyBarriers(Block &block) {
  gpu::BarrierOp last;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto barrier = dyn_cast<gpu::BarrierOp>(op)) {
      if (last)
        last.erase();
      last = barrier;
      continue;
    }
    // A thread's wait for its copies is none for other threads.
    if (isa<NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncWaitGroupOp>(op))
      continue;
    Value loaded = getLoadedBuffer(&op);
    if (!isMemoryEffectFree(&op) && !(loaded && isConstantBuffer(loaded)))
      last = nullptr;
  }
}

/// The larger of what both claim of shared memory.
static void mergeSharedMemory(gpu::LaunchOp first, gpu::LaunchOp second) {
  auto getBytes = [](gpu::LaunchOp launch) {
    Value size = launch.getDynamicSharedMemorySize();
    return size ? *getConstantIntValue(size) : 0;
  };
  if (getBytes(second) > getBytes(first))
    first.getDynamicSharedMemorySizeMutable().assign(
        second.getDynamicSharedMemorySize());
}

/// Lets the first do what the second does, after what it does itself.
static void fuse(const LaunchPair &pair) {
  gpu::LaunchOp first = pair.first, second = pair.second;
  llvm::DenseSet<Operation *> repeated = findRepeated(pair);
  // What second reads is made before it, but not before first.
  first->moveBefore(second);
  mergeSharedMemory(first, second);
  Block &body = first.getBody().front();
  ImplicitLocOpBuilder b(second.getLoc(), body.getTerminator());
  // Nobody reads shared memory of the one any more when the other writes it.
  NVVM::CpAsyncWaitGroupOp::create(b, /*n=*/0);
  gpu::BarrierOp::create(b);
  IRMapping mapping;
  mapping.map(second.getBody().getArguments(), first.getBody().getArguments());
  for (Operation &op : second.getBody().front().without_terminator())
    if (!repeated.contains(&op))
      b.clone(op, mapping);
  // What was to be copied is loaded in vain.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  eraseEmptyBarriers(body);
  first->setLoc(
      joinLayers(first.getContext(), {first.getLoc(), second.getLoc()}));
  if (auto name = second.getFunctionAttr())
    first->setAttr(kFusedLaunchAttrName, name.getLeafReference());
  emitRemark(first, RemarkId::LaunchesFused)
      << remarkKey(RemarkKey::Copies, int64_t(repeated.size()));
  second.erase();
}

namespace {
struct FuseLaunches : nm::impl::NMFuseLaunchesPassBase<FuseLaunches> {
  void runOnOperation() override {
    SmallVector<gpu::LaunchOp> launches;
    getOperation()->walk([&](gpu::LaunchOp launch) {
      if (isForFewRows(launch))
        launches.push_back(launch);
    });
    llvm::DenseSet<Operation *> fused;
    for (gpu::LaunchOp launch : launches) {
      gpu::LaunchOp next = fused.contains(launch) ? nullptr : findNext(launch);
      if (!next)
        continue;
      LaunchPair pair(launch, next);
      if (!shareA(pair))
        continue;
      if (StringRef why = findObstacle(pair); !why.empty()) {
        emitRemark(launch, RemarkId::LaunchesNotFused)
            << remarkReason("{0}", why);
        continue;
      }
      fused.insert(next);
      fuse(pair);
    }
  }
};
} // namespace
