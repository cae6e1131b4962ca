//===- ScheduleRows.cpp - How kernels of rows are computed ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"
#include "RowSum.h"
#include "nm/Dialect/NM/Rows/Passes.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMSCHEDULEROWSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Bytes that a thread reads at once.
static constexpr int64_t kAccessBytes = 16;
/// Elements of a row that a thread keeps: of each value that is needed again it
/// keeps as many. ptxas takes some 10 ms for each instruction of which there
/// are more, where activations are written out.
static constexpr int64_t kMostElements = 16;
static constexpr int64_t kMostThreads = 1024;
/// Threads of a block, where a row has fewer.
static constexpr int64_t kBlockThreads = 128;
/// Threads of 16 bytes each that read a line of 128 bytes at once: fewer would
/// read parts of several lines.
static constexpr int64_t kLineThreads = 8;
/// Elements that a thread reads before it uses any, in a loop over a row alone.
static constexpr int64_t kElementsOfLoop = 4;

/// The elements that follow each other for a thread: 16 bytes of the widest
/// elements, as far as rows can be divided so.
static int64_t chooseVector(RowsOp op) {
  int64_t bytes = 1;
  for (auto [number, operand] : llvm::enumerate(op.getOperands()))
    if (op.isOfElements(number))
      bytes = std::max<int64_t>(
          bytes, *getElementBytes(
                     cast<ShapedType>(operand.getType()).getElementType()));
  int64_t vector = std::max<int64_t>(1, kAccessBytes / bytes);
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

static RowScheduleAttr schedule(RowsOp op) {
  MLIRContext *context = op.getContext();
  auto known = getStaticPoints(op, op.getRows(), op.getNumDims());
  if (followRows(op))
    return RowScheduleAttr::get(context, /*threads=*/1, kBlockThreads,
                                /*vector=*/1, kElementsOfLoop, /*loops=*/true);
  int64_t vector = chooseVector(op), chunks = kMostElements / vector;
  if (!known)
    return RowScheduleAttr::get(context, kBlockThreads, /*rows=*/1, vector,
                                chunks, /*loops=*/true);
  int64_t all = llvm::divideCeil(std::max<int64_t>(*known, 1), vector);
  int64_t threads =
      std::clamp<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(all, chunks)),
                          std::min<int64_t>(llvm::PowerOf2Ceil(all),
                                            kLineThreads),
                          kMostThreads);
  bool loops = threads * chunks < all;
  if (!loops)
    chunks = llvm::divideCeil(all, threads);
  int64_t rows =
      threads > kWarpLanes ? 1 : std::max<int64_t>(1, kBlockThreads / threads);
  return RowScheduleAttr::get(context, threads, rows, vector, chunks, loops);
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
