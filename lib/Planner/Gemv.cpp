//===- Gemv.cpp - Few rows on CUDA and tensor cores -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products that take the time of their weight: a thread reads 16 bytes of it at
// once, of neighbouring columns that share an index, or of neighbouring rows of
// one column, and the warps of a block share k. All of A that a block needs is
// in shared memory before.
//
//===----------------------------------------------------------------------===//

#include "Gemv.h"
#include "ScheduleFit.h"
#include "mlir/IR/Builders.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace nm;

/// Rows of C with which these kinds may be better than tiles that go through
/// shared memory.
static constexpr int64_t kMostRows = 64;
/// Of these, on tensor cores with a tile of A of more bytes and more than one
/// of so many rows of the weight kept, no more than so many.
static constexpr int64_t kRowsInSteps = 48, kBytesOfStep = 192 << 10,
                         kLittleKept = 6;
/// Rows of a block: on CUDA cores, and on tensor cores.
static constexpr int64_t kBlockRows = 8, kMmaBlockRows = 16;
/// On CUDA cores fewer, but so many, where A's tile then fits; and bytes by
/// which its rows are padded.
static constexpr int64_t kLeastRows = 4, kRowPadding = 16;
/// Columns of a warp: those of a unit mostly, so that its lanes read whole
/// lines of the weight, or one a lane.
static constexpr int64_t kColumns = 32;
/// Columns of a thread with several rows, which has a sum for each of both.
static constexpr int64_t kColumnsOfRows = 4;
/// Warps that share k, condensed rows of a thread in a slice, blocks that share
/// k, and steps of a block, the better ones first where they are as fast. Fewer
/// than eight warps have too little under way, and are for few condensed rows
/// (H200, 87.5 %: 8192^2 of f32 18.0 us with four, 10.6 with eight).
static constexpr int64_t kEnoughWarps = 8, kManyWarps = 16;
static constexpr int64_t kFewWarps[] = {4, 2};
/// Bytes of the weight that a thread of eight warps should have to read.
/// Threads with fewer wait for their first ones mostly, and sixteen warps have
/// more of them under way.
static constexpr int64_t kEnoughBytes = 384;
/// Bytes of the weight that a thread reads in a turn, and in the only one, as
/// nm-load-fragments writes them out.
static constexpr double kBytesOfTurn = 128, kBytesAtOnce = 192;
/// Registers of a thread: what they leave for the next turn, it takes; and the
/// least beside its sums, with so many for the values of a slice.
static constexpr int64_t kRegisters = 120, kLeastRegisters = 48,
                         kSliceRegisters = 16;
/// Warps side by side, which share the tile of A: two where it has several
/// rows, or where threads have one column each and read masks; four, with as
/// many that share k, where it is large beside the weight, as on tensor cores.
static constexpr int64_t kWarpsSideBySide[] = {2, 1};
static constexpr int64_t kManySideBySide = 4;
static constexpr int64_t kThreadRows[] = {4, 2, 1};
/// Condensed rows of a thread that reads a mask at once, and bytes of values of
/// one that reads positions of bits.
static constexpr int64_t kMostMaskRows = 32, kMostSliceBytes = 384;
static constexpr int64_t kSplits[] = {1, 2, 4, 8};
/// As few as let A's tile fit.
static constexpr int64_t kSteps[] = {1, 2, 4, 8, 16};

/// A weight may be padded by one row of so many, the better ones first: with
/// fewer warps, which more numbers of rows suit, too little of it is under way.
static constexpr int64_t kPaddedShares[] = {16, 4};
/// The same so that threads of one column read whole words, or eight bytes
/// (H200, 4096x11008 of i8, 3:32: 10.6 us with two bytes, 6.6 with padding).
static constexpr int64_t kPaddedSharesOfWords[] = {16, 8};
/// Slices of a turn that have enough under way.
static constexpr int64_t kSlicesOfTurn = 4;

/// What a condensed row takes a thread beside its FMAs: an index, its address,
/// a load of the weight, in FMAs; and for each row of A an element.
static constexpr double kPerRow = 6, kPerElement = 2;
/// What 16 condensed rows take a warp on tensor cores: indices and addresses,
/// for each eight rows of A elements, and for each 16 columns a load.
static constexpr double kPerSlice = 16, kPerGroup = 64, kPerStrip = 2;
/// What a block takes to add the sums of its warps, where lanes share k, or
/// where several blocks of rows read the weight; and where each lane has a
/// column of its own, so that there is nothing to shuffle.
static constexpr double kPerSum = 300, kPerOwnSum = 60;
/// Of what other blocks take beside their steps: the weight is on its way from
/// the first instruction on, and there is no last tile to store.
static constexpr double kBesides = 0.2;

/// Warps side by side, and those that share k.
using WarpExtents = std::pair<int64_t, int64_t>;

static int64_t getBits(Type type) { return type.getIntOrFloatBitWidth(); }

/// Elements of the weight that a thread reads at once.
static int64_t getWidth(const ProductInfo &product) {
  return 128 / getBits(product.weight.getElementType());
}

/// Columns of a thread: 16 bytes, where they divide a unit, or one.
static int64_t getThreadColumns(const ProductInfo &product) {
  PatternAttr pattern = product.weight.getPattern();
  if (pattern.getUnitN() % 8 != 0 && pattern.getUnitK() == 1)
    return 1;
  int64_t most = std::min<int64_t>(getWidth(product), kColumns / 2);
  if (product.m > 1)
    most = std::min(most, kColumnsOfRows);
  return std::gcd(most, pattern.getUnitN());
}

/// Bytes of the weight that a thread reads where so many warps share k.
static int64_t getThreadBytes(const ProductInfo &product, int64_t warps) {
  CondensedType weight = product.weight;
  int64_t rows = weight.getPattern().getCondensedRows(weight.getK());
  int64_t threads = warps * 32 / kColumns;
  return rows / threads * getBits(weight.getElementType()) / 8;
}

/// Whether threads of eight warps have enough to read.
static bool hasEnoughBytes(const ProductInfo &product) {
  return getThreadBytes(product, kEnoughWarps) >= kEnoughBytes;
}

/// Whether threads read masks, each of one column.
static bool readsMasks(const ProductInfo &product) {
  return getThreadColumns(product) == 1 &&
         product.weight.getPattern().isMaskSmall();
}

/// Whether they read positions of bits.
static bool readsBits(const ProductInfo &product) {
  CondensedType weight = product.weight;
  return getThreadColumns(product) == 1 &&
         weight.getPattern().areBitsBest(getBits(weight.getElementType()));
}

/// Condensed rows of a thread in a slice that reads positions of bits, the
/// better ones first.
static SmallVector<int64_t> getBitsRows(const ProductInfo &product) {
  PatternAttr pattern = product.weight.getPattern();
  int64_t width = getWidth(product);
  int64_t ofWords = std::lcm(width, pattern.getBitsUnits());
  // Of whole windows, too, no index has to be divided by their units.
  int64_t ofWindows = std::lcm(ofWords, int64_t(pattern.getKeep()));
  SmallVector<int64_t> rows;
  if (ofWindows / width * 16 <= kMostSliceBytes)
    rows.push_back(ofWindows);
  if (ofWords != ofWindows)
    rows.push_back(ofWords);
  return rows;
}

/// Condensed rows of a thread in a slice, the better ones first: of one column
/// whole masks, or 16 bytes.
static SmallVector<int64_t> getThreadRows(const ProductInfo &product) {
  SmallVector<int64_t> rows;
  if (getThreadColumns(product) == 1) {
    int64_t width = getWidth(product);
    PatternAttr pattern = product.weight.getPattern();
    int64_t ofMask = std::lcm(width, pattern.getMaskUnits());
    if (readsBits(product))
      llvm::append_range(rows, getBitsRows(product));
    if (readsMasks(product) && ofMask <= kMostMaskRows)
      rows.push_back(ofMask);
    for (; width > kThreadRows[0]; width /= 2)
      rows.push_back(width);
  }
  llvm::append_range(rows, kThreadRows);
  return rows;
}

/// Whether blocks of 32 columns are more than the GPU has SMs.
static bool haveAllSMs(const ProductInfo &product, const TargetInfo &target) {
  return product.weight.getN() > target.numSMs * kColumns;
}

/// Warps side by side, and those that share k, of threads that read positions
/// of bits of a weight for one row, where blocks have all SMs: as many as read
/// all at once, and where that is little, with one tile of A for two. Threads
/// of i8 have the most to decode for a byte, so many warps share it (H200,
/// 8192^2, 4:32: f16 7.5 us by 8.3 with two side by side; 2:4: i8 14.7 by 18.7
/// with one).
static WarpExtents getBitsWarps(const ProductInfo &product) {
  CondensedType weight = product.weight;
  PatternAttr pattern = weight.getPattern();
  int64_t rows = std::lcm(getWidth(product), pattern.getBitsUnits());
  bool areWhole =
      pattern.getCondensedRows(weight.getK()) % (kManyWarps * rows) == 0;
  auto readsAtOnce = [&](int64_t warps) {
    return double(getThreadBytes(product, warps)) <= kBytesAtOnce;
  };
  if (areWhole && readsAtOnce(kManyWarps))
    return {1, kManyWarps};
  if (readsAtOnce(kEnoughWarps))
    return {2, kEnoughWarps};
  if (weight.getElementType().isInteger(8))
    return {2, kManyWarps};
  return {1, kEnoughWarps};
}

/// Rows of C of a block: blocks of at most `most` have the same number, but for
/// the last one, and an even one, so that threads read pairs of A.
static int64_t getBlockRows(const ProductInfo &product, int64_t most) {
  if (product.m <= most)
    return product.m;
  return llvm::alignTo(
      llvm::divideCeil(product.m, llvm::divideCeil(product.m, most)), 2);
}

static InstructionKind makeGemv(const ProductInfo &product, int64_t sideBySide,
                                int64_t warps, int64_t mostRows, int64_t rows) {
  Builder b(product.weight.getContext());
  int64_t columns = getThreadColumns(product), lanes = kColumns / columns;
  return GemvAttr::get(
      b.getContext(), b.getDenseI64ArrayAttr({sideBySide, warps}),
      b.getDenseI64ArrayAttr({lanes, 32 / lanes}),
      b.getDenseI64ArrayAttr({getBlockRows(product, mostRows), columns, rows}));
}

/// Columns of a warp on tensor cores: those of a unit; 0 where they are no
/// whole operands.
static int64_t getMmaColumns(const ProductInfo &product) {
  int64_t columns = std::gcd(product.weight.getPattern().getUnitN(), kColumns);
  return columns % 16 == 0 ? columns : 0;
}

static InstructionKind makeMmaGemv(const ProductInfo &product,
                                   int64_t sideBySide, int64_t warps) {
  Builder b(product.weight.getContext());
  return MmaGemvAttr::get(
      b.getContext(), b.getDenseI64ArrayAttr({sideBySide, warps}),
      b.getDenseI64ArrayAttr(
          {getBlockRows(product, kMmaBlockRows), getMmaColumns(product)}));
}

/// Whether many rows, whose tile of A is read in several steps, are better left
/// to tiles that go through shared memory: so they are in a layer, where A is
/// new (H200, the MLP of Llama-7B with 64 rows, 3:4 pruned: 81 us by 73),
/// unless little of the weight is kept, or it is i8, which those have not.
static bool isLeft(const ProductInfo &product) {
  PatternAttr pattern = product.weight.getPattern();
  int64_t k = product.weight.getK();
  int64_t ofTile = kMmaBlockRows * k * getBits(product.a) / 8;
  return product.m > kRowsInSteps && ofTile > kBytesOfStep &&
         product.weight.getElementType() == product.a &&
         pattern.getCondensedRows(k) * kLittleKept > k;
}

/// Whether tensor cores can do the product.
static bool canMma(const ProductInfo &product) {
  Type a = product.a, weight = product.weight.getElementType();
  return product.m <= kMostRows && !isLeft(product) &&
         (a.isF16() || a.isBF16()) && (weight == a || weight.isInteger(8)) &&
         getMmaColumns(product) != 0;
}

/// Whether CUDA cores can.
static bool canFma(const ProductInfo &product) {
  PatternAttr pattern = product.weight.getPattern();
  return product.m <= kMostRows &&
         (pattern.getUnitN() % 8 == 0 || pattern.getUnitK() == 1);
}

/// Whether `slices` are cut into turns of several, as nm-load-fragments does:
/// of a prime number each would be one.
static bool areTurns(int64_t slices) {
  return slices <= 2 * kSlicesOfTurn || slices % kSlicesOfTurn == 0 ||
         slices % (kSlicesOfTurn - 1) == 0;
}

/// Rows of k of each of `steps` steps: whole windows, and as many as make whole
/// slices where that is little more than there are; nothing where k is not cut
/// evenly.
static std::optional<int64_t> getStep(const ProductInfo &product,
                                      InstructionKind kind, int64_t steps,
                                      int64_t paddedShare) {
  PatternAttr pattern = product.weight.getPattern();
  if (pattern.isWindowAll())
    return steps == 1 ? std::optional<int64_t>(0) : std::nullopt;
  int64_t k = product.weight.getK(), windows = pattern.getNumWindows(k);
  int64_t slice = kind.getSliceRows();
  int64_t ofWindow = pattern.getKeep() * pattern.getUnitK();
  int64_t ofSlices = slice / std::gcd(slice, ofWindow);
  int64_t ofStep = llvm::alignTo(llvm::divideCeil(windows, steps), ofSlices);
  auto isPaddedBy = [&](int64_t ofStep, int64_t share) {
    return (ofStep * steps - windows) * share <= windows;
  };
  if (!isPaddedBy(ofStep, paddedShare))
    return std::nullopt;
  if (!areTurns(ofStep * ofWindow / slice)) {
    int64_t ofTurns = llvm::alignTo(ofStep, kSlicesOfTurn * ofSlices);
    if (isPaddedBy(ofTurns, kPaddedShares[0]))
      ofStep = ofTurns;
  }
  return ofStep * pattern.getWindowRows(k);
}

/// Null where k is not cut evenly.
static ScheduleAttr makeSchedule(const ProductInfo &product,
                                 InstructionKind kind, int64_t splitK,
                                 int64_t steps, int64_t paddedShare) {
  std::optional<int64_t> step =
      getStep(product, kind, splitK * steps, paddedShare);
  if (!step)
    return {};
  Builder b(product.weight.getContext());
  return ScheduleAttr::get(
      b.getContext(), kind,
      b.getDenseI64ArrayAttr({kind.getBlockM(), kind.getBlockN(), *step}),
      /*promoteA=*/true, /*promoteWeight=*/false, /*packed=*/false,
      /*stages=*/1, /*prefetch=*/false, splitK, CopyEngine::CpAsync,
      /*streamK=*/0, /*persistent=*/0, /*producers=*/0);
}

/// Bytes of the weight as it is packed for `schedule`.
static double getPackedBytes(const ProductInfo &product,
                             ScheduleAttr schedule) {
  CondensedType weight = product.weight;
  int64_t step = schedule.getStepRows(weight.getK());
  WeightForm form = schedule.getKind().chooseForm(weight, step);
  std::string error;
  auto geometry = layout::Geometry::get(
      getWeight(weight.getK(), weight.getN(), weight.getPattern()),
      {schedule.getBlockN(), step, /*panels=*/1, form.laneRows,
       getCoding(form.coding), form.fragments},
      error);
  if (!geometry)
    return getWeightBytes(weight);
  auto count = [](const std::vector<int64_t> &shape) {
    return double(ShapedType::getNumElements(shape));
  };
  double bits = double(weight.getElementType().getIntOrFloatBitWidth());
  return count(geometry->getValuesShape()) * bits / 8 +
         count(geometry->getIndicesShape()) * double(geometry->getIndexBytes());
}

/// Instructions of a warp for `rows` condensed rows of the block.
static double countInstructions(const ProductInfo &product,
                                InstructionKind kind, double rows) {
  double slices = rows / double(kind.getSliceRows());
  auto m = double(kind.getBlockM());
  Type weight = product.weight.getElementType();
  if (auto mma = dyn_cast<MmaGemvAttr>(kind)) {
    auto strips = double(mma.getTile()[1]) / 16;
    double groups = double(llvm::divideCeil(kind.getBlockM(), 8));
    double ofStrip = kPerStrip + groups + (weight == product.a ? 0 : kPerSlice);
    return slices * (kPerSlice + groups * kPerGroup + strips * ofStrip);
  }
  auto columns = double(getThreadColumns(product));
  // Narrower numbers are converted.
  double conversions = getBits(weight) < 32 ? columns : 0;
  return slices * double(cast<GemvAttr>(kind).getThread()[2]) *
         (columns * m + conversions + m * kPerElement + kPerRow);
}

/// Registers of a thread for its sums, and for values of a slice beyond those
/// that the least have room for.
static int64_t countRegisters(const ProductInfo &product, GemvAttr kind) {
  ArrayRef<int64_t> thread = kind.getThread();
  int64_t bits = getBits(product.weight.getElementType());
  int64_t values = thread[1] * thread[2] * bits / 32;
  return thread[0] * thread[1] + std::max<int64_t>(0, values - kSliceRegisters);
}

/// Whether a block's threads have registers for their sums and what they load.
static bool hasRegisters(const ProductInfo &product, InstructionKind kind,
                         const TargetInfo &target) {
  auto gemv = dyn_cast<GemvAttr>(kind);
  int64_t registers =
      kLeastRegisters + (gemv ? countRegisters(product, gemv) : 0);
  return kind.getNumThreads() * registers <= target.registersPerSM;
}

/// Turns in which the threads of a block read `bytes` of the weight: one, if
/// they have registers for `ofValues`, those of values.
static int64_t countTurns(ScheduleAttr schedule, double bytes, double ofValues,
                          const TargetInfo &target) {
  auto threads = double(schedule.getNumThreads());
  double free = double(target.registersPerSM) / threads - kLeastRegisters;
  if (ofValues <= threads * std::min(kBytesAtOnce, 4 * free))
    return 1;
  return std::max<int64_t>(1, std::llround(bytes / threads / kBytesOfTurn));
}

/// Instructions to add the sums of the warps of a block.
static double countSumInstructions(InstructionKind kind, int64_t rowBlocks) {
  auto gemv = dyn_cast<GemvAttr>(kind);
  bool hasOwnColumns = gemv && gemv.getLanes()[1] == 1;
  return hasOwnColumns && rowBlocks == 1 ? kPerOwnSum : kPerSum;
}

static KernelWork countWork(const ProductInfo &product,
                            const TargetInfo &target, ScheduleAttr schedule) {
  CondensedType weight = product.weight;
  int64_t k = weight.getK(), splitK = schedule.getSplitK();
  int64_t tiles = llvm::divideCeil(weight.getN(), schedule.getBlockN());
  int64_t blockM = schedule.getBlockM();
  int64_t rowBlocks = llvm::divideCeil(product.m, blockM);
  double rows = double(weight.getPattern().getCondensedRows(k));
  double ofWeight = getPackedBytes(product, schedule);
  double ofRow = double(k) * double(getBits(product.a)) / 8;
  bool isOneStep = schedule.getStepRows(k) * splitK >= k;
  KernelWork work;
  work.blocks = tiles * rowBlocks * splitK;
  work.threads = schedule.getNumThreads();
  work.registers = kRegisters;
  work.sharedBytes = getSharedMemoryBytes(schedule, weight, product.a, target);
  work.bytes = ofWeight / double(tiles) / double(splitK);
  work.firstBytes = double(blockM) * ofRow / double(splitK);
  // While a further step's A is on its way, the weight is not.
  bool isOnCudaCores = isa<GemvAttr>(schedule.getKind());
  if (!isOneStep && isOnCudaCores)
    work.firstBytes *= 2;
  work.uniqueBytes = ofWeight + double(product.m) * ofRow;
  work.weightBytes = ofWeight;
  work.readsOnce = true;
  work.isFirst = rowBlocks == 1;
  work.besides = kBesides;
  // On tensor cores fewer warps that read all at once were no faster (H200, 8
  // rows of f16 at 8192^2, 3:32: 6.8 us by 6.3).
  double ofValues = rows * double(schedule.getBlockN()) *
                    double(getBits(weight.getElementType())) / 8;
  work.steps = countTurns(schedule, work.bytes,
                          isOneStep && isOnCudaCores ? ofValues / double(splitK)
                                                     : INFINITY,
                          target);
  work.stages = 2;
  work.bytes /= double(work.steps);
  work.instructions =
      (countInstructions(product, schedule.getKind(), rows / double(splitK)) +
       countSumInstructions(schedule.getKind(), rowBlocks)) /
      double(work.steps);
  work.wavefronts = work.instructions / kPerRow * double(work.threads) / 32;
  if (splitK > 1) {
    work.cluster = splitK;
    int64_t sums = isa<MmaGemvAttr>(schedule.getKind())
                       ? schedule.getKind().getSumThreads()
                       : work.threads / 32;
    work.clusterBytes = double(blockM * schedule.getBlockN() * sums * 4);
  }
  return work;
}

namespace {
class Gemv : public Strategy {
public:
  llvm::StringRef getName() const override { return "gemv"; }

  void enumerate(const ProductInfo &product, const TargetInfo &target,
                 const ScheduleOptions &options,
                 llvm::SmallVectorImpl<Candidate> &candidates) const override {
    if (ShapedType::isDynamic(product.m) || product.m < 1)
      return;
    bool isOnTensorCores = canMma(product);
    if (!isOnTensorCores && !canFma(product))
      return;
    bool hasBits = !isOnTensorCores && product.m == 1 && readsBits(product);
    bool isShared = product.m > 1 || (!isOnTensorCores && readsMasks(product));
    for (int64_t splitK : kSplits) {
      if (splitK != 1 && !target.hasClusters)
        continue;
      if (hasBits && addBits(product, target, splitK, candidates))
        continue;
      for (int64_t sideBySide : kWarpsSideBySide)
        if (sideBySide == 1 || isShared)
          addAll(product, target, sideBySide, splitK, candidates);
      if (isOnTensorCores && product.m > kMmaBlockRows / 2)
        addWarps(product, target, kManySideBySide, kManySideBySide, splitK,
                 /*isWide=*/false, candidates);
    }
    addKept(product, target, options.kept, candidates);
  }

private:
  using Candidates = llvm::SmallVectorImpl<Candidate>;

  static ScheduleAttr getSchedule(const Candidate &candidate) {
    return candidate.schedule;
  }

  /// Adds the candidate of threads that read bits; whether there is one.
  static bool addBits(const ProductInfo &product, const TargetInfo &target,
                      int64_t splitK, Candidates &candidates) {
    auto addKind = [&](WarpExtents warps, int64_t rows, int64_t share) {
      InstructionKind kind =
          makeGemv(product, warps.first, warps.second, kBlockRows, rows);
      return addSteps(product, target, kind, splitK, share, candidates);
    };
    auto addWarps = [&](WarpExtents warps, int64_t share) {
      return llvm::any_of(getBitsRows(product), [&](int64_t rows) {
        return addKind(warps, rows, share);
      });
    };
    for (int64_t share : kPaddedSharesOfWords) {
      if (!haveAllSMs(product, target)) {
        bool many = addWarps({1, kManyWarps}, share);
        if (addWarps({1, kEnoughWarps}, share) || many)
          return true;
      } else if (addWarps(getBitsWarps(product), share) ||
                 addWarps({1, kManyWarps}, share) ||
                 addWarps({1, kEnoughWarps}, share)) {
        return true;
      }
    }
    return false;
  }

  /// Of each number of warps the first candidate that can be.
  static void addAll(const ProductInfo &product, const TargetInfo &target,
                     int64_t sideBySide, int64_t splitK,
                     Candidates &candidates) {
    // Threads of one column each should read eight bytes at once or more.
    bool isOwn = getThreadColumns(product) == 1 && !canMma(product);
    bool isWide = isOwn;
    auto addWarps = [&](int64_t warps) {
      return Gemv::addWarps(product, target, sideBySide, warps, splitK, isWide,
                            candidates);
    };
    // Of several rows, each block has a tile that is large beside the weight.
    bool wantsMany = !hasEnoughBytes(product) && product.m == 1;
    SmallVector<int64_t> order = {kManyWarps};
    if (!wantsMany)
      order.push_back(kEnoughWarps);
    // Threads of one column each have less under way.
    if (!isOwn || sideBySide == 1)
      std::reverse(order.begin(), order.end());
    auto addOrder = [&]() {
      return llvm::count_if(order, addWarps) != 0 || addWarps(kEnoughWarps);
    };
    if (isWide && addOrder())
      return;
    isWide = false;
    if (addOrder() || splitK > 1)
      return;
    for (int64_t warps : kFewWarps)
      addWarps(warps);
  }

  /// Adds `kept`, whose blocks may have other rows than those of `product`. One
  /// row has kernels without a tile of A, which predictions know too little of.
  static void addKept(const ProductInfo &product, const TargetInfo &target,
                      ScheduleAttr kept, Candidates &candidates) {
    if (kept && product.m > 1 &&
        isa<GemvAttr, MmaGemvAttr>(Attribute(kept.getKind())))
      add(product, target, kept, candidates);
  }

  /// Adds the candidate of `kind` with the fewest steps that can be; whether
  /// there is one.
  static bool addSteps(const ProductInfo &product, const TargetInfo &target,
                       InstructionKind kind, int64_t splitK,
                       int64_t paddedShare, Candidates &candidates) {
    return llvm::any_of(kSteps, [&](int64_t steps) {
      return add(product, target,
                 makeSchedule(product, kind, splitK, steps, paddedShare),
                 candidates);
    });
  }

  /// Adds the first candidate with so many warps that can be; whether there is
  /// one. With `isWide`, threads read no less than eight bytes at once.
  static bool addWarps(const ProductInfo &product, const TargetInfo &target,
                       int64_t sideBySide, int64_t warps, int64_t splitK,
                       bool isWide, Candidates &candidates) {
    auto addKind = [&](InstructionKind kind, int64_t share) {
      return addSteps(product, target, kind, splitK, share, candidates);
    };
    auto addRows = [&](int64_t mostRows) {
      ArrayRef<int64_t> shares = isWide ? kPaddedSharesOfWords : kPaddedShares;
      return llvm::any_of(shares, [&](int64_t share) {
        if (canMma(product))
          return addKind(makeMmaGemv(product, sideBySide, warps), share);
        return llvm::any_of(getThreadRows(product), [&](int64_t rows) {
          if (isWide && rows < getWidth(product) / 2)
            return false;
          return addKind(makeGemv(product, sideBySide, warps, mostRows, rows),
                         share);
        });
      });
    };
    int64_t fitting = getFittingRows(product, target);
    bool areFewer = !canMma(product) && product.m > kBlockRows &&
                    kLeastRows <= fitting && fitting < kBlockRows;
    bool found = areFewer && addRows(fitting);
    return addRows(kBlockRows) || found;
  }

  /// Rows of A that fit in shared memory.
  static int64_t getFittingRows(const ProductInfo &product,
                                const TargetInfo &target) {
    int64_t ofRow = product.weight.getK() * getBits(product.a) / 8;
    return target.sharedMemoryPerBlock / (ofRow + kRowPadding);
  }

  /// Whether blocks should share k in the way of `schedule`: on CUDA cores
  /// those of several rows leave each other the sums of all threads, which is
  /// worth it where there are few blocks.
  static bool shouldShare(const ProductInfo &product, const TargetInfo &target,
                          ScheduleAttr schedule) {
    int64_t splitK = schedule.getSplitK();
    if (splitK == 1 || product.m == 1 || canMma(product))
      return true;
    int64_t rowBlocks = llvm::divideCeil(product.m, schedule.getBlockM());
    int64_t blocks =
        llvm::divideCeil(product.weight.getN(), schedule.getBlockN());
    // With one block of rows of single columns, pairs that fill the SMs thrice
    // are better than larger clusters that fill them more than twice (H200, 8
    // rows, 5120x13824 of f16, 16:32: 60 us by 69).
    if (rowBlocks == 1 && getThreadColumns(product) == 1)
      return splitK * blocks <= (splitK == 2 ? 3 : 2) * target.numSMs;
    return 4 * blocks * rowBlocks < 3 * target.numSMs;
  }

  /// Adds `schedule` once, if there is one, and it can do the product; whether
  /// it can.
  static bool add(const ProductInfo &product, const TargetInfo &target,
                  ScheduleAttr schedule, Candidates &candidates) {
    if (!schedule || !isLegal(schedule, product) ||
        !shouldShare(product, target, schedule) ||
        getSharedMemoryBytes(schedule, product.weight, product.a, target) >
            target.sharedMemoryPerBlock)
      return false;
    InstructionKind kind = schedule.getKind();
    if (!hasRegisters(product, kind, target))
      return false;
    if (llvm::is_contained(llvm::map_range(candidates, getSchedule), schedule))
      return true;
    auto mma = dyn_cast<MmaGemvAttr>(kind);
    int64_t splitK = schedule.getSplitK();
    int64_t sharing =
        mma ? mma.getWarps()[1] : cast<GemvAttr>(kind).getWarps()[1];
    std::string name = std::to_string(schedule.getBlockN()) + " columns, ";
    if (mma)
      name += "on tensor cores, ";
    name += "k shared by " + std::to_string(sharing) + " warps";
    if (splitK > 1)
      name += " of each of " + std::to_string(splitK) + " blocks";
    candidates.push_back(
        {schedule, std::move(name), countWork(product, target, schedule)});
    return true;
  }
};
} // namespace

const Strategy &nm::getGemvStrategy() {
  static const Gemv strategy;
  return strategy;
}
