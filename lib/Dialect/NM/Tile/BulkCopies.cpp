//===- BulkCopies.cpp - Tiles that the copy engine brings -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/ADT/MapVector.h"

namespace nm {
#define GEN_PASS_DEF_NMBULKCOPIESPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Rows shorter than this are left to threads: the engine takes about as long
/// for each.
static constexpr int64_t kLeastRowBytes = 64;

/// The slot of a ring that `destination` is; null where it is none.
static memref::SubViewOp getSlot(Value destination) {
  auto slot = destination.getDefiningOp<memref::SubViewOp>();
  return slot && slot.getSourceType().getRank() == 3 ? slot : nullptr;
}

static int64_t getBytes(MemRefType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// Whether the copy engine can do `copy`: whole rows of pieces of 16 bytes on
/// both sides.
static bool isBulk(TileCopyOp copy) {
  auto from = cast<MemRefType>(copy.getSource().getType());
  auto to = cast<MemRefType>(copy.getDestination().getType());
  if (!copy.getAsync() || copy.getTranspose() || !from.hasStaticShape() ||
      from.getDimSize(getRowDim(from)) != to.getDimSize(0) ||
      getTileColumns(from) != to.getDimSize(1) ||
      isSwizzled(copy.getDestination()) || !getSlot(copy.getDestination()))
    return false;
  int64_t element = to.getElementTypeBitWidth() / 8;
  int64_t rowBytes = from.getShape().back() * element;
  auto isAligned = [&](Value side) {
    return maxVectorWidth(side) * element % 16 == 0;
  };
  return rowBytes % 16 == 0 && rowBytes >= kLeastRowBytes &&
         isAligned(copy.getSource()) && isAligned(copy.getDestination());
}

namespace {
/// Lets the copy engine do the copies of one kernel.
class BulkBuilder {
public:
  BulkBuilder(TiledKernel kernel, scf::ForOp loop, WaitOp wait)
      : kernel(kernel), loop(loop), wait(wait), b(loop.getLoc(), loop) {
    kernel.launch.walk([&](TileCopyOp copy) {
      if (auto slot = getSlot(copy.getDestination())) {
        auto [ring, isNew] = isBulkRing.try_emplace(slot.getSource(), true);
        ring->second &= isBulk(copy);
      }
    });
  }

  /// Does it; returns why not, nothing where it is done.
  StringRef run() {
    for (auto [ring, isBulk] : isBulkRing)
      if (isBulk)
        ++numCopies;
    if (numCopies == 0)
      return "no tile is whole rows of a multiple of 16 bytes, as they lie in "
             "memory";
    createBarriers();
    for (Block *block : {loop->getBlock(), loop.getBody()})
      convertGroups(*block);
    waitForSlot();
    emitRemark(kernel.launch, RemarkId::BulkCopied)
        << remarkKey(RemarkKey::Bytes, stepBytes)
        << remarkKey(RemarkKey::Copies, numCopies);
    return "";
  }

private:
  /// One barrier for each slot.
  void createBarriers() {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&kernel.launch.getBody().front());
    barriers = allocateWorkgroup(b, {kernel.schedule.getStages()},
                                 b.getI64Type(), /*rowPadding=*/0);
    InitBarriersOp::create(b, barriers, /*arrivals=*/1);
    gpu::BarrierOp::create(b);
  }

  /// The barrier of `slot`.
  Value createBarrier(OpFoldResult slot) {
    OpFoldResult one = b.getIndexAttr(1);
    return memref::SubViewOp::create(b, barriers, ArrayRef<OpFoldResult>(slot),
                                     ArrayRef<OpFoldResult>(one),
                                     ArrayRef<OpFoldResult>(one));
  }

  /// Lets the copies of each group of `block` go through its slot's barrier,
  /// which the commit tells their bytes.
  void convertGroups(Block &block) {
    Value barrier, predicate;
    int64_t bytes = 0;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto copy = dyn_cast<TileCopyOp>(op)) {
        auto slot = getSlot(copy.getDestination());
        if (!slot || !isBulkRing.lookup(slot.getSource()))
          continue;
        b.setInsertionPoint(copy);
        if (!barrier)
          barrier = createBarrier(slot.getMixedOffsets().front());
        copy.getBarrierMutable().assign(barrier);
        predicate = copy.getPredicate();
        bytes += getBytes(cast<MemRefType>(copy.getDestination().getType()));
      } else if (auto commit = dyn_cast<CommitOp>(op); commit && barrier) {
        b.setInsertionPoint(commit);
        CommitOp::create(b, b.getI64IntegerAttr(bytes), barrier, predicate);
        commit.erase();
        stepBytes = bytes;
        barrier = predicate = Value();
        bytes = 0;
      }
    }
  }

  /// The slot that the product of a step reads.
  OpFoldResult getReadSlot() {
    for (Value operand : kernel.mma->getOperands())
      if (auto slot = getSlot(operand);
          slot && isBulkRing.lookup(slot.getSource()))
        return slot.getMixedOffsets().front();
    llvm_unreachable("a ring that no product reads");
  }

  /// Lets a step wait for the barrier of its slot, whose phase is how often the
  /// ring has been gone round.
  void waitForSlot() {
    b.setInsertionPoint(wait);
    Value round =
        divIndex(b, loop.getInductionVar(), kernel.schedule.getStages());
    Value odd =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                              remIndex(b, round, 2), indexConstant(b, 0));
    wait.getBarrierMutable().assign(createBarrier(getReadSlot()));
    wait.getPhaseMutable().assign(odd);
  }

  TiledKernel kernel;
  scf::ForOp loop;
  WaitOp wait;
  ImplicitLocOpBuilder b;
  llvm::MapVector<Value, bool> isBulkRing; // of all copies to it
  Value barriers;
  int64_t numCopies = 0, stepBytes = 0;
};
} // namespace

/// Why the copies of a kernel stay with its threads; empty where they do not.
static StringRef convert(TiledKernel kernel, const TargetInfo &target) {
  if (!target.hasBulkCopies)
    return "the chip has no engine for copies";
  auto loop = dyn_cast<scf::ForOp>(kernel.mma->getParentOp());
  if (!loop || loop.getOps<WaitOp>().empty())
    return "no loop over steps copies ahead";
  WaitOp wait = *loop.getOps<WaitOp>().begin();
  if (wait.getBarrier())
    return "the copy engine does it already";
  if (loop->getParentOp() != kernel.launch)
    return "the phases of barriers begin anew with each tile";
  return BulkBuilder(kernel, loop, wait).run();
}

namespace {
struct BulkCopies : nm::impl::NMBulkCopiesPassBase<BulkCopies> {
  void runOnOperation() override {
    TargetInfo target = getTarget(getOperation());
    auto convertKernel = [&](TiledKernel kernel) -> LogicalResult {
      if (kernel.schedule.getEngine() != CopyEngine::Bulk)
        return success();
      StringRef why = convert(kernel, target);
      if (!why.empty())
        emitRemark(kernel.launch, RemarkId::NotBulkCopied)
            << remarkReason("{0}", why);
      return success();
    };
    if (failed(forEachKernel(getOperation(), convertKernel)))
      signalPassFailure();
  }
};
} // namespace
