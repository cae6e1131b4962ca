//===- CudaCore.cpp - FMAs on CUDA cores ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of NM-SpMM (Table I: small, medium, large) for vector-wise
// patterns; lanes along m for patterns whose unit is narrower than a warp's
// columns, so that a warp reads A at one place; lanes along n for products with
// a vector.
//
//===----------------------------------------------------------------------===//

#include "CudaCore.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace nm;

namespace {
/// The distribution of a block over warps, lanes and elements.
struct Tile {
  llvm::StringRef name;
  int64_t warps[2], lanes[2], thread[2];

  int64_t blockM() const { return warps[0] * lanes[0] * thread[0]; }
  int64_t blockN() const { return warps[1] * lanes[1] * thread[1]; }
};

/// Rows of k a step that the tiles below are made for.
constexpr int64_t kStepRows = 64;

// Vector-wise: a warp's 32 columns share an index (NM-SpMM Table I).
constexpr Tile kLarge = {"large", {1, 4}, {8, 4}, {8, 8}};
constexpr Tile kMedium = {"medium", {1, 2}, {8, 4}, {4, 8}};
constexpr Tile kSmall = {"small", {1, 1}, {8, 4}, {4, 8}};
// Narrower units: a warp is one column wide at a time.
constexpr Tile kTall = {"tall", {1, 4}, {32, 1}, {4, 8}};
constexpr Tile kTallSmall = {"tall small", {1, 4}, {32, 1}, {1, 8}};
// One row, or a few: a warp is 32 columns wide.
constexpr Tile kRow = {"row", {1, 4}, {1, 32}, {1, 1}};
constexpr Tile kFewRows = {"few rows", {1, 4}, {1, 32}, {8, 1}};
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

/// Blocks that `tile` cuts an m x n result into.
static int64_t countBlocks(const Tile &tile, int64_t m, int64_t n) {
  return llvm::divideCeil(m, tile.blockM()) *
         llvm::divideCeil(n, tile.blockN());
}

/// The largest tile of the table that gives every SM a block.
static Tile chooseTile(const ProductInfo &product, const TargetInfo &target) {
  int64_t unitN = product.weight.getPattern().getUnitN();
  int64_t n = product.weight.getN();
  // An unknown m is taken to be large: such kernels are correct for any m.
  int64_t m = ShapedType::isDynamic(product.m) ? 1024 : product.m;
  auto orOdd = [&](const Tile &tile) {
    return fitsUnit(tile, unitN) ? tile : makeOddTile(unitN, m == 1);
  };
  if (m == 1)
    return orOdd(kRow);
  if (m <= 8)
    return orOdd(kFewRows);
  if (unitN % 32 != 0)
    return orOdd(m <= 32 ? kTallSmall : kTall);
  for (const Tile &tile : {kLarge, kMedium})
    if (fitsUnit(tile, unitN) && countBlocks(tile, m, n) >= target.numSMs)
      return tile;
  return orOdd(kSmall);
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
         const ScheduleOptions &options, const Tile &tile)
      : product(product), target(target), options(options), tile(tile) {}

  ScheduleAttr fit() {
    PatternAttr pattern = product.weight.getPattern();
    int64_t k = product.weight.getK();
    int64_t windowRows = pattern.getWindowRows(k);
    int64_t windows = std::max<int64_t>(1, kStepRows / windowRows);
    windows = std::min(windows, pattern.getNumWindows(k));
    step = pattern.isWindowAll() ? 0 : windows * windowRows;
    bool oneStep = step == 0 || step >= k;
    stages = oneStep ? 1 : options.stages;
    packed = shouldPack();
    // Fewer stages first, then a shorter step, then tiles in global memory.
    while (!fits() && stages > 1)
      --stages;
    while (!fits() && windows > 1)
      step = --windows * windowRows;
    if (!fits())
      promoteWeight = false;
    if (!fits())
      promoteA = packed = false;
    return make();
  }

private:
  bool shouldPack() const {
    PatternAttr pattern = product.weight.getPattern();
    double pruned =
        1 - double(pattern.getKeep()) /
                double(pattern.getWindowUnits(product.weight.getK()));
    // Packing must leave out a quarter of the rows to be worth its list.
    return pruned >= options.packingThreshold && product.m != 1 &&
           expectedRowShare(pattern, product.weight.getK(), tile.blockN()) <=
               0.75;
  }

  bool fits() const {
    return getSharedMemoryBytes(make(), product.weight, product.a) <=
           target.sharedMemoryPerBlock;
  }

  ScheduleAttr make() const {
    Builder b(product.weight.getContext());
    return ScheduleAttr::get(
        b.getContext(), InstructionKind::Fma,
        b.getDenseI64ArrayAttr({tile.blockM(), tile.blockN(), step}),
        b.getDenseI64ArrayAttr(tile.warps), b.getDenseI64ArrayAttr(tile.lanes),
        b.getDenseI64ArrayAttr(tile.thread), promoteA, promoteWeight, packed,
        stages);
  }

  const ProductInfo &product;
  const TargetInfo &target;
  const ScheduleOptions &options;
  const Tile &tile;
  int64_t step = 0, stages = 1;
  bool promoteA = true, promoteWeight = true, packed = false;
};

class CudaCore : public Strategy {
public:
  llvm::StringRef getName() const override { return "cuda-core"; }

  bool isSupported(const ProductInfo &, const TargetInfo &) const override {
    return true;
  }

  Proposal propose(const ProductInfo &product, const TargetInfo &target,
                   const ScheduleOptions &options) const override {
    Tile tile = chooseTile(product, target);
    ScheduleAttr schedule = Fitter(product, target, options, tile).fit();
    std::string reason = llvm::formatv(
        "{0}: {1} tile, {2} bytes of shared memory, {3} of rows of A read",
        getName(), tile.name,
        getSharedMemoryBytes(schedule, product.weight, product.a),
        llvm::formatv("{0:P0}",
                      expectedRowShare(product.weight.getPattern(),
                                       product.weight.getK(), tile.blockN())));
    return {schedule, reason};
  }
};
} // namespace

const Strategy &nm::getCudaCoreStrategy() {
  static const CudaCore strategy;
  return strategy;
}
