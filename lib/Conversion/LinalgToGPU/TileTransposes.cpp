//===- TileTransposes.cpp - Transpositions through shared memory ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp reads 128 bytes of a row of the source at once, and writes 128 bytes
// of a row of the target: 32 lanes with a word each, of several elements where
// those are smaller. A lane reads as many rows as a word has elements, and
// transposes what it has of them in its registers, so that words lie in shared
// memory, too: those of a square tile of the target.
//
// Where rows are no whole words, or are only in some calls, a lane moves as
// many elements as a word has one by one: 32 elements that follow each other
// are a warp's at once.
//
// Of a word's elements, lane l has columns that follow each other, each of
// which is a row of the tile. Rows of 33 words, and a word more after each 32
// rows, put what the lanes of a warp store at once on 32 banks, as 33 l does
// where a word is an element.
//
//===----------------------------------------------------------------------===//

#include "FewTransposes.h"
#include "NarrowTransposes.h"
#include "TilePart.h"
#include "TransposeAccess.h"
#include "UnitTransposes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Conversion/LinalgToGPU/Passes.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/Remarks.h"
#include "nm/Support/TransposedMatrices.h"

namespace nm {
#define GEN_PASS_DEF_NMTILETRANSPOSESPASS
#include "nm/Conversion/LinalgToGPU/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

static constexpr int64_t kLanes = kTransposeLanes;
/// Warps of a block: its 256 threads have four words each of a tile of words of
/// one element.
static constexpr int64_t kWarps = 8;

namespace {
/// Builds what a thread does.
class TransposeBuilder {
public:
  TransposeBuilder(ImplicitLocOpBuilder &b, const Matrices &of, Value block,
                   Value thread)
      : b(b), of(of), lane(remIndex(b, thread, kLanes)),
        warp(divIndex(b, thread, kLanes)),
        at(locateTile(b, block, of.rows, of.columns, of.extent,
                      of.hasSeveral())) {}

  void build() {
    tile = allocateWorkgroup(b, {of.countTileElements()},
                             of.source.getElementType(),
                             /*rowPadding=*/0);
    forWidth(b, of.source, of.width, [&](int64_t width) {
      TilePart source(b, of.source.memref,
                      {at.matrix, mulIndex(b, warp, of.width),
                       mulIndex(b, lane, width), at.firstRow, at.firstColumn},
                      {of.rows, of.extent}, {of.columns, of.extent});
      fill(source, width);
    });
    gpu::BarrierOp::create(b);
    forWidth(b, of.target, of.width, [&](int64_t width) {
      TilePart target(b, of.target.memref,
                      {at.matrix, warp, mulIndex(b, lane, width),
                       at.firstColumn, at.firstRow},
                      {of.columns, of.extent}, {of.rows, of.extent});
      for (int64_t row = 0; row < of.extent; row += kWarps)
        storeRow(target, row, width);
    });
  }

private:
  /// Moves words of the source to the tile, in each of whose rows they are
  /// those of a column.
  void fill(const TilePart &part, int64_t width) {
    // All that a thread reads is on the way before it stores any.
    SmallVector<SmallVector<Value>> read;
    for (int64_t word = 0; word < kLanes; word += kWarps)
      for (int64_t row = 0; row < of.width; ++row)
        read.push_back(load(part, word * of.width + row, width));
    ArrayRef<SmallVector<Value>> rows = read;
    for (int64_t word = 0; word < kLanes; word += kWarps) {
      putWords(rows.take_front(of.width), word, width);
      rows = rows.drop_front(of.width);
    }
  }

  /// As many elements as a word has in the row that is `row` behind the lane's
  /// first one, by loads of `width`: those of the warp follow each other.
  SmallVector<Value> load(const TilePart &part, int64_t row, int64_t width) {
    SmallVector<Value> elements;
    for (int64_t offset = 0; offset < of.extent; offset += kLanes * width) {
      Value place = part.getPlace(b, row, offset);
      llvm::append_range(elements, loadWord(b, part.memref, place, width,
                                            part.isInside(b, row, offset)));
    }
    return elements;
  }

  /// Stores the columns of `rows`, which the lane has, as words of the tile:
  /// those that are `word` behind the warp's number in its rows. They were read
  /// by loads of `width`.
  void putWords(ArrayRef<SmallVector<Value>> rows, int64_t word,
                int64_t width) {
    // The lane's columns begin in row lane * width of the tile.
    Value first = mulIndex(b, lane, of.getRowOfTile(width));
    if (width > 1)
      first = addIndex(
          b, first, mulIndex(b, divIndex(b, lane, kLanes / width), of.width));
    first = addIndex(b, first, mulIndex(b, warp, of.width));
    for (int64_t i = 0; i < of.width; ++i) {
      SmallVector<Value> elements;
      for (ArrayRef<Value> row : rows)
        elements.push_back(row[i]);
      int64_t column = i / width * kLanes * width + i % width;
      int64_t offset = of.getRowOfTile(column) + word * of.width;
      storeWord(b, elements, tile, addIndex(b, first, offset));
    }
  }

  /// Stores the row of the tile that is `row` behind the warp's number, by
  /// stores of `width`, of which those of the warp follow each other: parts of
  /// sectors would be written several times.
  void storeRow(const TilePart &part, int64_t row, int64_t width) {
    // `row` is a multiple of kWarps: warp + row lies in the same 32 rows.
    Value ofWarp = addIndex(b, mulIndex(b, warp, of.getRowOfTile(1)),
                            mulIndex(b, lane, width));
    Value inTile = addIndex(b, ofWarp, of.getRowOfTile(row));
    for (int64_t offset = 0; offset < of.extent; offset += kLanes * width) {
      SmallVector<Value> elements =
          loadWord(b, tile, addIndex(b, inTile, offset), width);
      storeWord(b, elements, part.memref, part.getPlace(b, row, offset),
                part.isInside(b, row, offset));
    }
  }

  ImplicitLocOpBuilder &b;
  const Matrices &of;
  Value lane, warp;
  TilePlace at;
  Value tile;
};
} // namespace

static gpu::LaunchOp createLaunch(ImplicitLocOpBuilder &b, const Matrices &of) {
  Value blocks =
      countSquareTiles(b, of.matrices, of.rows, of.columns, of.extent);
  OpBuilder::InsertionGuard guard(b);
  gpu::LaunchOp launch =
      createTransposeLaunch(b, blocks, kLanes * kWarps, of.width);
  TransposeBuilder(b, of, launch.getBlockIds().x, launch.getThreadIds().x)
      .build();
  return launch;
}

/// Names `launch`, and says what a tile of `elements` elements takes.
static void finish(gpu::LaunchOp launch, int64_t elements,
                   linalg::TransposeOp op, KernelNames &names) {
  names.assign(launch, "transpose");
  Type element = getElementTypeOrSelf(op.getInput().getType());
  emitRemark(op, RemarkId::TransposeTiled)
      << remarkKey(RemarkKey::Bytes, elements * *getTransposedBytes(element));
}

/// Transposes by square tiles, or by others where the call has few rows or
/// columns.
static void transpose(ImplicitLocOpBuilder &b, const Matrices &of,
                      linalg::TransposeOp op, KernelNames &names) {
  OpBuilder::InsertionGuard guard(b);
  for (const FewMatrices &few : getFewMatrices(b, of)) {
    auto choice = scf::IfOp::create(b, few.areFew, /*withElseRegion=*/true);
    b.setInsertionPointToStart(choice.thenBlock());
    finish(createFewLaunch(b, few), few.countTileElements(), op, names);
    b.setInsertionPointToStart(choice.elseBlock());
  }
  finish(createLaunch(b, of), of.countTileElements(), op, names);
}

namespace {
struct TileTransposes : nm::impl::NMTileTransposesPassBase<TileTransposes> {
  void runOnOperation() override {
    SmallVector<linalg::TransposeOp> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What is already a kernel is its author's business.
      if (isa<gpu::LaunchOp, gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
        ops.push_back(transpose);
      return WalkResult::advance();
    });
    KernelNames names(getOperation());
    for (linalg::TransposeOp op : ops) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      if (std::optional<Matrices> matrices = getMatrices(b, op))
        transpose(b, *matrices, op, names);
      else if (auto narrow = getNarrowMatrices(b, op))
        finish(createNarrowLaunch(b, *narrow), narrow->countTileElements(), op,
               names);
      else if (auto units = getUnitMatrices(b, op))
        finish(createUnitLaunch(b, *units), units->countTileElements(), op,
               names);
      else
        continue;
      op.erase();
    }
  }
};
} // namespace
