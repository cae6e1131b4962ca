//===- TensorCore.cpp - mma.sync on tensor cores --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorCore.h"
#include "ScheduleFit.h"
#include "UnitTiles.h"
#include "mlir/IR/Builders.h"
#include <numeric>

using namespace mlir;
using namespace nm;

namespace {
/// Warps of a block, and the tile of each.
struct WarpTile {
  int64_t warps[2], tile[2];
  int64_t blockN() const { return warps[1] * tile[1]; }
  llvm::StringLiteral name = ""; // empty: the extents of the block's
  bool operator==(const WarpTile &other) const {
    return llvm::equal(warps, other.warps) && llvm::equal(tile, other.tile);
  }
};
} // namespace

// A warp of 64 x 64 has 32 mma.sync for 12 ldmatrix at L = 32, and for 8 at L =
// 64; one of 128 x 32 has them for 10, whatever L. Smaller tiles fill the chip
// where there are few rows.
static constexpr WarpTile kTiles[] = {{{1, 8}, {128, 32}, "128x256 (128x32)"},
                                      {{2, 4}, {64, 64}},
                                      {{2, 2}, {64, 64}},
                                      {{1, 4}, {64, 64}},
                                      {{2, 2}, {32, 64}},
                                      {{1, 4}, {32, 32}},
                                      {{1, 2}, {32, 32}},
                                      {{1, 4}, {16, 32}},
                                      {{1, 2}, {16, 32}}};

/// Tiles of few rows for which warps of their own copy. A warp loads the values
/// of the weight once, and the rows of A of one unit of 32 columns.
static constexpr WarpTile kFedTiles[] = {
    {{1, 8}, {64, 32}, "64x256 (64x32)"},
    {{1, 4}, {64, 32}, "64x128 (64x32)"},
    {{1, 4}, {128, 32}, "128x128 (128x32)"},
    {{2, 2}, {64, 64}},
    {{2, 2}, {32, 64}},
    {{1, 8}, {32, 32}},
    {{1, 4}, {32, 32}},
    {{2, 2}, {16, 32}},
    {{1, 8}, {16, 32}},
    {{1, 4}, {16, 32}}};

/// kFedTiles are candidates up to so many rows of A, the most for which they
/// were measured (H200, docs/results/2026-11-29-h200-layer-candidates-2.jsonl).
static constexpr int64_t kMostFedRows = 512;

/// Sums of a warp, a half of its registers.
static constexpr int64_t kMostSums = 4096;

/// Condensed rows a step: one slice, two or four.
static constexpr int64_t kCondensedRows[] = {16, 32, 64};
/// Condensed rows a step of kFedTiles. With eight slices, 128 rows of
/// 4096x4096 at 16:32 take 12.1 us, with at most four 14.6 (H200, cold,
/// docs/results/2026-11-29-h200-layer-candidates-3.jsonl).
static constexpr int64_t kCondensedRowsOfFed[] = {16, 32, 64, 128};
/// Buffers of a block that is alone on its SM, if they fit, as nobody computes
/// while it waits (H200, 4096^3 of f16, L = 64: .239 ms with three, .277 with
/// two).
static constexpr int64_t kStagesAlone = 4;

/// The share of A's rows up to which a block that gathers those it reads is
/// faster than one that copies all (H200, 4096^3 of f16, 4:32: L = 64, .41,
/// .075 ms for .080; L = 32, .66, .101 for .095).
static constexpr double kMostGathered = 0.45;
/// The same where producers could copy all of A's rows: .41 (L = 64) then takes
/// .075 ms for .066, .23 (L = 128) .060 for .065.
static constexpr double kMostGatheredBesides = 0.3;

/// Rows of A below which most of an instruction is empty.
static constexpr int64_t kLeastRows = 9;

/// Wavefronts of the loads of gathered rows, of which those that are equal
/// modulo 8 lie on the same banks: for random rows of 8:32, to which times were
/// fitted. nm-pack-weights orders those of a constant weight, which leaves 1.4
/// to 1.8.
static constexpr double kBankConflicts = 2.2;

/// How much longer a step takes whose first operands are not loaded ahead (15 %
/// at L = 64, H200).
static constexpr double kWithoutPrefetch = 1.15;
/// Up to so many rows, what blocks that share an SM wait for is the weight,
/// which comes from DRAM: no other row of blocks has brought it to L2. Fitted,
/// with the two constants below, to cold times of 64 and 128 rows of four
/// shapes of Llama, of which those chosen take 1.016 of the fastest on average
/// (H200, bf16, 8:32, L = 32 and 128,
/// docs/results/2026-11-29-h200-layer-candidates.jsonl).
static constexpr int64_t kMostColdRows = 128;
/// A step of up to kMostColdRows rows takes this many times as long as counted
/// where threads transpose A. It is fitted as kMostColdRows says.
static constexpr double kTransposingSome = 1.4;
/// The share of a tile's prologue and epilogue that a block takes where blocks
/// share all steps of up to kMostColdRows rows: they begin at different places
/// and end at different times. It is fitted as kMostColdRows says.
static constexpr double kBesidesOfSome = 0.3;
/// The share of a tile's prologue and epilogue that a block of kFedTiles takes
/// which computes whole tiles, beside the copy of its first step: producers
/// begin at once, and go on while the others store. It is fitted to cold times
/// of 16 to 512 rows of four shapes of Llama (H200, bf16, 8:32 and 16:32, L =
/// 32, docs/results/2026-11-29-h200-layer-candidates-2.jsonl and -3.jsonl).
static constexpr double kBesidesOfFed = 0.5;
/// The share that a block of kFedTiles takes where blocks share all steps,
/// whose sums meet in global memory. It is fitted as kBesidesOfFed says.
static constexpr double kBesidesOfFedSharing = 0.9;
/// A step of up to kMostTransposedRows rows takes this many times as long as
/// counted where threads transpose A: few blocks are at other steps meanwhile.
/// Fitted to 256 and 512 rows of 4096x4096 (H200, bf16, 8:32, L = 32,
/// docs/results/2026-11-28-h200-some-rows-token.json).
static constexpr double kTransposing = 1.2;
static constexpr int64_t kMostTransposedRows = 512;
/// Wavefronts of a known number of rows, up to kMostSomeRows, that are in
/// several blocks of 16 or 32 take this many times as long as counted. It is a
/// guess, by which better ones are chosen of kMostColdRows' candidates than
/// without.
static constexpr double kSomeRowsAgain = 1.25;

/// What a slice takes beside its products: addresses and loads, in FMAs.
static constexpr double kPerSlice = 24;

/// What eight bytes of the weight take until they are numbers of 16 bits, in
/// FMAs of a warp, by the instructions of toPairs: those that are put below an
/// exponent, and for bf16, which has too few bits for that, f32 in between.
static constexpr double kBytesToF16 = 10, kBytesToBF16 = 22;

/// The same where producers copy (H200, 4096^3 of f16, L = 64: 155 us at 50 %
/// with two slices a step, 191 with one; 86 and 102 at 75 %): products that no
/// copy disturbs, what a step takes beside them, as all warps wait for its
/// slot, and wavefronts of rows in the order of nm-pack-weights.
static constexpr double kUndisturbed = 0.89, kPerSlot = 70,
                        kOrderedConflicts = 1.4;

static InstructionKind makeKind(const WarpTile &tile, MLIRContext *context) {
  Builder b(context);
  return MmaSyncAttr::get(context, b.getDenseI64ArrayAttr(tile.warps),
                          b.getDenseI64ArrayAttr(tile.tile));
}

/// Windows of steps of `rows` condensed rows, or of the least multiple of a
/// slice that windows can have.
static int64_t getWindows(PatternAttr pattern, int64_t slice, int64_t rows) {
  int64_t ofWindow = pattern.getKeep() * pattern.getUnitK();
  int64_t least = slice / std::gcd(slice, ofWindow);
  // Asked first, for a window may be as large as numbers go.
  if (ofWindow >= rows)
    return least;
  return std::max<int64_t>(1, rows / (least * ofWindow)) * least;
}

/// Unit columns of a warp's tile, each of which has rows of A of its own: those
/// that no warp begins with are loaded for each instruction.
static double countUnitColumns(const WarpTile &tile, PatternAttr pattern) {
  int64_t unitN = pattern.getUnitN(), columns = tile.tile[1];
  int64_t ofMma = unitN % 16 == 0 ? 16 : 8;
  if (!fitsUnit(columns, unitN))
    return double(columns) / double(ofMma);
  return std::max(1.0, double(columns) / double(unitN));
}

/// As ptxas gives them: sums, operands of a slice, addresses.
static int64_t countRegisters(const ProductInfo &product,
                              const WarpTile &tile) {
  double strips = double(tile.tile[1]) / 16, groups = double(tile.tile[0]) / 8;
  double columns = countUnitColumns(tile, product.weight.getPattern());
  return int64_t(strips * groups * 4 + 4 * (columns * groups / 2 + strips)) +
         40;
}

/// `tile`, or one with other columns and fewer rows for a unit that it does not
/// fit; without warps where none does.
static WarpTile fitTile(const ProductInfo &product, const TargetInfo &target,
                        WarpTile tile) {
  int64_t unitN = product.weight.getPattern().getUnitN();
  if (fitsUnit(tile.blockN(), unitN))
    return tile;
  // Strips after which units end where strips do.
  int64_t period = unitN / std::gcd<int64_t>(16, unitN);
  int64_t wanted = tile.tile[1] / 16;
  int64_t columns = 16 * fitCount(wanted, 2 * wanted, 1, period);
  WarpTile fitted = {{tile.warps[0], 1}, {tile.tile[0], columns}};
  while (fitted.tile[0] > 16 && fitted.tile[0] * columns > kMostSums)
    fitted.tile[0] /= 2;
  int64_t most = countMostWarps(countRegisters(product, fitted), target);
  fitted.warps[1] =
      fitCount(tile.warps[1], most / tile.warps[0], columns, unitN);
  return fitted;
}

/// The tiles worth considering.
static llvm::SmallVector<WarpTile> listTiles(const ProductInfo &product,
                                             const TargetInfo &target,
                                             llvm::ArrayRef<WarpTile> of) {
  llvm::SmallVector<WarpTile> tiles;
  for (const WarpTile &table : of) {
    // Warps that share their rows of A load them once each.
    if (table.tile[0] > 64 &&
        product.weight.getPattern().getUnitN() > table.tile[1])
      continue;
    WarpTile tile = fitTile(product, target, table);
    if (tile.warps[1] != 0 && !llvm::is_contained(tiles, tile))
      tiles.push_back(tile);
  }
  return tiles;
}

/// How much longer than counted a step takes of a product of some rows.
static double getSomeRowsFactor(const ProductInfo &product) {
  int64_t rows = getPlannedRows(product);
  if (product.isAFeatureMajor || rows > kMostTransposedRows)
    return 1;
  return rows <= kMostColdRows ? kTransposingSome : kTransposing;
}

static KernelWork countWork(const ProductInfo &product,
                            const TargetInfo &target, const WarpTile &tile,
                            const ScheduleFit &fit) {
  KernelWork work = fit.countTraffic();
  double slices = fit.countRows() / 16;
  double strips = double(tile.tile[1]) / 16, groups = double(tile.tile[0]) / 8;
  double columns = countUnitColumns(tile, product.weight.getPattern());
  // 4096 FLOP an instruction, and 64 a warp's FMA.
  double mma = 64 * target.fp32Rate / target.mmaRate;
  bool alone = fit.hasProducers();
  work.instructions +=
      alone ? slices * strips * groups * mma * kUndisturbed + kPerSlot
            : slices * (strips * groups * mma + kPerSlice);
  if (product.weight.getElementType().isInteger(8))
    work.instructions +=
        slices * strips * (product.a.isF16() ? kBytesToF16 : kBytesToBF16);
  // Four wavefronts an ldmatrix of four matrices.
  double conflicts = alone ? kOrderedConflicts : kBankConflicts;
  double loads = columns * groups / 2 * conflicts + strips;
  work.wavefronts += slices * loads * 4 * double(work.threads) / 32;
  double longer = getSomeRowsFactor(product);
  work.instructions *= longer;
  work.wavefronts *= longer;
  bool isKnown = !ShapedType::isDynamic(product.m);
  if (isKnown && product.m <= kMostSomeRows &&
      product.m > tile.warps[0] * tile.tile[0])
    work.wavefronts *= kSomeRowsAgain;
  work.registers = countRegisters(product, tile);
  if (getPlannedRows(product) <= kMostColdRows &&
      !isAlone(work.registers, work.threads, target)) {
    work.isFirst = true;
    // What is staged to be transposed is not ahead.
    work.stages -= fit.transposesInBlocks() ? 1 : 0;
    if (work.streamBytes != 0)
      work.besides = kBesidesOfSome;
  }
  return work;
}

namespace {
class TensorCore : public Strategy {
public:
  llvm::StringRef getName() const override { return "tensor-core"; }

  void enumerate(const ProductInfo &product, const TargetInfo &target,
                 const ScheduleOptions &options,
                 llvm::SmallVectorImpl<Candidate> &candidates) const override {
    if (getPlannedRows(product) < kLeastRows)
      return;
    for (const WarpTile &tile : listTiles(product, target, kTiles)) {
      InstructionKind kind = makeKind(tile, product.weight.getContext());
      ScheduleOptions ofTile = options;
      bool alone =
          isAlone(countRegisters(product, tile), kind.getNumThreads(), target);
      if (alone)
        ofTile.stages = options.stages == 1 ? 1 : kStagesAlone;
      double mostGathered = canProduce(product, target, kind)
                                ? kMostGatheredBesides
                                : kMostGathered;
      bool pack = alone && product.isAFeatureMajor &&
                  isWorthPacking(product, options, tile.blockN(), mostGathered);
      for (bool packed : {false, true}) {
        if (packed && !pack)
          continue;
        ScheduleAttr last;
        for (int64_t rows : kCondensedRows) {
          auto fit = [&](Sharing sharing) {
            int64_t windows = getWindows(product.weight.getPattern(),
                                         kind.getSliceRows(), rows);
            return ScheduleFit(product, target, ofTile, kind, windows, packed,
                               sharing);
          };
          ScheduleAttr schedule = fit(Sharing()).make(/*prefetch=*/false);
          if (schedule != last)
            addCandidates(product, target, tile, alone, fit, candidates);
          last = schedule;
        }
      }
    }
    if (getPlannedRows(product) <= kMostFedRows)
      addFed(product, target, options, candidates);
  }

private:
  /// Adds those of kFedTiles, each with the step that fits.
  static void addFed(const ProductInfo &product, const TargetInfo &target,
                     ScheduleOptions options,
                     llvm::SmallVectorImpl<Candidate> &candidates) {
    if (options.stages == 1)
      return;
    options.stages = kStagesAlone;
    for (const WarpTile &tile : listTiles(product, target, kFedTiles)) {
      InstructionKind kind = makeKind(tile, product.weight.getContext());
      if (!canProduce(product, target, kind))
        continue;
      for (int64_t rows : kCondensedRowsOfFed) {
        int64_t windows =
            getWindows(product.weight.getPattern(), kind.getSliceRows(), rows);
        auto add = [&](Sharing sharing) {
          sharing.producers = ScheduleAttr::maxProducers;
          ScheduleFit fit(product, target, options, kind, windows,
                          /*packed=*/false, sharing);
          KernelWork work = countWork(product, target, tile, fit);
          work.firstBytes = work.bytes;
          work.besides =
              sharing.streamK == 0 ? kBesidesOfFed : kBesidesOfFedSharing;
          // Blocks that share an SM are slower together (64 rows of
          // 22016x4096 at 8:32: 29 us with two, 22 with one of longer steps).
          if (fit.hasProducers() && fit.isLegal() &&
              getBlocksPerSM(work, target) == 1)
            candidates.push_back(
                {fit.make(/*prefetch=*/false), fit.describe(tile.name), work});
          return std::pair(fit.chooseStreamK(work), fit.choosePersistent(work));
        };
        auto [streamK, persistent] = add({});
        if (streamK != 0)
          add({1, streamK, 0});
        if (persistent != 0)
          add({1, 0, persistent});
      }
    }
  }

  using Fit = llvm::function_ref<ScheduleFit(Sharing)>;

  /// Adds what `fit` makes of `tile`: with a block for each, and where that
  /// leaves SMs idle, or alone, with blocks that compute several.
  static void addCandidates(const ProductInfo &product,
                            const TargetInfo &target, const WarpTile &tile,
                            bool alone, Fit fit,
                            llvm::SmallVectorImpl<Candidate> &candidates) {
    ScheduleFit whole = fit(Sharing());
    // Out of shared memory alone do loads gather.
    if (!whole.isPromoted() || !whole.isLegal())
      return;
    // Rows that are gathered come late: they need all the stages (H200, 4096^3
    // of f16, 8:32, L = 128: .105 ms with four, .122 with three and longer
    // steps).
    if (whole.isPacked() && whole.getStages() < kStagesAlone)
      return;
    bool prefetch = alone && whole.hasStages();
    auto add = [&](const ScheduleFit &fit) {
      KernelWork work = countWork(product, target, tile, fit);
      // Nor do operands of the next step pay where that is waited for apart.
      bool prefetches = prefetch && !fit.hasProducers();
      if (!prefetches && !fit.hasProducers()) {
        work.instructions *= kWithoutPrefetch;
        work.wavefronts *= kWithoutPrefetch;
      }
      candidates.push_back(
          {fit.make(prefetches), fit.describe(tile.name), work});
      return work;
    };
    KernelWork work = add(whole);
    int64_t streamK = whole.chooseStreamK(work);
    int64_t persistent = whole.choosePersistent(work);
    InstructionKind kind = makeKind(tile, product.weight.getContext());
    int64_t producers = prefetch && canProduce(product, target, kind)
                            ? ScheduleAttr::maxProducers
                            : 0;
    for (int64_t ofTheirOwn : {int64_t(0), producers}) {
      if (streamK != 0)
        add(fit({1, streamK, 0, ofTheirOwn}));
      if (persistent != 0)
        add(fit({1, 0, persistent, ofTheirOwn}));
      if (producers == 0)
        return;
    }
    add(fit({1, 0, 0, producers}));
  }
};
} // namespace

const Strategy &nm::getTensorCoreStrategy() {
  static const TensorCore strategy;
  return strategy;
}
