//===- GemvWork.cpp - What few rows take ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemvWork.h"
#include "GemvThreads.h"
#include "ScheduleFit.h"
#include "nm/Dialect/NM/IR/FewRows.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace nm;
using namespace nm::gemv;

/// Bytes of the weight that a thread reads in a turn, as nm-load-fragments
/// writes them out.
static constexpr double kBytesOfTurn = 128;
/// Registers of a thread: what they leave for the next turn, it takes; and the
/// least beside its sums, with so many for the values of a slice.
static constexpr int64_t kRegisters = 120, kLeastRegisters = 48,
                         kSliceRegisters = 16;

/// Rows of C of a fragment of mma_gemv, n of m16n8k16.
static constexpr int64_t kFragmentRows = 8;
/// Registers of a thread of mma_gemv that loops over steps, for more rows than
/// a fragment has: it takes 117 to 128 where it may, and spills 136 to 416
/// bytes with the 64 or 80 of blocks of 1024 or 768 threads (ptxas, bf16, 8:32
/// and 16:32; a throw-away count). 40 rows of 4096x11008 take 25.5 us so,
/// where 18.4 are predicted (H200, a throw-away run).
static constexpr int64_t kRegistersOfSteps = 112;

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
/// Of the first wave's time, what later ones take on tensor cores where many
/// warps side by side read a tile of A: their blocks begin one by one and find
/// the weight in L2 (H200, f16, 8:32, 11008x4096: 48 and 64 rows took 15.7 and
/// 22.6 us, and would be predicted to take 18.7 and 26.8 without).
static constexpr double kLaterWaves = 0.8;
/// Of what other blocks take beside their steps: the weight is on its way from
/// the first instruction on, and there is no last tile to store.
static constexpr double kBesides = 0.2;
/// The share of a prologue and epilogue that a block on tensor cores takes
/// where blocks of a cluster share k and wait for each other's sums. It is
/// fitted to cold times of 8 rows by 4096x4096 and 4096x11008 (H200, bf16,
/// 8:32, L = 32, docs/results/2026-11-29-h200-layer-candidates-2.jsonl).
static constexpr double kBesidesInCluster = 0.53;

/// Bytes of the weight as it is packed for `schedule`.
static double getPackedBytes(const ProductInfo &product,
                             ScheduleAttr schedule) {
  CondensedType weight = product.weight;
  int64_t step = schedule.getStepRows(weight.getK(), weight.getPattern());
  WeightForm form =
      schedule.getKind().chooseForm(weight, step, schedule.getPromoteWeight());
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

bool gemv::hasRegisters(const ProductInfo &product, ScheduleAttr schedule,
                        const TargetInfo &target) {
  InstructionKind kind = schedule.getKind();
  CondensedType weight = product.weight;
  int64_t registers = kLeastRegisters;
  if (auto gemv = dyn_cast<GemvAttr>(kind))
    registers += countRegisters(product, gemv);
  else if (schedule.getBlockM() > kFragmentRows &&
           schedule.getSteps(weight.getK(), weight.getPattern()) >
               schedule.getSplitK())
    registers = kRegistersOfSteps;
  return kind.getNumThreads() * registers <= target.registersPerSM;
}

/// Turns in which the threads of a block read `bytes` of the weight: one, if
/// they have registers for `ofValues`, those of values.
static int64_t countTurns(ScheduleAttr schedule, double bytes, double ofValues,
                          const TargetInfo &target) {
  auto threads = double(schedule.getNumThreads());
  double free = double(target.registersPerSM) / threads - kLeastRegisters;
  if (ofValues <= threads * std::min(double(kMostBytesAtOnce), 4 * free))
    return 1;
  return std::max<int64_t>(1, std::llround(bytes / threads / kBytesOfTurn));
}

/// Instructions to add the sums of the warps of a block.
static double countSumInstructions(InstructionKind kind, int64_t rowBlocks) {
  auto gemv = dyn_cast<GemvAttr>(kind);
  bool hasOwnColumns = gemv && gemv.getLanes()[1] == 1;
  return hasOwnColumns && rowBlocks == 1 ? kPerOwnSum : kPerSum;
}

KernelWork gemv::countWork(const ProductInfo &product, const TargetInfo &target,
                           ScheduleAttr schedule) {
  CondensedType weight = product.weight;
  int64_t k = weight.getK(), splitK = schedule.getSplitK();
  int64_t tiles = llvm::divideCeil(weight.getN(), schedule.getBlockN());
  int64_t blockM = schedule.getBlockM();
  int64_t rowBlocks = llvm::divideCeil(product.m, blockM);
  double rows = double(weight.getPattern().getCondensedRows(k));
  double ofWeight = getPackedBytes(product, schedule);
  double ofRow = double(k) * double(getBits(product.a)) / 8;
  bool isOneStep = schedule.getStepRows(k, weight.getPattern()) * splitK >= k;
  KernelWork work;
  work.blocks = tiles * rowBlocks * splitK;
  work.threads = schedule.getNumThreads();
  work.registers = kRegisters;
  work.sharedBytes = product.getPlan(schedule, target).getSharedBytes();
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
  auto mma = dyn_cast<MmaGemvAttr>(schedule.getKind());
  work.besides = mma && splitK > 1 ? kBesidesInCluster : kBesides;
  if (mma && mma.getWarps()[0] >= kManySideBySide && splitK == 1)
    work.laterWaves = kLaterWaves;
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
    int64_t sums = mma ? schedule.getKind().getSumThreads() : work.threads / 32;
    work.clusterBytes = double(blockM * schedule.getBlockN() * sums * 4);
  }
  return work;
}
