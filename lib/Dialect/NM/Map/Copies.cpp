//===- Copies.cpp - Tile copies to the accesses of a thread ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is cut into chunks of up to 16 bytes that the threads take in turn.
// Asynchronous chunks of 4, 8 or 16 bytes become cp.async with zero fill,
// others a load and a store.
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "Accesses.h"
#include "BulkCopies.h"
#include "PanelCopies.h"
#include "Transposes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace nm;

namespace {
/// Chunks of one thread that are written out one by one; more become a loop.
constexpr int64_t kUnrolledChunks = 32;

/// Chunks that neighbouring threads copy of a row, at least: a line of memory.
constexpr int64_t kLeastGridColumns = 8;

/// One tile_copy, or tile_gather when `columns` is set.
struct CopyDescription {
  Value source, destination, columns, predicate;
  bool transpose, async, cached = false;
};

class CopyLowering {
public:
  CopyLowering(Operation *op, CopyDescription copy, Value thread,
               int64_t numThreads)
      : copy(copy), thread(thread), numThreads(numThreads),
        b(op->getLoc(), op) {
    auto type = cast<MemRefType>(copy.destination.getType());
    rows = type.getDimSize(0);
    columns = type.getDimSize(1);
    width = copy.transpose ? 1 : getChunkWidth(copy.source, copy.destination);
    if (copy.transpose) {
      // Eight rows of k by four of m a warp: whole 32-byte sectors of global
      // memory, and with rows padded by 16 bytes all banks of shared memory.
      chunksOfRow = columns;
      rowsFastest = rows % 8 == 0 ? 8 : 1;
    } else {
      chunksOfRow = columns / width;
    }
    gridColumns = std::gcd(numThreads, chunksOfRow);
    gridRows = numThreads / gridColumns;
  }

  void lower() {
    int64_t chunks = rows * chunksOfRow;
    int64_t turns = llvm::divideCeil(chunks, numThreads);
    if (turns > kUnrolledChunks) {
      auto loop = scf::ForOp::create(b, thread, indexConstant(b, chunks),
                                     indexConstant(b, numThreads));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      lowerChunk(placeOf(loop.getInductionVar()));
      return;
    }
    if (canShareAddress(turns))
      return lowerFromOnePlace();
    for (int64_t turn = 0; turn < turns; ++turn) {
      Value chunk = addIndex(b, thread, turn * numThreads);
      if ((turn + 1) * numThreads <= chunks) {
        lowerChunk(placeOf(chunk));
        continue;
      }
      Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, chunk,
                                         indexConstant(b, chunks));
      auto guarded = scf::IfOp::create(b, some, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(guarded.thenBlock());
      lowerChunk(placeOf(chunk));
    }
  }

private:
  /// Row and first column in the destination.
  using RowAndColumn = std::pair<Value, Value>;

  bool isAsync() const {
    return copy.async && isAsyncChunk(copy.source, copy.destination, width);
  }

  /// Whether asynchronous copies of the threads as a grid, that many chunks of
  /// a row by so many rows, take no more than `turns`: each thread's chunks are
  /// a constant distance apart.
  bool canShareAddress(int64_t turns) {
    if (!isAsync() || copy.transpose || copy.columns || !hasOneSwizzle())
      return false;
    if (gridColumns == chunksOfRow)
      return true;
    return gridColumns >= kLeastGridColumns &&
           !isInPanels(cast<MemRefType>(copy.source.getType())) &&
           int64_t(llvm::divideCeil(rows, gridRows)) *
                   (chunksOfRow / gridColumns) ==
               turns;
  }

  /// Whether rows or columns of the source up to `bound` have to be checked;
  /// panels are whole.
  bool needsRowGuard(int64_t bound) {
    auto type = cast<MemRefType>(copy.source.getType());
    return needsGuard(copy.source, getRowDim(type), bound);
  }
  bool needsColumnGuard(int64_t bound) {
    return !isInPanels(cast<MemRefType>(copy.source.getType())) &&
           needsGuard(copy.source, 1, bound);
  }

  /// Whether the columns of all chunks of a thread are swizzled alike.
  bool hasOneSwizzle() {
    return !isSwizzled(copy.destination) ||
           (gridRows % 8 == 0 &&
            (gridColumns == chunksOfRow || gridColumns % 8 == 0));
  }

  /// Copies the chunks of a thread, which are seen from the place of its first
  /// one on both sides, so that one address serves all.
  void lowerFromOnePlace() {
    Value row = divIndex(b, thread, gridColumns);
    Value column = mulIndex(b, remIndex(b, thread, gridColumns), width);
    Guard guard{needsRowGuard(rows), needsColumnGuard(columns)};
    Place first = getMatrixPlace(b, {copy.source, row, column});
    Place to = {copy.destination, row,
                swizzleColumn(b, copy.destination, row, column)};
    int64_t lastRow = (llvm::divideCeil(rows, gridRows) - 1) * gridRows;
    int64_t lastColumn = (chunksOfRow - gridColumns) * width;
    auto createViewFrom = [&](Place place) {
      return createView(b, place, lastRow + 1, lastColumn + width);
    };
    Value source = createViewFrom(clampPlace(first, guard));
    Value destination = createViewFrom(to);
    auto copyRow = [&](int64_t i) {
      Value ahead = indexConstant(b, i), ofSource = addIndex(b, first.i, i);
      for (int64_t j = 0; j <= lastColumn; j += gridColumns * width) {
        Value aside = indexConstant(b, j);
        Value inside =
            isInside(b, first.memref, ofSource, addIndex(b, first.j, j), guard);
        nm::copyAsync(b, {source, ahead, aside}, {destination, ahead, aside},
                      width, Guard(), andIfSet(b, inside, copy.predicate),
                      copy.cached);
      }
    };
    for (int64_t i = 0; i < rows; i += gridRows) {
      Value some;
      if (i + gridRows > rows)
        some = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, row,
                                     indexConstant(b, rows - i));
      executeIf(b, some, [&] { copyRow(i); });
    }
  }

  /// `place`, or the source's first where that is outside. It is that of a
  /// thread's first chunk: where a later one is outside, nothing is read, and
  /// its place may be any.
  Place clampPlace(Place place, Guard guard) {
    Value zero = indexConstant(b, 0);
    if (Value inside = isInside(b, place.memref, place.i, place.j, guard)) {
      place.i = arith::SelectOp::create(b, inside, place.i, zero);
      place.j = arith::SelectOp::create(b, inside, place.j, zero);
    }
    return place;
  }

  /// Copies one chunk, or fills it with zeros where the source ends.
  void lowerChunk(RowAndColumn place) {
    auto [row, column] = place;
    Value sourceRow = row;
    Value to = swizzleColumn(b, copy.destination, row, column);
    bool checked = false;
    if (copy.columns) {
      Value entry = memref::LoadOp::create(
          b, copy.columns, ValueRange{indexConstant(b, 0), row});
      sourceRow = arith::IndexCastOp::create(b, b.getIndexType(), entry);
      checked = true;
    }
    Value i = copy.transpose ? column : sourceRow;
    Value j = copy.transpose ? sourceRow : column;
    Guard guard{needsRowGuard(copy.transpose ? columns : rows),
                needsColumnGuard(copy.transpose ? rows : columns)};
    if (checked)
      (copy.transpose ? guard.dim1 : guard.dim0) = true;
    Place from = getMatrixPlace(b, {copy.source, i, j});
    if (isAsync())
      nm::copyAsync(b, from, {copy.destination, row, to}, width, guard,
                    copy.predicate, copy.cached);
    else
      copyThroughRegisters(row, to, from, guard);
  }

  RowAndColumn placeOf(Value chunk) {
    if (!copy.transpose || rowsFastest == 1)
      return {divIndex(b, chunk, chunksOfRow),
              mulIndex(b, remIndex(b, chunk, chunksOfRow), width)};
    // chunk = (block of rows, column, row in the block)
    Value rest = divIndex(b, chunk, rowsFastest);
    Value block = mulIndex(b, divIndex(b, rest, columns), rowsFastest);
    Value rowInBlock = remIndex(b, chunk, rowsFastest);
    Value row = addIndex(b, block, rowInBlock);
    return {row, remIndex(b, rest, columns)};
  }

  void copyThroughRegisters(Value row, Value column, Place from, Guard guard) {
    // A chunk is one access of the source, or one element of it.
    Value vector = loadVector(b, from.memref, from.i, from.j, 1, width, guard);
    storeVector(b, vector, copy.destination, row, column, Guard());
  }

  CopyDescription copy;
  Value thread;
  int64_t numThreads;
  ImplicitLocOpBuilder b;
  int64_t rows, columns, width, chunksOfRow, rowsFastest = 1;
  int64_t gridRows, gridColumns; // the threads, where they share an address
};
} // namespace

static void lowerCommit(CommitOp op, Value thread) {
  if (op.getBarrier())
    lowerExpectedBytes(op, thread);
  OpBuilder b(op);
  NVVM::CpAsyncCommitGroupOp::create(b, op.getLoc());
}

static void lowerWait(WaitOp op) {
  OpBuilder b(op);
  if (std::optional<uint64_t> pending = op.getPending())
    NVVM::CpAsyncWaitGroupOp::create(b, op.getLoc(), *pending);
  if (op.getBarrier())
    lowerBarrierWait(op);
}

void nm::lowerCopies(Region &region, Value thread, int64_t numThreads) {
  region.walk([&](Operation *op) {
    OpBuilder b(op);
    auto copy = dyn_cast<TileCopyOp>(op);
    if (copy && copy.getBarrier())
      lowerBulkCopy(copy, thread, numThreads);
    else if (copy &&
             isInPanels(cast<MemRefType>(copy.getDestination().getType())))
      lowerPanelCopy(copy, thread, numThreads);
    else if (copy)
      CopyLowering(op,
                   {copy.getSource(), copy.getDestination(), Value(),
                    copy.getPredicate(), copy.getTranspose(), copy.getAsync(),
                    copy.getCached()},
                   thread, numThreads)
          .lower();
    else if (auto gather = dyn_cast<TileGatherOp>(op))
      CopyLowering(op,
                   {gather.getSource(), gather.getDestination(),
                    gather.getColumns(), gather.getPredicate(),
                    gather.getTranspose(), gather.getAsync()},
                   thread, numThreads)
          .lower();
    else if (auto fetch = dyn_cast<TileFetchOp>(op))
      lowerFetch(fetch, thread, numThreads);
    else if (auto transpose = dyn_cast<TileTransposeOp>(op))
      lowerTranspose(transpose, thread, numThreads);
    else if (auto box = dyn_cast<TileBoxOp>(op))
      lowerTileBox(box, thread);
    else if (auto init = dyn_cast<InitBarriersOp>(op))
      lowerInitBarriers(init, thread);
    else if (auto commit = dyn_cast<CommitOp>(op))
      lowerCommit(commit, thread);
    else if (auto arrive = dyn_cast<ArriveOp>(op))
      lowerArrive(arrive, thread);
    else if (auto wait = dyn_cast<WaitOp>(op))
      lowerWait(wait);
    else
      return;
    op->erase();
  });
}
