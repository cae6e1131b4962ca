//===- MmaGemv.cpp - Few rows on tensor cores -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in gemv, what is read of the weight is spread over warps that share k; but
// a product of it is an operand of mma.sync, whose other operand's eight rows
// are those of C. With them, an element of the weight takes a fraction of an
// instruction, whatever the number of rows.
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "ByteNumbers.h"
#include "Kinds.h"
#include "MmaGemvWarpMap.h"
#include "MmaInstruction.h"
#include "Positions.h"
#include "SharedK.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

/// Condensed rows of a warp in a slice.
static constexpr int64_t kRows = 16;
/// Of a lane, and elements of a strip.
static constexpr int64_t kLaneRows = 4, kLaneElements = 8;

MmaGemvWarpMap::MmaGemvWarpMap(ImplicitLocOpBuilder &b, MmaGemvAttr kind,
                               PatternAttr pattern, Value thread)
    : kind(kind), pattern(pattern), rows(kind.getTile()[0]),
      groups(llvm::divideCeil(rows, 8)), strips(kind.getTile()[1] / 16),
      thread(thread) {
  int64_t warpsN = kind.getWarps()[0];
  lane = remIndex(b, thread, 32);
  laneColumn = divIndex(b, lane, 4);
  laneRow = remIndex(b, lane, 4);
  Value warp = divIndex(b, thread, 32);
  warpN = remIndex(b, warp, warpsN);
  warpK = divIndex(b, warp, warpsN);
  n0 = mulIndex(b, warpN, kind.getTile()[1]);
  Value ofWarp = mulIndex(b, warpK, kRows);
  k0 = addIndex(b, ofWarp, mulIndex(b, laneRow, kLaneRows));
  unitColumn = pattern.getUnitN() % kind.getBlockN() == 0
                   ? indexConstant(b, 0)
                   : divIndex(b, n0, pattern.getUnitN());
}

namespace {
class MmaGemvMapper : public KindMapper {
public:
  MmaGemvMapper(MmaGemvAttr kind, KernelContext kernel)
      : launch(kernel.launch), streamsWeight(kernel.streamsWeight),
        b(kernel.atBegin()),
        map(b, kind, kernel.pattern, kernel.launch.getThreadIds().x) {}

  FragmentValues lowerZero(TileZeroOp op) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    return FragmentValues(map.strips * map.groups * 4,
                          createZero(b, b.getF32Type()));
  }

  FragmentValues lowerPositions(LoadPositionsOp op) override {
    return loadThreadPositions(op, map.k0, kLaneRows, map.kind.getSliceRows(),
                               map.unitColumn);
  }

  /// For each group two pairs of elements of A.
  FragmentValues lowerRows(LoadRowsOp op, ValueRange positions) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    int64_t slice =
        op.getUnit() / getSliceUnits(map.kind.getSliceRows(), map.pattern);
    auto ofSlice = positions.slice(slice * kLaneRows, kLaneRows);
    FragmentValues pairs;
    for (int64_t group = 0; group < map.groups; ++group) {
      // Where the tile has fewer rows, others stand in for those that are not
      // stored.
      Value m = addIndex(b, map.laneColumn, group * 8);
      if (map.rows < (group + 1) * 8)
        m = remIndex(b, m, map.rows);
      SmallVector<Value> elements;
      for (Value position : ofSlice) {
        Value row = addIndex(b, position, op.getPlace());
        Value one = loadAlongM(b, op, map.pattern, row, m, 1);
        elements.push_back(vector::ExtractOp::create(b, one, 0));
      }
      auto type = VectorType::get({2}, op.getType().getElementType());
      for (int64_t i : {0, 2})
        pairs.push_back(vector::FromElementsOp::create(
            b, type, ArrayRef<Value>{elements[i], elements[i + 1]}));
    }
    return pairs;
  }

  /// For each strip the lane's eight values.
  FragmentValues lowerValues(LoadValuesOp op) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    FragmentValues strips;
    for (int64_t strip = 0; strip < map.strips; ++strip) {
      Value n = addIndex(b, map.n0, strip * 16);
      strips.push_back(op.getFragments() ? loadFragment(b, op, n)
                                         : gatherFragment(b, op, n));
    }
    return strips;
  }

  FragmentValues lowerMma(MmaOp op, ValueRange rows, ValueRange values,
                          ValueRange acc) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Type element = op.getRows().getType().getElementType();
    FragmentValues sums;
    for (int64_t strip = 0; strip < map.strips; ++strip) {
      SmallVector<Value> pairs = toPairs(b, values[strip], element);
      for (int64_t group = 0; group < map.groups; ++group)
        llvm::append_range(
            sums, createMma(b, pairs, rows.slice(group * 2, 2),
                            acc.slice((strip * map.groups + group) * 4, 4)));
    }
    return sums;
  }

  /// Blocks add the sums of warps, of their own and of others at once.
  bool lowerClusterStore(TileStoreOp op, ValueRange acc) override {
    lowerMmaGemvStore(op, launch, map, acc, getSchedule(launch).getSplitK());
    return true;
  }

  void lowerStore(TileStoreOp op, ValueRange acc, SumPart part) override {
    lowerMmaGemvStore(op, launch, map, acc, /*blocks=*/1);
  }

private:
  Value loadFragment(ImplicitLocOpBuilder &b, LoadValuesOp op, Value n) {
    Value row = addIndex(b, op.getFirst(), mulIndex(b, map.warpK, kRows));
    Value column = addIndex(b, mulIndex(b, n, kRows),
                            mulIndex(b, map.lane, kLaneElements));
    Value values = loadVector(b, op.getValues(), divIndex(b, row, kRows),
                              column, 1, kLaneElements, Guard());
    // Those of a warp lie together, so that no other load needs their lines.
    auto load = values.getDefiningOp<vector::LoadOp>();
    if (load && streamsWeight)
      load.setNontemporal(true);
    return values;
  }

  /// From rows as they are stored otherwise, in the order of
  /// layout::Geometry::getFragmentPlace.
  Value gatherFragment(ImplicitLocOpBuilder &b, LoadValuesOp op, Value n) {
    Guard guard = getGuardOfValues(op, map.kind.getSliceRows());
    Value first = addIndex(b, op.getFirst(), map.k0);
    Value column = addIndex(b, n, map.laneColumn);
    SmallVector<Value> elements;
    for (int64_t i = 0; i < kLaneElements; ++i) {
      Value row = addIndex(b, first, i / 4 * 2 + i % 2);
      Value one = loadVector(b, op.getValues(), row,
                             addIndex(b, column, i / 2 % 2 * 8), 1, 1, guard);
      elements.push_back(vector::ExtractOp::create(b, one, 0));
    }
    auto type = VectorType::get({kLaneElements}, op.getType().getElementType());
    return vector::FromElementsOp::create(b, type, elements);
  }

  gpu::LaunchOp launch;
  bool streamsWeight;
  ImplicitLocOpBuilder b;
  MmaGemvWarpMap map;
};

struct MmaGemvLowering
    : KindLowering::ExternalModel<MmaGemvLowering, MmaGemvAttr> {
  SlicePlan planSlices(Attribute attribute, TileMmaOp op) const {
    auto kind = cast<MmaGemvAttr>(attribute);
    int64_t strips = kind.getTile()[1] / 16;
    int64_t groups = llvm::divideCeil(kind.getTile()[0], 8);
    return planSharedSlices(op, {.rows = kind.getSliceRows(),
                                 .weights = strips * kLaneElements,
                                 .elements = groups * kLaneRows,
                                 .sums = strips * groups * 4,
                                 .threads = kind.getNumThreads()});
  }

  std::unique_ptr<KindMapper> createMapper(Attribute kind,
                                           const KernelContext &kernel) const {
    return std::make_unique<MmaGemvMapper>(cast<MmaGemvAttr>(kind), kernel);
  }
};
} // namespace

void nm::attachMmaGemvLowering(MLIRContext &context) {
  MmaGemvAttr::attachInterface<MmaGemvLowering>(context);
}
