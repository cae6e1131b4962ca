//===- MakeCase.cpp - From values of factors to a case --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extents are the smallest that make a tail, or the lack of one, meaningful:
// more than one block along m and n and more than one step along k where that
// stays small.
//
//===----------------------------------------------------------------------===//

#include "Factors.h"

#include <numeric>
#include <sstream>

using namespace nm;
using namespace nm::numeric;

namespace {
/// A distribution of a block over warps, lanes and elements; of kind gemv, if
/// threads have rows of k of their own.
struct Tile {
  int64_t warps[2], lanes[2], thread[2], rowsOfK = 0;
  int64_t blockM() const {
    return rowsOfK != 0 ? thread[0] : warps[0] * lanes[0] * thread[0];
  }
  int64_t blockN() const {
    int along = rowsOfK != 0 ? 0 : 1;
    return warps[along] * lanes[along] * thread[1];
  }
};

// Schedules A to D of each kind of product. Small, so that their kernels
// compile and run fast; together they have lanes along m, along n and along
// both, one and several warps along each, and vectors of 1, 2 and 4 elements.
constexpr Tile kLargeTiles[] = {{{1, 1}, {8, 4}, {2, 4}},
                                {{2, 2}, {8, 4}, {1, 2}},
                                {{1, 2}, {32, 1}, {1, 4}},
                                {{2, 1}, {4, 8}, {4, 4}}};
constexpr Tile kSmallTiles[] = {{{1, 2}, {1, 32}, {4, 1}},
                                {{1, 1}, {4, 8}, {2, 4}},
                                {{1, 1}, {2, 16}, {4, 1}},
                                {{2, 1}, {2, 16}, {2, 2}}};
constexpr Tile kVectorTiles[] = {{{1, 1}, {1, 32}, {1, 1}},
                                 {{1, 2}, {1, 32}, {1, 2}},
                                 {{1, 1}, {1, 32}, {1, 4}},
                                 {{2, 1}, {2, 16}, {1, 1}}};
// That of kind mma_sync, as if it had one lane, for each kind of product.
constexpr Tile kMatrixTiles[] = {{{1, 2}, {1, 1}, {32, 32}},
                                 {{2, 1}, {1, 1}, {16, 64}},
                                 {{1, 2}, {1, 1}, {16, 16}}};
// Those of kind gemv, which multiply 16 condensed rows at once, too.
constexpr Tile kGemvTiles[] = {{{1, 2}, {4, 8}, {8, 4}, 1},
                               {{2, 2}, {8, 4}, {4, 4}, 2},
                               {{1, 2}, {8, 4}, {1, 4}, 2}};
// Of threads with one column and 16 condensed rows, or 32, of which positions
// of any bits are whole words: 32 or 64 at once.
constexpr Tile kColumnTiles[] = {{{1, 2}, {32, 1}, {8, 1}, 16},
                                 {{2, 2}, {32, 1}, {4, 1}, 32},
                                 {{1, 2}, {32, 1}, {1, 1}, 32}};
// On tensor cores, likewise.
constexpr Tile kMmaGemvTiles[] = {{{1, 2}, {1, 1}, {16, 16}, 16},
                                  {{2, 2}, {1, 1}, {5, 16}, 16},
                                  {{1, 2}, {1, 1}, {1, 16}, 16}};
// What nm-select-schedule's tiles have at these extents.
constexpr Tile kSelectedTiles[] = {{{1, 4}, {32, 1}, {4, 8}},
                                   {{1, 4}, {1, 32}, {8, 1}},
                                   {{1, 4}, {1, 32}, {1, 1}}};

struct PatternRow {
  int64_t keep, window;
};
constexpr PatternRow kPatterns[] = {{1, 2}, {2, 4},  {4, 8}, {8, 32}, {16, 32},
                                    {5, 7}, {3, 10}, {0, 0}, {4, 4}};
constexpr int64_t kUnits[][2] = {{1, 1}, {1, 4},   {1, 32}, {1, 64},
                                 {4, 4}, {16, 16}, {1, 8},  {1, 24}};

/// Rows of k that threads of kind gemv and the like read in several turns.
constexpr int64_t kRowsOfTurns = 1024;

class CaseMaker {
public:
  CaseMaker(const Values &values, int64_t number, uint64_t seed)
      : values(values), rng(seed) {
    c.number = number;
    c.seed = rng();
    bool selected = values[FactorSchedule] == 0;
    int product = values[FactorProduct];
    const Tile *tiles[] = {kLargeTiles, kSmallTiles, kVectorTiles};
    if (selected)
      tile = kSelectedTiles[product];
    else if (isMmaSync())
      tile = kMatrixTiles[product];
    else if (values[FactorSchedule] == kScheduleColumns)
      tile = kColumnTiles[product];
    else if (isMmaGemv())
      tile = kMmaGemvTiles[product];
    else if (isGemv())
      tile = kGemvTiles[product];
    else
      tile = tiles[product][values[FactorSchedule] - 1];
  }

  KernelCase make() {
    setOperands();
    setPattern();
    narrowTile();
    fitTile();
    chooseM();
    chooseN();
    chooseK();
    setCompilation();
    return c;
  }

private:
  bool isMmaSync() const { return values[FactorSchedule] == kScheduleMmaSync; }
  bool isGemv() const { return values[FactorSchedule] >= kScheduleGemv; }
  bool isMmaGemv() const { return values[FactorSchedule] == kScheduleMmaGemv; }
  /// Whether several condensed rows are multiplied at once, and how many.
  bool hasSlices() const { return isMmaSync() || isGemv(); }
  int64_t getSliceRows() const {
    if (values[FactorSchedule] < kScheduleColumns)
      return 16;
    return tile.warps[1] * tile.rowsOfK;
  }
  int64_t getSplitK() const { return values[FactorSplitK] + 1; }
  bool hasTail(int tail) const {
    return values[FactorTail] == tail || values[FactorTail] == 4;
  }
  int64_t random(int64_t least, int64_t most) {
    return least + int64_t(rng() % uint64_t(most - least + 1));
  }

  void setOperands() {
    c.isVector = values[FactorProduct] == 2;
    c.layoutA = static_cast<reference::Layout>(values[FactorLayoutA]);
    c.layoutC = static_cast<reference::Layout>(values[FactorLayoutC]);
    c.constantWeight = values[FactorWeight] == 0;
    c.epilogue = static_cast<reference::Epilogue>(values[FactorEpilogue]);
    c.hasScale = values[FactorScale] == 1;
    c.types = getTypes(values);
    c.hasBias = values[FactorBias] == 1;
    c.hasResidual = values[FactorResidual] != 0;
    c.combine = values[FactorResidual] == 2 ? reference::Combine::Mul
                                            : reference::Combine::Add;
  }

  void setPattern() {
    const PatternRow &row = kPatterns[values[FactorPattern]];
    c.pattern.keep = row.keep;
    c.pattern.window = row.window;
    c.pattern.unitK = kUnits[values[FactorUnit]][0];
    c.pattern.unitN = kUnits[values[FactorUnit]][1];
  }

  /// Steps of hundreds of rows need a narrow block to fit shared memory.
  void narrowTile() {
    if (values[FactorSchedule] == 0 ||
        c.pattern.window * c.pattern.unitK <= 256)
      return;
    if (!hasSlices())
      tile.warps[1] = tile.thread[1] = 1;
    else if (isMmaSync())
      tile.thread[1] = std::min<int64_t>(tile.thread[1], 32);
  }

  /// Columns of a unit that are no power of two divide no block of the tables.
  void fitTile() {
    if (isMmaSync() && c.pattern.unitN % 3 == 0)
      tile.thread[1] = std::min<int64_t>(tile.thread[1], 32);
    if (values[FactorSchedule] != 0 && c.pattern.unitN % 3 == 0)
      tile.thread[1] *= 3;
    if (isGemv() && c.pattern.unitN % 3 == 0)
      tile.warps[0] = 1;
    // gemv_c4
    if (isGemv() && c.pattern.unitN == 1)
      tile.thread[1] = 1;
  }

  void chooseM() {
    if (c.isVector)
      return;
    if (values[FactorProduct] == 1) {
      static const int64_t tails[] = {2, 3, 5, 7};
      c.m = hasTail(1) ? tails[rng() % 4] : 8;
      return;
    }
    int64_t block = tile.blockM(), blocks = block <= 32 ? 2 : 1;
    c.m = block * blocks;
    if (hasTail(1))
      c.m -= random(1, block - 1);
  }

  void chooseN() {
    // Whole blocks are whole unit columns as well.
    int64_t whole = std::lcm(tile.blockN(), c.pattern.unitN);
    int64_t blocks = whole <= 32 ? 2 : 1;
    c.n = whole * blocks;
    if (hasTail(2))
      c.n -= random(1, whole - 1);
  }

  void chooseK() {
    int64_t unitK = c.pattern.unitK;
    if (c.pattern.window == 0) {
      c.k = std::max<int64_t>(64, hasSlices() ? 2 * getSliceRows() : 0);
      if (hasTail(3))
        c.k -= unitK > 1 ? random(1, unitK - 1) : 2 * random(1, 8) + 1;
      c.pattern.keep = ((c.k + unitK - 1) / unitK + 3) / 4;
      if (hasSlices())
        c.pattern.keep = getSliceRows() / unitK;
      return;
    }
    int64_t window = c.pattern.window * unitK;
    int64_t windows =
        window >= 32 ? random(1, window >= 64 ? 1 : 2) : 32 / window;
    // schedule_c7
    int64_t rows = getSliceRows();
    int64_t slice = hasSlices()
                        ? rows / std::gcd<int64_t>(rows, c.pattern.keep * unitK)
                        : 1;
    windows = roundUp(windows, slice);
    bool ofChunks = isOfChunks();
    if (ofChunks)
      windows =
          roundUp(windows, slice * 8 / std::gcd<int64_t>(8, slice * window));
    // Several turns of a kernel whose loop carries the weight, often.
    bool readsWeight = isGemv() && values[FactorPromote] == 2;
    if (readsWeight && rng() % 2 == 0)
      windows *= std::max<int64_t>(1, kRowsOfTurns / (windows * window));
    step = windows * window;
    // More steps than stages now and then, fewer at other times.
    int64_t steps = step > 256 ? 1 : step > 64 ? 2 : random(2, 5);
    // schedule_c9; as many for each block, or one more for some.
    if (int64_t splitK = getSplitK(); splitK > 1)
      steps = random(splitK, step * splitK > 256 ? splitK + 1 : 3 * splitK);
    // A block transposes where it has a loop, and steps for all its buffers.
    if (ofChunks && step <= 64)
      steps = std::max<int64_t>(
          steps, getSplitK() * std::max(2, int(values[FactorStages])));
    c.k = step * steps;
    if (!hasTail(3))
      return;
    // Off the window's end where it has more than one row, and now and then
    // less than a step.
    bool isShort = rng() % 8 == 0 && getSplitK() == 1;
    int64_t least = isShort ? 1 : step * (steps - 1) + 1;
    if (hasSlices())
      least = step * steps - window + 1;
    do
      c.k = random(least, step * steps - 1);
    while (window > 1 && c.k % window == 0);
    if (ofChunks)
      c.k = roundUp(c.k, 8);
  }

  /// Whether rows of A are to be chunks of 16 bytes, as those that are
  /// transposed by nm-stage-transposes; three of four of those that may be.
  bool isOfChunks() {
    return c.layoutA == reference::Layout::TokenMajor && !c.isVector &&
           values[FactorDoubleBuffer] == 1 && rng() % 4 != 0;
  }

  static int64_t roundUp(int64_t number, int64_t multiple) {
    return (number + multiple - 1) / multiple * multiple;
  }

  void setCompilation() {
    // The second has no clusters.
    c.chip = getFactor(FactorChip).values[values[FactorChip]];
    int promote = values[FactorPromote];
    c.promote = promote != 1;
    c.packTile = values[FactorPackTile] == 1;
    c.doubleBuffer = values[FactorDoubleBuffer] == 1;
    c.prefetch = values[FactorPrefetch] == 1;
    c.stages = values[FactorStages] + 1;
    bool packed = values[FactorPacked] == 1;
    c.packingThreshold = packed ? 0 : 1;
    if (values[FactorSchedule] == 0)
      return;
    std::ostringstream text;
    text << "#nm.schedule<kind = " << describeKind() << ", block = ["
         << tile.blockM() << ", " << tile.blockN() << ", " << step << "]";
    // Defaults are not printed.
    if (promote == 3)
      text << ", promote_a = false";
    if (promote == 2)
      text << ", promote_weight = false";
    if (packed)
      text << ", packed = true";
    if (c.stages != 1)
      text << ", stages = " << *c.stages;
    if (c.prefetch)
      text << ", prefetch = true";
    if (getSplitK() > 1)
      text << ", split_k = " << getSplitK();
    if (int engine = values[FactorEngine]) {
      const char *how = getFactor(FactorEngine).values[engine];
      text << ", " << (engine == 1 ? "engine = " : "") << how;
    }
    if (values[FactorTileLoop] != 0)
      text << ", " << getFactor(FactorTileLoop).values[values[FactorTileLoop]];
    c.schedule = text.str() + ">";
  }

  std::string describeKind() const {
    auto list = [](const char *name, const int64_t (&extents)[2]) {
      return std::string(name) + " = [" + std::to_string(extents[0]) + ", " +
             std::to_string(extents[1]) + "]";
    };
    std::string warps = list("warps", tile.warps);
    if (isMmaSync())
      return "#nm.mma_sync<" + warps + ", " + list("tile", tile.thread) + ">";
    if (isMmaGemv())
      return "#nm.mma_gemv<" + warps + ", " + list("tile", tile.thread) + ">";
    if (isGemv()) {
      std::string thread = list("thread", tile.thread);
      thread.pop_back();
      return "#nm.gemv<" + warps + ", " + list("lanes", tile.lanes) + ", " +
             thread + ", " + std::to_string(tile.rowsOfK) + "]>";
    }
    return "#nm.fma<" + warps + ", " + list("lanes", tile.lanes) + ", " +
           list("thread", tile.thread) + ">";
  }

  const Values &values;
  std::mt19937_64 rng;
  KernelCase c;
  Tile tile;
  int64_t step = 0;
};
} // namespace

KernelCase nm::numeric::makeCase(const Values &values, int64_t number,
                                 uint64_t seed) {
  return CaseMaker(values, number, seed).make();
}
