//===- ScheduleFit.cpp - The memory of one tile ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleFit.h"
#include "mlir/IR/Builders.h"
#include "nm/Dialect/NM/KernelPlan/BlockShares.h"
#include "nm/Support/NumberOps.h"
#include "nm/Target/Occupancy.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace nm;

// What copies and steps cost, in FMAs (see CostModel.cpp for the measurements).
static constexpr double kPerChunk = 10.4; // of 16 bytes that a thread copies
static constexpr double kPerGatheredChunk =
    30; // through the column information
// The same where it is loaded a step before (nm-load-columns-ahead).
static constexpr double kPerGatheredAhead = 20;
static constexpr double kPerTransposed = 17; // an element, one by one
static constexpr double kPerStep = 57;       // the loop and its barrier
// Of 16 bytes of a token-major A that a thread copies and transposes: 4096^3 of
// f32 takes 4 to 13 % longer than with a feature-major A (H200).
static constexpr double kPerTransposedChunk = 33;

/// Bytes that the copy engine could fetch in the time that a row of a tile of A
/// takes longer because it begins within a sector: they are 1.3 ns. Tiles of 16
/// rows of f16 take .7 to .8 ns longer a row where A has 24 or 40 rows than
/// where it has 32 or 48, and tiles of 32 to 128 rows 1.0 to 2.2 ns (H200,
/// 11008x4096, 8:32, L = 32, docs/results/2026-12-01-h200-row-alignment.jsonl).
static constexpr double kPerPartialSector = 120;
/// Registers of a thread for sums and for chunks that it transposes: it has
/// 255, and the rest of a kernel takes some 60. The number is a guess.
static constexpr int64_t kTransposeRegisters = 192;
/// Registers that a chunk of A takes while a thread transposes it: four for its
/// words, and as many for where they come from and go to. Beside 128 sums,
/// eight chunks leave up to 40 bytes in local memory, twelve 184 and more, and
/// sixteen 320 and more (`ptxas -v` 13.0 of 64 to 128 rows of 22016x4096 of
/// f16, 8:32, L = 128, by [64, 256] tiles for sm_90a).
static constexpr int64_t kChunkRegisters = 8;

/// Threads that compute in a block for which producers copy are whole
/// warpgroups of so many threads, as registers are moved between warpgroups.
static constexpr int64_t kConsumers = 128;
/// A block for which producers copy has at most so many threads that compute:
/// a third warpgroup beside the producers' would leave each too few registers.
static constexpr int64_t kMostConsumers = 256;

// Where blocks share all steps: rounds of whole tiles from which on the last
// one is short beside them, and steps that are worth the adding of sums.
static constexpr int64_t kMostRounds = 12;
static constexpr double kLeastSteps = 4;

bool nm::isAlone(int64_t registers, int64_t threads, const TargetInfo &target) {
  return 2 * registers * threads > target.registersPerSM;
}

bool nm::isLegal(ScheduleAttr schedule, const ProductInfo &product) {
  // Asked, and not told: what is wrong is nobody's fault.
  MLIRContext *context = product.weight.getContext();
  ScopedDiagnosticHandler silent(context,
                                 [](Diagnostic &) { return success(); });
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(context)); };
  return succeeded(schedule.verifyFor(emitError, product.weight, product.a));
}

int64_t nm::countMostWarps(int64_t registers, const TargetInfo &target) {
  int64_t ofWarp = 32 * llvm::alignTo(std::min<int64_t>(registers, 255), 8);
  return std::min<int64_t>(32, target.registersPerSM / ofWarp);
}

int64_t nm::getPlannedRows(const ProductInfo &product) {
  return ShapedType::isDynamic(product.m) ? 1024 : product.m;
}

/// The share of the rows of a step that a block reads: what a constant weight
/// has, else what is expected.
static double getRowShare(const ProductInfo &product, int64_t blockN) {
  return product.footprint ? product.footprint->getShare(blockN)
                           : getExpectedRowShare(product.weight, blockN);
}

bool nm::canProduce(const ProductInfo &product, const TargetInfo &target,
                    InstructionKind kind) {
  // The copy engine takes rows at multiples of 16 bytes.
  bool hasTensor = product.isAFeatureMajor && product.rowAlignment >= 16;
  bool isFloat = product.a.isF32() || product.a.isF16() || product.a.isBF16();
  return target.hasRegisterTransfer && hasTensor && isFloat &&
         product.a == product.weight.getElementType() &&
         kind.getNumThreads() % kConsumers == 0 &&
         kind.getNumThreads() <= kMostConsumers;
}

static double getBytesOf(Type type) {
  return double(type.getIntOrFloatBitWidth()) / 8;
}

double nm::getWeightBytes(CondensedType weight) {
  PatternAttr pattern = weight.getPattern();
  double rows = double(pattern.getCondensedRows(weight.getK()));
  double positions = rows / double(pattern.getUnitK()) *
                     double(pattern.getUnitColumns(weight.getN()));
  return rows * double(weight.getN()) * getBytesOf(weight.getElementType()) +
         positions * 4;
}

ScheduleFit::ScheduleFit(const ProductInfo &product, const TargetInfo &target,
                         const ScheduleOptions &options, InstructionKind kind,
                         int64_t windows, bool packed, Sharing sharing)
    : product(product), target(target), options(options), kind(kind),
      windows(windows), sharing(sharing), packed(packed) {
  fit();
}

void ScheduleFit::fit() {
  PatternAttr pattern = product.weight.getPattern();
  int64_t k = product.weight.getK();
  int64_t windowRows = pattern.getWindowRows(k);
  windows = std::min(windows, pattern.getNumWindows(k));
  step = pattern.isWindowAll() ? 0 : windows * windowRows;
  bool oneStep = step == 0 || step * sharing.splitK >= k;
  stages = oneStep ? 1 : options.stages;
  // What is transposed in blocks needs a buffer more, and the time of a step.
  // The few rows of a decoder's A are not worth it.
  bool wantsMore =
      !product.isAFeatureMajor && stages == 2 && kind.getBlockM() >= 16;
  stages += wantsMore ? 1 : 0;
  if (chooseTranspose())
    shortenStep();
  else if (wantsMore)
    --stages;
  // Fewer stages first, then a shorter step, then one stage, then tiles in
  // global memory.
  while (!fits() && stages > 2)
    --stages;
  while (!fits() && windows > 1)
    step = --windows * windowRows;
  if (!fits())
    stages = 1;
  if (!fits())
    promoteWeight = false;
  if (!fits())
    promoteA = packed = false;
}

/// Until the tiles fit, by windows of which the kind multiplies whole slices.
void ScheduleFit::shortenStep() {
  PatternAttr pattern = product.weight.getPattern();
  int64_t ofWindow = pattern.getKeep() * pattern.getUnitK();
  int64_t slice = kind.getSliceRows() / std::gcd(kind.getSliceRows(), ofWindow);
  int64_t sums = kind.getBlockM() * kind.getBlockN() / kind.getNumThreads();
  auto isSlow = [&] {
    std::optional<TransposeBlocks> blocks = chooseTranspose();
    if (!blocks)
      return false;
    // Rows of whole lines of 128 bytes, or a power of two of chunks, are staged
    // without conflicts.
    bool hasConflicts =
        blocks->rows % 8 != 0 && !llvm::isPowerOf2_64(blocks->rows);
    return hasConflicts ||
           sums + blocks->getChunks() * kChunkRegisters > kTransposeRegisters;
  };
  while ((!fits() || isSlow()) && windows > slice) {
    windows -= slice;
    step = windows * pattern.getWindowRows(product.weight.getK());
  }
}

std::optional<TransposeBlocks> ScheduleFit::chooseTranspose() const {
  return nm::chooseTranspose(make(/*prefetch=*/false), product.weight,
                             product.a, product.isAFeatureMajor);
}

KernelPlan ScheduleFit::getPlan() const {
  return product.getPlan(make(/*prefetch=*/false), target);
}

bool ScheduleFit::fits() const {
  KernelPlan plan = getPlan();
  return plan.getSharedBytes() <= target.sharedMemoryPerBlock &&
         plan.transpose.has_value() == chooseTranspose().has_value();
}

ScheduleAttr ScheduleFit::make(bool prefetch) const {
  Builder b(product.weight.getContext());
  return ScheduleAttr::get(
      b.getContext(), kind,
      b.getDenseI64ArrayAttr({kind.getBlockM(), kind.getBlockN(), step}),
      promoteA, promoteWeight, packed, stages, prefetch, sharing.splitK,
      hasProducers() ? CopyEngine::Tma : CopyEngine::CpAsync, sharing.streamK,
      sharing.persistent, hasProducers() ? sharing.producers : 0);
}

bool ScheduleFit::isLegal() const {
  return nm::isLegal(make(/*prefetch=*/false), product);
}

bool nm::isWorthPacking(const ProductInfo &product,
                        const ScheduleOptions &options, int64_t blockN,
                        double mostGathered) {
  // Of a weight that is not known all rows of A are copied.
  if (product.isRuntimeWeight)
    return false;
  PatternAttr pattern = product.weight.getPattern();
  int64_t k = product.weight.getK();
  double pruned =
      1 - double(pattern.getKeep()) / double(pattern.getWindowUnits(k));
  if (pruned < options.packingThreshold)
    return false;
  // What is a candidate of any such weight is one of each: times are measured
  // and looked up without the weight.
  return getExpectedRowShare(product.weight, blockN) <= mostGathered ||
         getRowShare(product, blockN) <= mostGathered;
}

std::string ScheduleFit::describe(llvm::StringRef tile) const {
  std::string extents =
      llvm::formatv("{0}x{1}", kind.getBlockM(), kind.getBlockN());
  std::string split;
  if (sharing.splitK > 1)
    split = llvm::formatv(", shared by {0} blocks{1}", sharing.splitK,
                          target.hasClusters ? "" : " through a workspace");
  if (sharing.streamK != 0)
    split = llvm::formatv(", all steps shared by {0} blocks", sharing.streamK);
  if (sharing.persistent != 0)
    split =
        llvm::formatv(", tile after tile by {0} blocks", sharing.persistent);
  return llvm::formatv("{0} tile, {1} rows a step{2}{3}{4}",
                       tile.empty() ? extents : tile, getStepRows(),
                       packed ? ", packed" : "", split,
                       hasProducers() ? ", copied by warps of their own" : "");
}

int64_t ScheduleFit::getStepRows() const {
  if (step != 0)
    return step;
  PatternAttr pattern = product.weight.getPattern();
  int64_t k = product.weight.getK();
  return pattern.isWindowAll() ? k : llvm::alignTo(k, pattern.getWindowRows(k));
}

double ScheduleFit::countRows() const {
  int64_t k = product.weight.getK();
  return double(product.weight.getPattern().getCondensedRows(k)) /
         double(llvm::divideCeil(k, getStepRows()));
}

KernelWork ScheduleFit::countTraffic() const {
  int64_t k = product.weight.getK(), m = getPlannedRows(product);
  KernelWork work;
  // More than there can be is as good as any such number.
  if (llvm::MulOverflow(countTiles(), sharing.splitK, work.blocks))
    work.blocks = std::numeric_limits<int64_t>::max();
  int64_t allSteps = llvm::divideCeil(k, getStepRows());
  work.steps = llvm::divideCeil(allSteps, sharing.splitK);
  work.stages = stages;
  work.threads = kind.getNumThreads();
  work.sharedBytes = getPlan().getSharedBytes();
  double share = packed ? getRowShare(product, kind.getBlockN()) : 1.0;
  double bytesOfA =
      share * double(getStepRows() * kind.getBlockM()) * getBytesOf(product.a);
  double bytesOfB = countRows() * double(kind.getBlockN()) *
                    getBytesOf(product.weight.getElementType());
  work.bytes = bytesOfA + bytesOfB;
  work.byEngine = hasProducers();
  work.instructions =
      kPerStep + (hasProducers() ? 0 : countCopies(bytesOfA, bytesOfB));
  work.wavefronts = work.bytes / 128;
  // A row of the tile that begins within a sector ends in one sector more.
  if (product.isAFeatureMajor && product.rowAlignment < kSectorBytes)
    work.bytes += (hasProducers() ? kPerPartialSector : kSectorBytes) * share *
                  double(getStepRows());
  // Read and stored once more.
  if (chooseTranspose())
    work.wavefronts += 2 * bytesOfA / 128;
  work.weightBytes = getWeightBytes(product.weight);
  work.uniqueBytes =
      double(m) * double(k) * getBytesOf(product.a) + work.weightBytes;
  countSums(work);
  // Producers go on to the next tile.
  work.overlaps = hasStages() && (sharing.persistent != 0 || hasProducers());
  if (sharing.streamK != 0)
    countStream(work, allSteps);
  if (sharing.persistent != 0) {
    int64_t most = llvm::divideCeil(countTiles(), sharing.persistent);
    work.blocks = sharing.persistent;
    work.steps *= most;
    work.segments = double(most);
  }
  return work;
}

/// Those of C; where there can be no such number, the largest.
int64_t ScheduleFit::countTiles() const {
  int64_t tiles;
  if (llvm::MulOverflow<int64_t>(
          llvm::divideCeil(getPlannedRows(product), kind.getBlockM()),
          llvm::divideCeil(product.weight.getN(), kind.getBlockN()), tiles))
    return std::numeric_limits<int64_t>::max();
  return tiles;
}

double ScheduleFit::getSumBytesOfTile() const {
  Type sum = getAccumulatorType(product.a, product.weight.getElementType());
  return getBytesOf(sum) * double(kind.getBlockM() * kind.getBlockN());
}

int64_t ScheduleFit::chooseStreamK(const KernelWork &work) const {
  int64_t blocks = target.numSMs * getBlocksPerSM(work, target);
  int64_t tiles = countTiles();
  // Of many rounds, the last one matters little.
  bool leavesIdle = tiles % blocks != 0 && tiles / blocks < kMostRounds;
  double steps = double(tiles) * double(work.steps) / double(blocks);
  return leavesIdle && steps >= kLeastSteps ? blocks : 0;
}

int64_t ScheduleFit::choosePersistent(const KernelWork &work) const {
  // Others compute while one stores.
  bool isAlone = getBlocksPerSM(work, target) == 1;
  bool hasMore = countTiles() > target.numSMs;
  return isAlone && hasMore && hasStages() ? target.numSMs : 0;
}

/// What blocks that share all steps do instead.
void ScheduleFit::countStream(KernelWork &work, int64_t tileSteps) const {
  auto blocks = double(sharing.streamK);
  StreamShares shares = StreamShares::get(countTiles(), sharing.streamK);
  auto rounds = double(shares.rounds), shared = double(shares.shared);
  work.blocks = sharing.streamK;
  work.steps =
      int64_t(std::ceil((rounds + shared / blocks) * double(tileSteps)));
  work.segments = rounds + shared / blocks + 1;
  // Those of its first and last tile are written, those of all who have
  // one of the latter read by the last.
  double parts = blocks / shared + 1;
  work.streamBytes = (2 + parts) * getSumBytesOfTile();
}

/// What adding the sums of the blocks that share a tile moves.
void ScheduleFit::countSums(KernelWork &work) const {
  if (sharing.splitK == 1)
    return;
  double bytes =
      double(sharing.splitK) * getBytesOf(getAccumulatorType(
                                   product.a, product.weight.getElementType()));
  if (target.hasClusters) {
    work.cluster = sharing.splitK;
    work.clusterBytes = bytes * getLargestSumShare(sharing.splitK) *
                        double(kind.getBlockM() * kind.getBlockN());
    return;
  }
  // Written, and read by the second kernel.
  work.workspaceBytes = 2 * bytes * double(getPlannedRows(product)) *
                        double(product.weight.getN());
}

/// Instructions of a warp for the copies of a step.
double ScheduleFit::countCopies(double bytesOfA, double bytesOfB) const {
  double threads = double(kind.getNumThreads());
  double copies = 0;
  double perChunk = kPerChunk;
  if (packed)
    perChunk = isAloneByMemory(target, getPlan().getSharedBytes())
                   ? kPerGatheredAhead
                   : kPerGatheredChunk;
  if (promoteA && product.isAFeatureMajor)
    copies += bytesOfA / 16 / threads * perChunk;
  else if (auto blocks = chooseTranspose())
    copies += double(blocks->getChunks()) * kPerTransposedChunk;
  else if (promoteA)
    copies += bytesOfA / getBytesOf(product.a) / threads * kPerTransposed;
  if (promoteWeight)
    copies += bytesOfB / 16 / threads * kPerChunk;
  return copies;
}
