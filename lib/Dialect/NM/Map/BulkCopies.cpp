//===- BulkCopies.cpp - Copies of rows by the copy engine -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is cut into ranges of bytes that lie together on both sides: rows, or
// several of them. The warps take them in turn, and one thread of a warp begins
// a copy: the instruction takes its addresses from registers that a warp
// shares.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "Accesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// Threads of a warp.
static constexpr int64_t kWarp = 32;

/// The address of element [i, j] of `place`, in the memory `space`; of element
/// j where it is of rank 1.
static Value createAddress(ImplicitLocOpBuilder &b, Place place,
                           NVVM::NVVMMemorySpace space) {
  auto type = cast<MemRefType>(place.memref.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, place.memref);
  Value element = metadata.getOffset();
  SmallVector<Value> indices = {place.i, place.j};
  for (auto [index, stride] :
       llvm::zip_equal(ArrayRef<Value>(indices).take_back(type.getRank()),
                       metadata.getStrides()))
    element = arith::AddIOp::create(b, element,
                                    arith::MulIOp::create(b, index, stride));
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, place.memref);
  Value bytes = mulIndex(b, element, type.getElementTypeBitWidth() / 8);
  Value address = arith::AddIOp::create(b, start, bytes);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), unsigned(space));
  Value integer = arith::IndexCastOp::create(b, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(b, pointer, integer);
}

/// The address of a place in shared memory, as the copy engine takes it.
static Value createClusterAddress(ImplicitLocOpBuilder &b, Place place) {
  Value address = createAddress(b, place, NVVM::NVVMMemorySpace::Shared);
  auto cluster = LLVM::LLVMPointerType::get(
      b.getContext(), unsigned(NVVM::NVVMMemorySpace::SharedCluster));
  return LLVM::AddrSpaceCastOp::create(b, cluster, address);
}

/// The address of `barrier`.
static Value createBarrierAddress(ImplicitLocOpBuilder &b, Value barrier) {
  return createAddress(b, {barrier, Value(), indexConstant(b, 0)},
                       NVVM::NVVMMemorySpace::Shared);
}

/// Orders what the thread has done in shared memory before what the copy engine
/// does there for those that come after the thread.
static void createProxyFence(ImplicitLocOpBuilder &b) {
  auto kind =
      NVVM::ProxyKindAttr::get(b.getContext(), NVVM::ProxyKind::async_shared);
  auto space =
      NVVM::SharedSpaceAttr::get(b.getContext(), NVVM::SharedSpace::shared_cta);
  NVVM::FenceProxyOp::create(b, kind, space);
}

static Value createI32(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, value, 32);
}

/// Continues in a region that is executed where `condition` holds.
static void enterIf(ImplicitLocOpBuilder &b, Value condition) {
  auto guarded = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  b.setInsertionPointToStart(guarded.thenBlock());
}

static Value isFirstThread(ImplicitLocOpBuilder &b, Value thread) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread,
                               indexConstant(b, 0));
}

namespace {
class BulkLowering {
public:
  BulkLowering(TileCopyOp copy, Value thread, int64_t numThreads)
      : copy(copy), thread(thread), warps(numThreads / kWarp),
        b(copy.getLoc(), copy) {
    auto from = cast<MemRefType>(copy.getSource().getType());
    auto to = cast<MemRefType>(copy.getDestination().getType());
    element = to.getElementTypeBitWidth() / 8;
    columns = from.getShape().back();
    panels = to.getDimSize(1) / columns;
    rows = to.getDimSize(0);
    if (panels == 1 && isContiguousTile(from) && isContiguousTile(to))
      std::swap(rows, together);
  }

  void lower() {
    Value elected = NVVM::ElectSyncOp::create(b, b.getI1Type(), Value());
    Value wanted = copy.getPredicate();
    enterIf(b, wanted ? arith::AndIOp::create(b, elected, wanted).getResult()
                      : elected);
    // Of what the block has read before its barrier.
    if (!copy->getParentOfType<RolesOp>())
      createProxyFence(b);
    barrier = createBarrierAddress(b, copy.getBarrier());
    Value warp = divIndex(b, thread, kWarp);
    int64_t ranges = rows * panels;
    for (int64_t first = 0; first < ranges; first += warps) {
      Value range = addIndex(b, warp, first);
      OpBuilder::InsertionGuard guard(b);
      if (first + warps > ranges)
        enterIf(b, arith::CmpIOp::create(b, arith::CmpIPredicate::ult, range,
                                         indexConstant(b, ranges)));
      lowerRange(range);
    }
  }

private:
  void lowerRange(Value range) {
    Value row = divIndex(b, range, panels);
    Value column = mulIndex(b, remIndex(b, range, panels), columns);
    Place from = getMatrixPlace(b, {copy.getSource(), row, column});
    Place to = {copy.getDestination(), row, column};
    Value source = createAddress(b, from, NVVM::NVVMMemorySpace::Global);
    Value target = createClusterAddress(b, to);
    NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
        b, target, source, barrier, createI32(b, together * columns * element),
        /*multicastMask=*/Value(), /*l2CacheHint=*/Value());
  }

  TileCopyOp copy;
  Value thread;
  int64_t warps;
  ImplicitLocOpBuilder b;
  int64_t element, columns, panels, rows;
  int64_t together = 1; // rows of a range
  Value barrier;
};
} // namespace

void nm::lowerBulkCopy(TileCopyOp copy, Value thread, int64_t numThreads) {
  BulkLowering(copy, thread, numThreads).lower();
}

void nm::lowerTileBox(TileBoxOp op, Value thread) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value elected = NVVM::ElectSyncOp::create(b, b.getI1Type(), Value());
  Value ofFirstWarp = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                            thread, indexConstant(b, kWarp));
  enterIf(b, arith::AndIOp::create(b, elected, ofFirstWarp));
  Value zero = indexConstant(b, 0);
  // Panels follow each other.
  Value destination = op.getDestination();
  if (isInPanels(cast<MemRefType>(destination.getType())))
    destination = getPanel(b, destination, b.getIndexAttr(0));
  Value target = createClusterAddress(b, {destination, zero, zero});
  Value map = UnrealizedConversionCastOp::create(
                  b, LLVM::LLVMPointerType::get(b.getContext()), op.getMap())
                  .getResult(0);
  // The instruction names them from the innermost dimension on.
  SmallVector<Value> coordinates;
  for (Value place : llvm::reverse(op.getAt()))
    coordinates.push_back(arith::IndexCastOp::create(b, b.getI32Type(), place));
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      b, target, map, coordinates, createBarrierAddress(b, op.getBarrier()),
      /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(),
      /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
      /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
}

void nm::lowerInitBarriers(InitBarriersOp op, Value thread) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  enterIf(b, isFirstThread(b, thread));
  int64_t count = cast<MemRefType>(op.getBarriers().getType()).getDimSize(0);
  for (int64_t i = 0; i < count; ++i)
    NVVM::MBarrierInitOp::create(
        b,
        createAddress(b, {op.getBarriers(), Value(), indexConstant(b, i)},
                      NVVM::NVVMMemorySpace::Shared),
        createI32(b, int64_t(op.getArrivals())), /*predicate=*/Value());
  // The copy engine has to see them.
  NVVM::FenceMbarrierInitOp::create(b);
}

void nm::lowerExpectedBytes(CommitOp op, Value thread) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value isFirst = isFirstThread(b, thread), wanted = op.getPredicate();
  enterIf(b, wanted ? arith::AndIOp::create(b, isFirst, wanted).getResult()
                    : isFirst);
  NVVM::MBarrierArriveExpectTxOp::create(
      b, /*res=*/Type(), createBarrierAddress(b, op.getBarrier()),
      createI32(b, *op.getBytes()), NVVM::MemScopeKind::CTA, /*relaxed=*/false,
      /*predicate=*/Value());
}

void nm::lowerArrive(ArriveOp op, Value thread) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value barrier = createBarrierAddress(b, op.getBarrier());
  if (op.getCopies()) {
    NVVM::CpAsyncMBarrierArriveOp::create(b, barrier, /*noinc=*/true);
    return;
  }
  if (op.getFence())
    createProxyFence(b);
  if (op.getWarp()) {
    NVVM::SyncWarpOp::create(b, createI32(b, -1));
    enterIf(b, isFirstThread(b, remIndex(b, thread, kWarp)));
  }
  NVVM::MBarrierArriveOp::create(b, /*res=*/b.getI64Type(), barrier,
                                 /*count=*/Value(), NVVM::MemScopeKind::CTA,
                                 /*relaxed=*/false);
}

void nm::lowerBarrierWait(WaitOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value phase = arith::ExtUIOp::create(b, b.getI32Type(), op.getPhase());
  Value barrier = createBarrierAddress(b, op.getBarrier());
  // An attempt ends after a while, whether the phase is complete or not.
  auto attempt = [&](OpBuilder &builder, Location loc, ValueRange) {
    ImplicitLocOpBuilder b(loc, builder);
    Value isComplete = NVVM::MBarrierTryWaitOp::create(
        b, b.getI1Type(), barrier, phase, /*ticks=*/Value(),
        NVVM::MemScopeKind::CTA, /*relaxed=*/false);
    Value yes = arith::ConstantIntOp::create(b, 1, 1);
    Value again = arith::XOrIOp::create(b, isComplete, yes);
    scf::ConditionOp::create(b, again, ValueRange());
  };
  auto repeat = [](OpBuilder &builder, Location loc, ValueRange) {
    scf::YieldOp::create(builder, loc);
  };
  scf::WhileOp::create(b, TypeRange(), ValueRange(), attempt, repeat);
}
