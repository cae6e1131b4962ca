//===- Transposes.cpp - Blocks of A that a thread transposes --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads fetch the chunks of a tile along k first: eight of them read 128
// bytes of a row of m, a whole line, of which each half sector comes to the
// same sector of the staged row.
//
// They take the blocks in turn, neighbours along m first, then along k: as many
// neighbours as store 128 bytes of a row of k together, all banks once. Of the
// staged tile they read rows that follow each other, at the same chunk.
//
//===----------------------------------------------------------------------===//

#include "Transposes.h"
#include "Accesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/IR/TransposeBlocks.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include <numeric>

using namespace mlir;
using namespace nm;

namespace {
/// A number of which a part is constant: so that what a thread does in turn
/// differs by constants.
struct Number {
  Value value(ImplicitLocOpBuilder &b) const { return addIndex(b, base, part); }
  Number div(ImplicitLocOpBuilder &b, int64_t by) const {
    if (part % by == 0)
      return {divIndex(b, base, by), part / by};
    return {divIndex(b, value(b), by), 0};
  }
  Value rem(ImplicitLocOpBuilder &b, int64_t by) const {
    return remIndex(b, part % by == 0 ? base : value(b), by);
  }

  Value base;
  int64_t part;
};

/// A staged tile, of which a row of a block follows those of all blocks of the
/// same number.
struct StagedTile {
  StagedTile(Value staging, int64_t threads) : memref(staging) {
    auto type = cast<MemRefType>(staging.getType());
    blocks = *TransposeBlocks::get(type.getElementType(), type.getDimSize(1),
                                   type.getDimSize(0), threads);
  }

  /// Where the chunk at `k` of row `i` of the blocks of column `column` lies.
  Place getPlace(ImplicitLocOpBuilder &b, Value i, Value column,
                 Value k) const {
    Value row = addIndex(b, mulIndex(b, i, blocks.columns), column);
    return {memref, row, swizzleColumn(b, memref, row, k)};
  }

  Value memref;
  TransposeBlocks blocks;
};
} // namespace

/// Calls `build` with each of `count` numbers that `thread` of `threads` has in
/// turn; in the last turn, only where there is one left.
static void forEachTurn(ImplicitLocOpBuilder &b, Value thread, int64_t threads,
                        int64_t count, function_ref<void(Number)> build) {
  for (int64_t first = 0; first < count; first += threads) {
    Number number{thread, first};
    OpBuilder::InsertionGuard guard(b);
    if (first + threads > count) {
      Value some =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number.value(b),
                                indexConstant(b, count));
      auto guarded = scf::IfOp::create(b, some, /*withElseRegion=*/false);
      b.setInsertionPointToStart(guarded.thenBlock());
    }
    build(number);
  }
}

void nm::lowerFetch(TileFetchOp op, Value thread, int64_t threads) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  StagedTile staged(op.getStaging(), threads);
  const TransposeBlocks &blocks = staged.blocks;
  auto [rows, columns] = blocks.getStagingShape();
  Value source = op.getSource();
  Guard guard{needsGuard(source, 0, rows), needsGuard(source, 1, columns)};
  int64_t extent = blocks.extent;
  bool async = op.getAsync() && maxVectorWidth(source) == extent &&
               extentDivisor(source, 1) % extent == 0;
  int64_t chunksOfRow = columns / extent;
  forEachTurn(b, thread, threads, rows * chunksOfRow, [&](Number chunk) {
    Number m = chunk.div(b, chunksOfRow);
    Value k = mulIndex(b, chunk.rem(b, chunksOfRow), extent);
    Place from = {source, m.value(b), k};
    Place to = staged.getPlace(b, m.rem(b, blocks.height),
                               m.div(b, blocks.height).value(b), k);
    if (async)
      return copyAsync(b, from, to, extent, guard, op.getPredicate());
    Value loaded =
        loadVector(b, source, from.i, from.j, /*dim=*/1, extent, guard);
    storeVector(b, loaded, to.memref, to.i, to.j, Guard());
  });
}

/// Row `j` of a block of which `chunks` are the columns.
static Value createRow(ImplicitLocOpBuilder &b, ArrayRef<Value> chunks,
                       int64_t j) {
  SmallVector<Value> elements;
  for (Value chunk : chunks)
    elements.push_back(vector::ExtractOp::create(b, chunk, j));
  auto chunk = cast<VectorType>(chunks.front().getType());
  auto row =
      VectorType::get({int64_t(elements.size())}, chunk.getElementType());
  return vector::FromElementsOp::create(b, row, elements);
}

void nm::lowerTranspose(TileTransposeOp op, Value thread, int64_t threads) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  StagedTile staged(op.getStaging(), threads);
  const TransposeBlocks &blocks = staged.blocks;
  Value tile = op.getDestination();
  int64_t extent = blocks.extent;
  int64_t neighbours = std::gcd(blocks.columns, 8 * extent / blocks.height);
  forEachTurn(b, thread, threads, blocks.getNumBlocks(), [&](Number block) {
    Number rest = block.div(b, neighbours);
    Value k = mulIndex(b, rest.rem(b, blocks.rows), extent);
    Value group = rest.div(b, blocks.rows).value(b);
    Value column =
        addIndex(b, mulIndex(b, group, neighbours), block.rem(b, neighbours));
    SmallVector<Value> chunks;
    for (int64_t i = 0; i < blocks.height; ++i) {
      Place from = staged.getPlace(b, indexConstant(b, i), column, k);
      chunks.push_back(loadVector(b, from.memref, from.i, from.j, /*dim=*/1,
                                  extent, Guard()));
    }
    Value m = mulIndex(b, column, blocks.height);
    for (int64_t j = 0; j < extent; ++j) {
      Value row = addIndex(b, k, j);
      storeVector(b, createRow(b, chunks, j), tile, row,
                  swizzleColumn(b, tile, row, m), Guard());
    }
  });
}
