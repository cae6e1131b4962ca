//===- CudaCore.cpp - FMAs on CUDA cores ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several tiles for vector-wise patterns, to be ranked; lanes along m for
// patterns whose unit is narrower than a warp's columns, so that a warp reads A
// at one place; lanes along n for products with a vector.
//
//===----------------------------------------------------------------------===//

#include "CudaCore.h"
#include "ScheduleFit.h"
#include "UnitTiles.h"
#include "mlir/IR/Builders.h"
#include "nm/Dialect/NM/KernelPlan/StepTurns.h"
#include "nm/Support/NumberOps.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

namespace {
/// The distribution of a block over warps, lanes and elements.
struct Tile {
  llvm::StringRef name; // empty: its extents
  int64_t warps[2], lanes[2], thread[2];

  int64_t blockM() const { return warps[0] * lanes[0] * thread[0]; }
  int64_t blockN() const { return warps[1] * lanes[1] * thread[1]; }
  int64_t threads() const { return warps[0] * warps[1] * 32; }
  bool operator==(const Tile &other) const {
    return llvm::equal(warps, other.warps) && llvm::equal(lanes, other.lanes) &&
           llvm::equal(thread, other.thread);
  }
};

// Vector-wise: the columns of a warp share an index (NM-SpMM Table I has three
// of these). More elements a thread need fewer loads an FMA; more blocks fill
// the chip.
constexpr Tile kVectorWise[] = {
    {"", {1, 8}, {16, 2}, {8, 16}}, {"", {1, 4}, {16, 2}, {8, 16}},
    {"", {1, 8}, {8, 4}, {8, 8}},   {"", {1, 4}, {8, 4}, {8, 8}},
    {"", {1, 2}, {8, 4}, {8, 8}},   {"", {1, 4}, {8, 4}, {4, 8}},
    {"", {1, 2}, {8, 4}, {4, 8}},   {"", {1, 1}, {8, 4}, {4, 8}}};
// Units of 8 or 16 columns: a warp has one of them, or few.
constexpr Tile kNarrowUnits[] = {{"", {1, 8}, {32, 1}, {8, 16}},
                                 {"", {1, 8}, {32, 1}, {8, 8}},
                                 {"", {1, 8}, {16, 2}, {8, 8}},
                                 {"", {1, 4}, {16, 2}, {8, 8}}};
// Units of other multiples of 8 columns, such as 24 or 40: a warp has a whole
// one, or a part that divides it, whose columns makeWideTile chooses.
constexpr Tile kOddMultiples[] = {
    {"", {1, 8}, {16, 2}, {8, 0}}, {"", {1, 4}, {16, 2}, {8, 0}},
    {"", {1, 8}, {16, 2}, {4, 0}}, {"", {1, 4}, {16, 2}, {4, 0}},
    {"", {1, 8}, {8, 4}, {8, 0}},  {"", {1, 4}, {8, 4}, {8, 0}},
    {"", {1, 2}, {8, 4}, {4, 0}}};
// Other units: a warp is one column wide at a time.
constexpr Tile kTall[] = {{"tall", {1, 4}, {32, 1}, {4, 8}},
                          {"tall half", {1, 4}, {32, 1}, {2, 8}},
                          {"tall small", {1, 4}, {32, 1}, {1, 8}}};
// One row, or a few, which a thread has all of: a warp is 32 columns wide.
// Blocks of one warp fill the chip where there are few columns; a step of all
// of k takes them longer to copy.
constexpr int64_t kMostFewRows = 8;
constexpr Tile kFewRows[] = {{"rows", {1, 4}, {1, 32}, {1, 1}},
                             {"narrow rows", {1, 1}, {1, 32}, {1, 1}}};

/// The share of A's rows up to which gathering those that a block reads is
/// worth its list.
constexpr double kMostGathered = 0.75;
/// The same where nobody computes while it waits for that (H200, 4096^3, 4:32,
/// L = 32, a share of .66: .41 ms for .36).
constexpr double kMostGatheredAlone = 0.45;
/// Rows of k a step for those of the other patterns.
constexpr int64_t kStepRows = 64;
/// Condensed rows a step for the vector-wise ones: enough FMAs to hide a
/// barrier, few enough to be unrolled.
constexpr int64_t kCondensedRows = 16;
/// Of a thread.
constexpr int64_t kMaxRegisters = 255;

// What the instructions beside FMAs cost (see CostModel.cpp for the
// measurements).
constexpr double kPerRow = 5.2; // indices and addresses, a warp
// Lanes that read rows of A of their own meet at the banks (H200, 8x4096x4096
// of bf16, single elements).
constexpr double kConflicts = 3;
// FMAs that wait for a bank of registers in steps of up to so many rows (H200:
// 6 to 17 % of the time; docs/performance.md).
constexpr double kSqueezed = 1.1;
constexpr int64_t kSqueezedRows = 64;
} // namespace

/// Threads of a block for which producers copy. Blocks of fewer, of which an SM
/// has several, are not faster for it (H200).
static constexpr int64_t kFedThreads = 256;

/// Buffers of the ring of a block that is alone on its SM where others have
/// `stages`: one more, for nobody computes while it waits (H200, 4096^3: f32 at
/// 50 % 1.344 ms with three, 1.365 with two).
static int64_t getStagesAlone(int64_t stages) {
  return stages == 1 ? 1 : std::min<int64_t>(stages + 1, 4);
}

/// Units of `unitN` columns that a warp of `tile` has beside each other.
static int64_t countWarpUnits(const Tile &tile, int64_t unitN) {
  return llvm::divideCeil(tile.lanes[1] * tile.thread[1], unitN);
}

/// Whether a thread has so many sums that a block is alone on its SM.
static bool isLarge(const Tile &tile) {
  return tile.thread[0] * tile.thread[1] >= 128;
}

/// Whether a thread's columns are of one unit. With 8x16 sums, those of a warp
/// have to be: else it took a fifth longer (H200, units of 16).
static bool suitsUnit(const Tile &tile, int64_t unitN) {
  return fitsUnit(tile.blockN(), unitN) && unitN % tile.thread[1] == 0 &&
         (!isLarge(tile) || countWarpUnits(tile, unitN) == 1);
}

/// Whether blocks may share the steps of a tile of C: of the smallest of
/// kVectorWise there are blocks enough.
static bool maySplit(const Tile &tile) {
  return !tile.name.empty() || (tile.blockM() >= 32 && tile.blockN() >= 64);
}

/// Whether a fixed number of blocks may share the steps of all tiles.
static bool mayStream(const Tile &tile) {
  return tile.name.empty() && maySplit(tile);
}

/// A tile for a unit that none of the table fits: a warp of one column of
/// units, or of as much of it as divides it.
static Tile makeOddTile(int64_t unitN, bool oneRow) {
  int64_t columns = 1;
  for (int64_t divisor = 1; divisor <= 16; ++divisor)
    if (unitN % divisor == 0)
      columns = divisor;
  if (oneRow)
    return {"odd row", {1, 1}, {32, 1}, {1, columns}};
  return {"odd unit", {1, 1}, {32, 1}, {2, columns}};
}

/// Registers of a thread, as ptxas gives them: sums, rows of operands ahead,
/// addresses.
static int64_t countRegisters(const ProductInfo &product, const Tile &tile) {
  int64_t tm = tile.thread[0], tn = tile.thread[1];
  Type sum = getAccumulatorType(product.a, product.weight.getElementType());
  return (tm * tn + 4 * (tm + tn)) *
             llvm::divideCeil(sum.getIntOrFloatBitWidth(), 32) +
         24;
}

/// `tile` with as many columns a thread as divide a unit and do not spill.
static Tile makeWideTile(const ProductInfo &product, const TargetInfo &target,
                         Tile tile) {
  int64_t unitN = product.weight.getPattern().getUnitN();
  // Vectors of two columns at least.
  auto suits = [&](int64_t columns) {
    tile.thread[1] = columns;
    return unitN % (tile.lanes[1] * columns) == 0 &&
           countRegisters(product, tile) <= kMaxRegisters;
  };
  int64_t most = 32;
  while (most > 2 && !suits(most))
    most -= 2;
  tile.thread[1] = most;
  // One warp always fits.
  tile.warps[1] = fitCount(
      tile.warps[1], countMostWarps(countRegisters(product, tile), target),
      tile.lanes[1] * most, unitN);
  return tile;
}

/// Tiles for a unit that those of the tables fit badly or not at all.
static void addOddMultiples(const ProductInfo &product,
                            const TargetInfo &target,
                            llvm::SmallVectorImpl<Tile> &tiles) {
  auto isWhole = [](const Tile &tile) { return tile.warps[1] >= 4; };
  if (llvm::any_of(tiles, isWhole))
    return;
  for (const Tile &odd : kOddMultiples)
    if (Tile tile = makeWideTile(product, target, odd);
        !llvm::is_contained(tiles, tile))
      tiles.push_back(tile);
}

/// The tiles worth considering.
static llvm::SmallVector<Tile> listTiles(const ProductInfo &product,
                                         const TargetInfo &target) {
  int64_t unitN = product.weight.getPattern().getUnitN();
  int64_t m = getPlannedRows(product);
  llvm::SmallVector<Tile> tiles;
  auto add = [&](llvm::ArrayRef<Tile> list, auto suits) {
    llvm::copy_if(list, std::back_inserter(tiles),
                  [&](const Tile &tile) { return suits(tile, unitN); });
  };
  auto fits = [](const Tile &tile, int64_t unitN) {
    return fitsUnit(tile.blockN(), unitN);
  };
  bool isNarrow = unitN % 32 != 0;
  // Of lower ones than m fills only where the highest would leave rows idle:
  // lanes that transpose a token-major A of 16 bits meet at banks there.
  llvm::ArrayRef<Tile> tall = kTall;
  if (m % tall[0].blockM() == 0)
    tall = tall.take_front();
  while (tall.size() > 1 && m <= tall[1].blockM())
    tall = tall.drop_front();
  if (m <= kMostFewRows) {
    bool hasSteps = !product.weight.getPattern().isWindowAll();
    add(llvm::ArrayRef(kFewRows).take_front(hasSteps ? 2 : 1), fits);
    for (Tile &tile : tiles)
      tile.thread[0] = int64_t(llvm::PowerOf2Ceil(std::max<int64_t>(m, 1)));
  } else if (isNarrow && unitN % 8 != 0) {
    add(tall, fits);
  } else {
    add(kVectorWise, suitsUnit);
    if (isNarrow) {
      add(kNarrowUnits, suitsUnit);
      add(tall, suitsUnit);
    }
    addOddMultiples(product, target, tiles);
  }
  if (tiles.empty())
    tiles.push_back(makeOddTile(unitN, m == 1));
  return tiles;
}

static InstructionKind makeKind(const Tile &tile, MLIRContext *context) {
  Builder b(context);
  return FmaAttr::get(context, b.getDenseI64ArrayAttr(tile.warps),
                      b.getDenseI64ArrayAttr(tile.lanes),
                      b.getDenseI64ArrayAttr(tile.thread));
}

/// Columns that a thread loads at once.
static int64_t getVectorColumns(const Tile &tile) {
  return tile.thread[1] % 4 == 2 ? 2 : 4;
}

/// Instructions of a warp for one condensed row.
static double countInstructions(const ProductInfo &product, const Tile &tile) {
  int64_t tm = tile.thread[0], tn = tile.thread[1];
  bool isInteger =
      product.a.isInteger() && product.weight.getElementType().isInteger();
  // Lanes of a column each read all their indices at once.
  int64_t units =
      tn == 1 ? 1
              : std::min(countWarpUnits(tile,
                                        product.weight.getPattern().getUnitN()),
                         tile.lanes[1]);
  double row = double(tm * tn) * (isInteger ? 2 : 1) + double(tm) / 4 +
               double(tn) / double(getVectorColumns(tile)) +
               kPerRow * double(units);
  // Narrower numbers are converted when they are read.
  for (auto [type, count] : {std::pair(product.a, tm),
                             std::pair(product.weight.getElementType(), tn)})
    if (type.getIntOrFloatBitWidth() < 32)
      row += double(count);
  return row;
}

/// Wavefronts of a warp's loads for one condensed row: lanes that read the same
/// 16 bytes share them. Each of its units has a row of A.
static double countWavefronts(const ProductInfo &product, const Tile &tile) {
  int64_t units = countWarpUnits(tile, product.weight.getPattern().getUnitN());
  auto count = [](int64_t lanes, int64_t elements, int64_t vector = 4) {
    double bytes = double(lanes * vector * 4);
    return std::max(1.0, bytes / 128) * double(elements) / double(vector);
  };
  if (tile.thread[1] == 1) {
    int64_t bits = tile.thread[0] * product.a.getIntOrFloatBitWidth();
    double read = double(units * std::max<int64_t>(bits, 32)) / 1024;
    return std::max(1.0, kConflicts * read) + 1;
  }
  return double(units) * count(tile.lanes[0], tile.thread[0]) +
         count(tile.lanes[1], tile.thread[1], getVectorColumns(tile));
}

/// Whether ptxas gives a thread of `tile` fewer registers than it wants, for a
/// second block that has no room. It did not where a step copies more rows.
static bool isSqueezed(const Tile &tile, const ScheduleFit &fit) {
  return tile.thread[0] * tile.thread[1] == 64 && tile.threads() == 256 &&
         fit.getStepRows() <= kSqueezedRows;
}

/// Whether a block copies for most of the time: many rows of A, of which few
/// are multiplied. Alone, it takes a third longer with two buffers than in
/// steps of half as many rows with three (H200, f32, L = 16: at 4:32, and not
/// at 8:32).
static bool isCopied(const ProductInfo &product, const Tile &tile) {
  PatternAttr pattern = product.weight.getPattern();
  int64_t units = pattern.getWindowUnits(product.weight.getK());
  return tile.blockM() > 128 && 6 * pattern.getKeep() < units;
}

/// Wavefronts of a warp's loads of one condensed row of a token-major A that
/// stays in global memory: each row of C is on a line of its own (H200, whole
/// columns kept, 512x4096x4096 at 1:4: 8.8 ms, one wavefront an element).
static double countScattered(const ProductInfo &product, const Tile &tile) {
  int64_t units = countWarpUnits(tile, product.weight.getPattern().getUnitN());
  return double(units * tile.lanes[0] * tile.thread[0]);
}

/// Whether rows of A can be gathered at the price of copying them in order:
/// those of a token-major A are elements, which are copied one by one where
/// its lines are no whole chunks of 16 bytes. Of a few rows of C there is too
/// little.
static bool hasRowsToGather(const ProductInfo &product) {
  if (getPlannedRows(product) <= kMostFewRows)
    return false;
  int64_t bits = product.weight.getK() % 16 * product.a.getIntOrFloatBitWidth();
  return product.isAFeatureMajor || bits % 128 != 0;
}

/// How much longer tiles of some rows take than predicted, as on tensor cores.
static constexpr double kSomeRows = 1.25;

static Candidate makeCandidate(const ProductInfo &product,
                               const TargetInfo &target, const Tile &tile,
                               const ScheduleFit &fit) {
  KernelWork work = fit.countTraffic();
  double rows = fit.countRows();
  work.registers = countRegisters(product, tile);
  // One warp a scheduler, with as many sums, took as long as two (H200).
  if (isLarge(tile))
    work.leastWarps = 2;
  work.instructions += rows * countInstructions(product, tile);
  if (isSqueezed(tile, fit))
    work.instructions *= kSqueezed;
  int64_t m = getPlannedRows(product);
  if (m > kMostFewRows && m <= kMostSomeRows)
    work.instructions *= kSomeRows;
  double ofRow = countWavefronts(product, tile);
  if (!fit.isPromotedA() && !product.isAFeatureMajor)
    ofRow += countScattered(product, tile);
  work.wavefronts += double(tile.threads()) / 32 * rows * ofRow;
  return {fit.make(/*prefetch=*/false), fit.describe(tile.name), work};
}

namespace {
class CudaCore : public Strategy {
public:
  llvm::StringRef getName() const override { return "cuda-core"; }

  void enumerate(const ProductInfo &product, const TargetInfo &target,
                 const ScheduleOptions &options,
                 llvm::SmallVectorImpl<Candidate> &candidates) const override {
    for (const Tile &tile : listTiles(product, target))
      for (int64_t windows : listWindows(product, tile)) {
        ScheduleOptions ofTile = options;
        bool alone =
            isAlone(countRegisters(product, tile), tile.threads(), target);
        if (alone)
          ofTile.stages = getStagesAlone(options.stages);
        InstructionKind kind = makeKind(tile, product.weight.getContext());
        bool produces = isLarge(tile) && tile.threads() >= kFedThreads &&
                        canProduce(product, target, kind);
        auto add = [&](bool packed, Sharing sharing) -> int64_t {
          if (produces && sharing.splitK == 1 && !packed)
            sharing.producers = ScheduleAttr::maxProducers;
          ScheduleFit fit(product, target, ofTile, kind, windows, packed,
                          sharing);
          if (sharing.splitK != 1 && !fit.isLegal())
            return 0;
          if (alone && fit.getStages() == 2 && isCopied(product, tile))
            return 0;
          candidates.push_back(makeCandidate(product, target, tile, fit));
          return mayStream(tile) ? fit.chooseStreamK(candidates.back().work)
                                 : 0;
        };
        bool pack = hasRowsToGather(product) &&
                    isWorthPacking(product, options, tile.blockN(),
                                   alone ? kMostGatheredAlone : kMostGathered);
        for (bool packed : {false, true}) {
          if (packed && !pack)
            continue;
          for (int64_t splitK : listSplits(product, target, tile))
            if (int64_t streamK = add(packed, {splitK, 0, 0});
                splitK == 1 && streamK)
              add(packed, {1, streamK, 0});
        }
      }
    // Others would spill.
    auto fits = [](const Candidate &candidate) {
      return candidate.work.registers <= kMaxRegisters;
    };
    if (llvm::any_of(candidates, fits))
      llvm::erase_if(candidates, std::not_fn(fits));
  }

private:
  /// Blocks that may share a tile: several where one each would leave SMs idle,
  /// at once or in the last wave.
  static llvm::SmallVector<int64_t> listSplits(const ProductInfo &product,
                                               const TargetInfo &target,
                                               const Tile &tile) {
    auto tiles =
        double(llvm::divideCeil(getPlannedRows(product), tile.blockM())) *
        double(llvm::divideCeil(product.weight.getN(), tile.blockN()));
    // A workspace grows with the rows, which may be many more than planned for.
    bool isBounded = target.hasClusters || !ShapedType::isDynamic(product.m);
    if (!isBounded || !maySplit(tile) || tiles >= 4 * double(target.numSMs))
      return {1};
    if (!tile.name.empty())
      return {1, 2, 4, 8};
    auto counts = llvm::seq_inclusive<int64_t>(1, ScheduleAttr::maxSplitK);
    return llvm::to_vector(counts);
  }

  /// Windows a step.
  static llvm::SmallVector<int64_t> listWindows(const ProductInfo &product,
                                                const Tile &tile) {
    PatternAttr pattern = product.weight.getPattern();
    if (!tile.name.empty()) {
      int64_t rows = pattern.getWindowRows(product.weight.getK());
      return {std::max<int64_t>(1, kStepRows / rows)};
    }
    int64_t rows = pattern.getKeep() * pattern.getUnitK();
    int64_t windows = std::max<int64_t>(1, kCondensedRows / rows);
    if (isCopied(product, tile))
      windows = llvm::divideCeil(windows, 2);
    // One more where that leaves a step short, unless it is then a loop.
    if (windows * rows < kCondensedRows &&
        (windows + 1) * rows * tile.thread[0] * tile.thread[1] <= kUnrolledFmas)
      return {windows, windows + 1};
    return {windows};
  }
};
} // namespace

const Strategy &nm::getCudaCoreStrategy() {
  static const CudaCore strategy;
  return strategy;
}
