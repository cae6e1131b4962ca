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
#include "mlir/IR/Builders.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

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
};

// Vector-wise: the columns of a warp share an index (NM-SpMM Table I has three
// of these). More elements a thread need fewer loads an FMA; more blocks fill
// the chip.
constexpr Tile kVectorWise[] = {
    {"", {1, 8}, {16, 2}, {8, 16}}, {"", {1, 4}, {16, 2}, {8, 16}},
    {"", {1, 8}, {8, 4}, {8, 8}},   {"", {1, 4}, {8, 4}, {8, 8}},
    {"", {1, 2}, {8, 4}, {8, 8}},   {"", {1, 4}, {8, 4}, {4, 8}},
    {"", {1, 2}, {8, 4}, {4, 8}},   {"", {1, 1}, {8, 4}, {4, 8}}};
// Narrower units: a warp is one column wide at a time.
constexpr Tile kTall = {"tall", {1, 4}, {32, 1}, {4, 8}};
constexpr Tile kTallSmall = {"tall small", {1, 4}, {32, 1}, {1, 8}};
// One row, or a few: a warp is 32 columns wide.
constexpr Tile kRow = {"row", {1, 4}, {1, 32}, {1, 1}};
constexpr Tile kFewRows = {"few rows", {1, 4}, {1, 32}, {8, 1}};

/// Rows of k a step for those of the other patterns.
constexpr int64_t kStepRows = 64;
/// Condensed rows a step for the vector-wise ones: enough FMAs to hide a
/// barrier, few enough to be unrolled.
constexpr int64_t kCondensedRows = 16;
/// Of a thread.
constexpr int64_t kMaxRegisters = 255;

// What the instructions beside FMAs cost (see CostModel.cpp for the
// measurements).
constexpr double kPerRow = 5.8;          // indices and addresses, a warp
constexpr double kPerChunk = 3.5;        // of 16 bytes that a thread copies
constexpr double kPerGatheredChunk = 23; // through the column information
constexpr double kPerTransposed = 17;    // an element of a token-major A
constexpr double kPerStep = 48;          // the loop and its barrier
} // namespace

static bool fitsUnit(const Tile &tile, int64_t unitN) {
  return tile.blockN() % unitN == 0 || unitN % tile.blockN() == 0;
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

/// Rows to plan for: an unknown m is taken to be large, and kernels are correct
/// for any.
static int64_t getPlannedRows(const ProductInfo &product) {
  return ShapedType::isDynamic(product.m) ? 1024 : product.m;
}

/// The tiles worth considering.
static llvm::SmallVector<Tile> listTiles(const ProductInfo &product) {
  int64_t unitN = product.weight.getPattern().getUnitN();
  int64_t m = getPlannedRows(product);
  auto orOdd = [&](const Tile &tile) {
    return fitsUnit(tile, unitN) ? tile : makeOddTile(unitN, m == 1);
  };
  if (m == 1)
    return {orOdd(kRow)};
  if (m <= 8)
    return {orOdd(kFewRows)};
  if (unitN % 32 != 0)
    return {orOdd(m <= 32 ? kTallSmall : kTall)};
  llvm::SmallVector<Tile> tiles;
  llvm::copy_if(kVectorWise, std::back_inserter(tiles),
                [&](const Tile &tile) { return fitsUnit(tile, unitN); });
  if (tiles.empty())
    tiles.push_back(makeOddTile(unitN, /*oneRow=*/false));
  return tiles;
}

/// The share of the rows of a step that a block reads, when each unit column
/// keeps N of M at random (NM-SpMM III-C).
static double expectedRowShare(PatternAttr pattern, int64_t k, int64_t blockN) {
  double kept = double(pattern.getKeep()) / double(pattern.getWindowUnits(k));
  return 1 - std::pow(1 - kept, double(pattern.getUnitColumns(blockN)));
}

int64_t nm::getSharedMemoryBytes(ScheduleAttr schedule, CondensedType weight,
                                 Type a) {
  PatternAttr pattern = weight.getPattern();
  int64_t elementA = a.getIntOrFloatBitWidth() / 8;
  int64_t element = weight.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t k = schedule.getStepRows(weight.getK());
  int64_t windowRows = pattern.getWindowRows(weight.getK());
  int64_t rows = llvm::alignTo(k, windowRows);
  int64_t condensed =
      rows / windowRows * pattern.getKeep() * pattern.getUnitK();
  int64_t bytes = 0;
  // Rows of A and of indices may be padded by 16 bytes; buffers start at
  // 16-byte boundaries.
  if (schedule.getPromoteA())
    bytes += rows * (schedule.getBlockM() * elementA + 16) + 16;
  if (schedule.getPromoteWeight())
    bytes += condensed * schedule.getBlockN() * element +
             (condensed / pattern.getUnitK() * 4 + 16) *
                 pattern.getUnitColumns(schedule.getBlockN()) +
             32;
  return bytes * schedule.getStages();
}

namespace {
/// Finds the step, stages and promotions of one tile.
class Fitter {
public:
  Fitter(const ProductInfo &product, const TargetInfo &target,
         const ScheduleOptions &options, const Tile &tile, int64_t windows,
         bool packed)
      : product(product), target(target), options(options), tile(tile),
        windows(windows), packed(packed) {}

  Candidate fit() {
    PatternAttr pattern = product.weight.getPattern();
    int64_t k = product.weight.getK();
    int64_t windowRows = pattern.getWindowRows(k);
    windows = std::min(windows, pattern.getNumWindows(k));
    step = pattern.isWindowAll() ? 0 : windows * windowRows;
    bool oneStep = step == 0 || step >= k;
    stages = oneStep ? 1 : options.stages;
    // Fewer stages first, then a shorter step, then tiles in global memory.
    while (!fits() && stages > 1)
      --stages;
    while (!fits() && windows > 1)
      step = --windows * windowRows;
    if (!fits())
      promoteWeight = false;
    if (!fits())
      promoteA = packed = false;
    return {make(), describe(), count()};
  }

private:
  bool fits() const { return getBytes() <= target.sharedMemoryPerBlock; }

  int64_t getBytes() const {
    return getSharedMemoryBytes(make(), product.weight, product.a);
  }

  ScheduleAttr make() const {
    Builder b(product.weight.getContext());
    auto kind = FmaAttr::get(b.getContext(), b.getDenseI64ArrayAttr(tile.warps),
                             b.getDenseI64ArrayAttr(tile.lanes),
                             b.getDenseI64ArrayAttr(tile.thread));
    return ScheduleAttr::get(
        b.getContext(), kind,
        b.getDenseI64ArrayAttr({tile.blockM(), tile.blockN(), step}), promoteA,
        promoteWeight, packed, stages, /*prefetch=*/stages > 1 && isAlone());
  }

  /// Registers of a thread, as ptxas gives them: sums, rows of operands ahead,
  /// addresses.
  int64_t countRegisters() const {
    int64_t tm = tile.thread[0], tn = tile.thread[1];
    Type sum = getAccumulatorType(product.a, product.weight.getElementType());
    return (tm * tn + 4 * (tm + tn)) *
               llvm::divideCeil(sum.getIntOrFloatBitWidth(), 32) +
           24;
  }

  /// Whether no second block fits the SM, to compute while this one waits.
  bool isAlone() const {
    return 2 * countRegisters() * tile.threads() > target.registersPerSM;
  }

  std::string describe() const {
    std::string extents =
        llvm::formatv("{0}x{1}", tile.blockM(), tile.blockN());
    return llvm::formatv("{0} tile, {1} rows a step{2}",
                         tile.name.empty() ? extents : tile.name, getStepRows(),
                         packed ? ", packed" : "");
  }

  int64_t getStepRows() const {
    return step == 0 ? product.weight.getK() : step;
  }

  /// What one block does.
  KernelWork count() const {
    PatternAttr pattern = product.weight.getPattern();
    int64_t n = product.weight.getN(), k = product.weight.getK();
    int64_t m = getPlannedRows(product);
    KernelWork work;
    // More than there can be is as good as any such number.
    if (llvm::MulOverflow<int64_t>(llvm::divideCeil(m, tile.blockM()),
                                   llvm::divideCeil(n, tile.blockN()),
                                   work.blocks))
      work.blocks = std::numeric_limits<int64_t>::max();
    work.steps = llvm::divideCeil(k, getStepRows());
    work.threads = tile.threads();
    work.registers = countRegisters();
    work.sharedBytes = getBytes();
    double rows = double(pattern.getCondensedRows(k)) / double(work.steps);
    double share = packed ? expectedRowShare(pattern, k, tile.blockN()) : 1.0;
    double bytesOfA =
        share * double(getStepRows() * tile.blockM()) * getBytesOf(product.a);
    double bytesOfB = rows * double(tile.blockN()) *
                      getBytesOf(product.weight.getElementType());
    work.bytes = bytesOfA + bytesOfB;
    work.instructions =
        rows * countRow() + countCopies(bytesOfA, bytesOfB) + kPerStep;
    work.wavefronts = double(tile.threads()) / 32 * rows * countWavefronts() +
                      work.bytes / 128;
    work.uniqueBytes = double(m) * double(k) * getBytesOf(product.a) +
                       double(n) * rows * double(work.steps) *
                           getBytesOf(product.weight.getElementType());
    return work;
  }

  static double getBytesOf(Type type) {
    return double(type.getIntOrFloatBitWidth()) / 8;
  }

  /// Instructions of a warp for one condensed row.
  double countRow() const {
    int64_t tm = tile.thread[0], tn = tile.thread[1];
    bool isInteger =
        product.a.isInteger() && product.weight.getElementType().isInteger();
    double row = double(tm * tn) * (isInteger ? 2 : 1) + double(tm) / 4 +
                 double(tn) / 4 + kPerRow;
    // Narrower numbers are converted when they are read.
    for (auto [type, count] : {std::pair(product.a, tm),
                               std::pair(product.weight.getElementType(), tn)})
      if (type.getIntOrFloatBitWidth() < 32)
        row += double(count);
    return row;
  }

  /// Wavefronts of a warp's loads for one condensed row: lanes that read the
  /// same 16 bytes share them.
  double countWavefronts() const {
    auto count = [](int64_t lanes, int64_t elements) {
      return std::max(1.0, double(lanes) / 8) * double(elements) / 4;
    };
    return count(tile.lanes[0], tile.thread[0]) +
           count(tile.lanes[1], tile.thread[1]);
  }

  /// Instructions of a warp for the copies of a step. A transposed A goes
  /// element by element.
  double countCopies(double bytesOfA, double bytesOfB) const {
    double threads = double(tile.threads());
    double copies = 0;
    if (promoteA && product.isAFeatureMajor)
      copies +=
          bytesOfA / 16 / threads * (packed ? kPerGatheredChunk : kPerChunk);
    else if (promoteA)
      copies += bytesOfA / getBytesOf(product.a) / threads * kPerTransposed;
    if (promoteWeight)
      copies += bytesOfB / 16 / threads * kPerChunk;
    return copies;
  }

  const ProductInfo &product;
  const TargetInfo &target;
  const ScheduleOptions &options;
  const Tile &tile;
  int64_t windows, step = 0, stages = 1;
  bool promoteA = true, promoteWeight = true, packed;
};

class CudaCore : public Strategy {
public:
  llvm::StringRef getName() const override { return "cuda-core"; }

  void enumerate(const ProductInfo &product, const TargetInfo &target,
                 const ScheduleOptions &options,
                 llvm::SmallVectorImpl<Candidate> &candidates) const override {
    for (const Tile &tile : listTiles(product))
      for (int64_t windows : listWindows(product, tile)) {
        auto add = [&](bool packed) {
          candidates.push_back(
              Fitter(product, target, options, tile, windows, packed).fit());
        };
        add(/*packed=*/false);
        if (shouldPack(product, options, tile))
          add(/*packed=*/true);
      }
    // Others would spill.
    auto fits = [](const Candidate &candidate) {
      return candidate.work.registers <= kMaxRegisters;
    };
    if (llvm::any_of(candidates, fits))
      llvm::erase_if(candidates, std::not_fn(fits));
  }

private:
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
    // One more where that leaves a step short.
    if (windows * rows < kCondensedRows)
      return {windows, windows + 1};
    return {windows};
  }

  /// Packing must leave out a quarter of the rows to be worth its list, and
  /// reads rows of A, which a token-major one has not.
  static bool shouldPack(const ProductInfo &product,
                         const ScheduleOptions &options, const Tile &tile) {
    PatternAttr pattern = product.weight.getPattern();
    int64_t k = product.weight.getK();
    double pruned =
        1 - double(pattern.getKeep()) / double(pattern.getWindowUnits(k));
    return product.isAFeatureMajor && pruned >= options.packingThreshold &&
           expectedRowShare(pattern, k, tile.blockN()) <= 0.75;
  }
};
} // namespace

const Strategy &nm::getCudaCoreStrategy() {
  static const CudaCore strategy;
  return strategy;
}
