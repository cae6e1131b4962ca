//===- NarrowTransposes.cpp - Transpositions of few rows or columns -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of few columns lie as one in memory: a tile of them is read, or written,
// as one row of many words. Each of its columns is a row of the other side, of
// which whole lines are written, or read, as well. The tile lies in shared
// memory as in memory, by rows, and elements of a column are taken from it, or
// put in it, one by one.
//
//===----------------------------------------------------------------------===//

#include "NarrowTransposes.h"
#include "TransposeAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/Extents.h"
#include "nm/Support/TransposedMatrices.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace nm;

/// Threads of a block.
static constexpr int64_t kThreads = 256;
/// Words of a tile at most: a thread has eight of them under way.
static constexpr int64_t kMostWords = 8 * kThreads;

/// Elements of a tile that follow each other, behind which a word lies empty. A
/// warp moves words of a column that are `count` words apart, and reach the
/// bank of the first one where their distance is a multiple of 32 words: there,
/// a word puts the next ones on other banks.
static int64_t getRun(const NarrowMatrices &of) {
  return std::lcm(of.count, kTransposeLanes) * of.width;
}

int64_t NarrowMatrices::getTileRows() const {
  return llvm::bit_floor(uint64_t(kMostWords * width / count));
}

int64_t NarrowMatrices::countTileElements() const {
  return getTileElements() + getTileElements() / getRun(*this) * width;
}

/// The product of the extents of `dims`.
static OpFoldResult multiply(ImplicitLocOpBuilder &b, Value buffer,
                             ArrayRef<int64_t> dims) {
  auto shape = cast<MemRefType>(buffer.getType()).getShape();
  auto extents =
      llvm::map_to_vector<4>(dims, [&](int64_t i) { return shape[i]; });
  if (auto known = getProduct(extents))
    return b.getIndexAttr(*known);
  Value product = dimOf(b, buffer, dims.front());
  for (int64_t dim : dims.drop_front())
    product = arith::MulIOp::create(b, product, dimOf(b, buffer, dim));
  return product;
}

/// The side that `buffer` is, of which `count` times as many elements as
/// `length` are matrices or their rows.
static Side getFlatSide(ImplicitLocOpBuilder &b, Value buffer,
                        OpFoldResult length, int64_t count, int64_t inWord) {
  int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  ReassociationIndices all = llvm::to_vector<2>(llvm::seq(rank));
  Side side = {memref::CollapseShapeOp::create(
                   b, buffer, SmallVector<ReassociationIndices>{all}),
               true, Value()};
  if (count % inWord == 0)
    return side;
  if (std::optional<int64_t> known = getConstantIntValue(length)) {
    side.areWords = *known * count % inWord == 0;
    return side;
  }
  Value elements = mulIndex(b, cast<Value>(length), count);
  side.areWords = false;
  side.areWordsInCall =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                            remIndex(b, elements, inWord), indexConstant(b, 0));
  return side;
}

std::optional<NarrowMatrices> nm::getNarrowMatrices(ImplicitLocOpBuilder &b,
                                                    linalg::TransposeOp op) {
  Value source = op.getInput();
  auto type = dyn_cast<MemRefType>(source.getType());
  std::optional<int64_t> bytes =
      type ? getTransposedBytes(type.getElementType()) : std::nullopt;
  if (!bytes || !isRowMajor(source) || !isRowMajor(op.getInit()))
    return std::nullopt;
  auto of = getTransposedDims(type.getShape(), op.getPermutation());
  if (!of)
    return std::nullopt;
  auto count = [&](ArrayRef<int64_t> dims) {
    return getProduct(llvm::map_to_vector<4>(
        dims, [&](int64_t dim) { return type.getDimSize(dim); }));
  };
  auto isNarrow = [&](ArrayRef<int64_t> dims) {
    auto extent = count(dims);
    return extent && *extent > 0 && *extent < kTransposeLanes;
  };
  if (isNarrow(of->rows) == isNarrow(of->columns) || count(of->rows) == 0 ||
      count(of->columns) == 0 || count(of->matrices) == 0)
    return std::nullopt;
  NarrowMatrices narrow;
  narrow.fromRows = isNarrow(of->columns);
  ArrayRef<int64_t> few = narrow.fromRows ? of->columns : of->rows;
  ArrayRef<int64_t> many = narrow.fromRows ? of->rows : of->columns;
  narrow.count = *count(few);
  narrow.width = getElementsOfWord(*bytes);
  // Of a grid, along x, which memory bounds where extents are not known.
  auto matrices = count(of->matrices), length = count(many);
  if (matrices && length &&
      !getProduct(
          {*matrices, int64_t(llvm::divideCeil(*length, narrow.getTileRows()))},
          INT32_MAX))
    return std::nullopt;
  narrow.matrices = multiply(b, source, of->matrices);
  narrow.length = multiply(b, source, many);
  Side from = getFlatSide(b, source, narrow.length,
                          narrow.fromRows ? narrow.count : 1, narrow.width);
  Side to = getFlatSide(b, op.getInit(), narrow.length,
                        narrow.fromRows ? 1 : narrow.count, narrow.width);
  narrow.inRows = narrow.fromRows ? from : to;
  narrow.inColumns = narrow.fromRows ? to : from;
  return narrow;
}

namespace {
/// Builds what a thread does.
class NarrowBuilder {
public:
  NarrowBuilder(ImplicitLocOpBuilder &b, const NarrowMatrices &of,
                OpFoldResult tiles, Value block, Value thread)
      : b(b), of(of), thread(thread) {
    auto [ofMatrix, number] = splitTiles(b, block, tiles);
    firstRow = mulIndex(b, ofMatrix, of.getTileRows());
    matrix = number;
    tile = allocateWorkgroup(b, {of.countTileElements()},
                             of.inRows.getElementType(),
                             /*rowPadding=*/0);
  }

  void build() {
    const Side &source = of.fromRows ? of.inRows : of.inColumns;
    const Side &target = of.fromRows ? of.inColumns : of.inRows;
    forWidth(b, source, of.width, [&](int64_t width) {
      SmallVector<Access> accesses = collect(of.fromRows, width);
      // All that a thread reads is on the way before it stores any.
      SmallVector<SmallVector<Value>> words;
      for (const Access &access : accesses)
        words.push_back(
            loadWord(b, source.memref, access.place, width, access.inside));
      for (auto [access, word] : llvm::zip_equal(accesses, words))
        putInTile(access, word);
    });
    gpu::BarrierOp::create(b);
    forWidth(b, target, of.width, [&](int64_t width) {
      for (const Access &access : collect(!of.fromRows, width))
        storeWord(b, takeFromTile(access, width), target.memref, access.place,
                  access.inside);
    });
  }

private:
  /// Elements of a side that follow each other, which a thread moves at once.
  struct Access {
    Value place;    // of the first one in the side
    Value inside;   // whether the side has them; null where it has
    Value inTile;   // the number of the first one in the tile
    Value isOfTile; // whether the tile has them; null where it has
    int64_t apart;  // how far the next one is in the tile
  };

  /// The accesses of a thread, of `width` elements each, to one of both sides.
  SmallVector<Access> collect(bool inRows, int64_t width) {
    int64_t all = of.getTileElements();
    SmallVector<Access> accesses;
    for (int64_t first = 0; first < all; first += kThreads * width)
      accesses.push_back(inRows ? getInRows(first, width)
                                : getInColumns(first, width));
    return accesses;
  }

  /// The access to the tile's elements from number `first` on, in rows.
  Access getInRows(int64_t first, int64_t width) {
    Value length = getLength();
    Value row = addIndex(b, arith::MulIOp::create(b, matrix, length), firstRow);
    Value own = mulIndex(b, thread, width), start = mulIndex(b, row, of.count);
    Access access;
    access.inTile = addIndex(b, own, first);
    access.apart = 1;
    access.place = addIndex(b, addIndex(b, start, own), first);
    if (int64_t all = of.getTileElements(); first + kThreads * width > all)
      access.isOfTile = isBelow(b, access.inTile, indexConstant(b, all));
    access.inside = access.isOfTile;
    if (Value rows = countRowsLeft(/*inTile=*/indexConstant(b, 0)))
      access.inside =
          isLeft(b,
                 arith::SubIOp::create(
                     b, arith::MulIOp::create(b, rows, constant(of.count)),
                     arith::IndexCastOp::create(b, b.getI32Type(), own)),
                 first);
    return access;
  }

  /// The access to as many elements from number `first` on, in columns.
  Access getInColumns(int64_t first, int64_t width) {
    // Threads have elements of one column, or of several.
    int64_t rows = of.getTileRows(), atOnce = kThreads * width;
    Value own = mulIndex(b, thread, width), row, column;
    if (atOnce <= rows) {
      row = addIndex(b, own, first % rows);
      column = indexConstant(b, first / rows);
    } else {
      row = remIndex(b, own, rows);
      column = addIndex(b, divIndex(b, own, rows), first / rows);
    }
    Value length = getLength();
    Value ofMatrix = addIndex(b, mulIndex(b, matrix, of.count), column);
    Access access;
    access.inTile = addIndex(b, mulIndex(b, row, of.count), column);
    access.apart = of.count;
    access.place = addIndex(b, arith::MulIOp::create(b, ofMatrix, length),
                            addIndex(b, firstRow, row));
    if (first + atOnce > of.getTileElements())
      access.isOfTile = isBelow(b, column, indexConstant(b, of.count));
    access.inside =
        andIfSet(b, access.isOfTile, isLeft(b, countRowsLeft(row), 0));
    return access;
  }

  Value countRowsLeft(Value inTile) {
    return countLeft(b, of.length, firstRow, inTile, of.getTileRows());
  }
  Value getLength() {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), of.length);
  }
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), value);
  }

  /// Where element number `index` of the tile lies in shared memory.
  Value getPlace(Value index) {
    Value run = divIndex(b, index, getRun(of));
    return addIndex(b, index, mulIndex(b, run, of.width));
  }

  void putInTile(const Access &access, ArrayRef<Value> word) {
    if (access.apart == 1)
      return storeWord(b, word, tile, getPlace(access.inTile), access.isOfTile);
    for (auto [i, element] : llvm::enumerate(word))
      storeWord(b, element, tile,
                getPlace(addIndex(b, access.inTile, i * access.apart)),
                access.isOfTile);
  }

  SmallVector<Value> takeFromTile(const Access &access, int64_t width) {
    if (access.apart == 1)
      return loadWord(b, tile, getPlace(access.inTile), width, access.isOfTile);
    SmallVector<Value> word;
    for (int64_t i = 0; i < width; ++i)
      llvm::append_range(
          word, loadWord(b, tile,
                         getPlace(addIndex(b, access.inTile, i * access.apart)),
                         /*width=*/1, access.isOfTile));
    return word;
  }

  ImplicitLocOpBuilder &b;
  const NarrowMatrices &of;
  Value thread, matrix, firstRow, tile;
};
} // namespace

gpu::LaunchOp nm::createNarrowLaunch(ImplicitLocOpBuilder &b,
                                     const NarrowMatrices &of) {
  OpFoldResult tiles = countTiles(b, of.length, of.getTileRows());
  Value blocks = countBlocks(
      b, getValueOrCreateConstantIndexOp(b, b.getLoc(), of.matrices), tiles);
  OpBuilder::InsertionGuard guard(b);
  gpu::LaunchOp launch = createTransposeLaunch(b, blocks, kThreads, of.width);
  NarrowBuilder(b, of, tiles, launch.getBlockIds().x, launch.getThreadIds().x)
      .build();
  return launch;
}
