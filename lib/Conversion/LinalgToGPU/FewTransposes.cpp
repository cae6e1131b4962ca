//===- FewTransposes.cpp - Transpositions of few columns in a call --------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What NarrowTransposes.cpp does, for a number of columns that only the call
// knows. A tile has as many rows as a block's threads have elements of a word
// each, so that threads move a column of it at once, or as many elements of its
// rows. It has an odd number of elements a row in shared memory: one lies empty
// behind an even number, so that those of a column are on as many banks as
// there are.
//
//===----------------------------------------------------------------------===//

#include "FewTransposes.h"
#include "TransposeAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/TransposedMatrices.h"

using namespace mlir;
using namespace nm;

/// Threads of a block.
static constexpr int64_t kThreads = 256;
/// Columns are few up to this number: a square tile has a use for more. It is
/// odd, so that no row of a tile takes more than as many elements.
static constexpr int64_t kMostColumns = kTransposeLanes - 1;
/// Words of columns that a thread has under way. The number is a guess.
static constexpr int64_t kWordsAtOnce = 4;
/// Bytes of elements of which a tile takes 32 KB at most.
static constexpr int64_t kMostBytes = 4;
/// Bits of the fraction 1 / c, rounded up, by which a number x is multiplied to
/// be divided by c. The fraction is too large by less than 2^-32, so the
/// product of x < 2^15 is by less than 2^-17, and 1 / c > 2^-5 is what the
/// quotient of x lies below the next whole number at least.
static constexpr int64_t kFractionBits = 32;

int64_t FewMatrices::getTileRows() const { return kThreads * width; }

int64_t FewMatrices::countTileElements() const {
  return getTileRows() * kMostColumns;
}

static Value flatten(ImplicitLocOpBuilder &b, Value memref) {
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  ReassociationIndices all = llvm::to_vector<2>(llvm::seq(rank));
  return memref::CollapseShapeOp::create(
      b, memref, SmallVector<ReassociationIndices>{all});
}

SmallVector<FewMatrices> nm::getFewMatrices(ImplicitLocOpBuilder &b,
                                            const Matrices &of) {
  auto rows = dyn_cast<Value>(of.rows), columns = dyn_cast<Value>(of.columns);
  if (!rows || !columns || getConstantIntValue(rows) ||
      getConstantIntValue(columns) || !isRowMajor(of.source.memref) ||
      !isRowMajor(of.target.memref) ||
      *getTransposedBytes(of.source.getElementType()) > kMostBytes)
    return {};
  Side source = of.source, target = of.target;
  for (Side *side : {&source, &target})
    side->memref = flatten(b, side->memref);
  Value elements = arith::MulIOp::create(b, rows, columns);
  Value areWords = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                         remIndex(b, elements, of.width),
                                         indexConstant(b, 0));
  SmallVector<FewMatrices> all;
  for (bool fromRows : {true, false}) {
    Side inRows = fromRows ? source : target;
    bool areKnown = inRows.areWords && !inRows.areWordsInCall;
    if (!areKnown)
      inRows.areWordsInCall = areWords;
    Value count = fromRows ? columns : rows;
    Value areFew = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, count,
                                         indexConstant(b, kMostColumns));
    all.push_back({inRows, fromRows ? target : source, fromRows, of.matrices,
                   fromRows ? rows : columns, count, areFew, of.width});
  }
  return all;
}

namespace {
/// Builds what a thread does.
class FewBuilder {
public:
  /// `fraction` is that of an even number of columns, and 0 of an odd one.
  FewBuilder(ImplicitLocOpBuilder &b, const FewMatrices &of, Value tiles,
             Value fraction, Value block, Value thread)
      : b(b), of(of), fraction(fraction), thread(thread) {
    auto [ofMatrix, number] = splitTiles(b, block, tiles);
    firstRow = mulIndex(b, ofMatrix, of.getTileRows());
    matrix = number;
    rowsLeft =
        arith::MinUIOp::create(b, arith::SubIOp::create(b, of.length, firstRow),
                               indexConstant(b, of.getTileRows()));
    rowsLeft = narrow(rowsLeft);
    count = narrow(of.count);
    elementsLeft = multiply(rowsLeft, count);
    tile = allocateWorkgroup(b, {of.countTileElements()},
                             of.inRows.getElementType(), /*rowPadding=*/0);
  }

  void build() {
    const Side &source = of.fromRows ? of.inRows : of.inColumns;
    const Side &target = of.fromRows ? of.inColumns : of.inRows;
    forAccesses(source, of.fromRows, [&](ArrayRef<Access> accesses) {
      // All that a thread reads is on the way before it stores any.
      SmallVector<SmallVector<Value>> words;
      for (const Access &access : accesses)
        words.push_back(loadWord(b, source.memref, access.place,
                                 access.inTile.size(), access.inside));
      for (auto [access, word] : llvm::zip_equal(accesses, words))
        for (auto [element, place] : llvm::zip_equal(word, access.inTile))
          storeWord(b, element, tile, place, access.inside);
    });
    gpu::BarrierOp::create(b);
    forAccesses(target, !of.fromRows, [&](ArrayRef<Access> accesses) {
      for (const Access &access : accesses) {
        SmallVector<Value> word;
        for (Value place : access.inTile)
          llvm::append_range(
              word, loadWord(b, tile, place, /*width=*/1, access.inside));
        storeWord(b, word, target.memref, access.place, access.inside);
      }
    });
  }

private:
  /// Elements of a side that follow each other, which a thread moves at once:
  /// where the first one lies, whether there are any, and where each is in the
  /// tile.
  struct Access {
    Value place, inside;
    SmallVector<Value> inTile;
  };

  /// Builds a loop over columns, or as many elements of rows, and what it does
  /// with the accesses of a turn.
  void forAccesses(const Side &side, bool inRows,
                   llvm::function_ref<void(ArrayRef<Access>)> visit) {
    forWidth(b, side, of.width, [&](int64_t width) {
      int64_t pieces = of.width / width, columns = kWordsAtOnce / pieces;
      auto loop = scf::ForOp::create(b, indexConstant(b, 0), of.count,
                                     indexConstant(b, columns));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      SmallVector<Access> accesses;
      for (int64_t column = 0; column < columns; ++column)
        for (int64_t piece = 0; piece < pieces; ++piece) {
          Value own = add(multiply(narrow(thread), constant(width)),
                          constant(piece * kThreads * width));
          Value at = add(narrow(loop.getInductionVar()), constant(column));
          accesses.push_back(inRows ? getInRows(at, own, width)
                                    : getInColumns(at, own, width));
        }
      visit(accesses);
    });
  }

  /// The access to the tile's elements, in rows, from number `own` on behind as
  /// many as `column` columns have.
  Access getInRows(Value column, Value own, int64_t width) {
    Value first = add(multiply(column, constant(of.getTileRows())), own);
    Value row = addIndex(b, multiply(matrix, of.length), firstRow);
    Access access;
    access.place = addIndex(b, multiply(row, of.count), widen(first));
    access.inside = isBelow(first, elementsLeft);
    for (int64_t i = 0; i < width; ++i)
      access.inTile.push_back(getPlace(add(first, constant(i))));
    return access;
  }

  /// The access to a column's elements from row `row` of the tile on.
  Access getInColumns(Value column, Value row, int64_t width) {
    Value ofMatrix = addIndex(b, multiply(matrix, of.count), widen(column));
    Access access;
    access.place = addIndex(b, multiply(ofMatrix, of.length),
                            addIndex(b, firstRow, widen(row)));
    access.inside = andIfSet(b, isBelow(column, count), isBelow(row, rowsLeft));
    for (int64_t i = 0; i < width; ++i)
      access.inTile.push_back(
          getPlace(add(multiply(add(row, constant(i)), count), column)));
    return access;
  }

  /// Where element number `index` of the tile, of less than 2^15, lies.
  Value getPlace(Value index) {
    Value row = arith::MulUIExtendedOp::create(b, index, fraction).getHigh();
    return widen(add(index, row));
  }

  // Numbers in a tile have 32 bits, and those in an array are indices.
  Value narrow(Value index) {
    return arith::IndexCastUIOp::create(b, b.getI32Type(), index);
  }
  Value widen(Value number) {
    return arith::IndexCastUIOp::create(b, b.getIndexType(), number);
  }
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), value);
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value multiply(Value x, Value y) { return arith::MulIOp::create(b, x, y); }
  Value isBelow(Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
  }

  ImplicitLocOpBuilder &b;
  const FewMatrices &of;
  Value fraction, thread, matrix, firstRow, tile;
  Value count, rowsLeft, elementsLeft; // of 32 bits; of the tile
};
} // namespace

/// The fraction of FewBuilder, of 32 bits: of two columns at least it has
/// these.
static Value createFraction(ImplicitLocOpBuilder &b, Value count) {
  Value two = indexConstant(b, 2), zero = indexConstant(b, 0);
  Value fraction = arith::CeilDivUIOp::create(
      b, indexConstant(b, int64_t(1) << kFractionBits),
      arith::MaxUIOp::create(b, count, two));
  Value isEven = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                       remIndex(b, count, 2), zero);
  Value chosen = arith::SelectOp::create(b, isEven, fraction, zero);
  return arith::IndexCastUIOp::create(b, b.getI32Type(), chosen);
}

gpu::LaunchOp nm::createFewLaunch(ImplicitLocOpBuilder &b,
                                  const FewMatrices &of) {
  Value tiles = cast<Value>(countTiles(b, of.length, of.getTileRows()));
  Value fraction = createFraction(b, of.count);
  Value blocks = countBlocks(
      b, getValueOrCreateConstantIndexOp(b, b.getLoc(), of.matrices), tiles);
  OpBuilder::InsertionGuard guard(b);
  gpu::LaunchOp launch = createTransposeLaunch(b, blocks, kThreads, of.width);
  FewBuilder(b, of, tiles, fraction, launch.getBlockIds().x,
             launch.getThreadIds().x)
      .build();
  return launch;
}
