//===- TensorCopies.cpp - Slots that the copy engine fills ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile that is one range of bytes on both sides is one copy. Where each panel
// of the source is one, the slot's panels are made alike, and all of them are
// one box of the tensor, or a copy each. Of others the engine
// fetches boxes, whose rows lie in shared memory without gaps: where the
// tile's do not, because rows are longer than those that the engine swizzles,
// or than a panel of the source, the slot becomes panels of columns, each of
// which is a box.
//
//===----------------------------------------------------------------------===//

#include "Rings.h"
#include "TensorTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Base/TensorMapLimits.h"
#include "nm/Dialect/NM/IR/TensorMaps.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/KernelPlan/KernelPlan.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMTENSORCOPIESPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// What a copy moves is a multiple of so many bytes, and so are addresses.
static constexpr int64_t kUnitBytes = 16;

static int64_t getElementBytes(MemRefType type) {
  return type.getElementTypeBitWidth() / 8;
}

/// The bytes of a tile of static shape.
static int64_t getBytes(MemRefType type) {
  return type.getNumElements() * getElementBytes(type);
}

/// The slot of a ring that `memref` is; null where it is none.
static memref::SubViewOp getSlot(Value memref) {
  auto slot = memref.getDefiningOp<memref::SubViewOp>();
  return slot && slot.getSourceType().getRank() == 3 ? slot : nullptr;
}

/// Whether both sides of `copy` begin at what the engine can address, and lie
/// as they are read.
static bool isPlain(TileCopyOp copy) {
  auto isAligned = [](Value side) {
    auto type = cast<MemRefType>(side.getType());
    return maxVectorWidth(side) * getElementBytes(type) % kUnitBytes == 0;
  };
  return !copy.getTranspose() && !isSwizzled(copy.getDestination()) &&
         isContiguousTile(cast<MemRefType>(copy.getDestination().getType())) &&
         isAligned(copy.getSource()) && isAligned(copy.getDestination());
}

/// Whether `copy` moves one range of bytes.
static bool isOneRange(TileCopyOp copy) {
  auto from = cast<MemRefType>(copy.getSource().getType());
  auto to = cast<MemRefType>(copy.getDestination().getType());
  return from.getRank() == 2 && from.getShape() == to.getShape() &&
         isContiguousTile(from) && getBytes(to) % kUnitBytes == 0 &&
         isPlain(copy);
}

/// Whether each panel of the source of `copy` is one range of bytes.
static bool isRangePerPanel(TileCopyOp copy) {
  auto from = cast<MemRefType>(copy.getSource().getType());
  auto to = cast<MemRefType>(copy.getDestination().getType());
  if (!isInPanels(from) || !from.hasStaticShape() || isInPanels(to) ||
      from.getDimSize(1) != to.getDimSize(0) ||
      getTileColumns(from) != to.getDimSize(1))
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(from.getStridesAndOffset(strides, offset)) &&
         strides[1] == from.getDimSize(2) && strides[2] == 1 &&
         getBytes(to) / from.getDimSize(0) % kUnitBytes == 0 && isPlain(copy);
}

namespace {
/// Lets the copy engine do the copies of one kernel's producers.
class TensorBuilder {
public:
  TensorBuilder(TiledKernel kernel, scf::ForOp loop, ArriveOp arrive)
      : kernel(kernel), loop(loop), arrive(arrive), b(loop.getLoc(), loop) {}

  /// Does it; returns why not, nothing where it is done.
  StringRef run() {
    SmallVector<TileCopyOp> copies(loop.getOps<TileCopyOp>());
    if (copies.empty())
      return "producers copy no whole tiles";
    barrier = arrive.getBarrier();
    barrier.getDefiningOp()->moveBefore(copies.front());
    for (TileCopyOp copy : copies)
      convert(copy);
    if (numCopies == 0)
      return "no tile is one range of bytes, nor boxes of a tensor with "
             "strides of a multiple of 16 bytes";
    b.setInsertionPointAfterValue(barrier);
    CommitOp::create(b, b.getI64IntegerAttr(bytes), barrier,
                     /*predicate=*/Value());
    countArrivals();
    fenceReleases();
    emitRemark(kernel.launch, RemarkId::TensorsCopied)
        << remarkKey(RemarkKey::Bytes, bytes)
        << remarkKey(RemarkKey::Copies, numCopies);
    return "";
  }

private:
  void convert(TileCopyOp copy) {
    b.setLoc(copy.getLoc());
    b.setInsertionPoint(copy);
    auto to = cast<MemRefType>(copy.getDestination().getType());
    if (isOneRange(copy)) {
      copy.getBarrierMutable().assign(barrier);
      if (memref::SubViewOp slot = getSlot(copy.getDestination()))
        align(slot, kBoxAlignment);
      ++numCopies;
    } else if (!convertToRanges(copy) && !convertToBoxes(copy)) {
      return;
    }
    bytes += getBytes(to);
  }

  /// Copies each panel of the source of `copy`; false where that is not one
  /// range.
  bool convertToRanges(TileCopyOp copy) {
    auto to = cast<MemRefType>(copy.getDestination().getType());
    memref::SubViewOp slot = getSlot(copy.getDestination());
    if (!slot || !isRangePerPanel(copy) ||
        slot.getSourceType().getShape().drop_front() != to.getShape())
      return false;
    auto from = cast<MemRefType>(copy.getSource().getType());
    Value filled = usePanels(slot, from.getDimSize(0));
    align(filled, kBoxAlignment);
    b.setInsertionPoint(copy);
    if (fetchPanels(copy, filled)) {
      copy.erase();
      eraseUnused(slot);
      return true;
    }
    for (int64_t panel = 0; panel < from.getDimSize(0); ++panel) {
      Attribute number = b.getIndexAttr(panel);
      TileCopyOp::create(b, getPanel(b, copy.getSource(), number),
                         getPanel(b, filled, number), copy.getPredicate(),
                         barrier, /*transpose=*/false, copy.getAsync(),
                         copy.getCached());
      ++numCopies;
    }
    copy.erase();
    eraseUnused(slot);
    return true;
  }

  /// Fetches all panels of the source of `copy` into `panels` as one box, which
  /// one instruction begins; false where they are none. Rows that are longer
  /// than a box are a dimension more of the tensor.
  bool fetchPanels(TileCopyOp copy, Value panels) {
    auto from = cast<MemRefType>(copy.getSource().getType());
    if (from.getDimSize(0) == 1 || copy.getPredicate())
      return false;
    std::optional<TensorTile> tile =
        findTensor(b, copy.getSource(), kernel.launch);
    if (!tile || tile->at.size() != 3 || !hasBoxes(tile->tensor) ||
        !isZeroInteger(tile->at.back()))
      return false;
    auto type = cast<MemRefType>(tile->tensor.getType());
    int64_t columns = from.getDimSize(2);
    int64_t parts = llvm::divideCeil(columns, int64_t(kMostTensorMapBox));
    bool fits = type.hasStaticShape() && type.getDimSize(2) == columns &&
                columns % parts == 0 &&
                columns / parts * getElementBytes(type) % kUnitBytes == 0 &&
                from.getDimSize(0) <= kMostTensorMapBox &&
                from.getDimSize(1) <= kMostTensorMapBox;
    if (!fits)
      return false;
    SmallVector<int64_t> box(from.getShape());
    Value tensor = tile->tensor;
    if (parts > 1) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(kernel.launch);
      box = {box[0], box[1], parts, columns / parts};
      SmallVector<int64_t> shape = {type.getDimSize(0), type.getDimSize(1),
                                    parts, columns / parts};
      SmallVector<ReassociationIndices> groups = {{0}, {1}, {2, 3}};
      tensor = memref::ExpandShapeOp::create(b, shape, tensor, groups);
      tile->at.push_back(b.getIndexAttr(0));
    }
    TileBoxOp::create(b, createMap(tensor, box, /*swizzle=*/0),
                      getValueOrCreateConstantIndexOp(b, b.getLoc(), tile->at),
                      panels, barrier);
    ++numCopies;
    return true;
  }

  /// The boxes of `copy`; nothing where there are none.
  static std::optional<TensorBoxes> getBoxes(TileCopyOp copy) {
    auto from = cast<MemRefType>(copy.getSource().getType());
    auto to = cast<MemRefType>(copy.getDestination().getType());
    int64_t columns = to.getDimSize(1);
    return TensorBoxes::get({to.getDimSize(0), columns,
                             isInPanels(from) ? from.getDimSize(2) : columns,
                             getElementBytes(to),
                             isSwizzled(copy.getDestination())});
  }

  /// Fetches the tile of `copy` in boxes; false where that cannot be done.
  bool convertToBoxes(TileCopyOp copy) {
    if (copy.getTranspose())
      return false;
    auto to = cast<MemRefType>(copy.getDestination().getType());
    memref::SubViewOp slot = getSlot(copy.getDestination());
    std::optional<TensorBoxes> boxes =
        slot ? getBoxes(copy) : std::optional<TensorBoxes>();
    if (!boxes || slot.getSourceType().getShape().drop_front() != to.getShape())
      return false;
    std::optional<TensorTile> tile =
        findTensor(b, copy.getSource(), kernel.launch);
    if (!tile || !hasBoxes(tile->tensor))
      return false;
    int64_t panels = to.getDimSize(1) / boxes->columns;
    Value filled = copy.getDestination();
    Value map =
        createMap(tile->tensor, getBox(*tile, to.getDimSize(0), boxes->columns),
                  boxes->swizzle);
    if (panels > 1)
      filled = usePanels(slot, panels);
    align(filled, boxes->alignment);
    b.setInsertionPoint(copy);
    fetch(copy, *tile, map, filled, boxes->columns);
    copy.erase();
    eraseUnused(slot);
    return true;
  }

  /// The box of rows by columns of a tile in its tensor.
  static SmallVector<int64_t> getBox(const TensorTile &tile, int64_t rows,
                                     int64_t columns) {
    SmallVector<int64_t> box(tile.at.size(), 1);
    ArrayRef<int64_t> dimensions = ArrayRef(tile.dimensions).take_back(2);
    box[dimensions[0]] = rows;
    box[dimensions[1]] = columns;
    return box;
  }

  /// The map of `tensor` with boxes of `box`, whose rows of `swizzle` bytes are
  /// swizzled, in front of the launch.
  Value createMap(Value tensor, ArrayRef<int64_t> box, int64_t swizzle) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(kernel.launch);
    return TensorMapOp::create(b, tensor, box, swizzle);
  }

  /// Fetches the boxes of the tile into `slot`.
  void fetch(TileCopyOp copy, const TensorTile &tile, Value map, Value slot,
             int64_t columns) {
    auto from = cast<MemRefType>(copy.getSource().getType());
    auto to = cast<MemRefType>(slot.getType());
    int64_t panels = isInPanels(to) ? to.getDimSize(0) : 1;
    int64_t ofSource = isInPanels(from) ? from.getDimSize(2) : columns * panels;
    auto move = [&](SmallVectorImpl<OpFoldResult> &at, int64_t dim,
                    int64_t by) {
      Value place = getValueOrCreateConstantIndexOp(b, b.getLoc(),
                                                    at[tile.dimensions[dim]]);
      at[tile.dimensions[dim]] = getAsOpFoldResult(addIndex(b, place, by));
    };
    for (int64_t panel = 0; panel < panels; ++panel) {
      SmallVector<OpFoldResult> at = tile.at;
      int64_t first = panel * columns;
      if (isInPanels(from))
        move(at, 0, first / ofSource);
      move(at, from.getRank() - 1, first % ofSource);
      Value part =
          isInPanels(to) ? getPanel(b, slot, b.getIndexAttr(panel)) : slot;
      TileBoxOp::create(b, map,
                        getValueOrCreateConstantIndexOp(b, b.getLoc(), at),
                        part, barrier);
      ++numCopies;
    }
  }

  /// Lets the ring that `slot` is of begin at a multiple of `bytes`.
  static void align(Value slot, int64_t bytes) {
    auto view = slot.getDefiningOp<memref::SubViewOp>();
    view.getSource().getDefiningOp<memref::AllocOp>().setAlignment(bytes);
  }

  /// Lets the ring that `slot` is of have `panels` panels a slot, and those who
  /// use its slots see them; returns what the slot is now.
  Value usePanels(memref::SubViewOp slot, int64_t panels) {
    OpBuilder::InsertionGuard guard(b);
    Value ring = slot.getSource();
    MemRefType type = slot.getSourceType();
    SmallVector<int64_t> shape = {type.getDimSize(0), panels,
                                  type.getDimSize(1),
                                  type.getDimSize(2) / panels};
    b.setInsertionPointAfterValue(ring);
    Value replacement =
        allocateWorkgroup(b, shape, type.getElementType(), /*rowPadding=*/0);
    if (isSwizzled(ring))
      setSwizzled(replacement);
    Value own;
    for (Operation *user : llvm::make_early_inc_range(ring.getUsers())) {
      auto old = cast<memref::SubViewOp>(user);
      b.setInsertionPoint(old);
      Value view = createSlot(replacement, old.getMixedOffsets().front());
      if (old == slot)
        own = view;
      else
        old.replaceAllUsesWith(view);
      if (old != slot)
        old.erase();
    }
    return own;
  }

  /// Slot `slot` of a ring of panels.
  Value createSlot(Value ring, OpFoldResult slot) {
    auto type = cast<MemRefType>(ring.getType());
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    SmallVector<OpFoldResult> offsets(4, zero), strides(4, one);
    offsets[0] = slot;
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(b.getContext(), type.getShape());
    sizes[0] = one;
    MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
        type.getShape().drop_front(), type, offsets, sizes, strides);
    return memref::SubViewOp::create(b, reduced, ring, offsets, sizes, strides);
  }

  /// A phase of `full` has one arrival, with the bytes, and those of threads
  /// where these copy some tiles.
  void countArrivals() {
    bool threadsCopy = llvm::any_of(*loop.getBody(), [](Operation &op) {
      auto copy = dyn_cast<TileCopyOp>(op);
      return getFilledBuffer(&op) && !(copy && copy.getBarrier());
    });
    Value barriers = barrier.getDefiningOp<memref::SubViewOp>().getSource();
    for (Operation *user : barriers.getUsers())
      if (auto init = dyn_cast<InitBarriersOp>(user))
        init.setArrivals(threadsCopy ? init.getArrivals() + 1 : 1);
    if (threadsCopy)
      return;
    arrive->getParentOfType<RolesOp>().setLeader(true);
    arrive.erase();
  }

  /// Consumers release slots for the copy engine.
  void fenceReleases() {
    kernel.launch.walk([](ArriveOp release) {
      if (!release.getCopies())
        release.setFence(true);
    });
  }

  TiledKernel kernel;
  scf::ForOp loop;
  ArriveOp arrive;
  ImplicitLocOpBuilder b;
  Value barrier;
  int64_t numCopies = 0, bytes = 0;
};
} // namespace

/// Where the producers of `launch` say that they have filled a slot; null where
/// there are none.
static ArriveOp findArrive(gpu::LaunchOp launch) {
  ArriveOp found;
  launch.walk([&](ArriveOp arrive) {
    if (arrive.getCopies())
      found = arrive;
  });
  return found;
}

namespace {
struct TensorCopies : nm::impl::NMTensorCopiesPassBase<TensorCopies> {
  void runOnOperation() override {
    auto convert = [](TiledKernel kernel) -> LogicalResult {
      if (kernel.schedule.getEngine() != CopyEngine::Tma)
        return success();
      ArriveOp arrive = findArrive(kernel.launch);
      auto loop =
          arrive ? dyn_cast<scf::ForOp>(arrive->getParentOp()) : scf::ForOp();
      StringRef why = loop ? TensorBuilder(kernel, loop, arrive).run()
                           : "no warps of their own copy";
      if (!why.empty())
        emitRemark(kernel.launch, RemarkId::TensorsNotCopied)
            << remarkReason("{0}", why);
      return success();
    };
    if (failed(forEachKernel(getOperation(), convert)))
      signalPassFailure();
  }
};
} // namespace
