//===- UnitTransposes.cpp - Transpositions of short units -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A unit has too few bytes to be moved as a row. A tile of units is square. A
// row of the tile is a piece of a row of the source, and a column is a piece of
// a row of the target. Both have many words, and a thread moves one of them at
// a time. The tile lies in shared memory as it does in the source, and elements
// of a column are taken from it one by one.
//
// A thread moves one word of a row or column, and then the word at that place
// in other rows or columns. Which unit it is in, and where in that, is a
// division by the elements of a unit: a thread divides once for all its words.
//
// A row of the tile takes an odd number of words in shared memory, so that the
// units of a column lie on as many banks as there are.
//
//===----------------------------------------------------------------------===//

#include "UnitTransposes.h"
#include "TilePart.h"
#include "TransposeAccess.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/Extents.h"
#include "nm/Support/TransposedMatrices.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// Threads of a block at most.
static constexpr int64_t kMostThreads = 256;
/// Words of a tile at most: a thread has eight of them under way.
static constexpr int64_t kMostWords = 8 * kMostThreads;

int64_t UnitMatrices::getExtent() const {
  int64_t extent = kTransposeLanes;
  while (extent * extent * unit > kMostWords * width)
    extent /= 2;
  return extent;
}

std::optional<UnitMatrices> nm::getUnitMatrices(ImplicitLocOpBuilder &b,
                                                linalg::TransposeOp op) {
  Value source = op.getInput(), target = op.getInit();
  auto type = dyn_cast<MemRefType>(source.getType());
  std::optional<int64_t> bytes =
      type ? getTransposedBytes(type.getElementType()) : std::nullopt;
  if (!bytes || !isRowMajor(source) || !isRowMajor(target))
    return std::nullopt;
  ArrayRef<int64_t> shape = type.getShape(), order = op.getPermutation();
  auto units = getTransposedUnits(shape, order, *bytes);
  if (!units || llvm::is_contained(shape, 0))
    return std::nullopt;
  UnitMatrices all;
  all.unit = units->elements;
  all.width = getElementsOfWord(*bytes);
  const auto &[matrices, rows, columns] = units->of;
  // Of a grid, along x, which memory bounds where extents are not known.
  auto extents =
      llvm::map_to_vector<4>(llvm::seq(shape.size() - units->unit.size()),
                             [&](size_t dim) { return shape[dim]; });
  int64_t ofTile = all.getExtent() * all.getExtent() / 4;
  if (!ShapedType::isDynamicShape(extents) &&
      !getProduct(extents, INT32_MAX * ofTile))
    return std::nullopt;
  auto join = [](ArrayRef<int64_t> dims, ArrayRef<int64_t> unit) {
    SmallVector<int64_t> joined(dims);
    llvm::append_range(joined, unit);
    return joined;
  };
  auto inTarget = [&](ArrayRef<int64_t> dims) { return toTarget(dims, order); };
  all.source = getSide(b, source, {matrices, rows, join(columns, units->unit)},
                       all.width);
  all.target = getSide(b, target,
                       {inTarget(matrices), inTarget(columns),
                        inTarget(join(rows, units->unit))},
                       all.width);
  auto ofSource = memref::getMixedSizes(b, op.getLoc(), all.source.memref);
  auto ofTarget = memref::getMixedSizes(b, op.getLoc(), all.target.memref);
  all.matrices = matrices.empty() ? b.getIndexAttr(1) : ofSource.front();
  all.rows = ofSource[ofSource.size() - 2];
  all.columns = ofTarget[ofTarget.size() - 2];
  return all;
}

/// Words of a row of a tile, of which as many threads move one each at once.
static int64_t countWords(const UnitMatrices &of) {
  return of.getExtent() * of.unit / of.width;
}

/// Rows that the threads of a block move at once: a power of two.
static int64_t countRowsAtOnce(const UnitMatrices &of) {
  uint64_t most = kMostThreads / countWords(of);
  return std::min<int64_t>(of.getExtent(), llvm::bit_floor(most));
}

namespace {
/// Builds what a thread does.
class UnitBuilder {
public:
  UnitBuilder(ImplicitLocOpBuilder &b, const UnitMatrices &of, Value block,
              Value thread)
      : b(b), of(of), extent(of.getExtent()), words(countWords(of)),
        rowsAtOnce(countRowsAtOnce(of)), word(remIndex(b, thread, words)),
        row(divIndex(b, thread, words)),
        at(locateTile(b, block, of.rows, of.columns, extent, of.hasSeveral())) {
  }

  void build() {
    tile = allocateWorkgroup(b, {of.countTileElements()},
                             of.source.getElementType(),
                             /*rowPadding=*/0);
    forWidth(b, of.source, of.width, [&](int64_t width) {
      fill(getPart(of.source, at.firstRow, at.firstColumn, width), width);
    });
    gpu::BarrierOp::create(b);
    forWidth(b, of.target, of.width, [&](int64_t width) {
      drain(getPart(of.target, at.firstColumn, at.firstRow, width), width);
    });
  }

private:
  /// What the thread has of the tile that begins with row `first` of a side and
  /// unit `firstUnit` of its rows, if it moves `width` elements at once.
  TilePart getPart(const Side &side, Value first, Value firstUnit,
                   int64_t width) {
    auto sizes = memref::getMixedSizes(b, b.getLoc(), side.memref);
    OpFoldResult columns = sizes.pop_back_val(), rows = sizes.pop_back_val();
    return TilePart(b, side.memref,
                    {at.matrix, row, mulIndex(b, word, width), first,
                     mulIndex(b, firstUnit, of.unit)},
                    {rows, extent}, {columns, extent * of.unit});
  }

  /// Visits the accesses of a thread to a row: the number of the first of
  /// `width` elements, behind the thread's own.
  void forPieces(int64_t width, llvm::function_ref<void(int64_t)> visit) {
    for (int64_t first = 0; first < words * of.width; first += words * width)
      visit(first);
  }

  /// Moves rows of the source to the tile.
  void fill(const TilePart &part, int64_t width) {
    // All that a thread reads is on the way before it stores any.
    SmallVector<SmallVector<Value>> read;
    for (int64_t other = 0; other < extent; other += rowsAtOnce)
      forPieces(width, [&](int64_t first) {
        read.push_back(loadWord(b, part.memref, part.getPlace(b, other, first),
                                width, part.isInside(b, other, first)));
      });
    Value own = addIndex(b, mulIndex(b, row, of.getRowElements()),
                         mulIndex(b, word, width));
    ArrayRef<SmallVector<Value>> left = read;
    for (int64_t other = 0; other < extent; other += rowsAtOnce)
      forPieces(width, [&](int64_t first) {
        int64_t behind = other * of.getRowElements() + first;
        storeWord(b, left.consume_front(), tile, addIndex(b, own, behind));
      });
  }

  /// Moves columns of the tile to rows of the target.
  void drain(const TilePart &part, int64_t width) {
    SmallVector<Value> places;
    forPieces(width, [&](int64_t first) {
      for (int64_t i = 0; i < width; ++i)
        places.push_back(
            getPlaceInTile(addIndex(b, mulIndex(b, word, width), first + i)));
    });
    for (int64_t other = 0; other < extent; other += rowsAtOnce) {
      ArrayRef<Value> left = places;
      forPieces(width, [&](int64_t first) {
        SmallVector<Value> elements;
        for (Value place : left.take_front(width))
          llvm::append_range(
              elements, loadWord(b, tile, addIndex(b, place, other * of.unit),
                                 /*width=*/1));
        left = left.drop_front(width);
        storeWord(b, elements, part.memref, part.getPlace(b, other, first),
                  part.isInside(b, other, first));
      });
    }
  }

  /// Where element number `element` of the thread's first column of the tile
  /// lies.
  Value getPlaceInTile(Value element) {
    Value ofRow =
        mulIndex(b, divIndex(b, element, of.unit), of.getRowElements());
    Value ofColumn =
        addIndex(b, mulIndex(b, row, of.unit), remIndex(b, element, of.unit));
    return addIndex(b, ofRow, ofColumn);
  }

  ImplicitLocOpBuilder &b;
  const UnitMatrices &of;
  int64_t extent, words, rowsAtOnce;
  Value word, row; // of a row of a tile, and that row
  TilePlace at;
  Value tile;
};
} // namespace

gpu::LaunchOp nm::createUnitLaunch(ImplicitLocOpBuilder &b,
                                   const UnitMatrices &of) {
  Value blocks =
      countSquareTiles(b, of.matrices, of.rows, of.columns, of.getExtent());
  OpBuilder::InsertionGuard guard(b);
  gpu::LaunchOp launch = createTransposeLaunch(
      b, blocks, countWords(of) * countRowsAtOnce(of), of.width);
  UnitBuilder(b, of, launch.getBlockIds().x, launch.getThreadIds().x).build();
  return launch;
}
