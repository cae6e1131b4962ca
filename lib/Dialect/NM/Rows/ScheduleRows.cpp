//===- ScheduleRows.cpp - How kernels of rows are computed ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"
#include "RowLevels.h"
#include "RowSum.h"
#include "RowTile.h"
#include "nm/Dialect/NM/Rows/Passes.h"
#include "nm/Support/NumberOps.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMSCHEDULEROWSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Elements of a row that a thread of several warps keeps in registers, of
/// which a block of 1024 threads leaves it 64. The number is a guess.
static constexpr int64_t kMostElements = 16;
/// Threads that a block has at most, on every chip.
static constexpr int64_t kMostThreads = 1024;
/// Threads of a block that keeps a row in registers. An SM has one block of
/// 1024 threads with 64 registers each, which loads, computes and stores one
/// after the other; two blocks of 512 that keep rows in shared memory are
/// faster (row_schedule_times.py has both).
static constexpr int64_t kMostThreadsThatKeep = kMostThreads / 2;
/// Threads of a block where rows have fewer, or where blocks share rows. An SM
/// holds 16 such blocks. The number is a guess.
static constexpr int64_t kBlockThreads = 128;
/// Blocks of a cluster: the most that every chip with clusters runs.
static constexpr int64_t kBlocksOfCluster = 8;
/// Threads of 16 bytes each that read a line of 128 bytes at once: fewer would
/// read parts of several lines.
static constexpr int64_t kLineThreads = 8;
/// Small blocks become larger where an SM would get more blocks than this
/// number, as an H200 begins a block in 1.4 ns: sums of 65536 rows of 128
/// elements of f16 took 5.7 us by 4096 blocks, and 3.1 by half of them
/// (docs/performance.md, Whole models).
static constexpr int64_t kManyBlocks = 4;
/// A block that moves so many bytes is not small: an H200's memory moves half
/// of them in the 1.4 ns that a block takes to begin.
static constexpr int64_t kBlockBytes = 12 * 1024;
/// A small block gets at most so many threads: with 1024 those sums of 65536
/// rows took 3.2 us (docs/performance.md, Whole models).
static constexpr int64_t kMostSmallThreads = 512;
/// An access has so many elements of 4 bytes, and fewer of wider ones.
static constexpr int64_t kWideElements = 4;
/// Shared memory of a block, in bytes, that is no row's: what the driver takes
/// itself, 1 KB, and what warps of up to seven reductions exchange.
static constexpr int64_t kOtherSharedBytes = 2048;
/// Rows of a block that has long ones alone and stores them transposed: 1024
/// threads of 32 elements have eight of 4096.
static constexpr int64_t kRowsOfTiles = 8;
/// Elements that a thread of a loop over a row reads before it uses the first,
/// so that many loads are under way. The number is a guess.
static constexpr int64_t kElementsOfLoop = 8;
/// For so many threads that have a vector of a row, one thread without a vector
/// is too many. The number is a guess.
static constexpr int64_t kFewOfThreads = 4;
/// Vectors that a thread has under way of elements whose number, or whose
/// vectors, only the call knows: with eight of two elements it spilled.
static constexpr int64_t kMostVectors = 4;
/// Accesses that it has under way, also where one is of 16 bytes: the 2048
/// threads of an SM have 64 KB under way then. The number is a guess.
static constexpr int64_t kAccessesOfLoop = 2;

static int64_t getBytesOfElement(Value operand) {
  return *getElementBytes(cast<ShapedType>(operand.getType()).getElementType());
}

/// The elements that follow each other for a thread: as far as rows can be
/// divided so.
static int64_t chooseVector(RowsOp op) {
  int64_t vector = chooseWidest(op);
  int64_t divisor = getElementsDivisor(op);
  while (divisor % vector != 0)
    vector /= 2;
  return vector;
}

/// Rows of a block of `threads` threads a row: so many that what is transposed
/// has whole sectors, as far as a block has threads.
static int64_t chooseTransposedRows(RowsOp op, int64_t threads) {
  int64_t rows = 1;
  for (int64_t output : collectTransposed(op))
    rows = std::max(rows,
                    kSectorBytes / getBytesOfElement(op->getOperand(output)));
  return std::min(rows, kMostThreads / threads);
}

/// Whether vectors may begin where memory has them, and elements before the
/// first and behind the last be read one by one: of rows of one dimension, of
/// at least as many elements as a block has threads.
static bool mayHaveEdges(RowsOp op) {
  int64_t dims = op.getNumDims();
  return dims - int64_t(op.getRows()) == 1 &&
         op.getStaticExtent(dims - 1) >= kBlockThreads;
}

namespace {
/// The fields of a schedule, by names.
struct Schedule {
  int64_t threads = 1, rows = 1, vector = 1, chunks = 1;
  bool loops = false;
  int64_t parts = 1, kept = 0;

  RowScheduleAttr get(MLIRContext *context) const {
    return RowScheduleAttr::get(context, threads, rows, vector, chunks, loops,
                                parts, kept);
  }
  int64_t countAtOnce() const { return threads * vector * chunks; }
};
} // namespace

static const TargetInfo &getTargetOf(RowsOp op) {
  return getTarget(op->getParentOfType<ModuleOp>());
}

/// Whether a warp should keep no more elements of a row than others do: with 32
/// of 4 bytes a thread, all warps of an SM load first, and then all store. Two
/// warps had rows of 768 in 1 to 8 % less time on an H200
/// (docs/performance.md, Whole models).
static bool isWide(RowsOp op) { return chooseWidest(op) <= kWideElements; }

/// Blocks that share rows of `elements`, which nothing reduces: at least one of
/// each SM, if threads have a vector for it.
static Schedule scheduleParts(RowsOp op, int64_t elements) {
  auto rows = getStaticPoints(op, 0, op.getRows());
  Schedule of;
  of.threads = kBlockThreads;
  of.vector = mayHaveEdges(op) ? chooseWidest(op) : chooseVector(op);
  of.chunks = kMostElements / of.vector;
  auto countParts = [&] {
    return llvm::divideCeil(elements, of.countAtOnce());
  };
  while (of.chunks > 1 && rows &&
         *rows * int64_t(countParts()) < getTargetOf(op).numSMs)
    of.chunks /= 2;
  of.parts = countParts();
  return of;
}

/// Whether each row has an SM of its own, and is best one block's. The blocks
/// of a cluster are faster if the clusters of all rows have an SM for each
/// block, and if a row is reduced more than once.
static bool areBlocksAlone(RowsOp op) {
  auto rows = getStaticPoints(op, 0, op.getRows());
  int64_t all = getTargetOf(op).numSMs;
  return rows && *rows <= all &&
         (*rows * kBlocksOfCluster > all || RowLevels(op).getLast() <= 1);
}

/// The fewest threads that keep a row of `elements`; none where a block does
/// not. Where several rows are to be a block's, each has few threads.
static std::optional<int64_t> chooseThreads(RowsOp op, int64_t vector,
                                            int64_t elements) {
  bool hasSeveralRows = !collectTransposed(op).empty();
  int64_t all = llvm::divideCeil(elements, vector);
  int64_t least = std::min<int64_t>(llvm::PowerOf2Ceil(all), kLineThreads);
  int64_t bound = hasSeveralRows || areBlocksAlone(op) ? kMostThreads
                                                       : kMostThreadsThatKeep;
  for (int64_t threads = least; threads <= bound; threads *= 2) {
    bool hasMany = hasSeveralRows ? threads >= kWarpLanes
                                  : threads == kWarpLanes && !isWide(op);
    int64_t most = hasMany ? kMostElementsOfLane : kMostElements;
    if (int64_t(llvm::divideCeil(all, threads)) * vector <= most)
      return threads;
  }
  return std::nullopt;
}

/// Bytes of what a row's elements are read of and written to.
static int64_t countRowBytes(RowsOp op, int64_t elements) {
  int64_t bytes = 0;
  for (auto [number, operand] : llvm::enumerate(op.getOperands()))
    if (hasOwnElements(op, number))
      bytes += elements * getBytesOfElement(operand);
  return bytes;
}

/// Rows of a block of `threads` threads a row: as many as kBlockThreads have,
/// and more where blocks would be many and small.
static int64_t chooseRows(RowsOp op, int64_t threads, int64_t elements) {
  int64_t rows = std::max<int64_t>(1, kBlockThreads / threads);
  // Of as many rows as the call wants there may be many.
  auto all = getStaticPoints(op, 0, op.getRows());
  int64_t bytes = countRowBytes(op, elements);
  while (rows * threads < kMostSmallThreads && rows * bytes < kBlockBytes &&
         (!all || *all / rows > kManyBlocks * getTargetOf(op).numSMs))
    rows *= 2;
  return rows;
}

/// Blocks of parts of rows, some of whose elements are stored transposed.
static Schedule scheduleTiles(RowsOp op, int64_t elements) {
  Schedule of;
  of.vector = chooseVector(op);
  int64_t all = llvm::divideCeil(elements, of.vector);
  of.threads = std::min<int64_t>(llvm::PowerOf2Ceil(all), kLineThreads);
  of.rows = std::max(chooseTransposedRows(op, of.threads),
                     kBlockThreads / of.threads);
  of.parts = llvm::divideCeil(all, of.threads);
  return of;
}

/// Blocks of a cluster that keep a row of `elements` together, where rows are
/// few: where an SM had more than two of their blocks, one that has a row alone
/// is faster, as clusters begin slowly.
static std::optional<Schedule> scheduleCluster(RowsOp op, int64_t elements) {
  const TargetInfo &target = getTargetOf(op);
  auto rows = getStaticPoints(op, 0, op.getRows());
  if (!target.hasClusters || !rows ||
      *rows * kBlocksOfCluster > 2 * target.numSMs)
    return std::nullopt;
  bool areAlone = *rows * kBlocksOfCluster <= target.numSMs;
  Schedule of;
  of.vector = mayHaveEdges(op) ? chooseWidest(op) : chooseVector(op);
  of.parts = kBlocksOfCluster;
  for (of.threads = kBlockThreads; of.threads <= kMostThreads;
       of.threads *= 2) {
    of.chunks = llvm::divideCeil(elements, of.threads * of.vector * of.parts);
    if (of.chunks * of.vector <=
        (areAlone ? kMostElements : kMostElementsOfLane))
      return of;
  }
  return std::nullopt;
}

/// Blocks of a cluster that share rows of `elements`, of which some are stored
/// transposed: a warp has a part of a row, so that a block has rows enough for
/// whole sectors. None where blocks that have their rows alone are one for each
/// SM, or where a warp has them.
static std::optional<Schedule> scheduleClusterTiles(RowsOp op,
                                                    int64_t elements) {
  const TargetInfo &target = getTargetOf(op);
  auto rows = getStaticPoints(op, 0, op.getRows());
  if (!target.hasClusters || !rows || collectTransposed(op).empty() ||
      *rows >= kRowsOfTiles * target.numSMs)
    return std::nullopt;
  Schedule of;
  of.threads = kWarpLanes;
  of.rows = chooseTransposedRows(op, of.threads);
  of.vector = chooseVector(op);
  of.parts = kBlocksOfCluster;
  of.chunks = llvm::divideCeil(elements, of.countAtOnce() * of.parts);
  bool isLong = elements > kWarpLanes * kMostElementsOfLane;
  if (!isLong || of.chunks * of.vector > kMostElementsOfLane)
    return std::nullopt;
  return of;
}

/// Bytes of the inputs that are read again, of an element.
static int64_t countBytesReadAgain(RowsOp op) {
  int64_t bytes = 0;
  for (int64_t input : RowLevels(op).collectReadAgain())
    bytes += getBytesOfElement(op->getOperand(input));
  return bytes;
}

/// Vectors of a turn.
static int64_t chooseChunksOfLoop(int64_t vector) {
  return std::max<int64_t>(llvm::divideCeil(kElementsOfLoop, vector),
                           kAccessesOfLoop);
}

/// A block reads a row of many elements in turns, and keeps as many of these as
/// shared memory holds: an SM has two blocks if that is all, and one else.
static Schedule scheduleLong(RowsOp op, int64_t elements) {
  int64_t all = getTargetOf(op).sharedMemoryPerSM;
  int64_t bytes = countBytesReadAgain(op);
  bool isOfTwo = elements * bytes <= all / 2 - kOtherSharedBytes;
  Schedule of;
  of.threads = isOfTwo ? kMostThreads / 2 : kMostThreads;
  of.vector = mayHaveEdges(op) ? chooseWidest(op) : chooseVector(op);
  of.chunks = chooseChunksOfLoop(of.vector);
  of.loops = true;
  if (bytes > 0)
    of.kept = std::min(elements, (all - kOtherSharedBytes) / bytes) /
              of.countAtOnce();
  return of;
}

/// Whether it is best not to heed what a row is, where elements are all that is
/// computed: of rows that would not fill a block, and are not divided in
/// vectors or leave many threads of a power of two without any.
static bool areRowsInTheWay(RowsOp op) {
  int64_t dims = op.getNumDims();
  if (dims < 2 || !isOfElementsAlone(op) || !collectTransposed(op).empty())
    return false;
  int64_t innermost = op.getStaticExtent(dims - 1);
  int64_t all = innermost / chooseVector(op);
  return !ShapedType::isDynamic(innermost) &&
         innermost < kBlockThreads * kMostElements &&
         (all == innermost ||
          int64_t(llvm::PowerOf2Ceil(all)) >= all + all / kFewOfThreads);
}

/// The elements that follow each other for a thread, where vectors may end in
/// the next row: no more than a row has, as several short rows would be read in
/// many pieces. Rows are divided in narrower vectors if these are not much so.
static int64_t chooseVectorOfAny(RowsOp op) {
  int64_t innermost = op.getStaticExtent(op.getNumDims() - 1);
  int64_t widest = chooseWidest(op), vector = chooseVector(op);
  if (2 * vector >= widest)
    return vector;
  if (!ShapedType::isDynamic(innermost))
    widest = std::min(innermost, widest);
  return llvm::bit_floor(uint64_t(widest));
}

/// Blocks that share elements whose number, or whose vectors, only the call
/// knows. Where there are rows, these have single elements, and a warp has a
/// part of one.
static Schedule scheduleUnknown(RowsOp op) {
  Schedule of;
  bool hasRows = op.getRows() > 0;
  of.threads = hasRows ? kWarpLanes : kBlockThreads;
  of.rows = hasRows ? kMostSmallThreads / kWarpLanes : 1;
  of.vector = hasRows ? 1 : chooseVectorOfAny(op);
  int64_t most =
      std::max<int64_t>(kElementsOfLoop, kAccessesOfLoop * chooseWidest(op));
  of.chunks = of.vector == 1 ? kElementsOfLoop
                             : std::min(most / of.vector, kMostVectors);
  of.parts = 0;
  return of;
}

/// A block reads a row of unknown length in turns, by whole vectors where the
/// call has them.
static Schedule scheduleLoops(RowsOp op) {
  Schedule of;
  of.threads = kBlockThreads;
  of.vector = chooseWidest(op);
  of.chunks = chooseChunksOfLoop(of.vector);
  of.loops = true;
  return of;
}

/// Threads have the elements of a row in registers, if a block can: of
/// `elements` at most, where only the call knows how many there are, and
/// whether they have whole vectors.
static std::optional<Schedule> scheduleRegisters(RowsOp op, int64_t elements) {
  Schedule of;
  of.vector = op.getMost() ? chooseWidest(op) : chooseVector(op);
  std::optional<int64_t> threads = chooseThreads(op, of.vector, elements);
  if (!threads)
    return std::nullopt;
  of.threads = *threads;
  // A narrower vector, where the last ones would be some threads' alone.
  auto areAllWhole = [&](int64_t vector) {
    return elements % (of.threads * vector) == 0;
  };
  if (of.vector > 1 && !areAllWhole(of.vector) && areAllWhole(of.vector / 2))
    of.vector /= 2;
  of.chunks = llvm::divideCeil(elements, of.threads * of.vector);
  of.rows = std::max(chooseTransposedRows(op, of.threads),
                     chooseRows(op, of.threads, elements));
  return of;
}

static Schedule schedule(RowsOp op) {
  if (followRows(op)) {
    Schedule of;
    of.rows = kBlockThreads;
    of.chunks = kElementsOfLoop;
    of.loops = true;
    return of;
  }
  auto known = getStaticPoints(op, op.getRows(), op.getNumDims());
  if (op.getMost())
    return *scheduleRegisters(op, *op.getMost());
  bool isElementwise = op.getBody().getOps<ReduceOp>().empty();
  if (areRowsInTheWay(op)) {
    op.setRows(0);
    return scheduleUnknown(op);
  }
  if (!known && isElementwise)
    return scheduleUnknown(op);
  if (!known)
    return scheduleLoops(op);
  int64_t elements = std::max<int64_t>(*known, 1);
  if (isElementwise) {
    if (!collectTransposed(op).empty())
      return scheduleTiles(op, elements);
    if (elements > kBlockThreads * chooseVector(op))
      return scheduleParts(op, elements);
  }
  if (std::optional<Schedule> of = scheduleClusterTiles(op, elements))
    return *of;
  if (std::optional<Schedule> of = scheduleRegisters(op, elements))
    return *of;
  if (std::optional<Schedule> of = scheduleCluster(op, elements))
    return *of;
  return scheduleLong(op, elements);
}

namespace {
struct ScheduleRows : nm::impl::NMScheduleRowsPassBase<ScheduleRows> {
  void runOnOperation() override {
    getOperation()->walk([&](RowsOp op) {
      if (!op.getSchedule())
        op.setScheduleAttr(schedule(op).get(&getContext()));
    });
  }
};
} // namespace
