//===- Transposes.cpp - Blocks of A that a thread transposes --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads take the blocks of a tile in turn, neighbours along m first, then
// along k: as many neighbours as store 128 bytes of a row of k together, all
// banks once. Of a warp, the two or four along k read 32 or 64 bytes of a row
// of m, whole sectors.
//
//===----------------------------------------------------------------------===//

#include "Transposes.h"
#include "Accesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/IR/TransposeBlocks.h"
#include <numeric>

using namespace mlir;
using namespace nm;

namespace {
/// The blocks of one thread.
class ThreadBlocks {
public:
  ThreadBlocks(Value staging, int64_t rows, int64_t columns, Value thread)
      : staging(staging), thread(thread) {
    auto type = cast<MemRefType>(staging.getType());
    Type element = type.getElementType();
    int64_t threads = type.getDimSize(1) / *TransposeBlocks::getExtent(element);
    blocks = *TransposeBlocks::get(element, rows, columns, threads);
    neighbours = std::gcd(blocks.columns, 8 * blocks.extent / blocks.height);
  }

  int64_t getExtent() const { return blocks.extent; }
  int64_t getHeight() const { return blocks.height; }

  /// Calls `build` for each block, with its turn; the threads that have none in
  /// the last turn do nothing.
  void forEach(ImplicitLocOpBuilder &b,
               function_ref<void(int64_t turn, Value block)> build) {
    for (int64_t turn = 0; turn < blocks.getTurns(); ++turn) {
      Value block = addIndex(b, thread, turn * blocks.threads);
      OpBuilder::InsertionGuard guard(b);
      if ((turn + 1) * blocks.threads > blocks.getNumBlocks()) {
        Value some =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ult, block,
                                  indexConstant(b, blocks.getNumBlocks()));
        auto guarded = scf::IfOp::create(b, some, /*withElseRegion=*/false);
        b.setInsertionPointToStart(guarded.thenBlock());
      }
      build(turn, block);
    }
  }

  /// The first row of k and the first of m of a block.
  std::pair<Value, Value> getPlace(ImplicitLocOpBuilder &b, Value block) {
    Value neighbour = remIndex(b, block, neighbours);
    Value rest = divIndex(b, block, neighbours);
    Value row = remIndex(b, rest, blocks.rows);
    Value group = mulIndex(b, divIndex(b, rest, blocks.rows), neighbours);
    return {mulIndex(b, row, blocks.extent),
            mulIndex(b, addIndex(b, group, neighbour), blocks.height)};
  }

  /// Where chunk `i` of the block of a turn is staged.
  Place getStaged(ImplicitLocOpBuilder &b, int64_t turn, int64_t i) {
    return {staging, indexConstant(b, turn * blocks.height + i),
            mulIndex(b, thread, blocks.extent)};
  }

private:
  Value staging, thread;
  TransposeBlocks blocks;
  int64_t neighbours;
};

/// Fetches the blocks of one thread.
class FetchLowering {
public:
  FetchLowering(TileFetchOp op, Value thread)
      : op(op),
        blocks(op.getStaging(), op.getTile()[0], op.getTile()[1], thread),
        b(op.getLoc(), op), source(op.getSource()) {
    guard = {needsGuard(source, 0, op.getTile()[1]),
             needsGuard(source, 1, op.getTile()[0])};
    int64_t extent = blocks.getExtent();
    async = op.getAsync() && maxVectorWidth(source) == extent &&
            extentDivisor(source, 1) % extent == 0;
  }

  void lower() {
    blocks.forEach(b, [&](int64_t turn, Value block) {
      auto [k, m] = blocks.getPlace(b, block);
      for (int64_t i = 0; i < blocks.getHeight(); ++i)
        copyChunk({source, addIndex(b, m, i), k}, blocks.getStaged(b, turn, i));
    });
  }

private:
  void copyChunk(Place from, Place to) {
    if (async)
      return copyAsync(b, from, to, blocks.getExtent(), guard,
                       op.getPredicate());
    Value chunk = loadVector(b, from.memref, from.i, from.j, /*dim=*/1,
                             blocks.getExtent(), guard);
    storeVector(b, chunk, to.memref, to.i, to.j, Guard());
  }

  TileFetchOp op;
  ThreadBlocks blocks;
  ImplicitLocOpBuilder b;
  Value source;
  Guard guard;
  bool async;
};
} // namespace

void nm::lowerFetch(TileFetchOp op, Value thread) {
  FetchLowering(op, thread).lower();
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

void nm::lowerTranspose(TileTransposeOp op, Value thread) {
  Value tile = op.getDestination();
  auto type = cast<MemRefType>(tile.getType());
  ThreadBlocks blocks(op.getStaging(), type.getDimSize(0), type.getDimSize(1),
                      thread);
  int64_t extent = blocks.getExtent();
  ImplicitLocOpBuilder b(op.getLoc(), op);
  blocks.forEach(b, [&](int64_t turn, Value block) {
    auto [k, m] = blocks.getPlace(b, block);
    SmallVector<Value> chunks;
    for (int64_t i = 0; i < blocks.getHeight(); ++i) {
      Place staged = blocks.getStaged(b, turn, i);
      chunks.push_back(loadVector(b, staged.memref, staged.i, staged.j,
                                  /*dim=*/1, extent, Guard()));
    }
    for (int64_t j = 0; j < extent; ++j)
      storeVector(b, createRow(b, chunks, j), tile, addIndex(b, k, j), m,
                  Guard());
  });
}
