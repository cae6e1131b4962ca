//===- MmaSync.cpp - mma.sync on tensor cores -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "Kinds.h"
#include "MmaInstruction.h"
#include "MmaSyncWarpMap.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nm;

/// Rows of k that are written out as one block of code: four slices, so that
/// the loads of one run beside the products of another.
static constexpr int64_t kUnrolledRows = 64;

//===----------------------------------------------------------------------===//
// The map
//===----------------------------------------------------------------------===//

/// The unit column, by number, of the `mmaN` columns from `n` on of a warp's
/// `tileN`.
static int64_t getUnitColumn(int64_t n, int64_t unitN, int64_t tileN,
                             int64_t mmaN) {
  if (unitN % tileN == 0)
    return 0;
  // Where units begin elsewhere than warps do, none is shared.
  return tileN % unitN == 0 ? n / unitN : n / mmaN;
}

MmaSyncWarpMap::MmaSyncWarpMap(ImplicitLocOpBuilder &b, MmaSyncAttr kind,
                               PatternAttr pattern, Value thread)
    : pattern(pattern) {
  int64_t warpsN = kind.getWarps()[1];
  int64_t tileM = kind.getTile()[0], tileN = kind.getTile()[1];
  strips = tileN / 16;
  groups = tileM / 8;
  lane = remIndex(b, thread, 32);
  Value warp = divIndex(b, thread, 32);
  m0 = mulIndex(b, divIndex(b, warp, warpsN), tileM);
  n0 = mulIndex(b, remIndex(b, warp, warpsN), tileN);
  int64_t unitN = pattern.getUnitN();
  isWeightFirst = unitN % 16 == 0;
  mmaN = isWeightFirst ? 16 : 8;
  for (int64_t n = 0; n < tileN; n += mmaN) {
    unitColumnOf.push_back(getUnitColumn(n, unitN, tileN, mmaN));
    if (unitColumnOf.back() < int64_t(unitColumns.size()))
      continue;
    Value column = unitN % kind.getBlockN() == 0
                       ? indexConstant(b, 0)
                       : divIndex(b, addIndex(b, n0, n), unitN);
    unitColumns.push_back(column);
  }
}

/// Whether `parts` are whole strips, or whole groups of one.
static bool canCut(const MmaSyncWarpMap &map, int64_t parts) {
  int64_t partsN = std::min(parts, map.strips);
  return map.strips % partsN == 0 && parts % partsN == 0 &&
         map.groups % (parts / partsN) == 0;
}

int64_t MmaSyncWarpMap::countParts(int64_t most) const {
  while (!canCut(*this, most))
    most /= 2;
  return most;
}

MmaSyncWarpMap MmaSyncWarpMap::getPart(ImplicitLocOpBuilder &b,
                                       SumPart part) const {
  MmaSyncWarpMap map = *this;
  if (part.parts == 1)
    return map;
  int64_t partsN = std::min(part.parts, strips), partsM = part.parts / partsN;
  map.strips = strips / partsN;
  map.groups = groups / partsM;
  Value number = divIndex(b, part.number, partsM);
  map.n0 = addIndex(b, n0, mulIndex(b, number, 16 * map.strips));
  map.m0 = addIndex(
      b, m0, mulIndex(b, remIndex(b, part.number, partsM), 8 * map.groups));
  return map;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// Rows of a fragment that are an operand.
struct Operand {
  Value fragment;
  SmallVector<int64_t, 4> rows;
};
} // namespace

/// Adds the product of two operands, 16 x 16 and 16 x 8, to those of `sums`
/// that `places` names.
static void addMma(ImplicitLocOpBuilder &b, const Operand &first,
                   const Operand &second, MutableArrayRef<Value> sums,
                   ArrayRef<int64_t> places) {
  auto extract = [&](const Operand &operand) {
    return llvm::map_to_vector(operand.rows, [&](int64_t row) -> Value {
      return vector::ExtractOp::create(b, operand.fragment, row);
    });
  };
  SmallVector<Value> firsts = extract(first), seconds = extract(second);
  auto old = llvm::map_to_vector(places, [&](int64_t i) { return sums[i]; });
  SmallVector<Value> results = createMma(b, firsts, seconds, old);
  for (auto [place, result] : llvm::zip(places, results))
    sums[place] = result;
}

/// Adds the products of a strip, whose unit columns' `rows` are those of two
/// groups, to its sums of these, which begin at `place`.
static void multiplyStrip(ImplicitLocOpBuilder &b, const MmaSyncWarpMap &map,
                          Value values, function_ref<Value(int64_t)> rowsOf,
                          MutableArrayRef<Value> sums, int64_t place) {
  for (int64_t half : {0, 1}) {
    Value rows = rowsOf(map.isWeightFirst ? 0 : half);
    if (map.isWeightFirst) {
      int64_t first = place + 4 * half;
      addMma(b, {values, {0, 1, 2, 3}}, {rows, {2 * half, 2 * half + 1}}, sums,
             {first, first + 1, first + 2, first + 3});
      continue;
    }
    int64_t first = place + 2 * half;
    addMma(b, {rows, {0, 2, 1, 3}}, {values, {half, half + 2}}, sums,
           {first, first + 1, first + 4, first + 5});
  }
}

//===----------------------------------------------------------------------===//
// The lowering
//===----------------------------------------------------------------------===//

namespace {
class MmaSyncMapper : public KindMapper {
public:
  MmaSyncMapper(MmaSyncAttr kind, KernelContext kernel)
      : b(kernel.atBegin()),
        map(b, kind, kernel.pattern, kernel.launch.getThreadIds().x) {}

  FragmentValues lowerZero(TileZeroOp op) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    return FragmentValues(map.strips * map.groups * 4,
                          createZero(b, b.getF32Type()));
  }

  FragmentValues lowerPositions(LoadPositionsOp op) override {
    return loadMmaSyncPositions(op, map);
  }

  FragmentValues lowerRows(LoadRowsOp op, ValueRange positions) override {
    return loadMmaSyncRows(op, map, positions);
  }

  FragmentValues lowerValues(LoadValuesOp op) override {
    return loadMmaSyncValues(op, map);
  }

  FragmentValues lowerMma(MmaOp op, ValueRange rows, ValueRange values,
                          ValueRange acc) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    FragmentValues sums(acc);
    Type element = op.getRows().getType().getElementType();
    int64_t pairs = map.groups / 2, perStrip = 16 / map.mmaN;
    for (int64_t strip = 0; strip < map.strips; ++strip) {
      Value operand = toMmaSyncOperand(b, values[strip], element);
      for (int64_t pair = 0; pair < pairs; ++pair) {
        auto rowsOf = [&](int64_t run) {
          int64_t column = map.unitColumnOf[strip * perStrip + run];
          return rows[column * pairs + pair];
        };
        multiplyStrip(b, map, operand, rowsOf, sums,
                      (strip * pairs + pair) * 8);
      }
    }
    return sums;
  }

  int64_t countParts(int64_t most) override { return map.countParts(most); }

  void lowerStore(TileStoreOp op, ValueRange acc, SumPart part) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    lowerMmaSyncStore(op, map.getPart(b, part), acc);
  }

private:
  ImplicitLocOpBuilder b;
  MmaSyncWarpMap map;
};

struct MmaSyncLowering
    : KindLowering::ExternalModel<MmaSyncLowering, MmaSyncAttr> {
  SlicePlan planSlices(Attribute kind, TileMmaOp op) const {
    int64_t units = llvm::divideCeil(16, op.getPattern().getUnitK());
    return {/*rows=*/16, units, kUnrolledRows};
  }

  std::unique_ptr<KindMapper> createMapper(Attribute kind,
                                           const KernelContext &kernel) const {
    return std::make_unique<MmaSyncMapper>(cast<MmaSyncAttr>(kind), kernel);
  }
};
} // namespace

void nm::attachMmaSyncLowering(MLIRContext &context) {
  MmaSyncAttr::attachInterface<MmaSyncLowering>(context);
}
