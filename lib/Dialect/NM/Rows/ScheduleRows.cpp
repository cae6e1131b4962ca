//===- ScheduleRows.cpp - How kernels of rows are computed ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"
#include "RowSum.h"
#include "RowTile.h"
#include "nm/Dialect/NM/Rows/Passes.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMSCHEDULEROWSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Bytes that a thread reads by one instruction: the most that PTX has.
static constexpr int64_t kAccessBytes = 16;
/// Elements of a row that a thread of several warps keeps in registers, of
/// which a block of 1024 threads leaves it 64. The number is a guess.
static constexpr int64_t kMostElements = 16;
/// Threads that a block has at most, on every chip.
static constexpr int64_t kMostThreads = 1024;
/// Threads of a block where rows have fewer, or where blocks share rows. An SM
/// holds 16 such blocks. The number is a guess.
static constexpr int64_t kBlockThreads = 128;
/// Threads of 16 bytes each that read a line of 128 bytes at once: fewer would
/// read parts of several lines.
static constexpr int64_t kLineThreads = 8;
/// Bytes of memory that are written at once: a sector of a line, on every chip.
static constexpr int64_t kSectorBytes = 32;
/// Elements that a thread of a loop over a row reads before it uses the first,
/// so that many loads are under way. The number is a guess.
static constexpr int64_t kElementsOfLoop = 8;
/// Accesses that it has under way, also where one is of 16 bytes: the 2048
/// threads of an SM have 64 KB under way then. The number is a guess.
static constexpr int64_t kAccessesOfLoop = 2;

static int64_t getBytesOfElement(Value operand) {
  return *getElementBytes(cast<ShapedType>(operand.getType()).getElementType());
}

/// Elements that follow each other, and are 16 bytes of the widest elements.
static int64_t chooseWidest(RowsOp op) {
  int64_t bytes = 1;
  for (auto [number, operand] : llvm::enumerate(op.getOperands()))
    if (op.isOfElements(number))
      bytes = std::max(bytes, getBytesOfElement(operand));
  return std::max<int64_t>(1, kAccessBytes / bytes);
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

/// Whether neighbouring rows, and not the elements of a row, follow each other
/// in what is read of elements.
static bool followRows(RowsOp op) {
  int64_t rows = 0, elements = 0;
  for (int64_t i = 0, e = op.getInputs().size(); i < e; ++i) {
    if (!op.isOfElements(i))
      continue;
    auto dim =
        dyn_cast<AffineDimExpr>(op.getIndexingMap(i).getResults().back());
    bool isOfRows = dim && dim.getPosition() < op.getRows();
    (isOfRows ? rows : elements) += 1;
  }
  return rows > elements;
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

/// Blocks that share rows of `all` vectors, which nothing reduces.
static RowScheduleAttr scheduleParts(RowsOp op, int64_t vector, int64_t all) {
  int64_t chunks = kMostElements / vector;
  int64_t parts = llvm::divideCeil(all, kBlockThreads * chunks);
  return RowScheduleAttr::get(op.getContext(), kBlockThreads, /*rows=*/1,
                              vector, chunks, /*loops=*/false, parts);
}

/// The fewest threads that keep a row of `all` vectors; none where a block does
/// not. Where several rows are to be a block's, each has few threads.
static std::optional<int64_t> chooseThreads(int64_t vector, int64_t all,
                                            bool hasSeveralRows) {
  int64_t least = std::min<int64_t>(llvm::PowerOf2Ceil(all), kLineThreads);
  for (int64_t threads = least; threads <= kMostThreads; threads *= 2) {
    bool hasMany =
        threads == kWarpLanes || (threads > kWarpLanes && hasSeveralRows);
    int64_t most = hasMany ? kMostElementsOfLane : kMostElements;
    if (int64_t(llvm::divideCeil(all, threads)) * vector <= most)
      return threads;
  }
  return std::nullopt;
}

/// Blocks of parts of rows, some of whose elements are stored transposed.
static RowScheduleAttr scheduleTiles(RowsOp op, int64_t vector, int64_t all) {
  int64_t threads = std::min<int64_t>(llvm::PowerOf2Ceil(all), kLineThreads);
  int64_t rows =
      std::max(chooseTransposedRows(op, threads), kBlockThreads / threads);
  return RowScheduleAttr::get(op.getContext(), threads, rows, vector,
                              /*chunks=*/1, /*loops=*/false,
                              /*parts=*/llvm::divideCeil(all, threads));
}

/// A block reads a row of unknown or many elements in turns.
static RowScheduleAttr scheduleLoops(RowsOp op, int64_t threads,
                                     int64_t vector) {
  int64_t chunks = std::max<int64_t>(llvm::divideCeil(kElementsOfLoop, vector),
                                     kAccessesOfLoop);
  return RowScheduleAttr::get(op.getContext(), threads, /*rows=*/1, vector,
                              chunks, /*loops=*/true, /*parts=*/1);
}

static RowScheduleAttr schedule(RowsOp op) {
  MLIRContext *context = op.getContext();
  if (followRows(op))
    return RowScheduleAttr::get(context, /*threads=*/1, kBlockThreads,
                                /*vector=*/1, kElementsOfLoop, /*loops=*/true,
                                /*parts=*/1);
  int64_t vector = chooseVector(op);
  auto known = getStaticPoints(op, op.getRows(), op.getNumDims());
  if (!known)
    return scheduleLoops(op, kBlockThreads, vector);
  int64_t all = llvm::divideCeil(std::max<int64_t>(*known, 1), vector);
  bool hasSums = !op.getBody().getOps<ReduceOp>().empty();
  if (!hasSums && !collectTransposed(op).empty())
    return scheduleTiles(op, vector, all);
  if (!hasSums && all > kBlockThreads)
    return scheduleParts(op, vector, all);
  std::optional<int64_t> threads =
      chooseThreads(vector, all, !collectTransposed(op).empty());
  // Long rows begin anywhere, and have whole vectors nevertheless.
  if (!threads && op.getNumDims() - op.getRows() == 1)
    vector = chooseWidest(op);
  if (!threads)
    return scheduleLoops(op, kMostThreads, vector);
  int64_t chunks = llvm::divideCeil(all, *threads);
  int64_t rows = chooseTransposedRows(op, *threads);
  if (*threads <= kWarpLanes)
    rows = std::max(rows, kBlockThreads / *threads);
  return RowScheduleAttr::get(context, *threads, rows, vector, chunks,
                              /*loops=*/false, /*parts=*/1);
}

namespace {
struct ScheduleRows : nm::impl::NMScheduleRowsPassBase<ScheduleRows> {
  void runOnOperation() override {
    getOperation()->walk([](RowsOp op) {
      if (!op.getSchedule())
        op.setScheduleAttr(schedule(op));
    });
  }
};
} // namespace
