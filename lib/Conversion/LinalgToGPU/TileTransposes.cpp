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
// Of a word's elements, lane l has columns that follow each other, each of
// which is a row of the tile. Rows of 33 words, and a word more after each 32
// rows, put what the lanes of a warp store at once on 32 banks, as 33 l does
// where a word is an element. (Where rows are no whole words, a lane moves one
// element, and some lanes share a bank.)
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Conversion/LinalgToGPU/Passes.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/Extents.h"
#include "nm/Support/Remarks.h"
#include "nm/Support/TransposedMatrices.h"

namespace nm {
#define GEN_PASS_DEF_NMTILETRANSPOSESPASS
#include "nm/Conversion/LinalgToGPU/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

static constexpr int64_t kLanes = 32, kWarps = 8;
static constexpr int64_t kWordBytes = 4;

/// Bytes of a number of `type`; nothing for others, and where those are not as
/// many as a load has.
static std::optional<int64_t> getBytes(Type type) {
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  if (bits < 8 || bits > 64 || !llvm::isPowerOf2_32(bits))
    return std::nullopt;
  return bits / 8;
}

namespace {
/// What is transposed, and how.
struct Matrices {
  // [matrices, rows, columns], and columns before rows; one matrix is a matrix.
  Value source, target;
  int64_t matrices;
  OpFoldResult rows, columns;
  int64_t width;  // elements that a lane moves at once
  int64_t extent; // of a tile, either way

  Type getElementType() const {
    return cast<MemRefType>(source.getType()).getElementType();
  }
  /// The first element of row `row` of the tile.
  int64_t getRowOfTile(int64_t row) const {
    return (row * (kLanes + 1) + row / kLanes) * width;
  }
  int64_t countTileElements() const {
    return getRowOfTile(extent - 1) + extent;
  }
  /// Tiles along `size`, which is `rows` or `columns`.
  OpFoldResult getTiles(ImplicitLocOpBuilder &b, OpFoldResult size) const {
    if (std::optional<int64_t> known = getConstantIntValue(size))
      return b.getIndexAttr(llvm::divideCeil(*known, extent));
    return arith::CeilDivUIOp::create(b, cast<Value>(size),
                                      indexConstant(b, extent))
        .getResult();
  }
};
} // namespace

static bool isRowMajor(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && type.hasStaticShape() && type.getLayout().isIdentity();
}

/// `buffer`, which is row-major, in another shape.
static Value reshape(OpBuilder &b, Location loc, Value buffer,
                     ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getShape() == shape)
    return buffer;
  auto makeGroup = [](int64_t rank) {
    return SmallVector<ReassociationIndices>{
        llvm::to_vector<2>(llvm::seq(rank))};
  };
  if (type.getRank() > 1)
    buffer = memref::CollapseShapeOp::create(b, loc, buffer,
                                             makeGroup(type.getRank()));
  return memref::ExpandShapeOp::create(b, loc, shape, buffer,
                                       makeGroup(shape.size()));
}

/// What `op`, whose extents are known, transposes, if tiles are of use to it
/// and cover it.
static std::optional<Matrices>
getStaticMatrices(OpBuilder &b, linalg::TransposeOp op, int64_t inWord) {
  Value source = op.getInput(), target = op.getInit();
  auto type = cast<MemRefType>(source.getType());
  auto of = getTransposedMatrices(type.getShape(), op.getPermutation());
  // Of narrow matrices a tile would be empty for the most part.
  if (!of || of->matrices == 0 || of->rows < kLanes || of->columns < kLanes)
    return std::nullopt;
  int64_t width =
      of->rows % inWord == 0 && of->columns % inWord == 0 ? inWord : 1;
  Matrices found = {source,
                    target,
                    of->matrices,
                    b.getIndexAttr(of->rows),
                    b.getIndexAttr(of->columns),
                    width,
                    kLanes * width};
  // Of a grid, along x.
  auto countTiles = [&](int64_t size) {
    return int64_t(llvm::divideCeil(size, found.extent));
  };
  if (!getProduct({of->matrices, countTiles(of->rows), countTiles(of->columns)},
                  INT32_MAX))
    return std::nullopt;
  SmallVector<int64_t> from, to;
  if (of->matrices != 1)
    from = to = {of->matrices};
  from.append({of->rows, of->columns});
  to.append({of->columns, of->rows});
  found.source = reshape(b, op.getLoc(), source, from);
  found.target = reshape(b, op.getLoc(), target, to);
  return found;
}

/// What `op` transposes, if it is a matrix whose rows have no gaps between
/// their elements: of any number of rows, or of columns. A grid of them passes
/// 2^31 blocks where no memory has them.
static std::optional<Matrices> getMatrix(OpBuilder &b, linalg::TransposeOp op,
                                         int64_t inWord) {
  Value source = op.getInput(), target = op.getInit();
  auto isNarrow = [](int64_t extent) {
    return !ShapedType::isDynamic(extent) && extent < kLanes;
  };
  for (Value matrix : {source, target}) {
    auto type = dyn_cast<MemRefType>(matrix.getType());
    if (!type || type.getRank() != 2 || !type.isStrided() ||
        type.getStridesAndOffset().first.back() != 1 ||
        llvm::any_of(type.getShape(), isNarrow))
      return std::nullopt;
  }
  if (op.getPermutation()[0] != 1)
    return std::nullopt;
  auto movesWords = [&](Value matrix) {
    return maxVectorWidth(matrix) % inWord == 0 &&
           paddedDivisor(matrix, 1) % inWord == 0;
  };
  int64_t width = movesWords(source) && movesWords(target) ? inWord : 1;
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(b, op.getLoc(), source);
  return Matrices{source, target, 1, sizes[0], sizes[1], width, kLanes * width};
}

static std::optional<Matrices> getMatrices(OpBuilder &b,
                                           linalg::TransposeOp op) {
  auto type = cast<ShapedType>(op.getInput().getType());
  std::optional<int64_t> bytes = getBytes(type.getElementType());
  if (!bytes)
    return std::nullopt;
  int64_t inWord = std::max<int64_t>(1, kWordBytes / *bytes);
  return isRowMajor(op.getInput()) && isRowMajor(op.getInit())
             ? getStaticMatrices(b, op, inWord)
             : getMatrix(b, op, inWord);
}

namespace {
/// Builds what a thread does.
class TransposeBuilder {
public:
  TransposeBuilder(ImplicitLocOpBuilder &b, const Matrices &of, Value block,
                   Value thread)
      : b(b), of(of), lane(remIndex(b, thread, kLanes)),
        warp(divIndex(b, thread, kLanes)) {
    auto [column, rest] = split(block, of.getTiles(b, of.columns));
    firstColumn = mulIndex(b, column, of.extent);
    if (of.matrices == 1) {
      firstRow = mulIndex(b, rest, of.extent);
      return;
    }
    auto [row, ofMatrix] = split(rest, of.getTiles(b, of.rows));
    firstRow = mulIndex(b, row, of.extent);
    matrix = ofMatrix;
  }

  void build() {
    tile = allocateWorkgroup(b, {of.countTileElements()}, of.getElementType(),
                             /*rowPadding=*/0);
    fill();
    gpu::BarrierOp::create(b);
    for (int64_t row = 0; row < of.extent; row += kWarps)
      storeRow(row);
  }

private:
  /// Moves words of the source to the tile, in each of whose rows they are
  /// those of a column.
  void fill() {
    // All that a thread reads is on the way before it stores any.
    SmallVector<Value> read;
    for (int64_t word = 0; word < kLanes; word += kWarps)
      for (int64_t row = 0; row < of.width; ++row)
        read.push_back(load(word * of.width + row));
    ArrayRef<Value> rows = read;
    for (int64_t word = 0; word < kLanes; word += kWarps) {
      putWords(rows.take_front(of.width), word);
      rows = rows.drop_front(of.width);
    }
  }

  /// The remainder and the quotient of `index` and `count`.
  std::pair<Value, Value> split(Value index, OpFoldResult count) {
    if (std::optional<int64_t> known = getConstantIntValue(count))
      return {remIndex(b, index, *known), divIndex(b, index, *known)};
    auto divisor = cast<Value>(count);
    return {arith::RemUIOp::create(b, index, divisor),
            arith::DivUIOp::create(b, index, divisor)};
  }

  VectorType getVectorType() const {
    return VectorType::get({of.width}, of.getElementType());
  }
  llvm::MaybeAlign getAlignment() const {
    return llvm::Align(of.width * *getBytes(of.getElementType()));
  }

  /// The place of row `i` and column `j` of a matrix.
  SmallVector<Value> getPlace(Value i, Value j) const {
    if (matrix)
      return {matrix, i, j};
    return {i, j};
  }

  /// Whether `index` is below `extent`; null where tiles are whole along it.
  Value isBelow(Value index, OpFoldResult extent) {
    std::optional<int64_t> known = getConstantIntValue(extent);
    if (known && *known % of.extent == 0)
      return {};
    return nm::isBelow(b, index,
                       getValueOrCreateConstantIndexOp(b, b.getLoc(), extent));
  }

  /// Whether row `row` and column `column` of the source exist; null where all
  /// do. The elements of a vector do or do not, or there is room for them.
  Value isInside(Value row, Value column) {
    return andIfSet(b, isBelow(row, of.rows), isBelow(column, of.columns));
  }

  /// What the lane has of the row that is `row` behind its warp's first one.
  /// The constant is added last, so that rows differ by a multiple of their
  /// stride.
  Value load(int64_t row) {
    Value first = addIndex(b, firstRow, mulIndex(b, warp, of.width));
    Value i = addIndex(b, first, row);
    Value j = addIndex(b, firstColumn, mulIndex(b, lane, of.width));
    auto build = [&]() -> Value {
      return vector::LoadOp::create(b, getVectorType(), of.source,
                                    getPlace(i, j), /*nontemporal=*/false,
                                    getAlignment());
    };
    Value inside = isInside(i, j);
    if (!inside)
      return build();
    auto choice = scf::IfOp::create(b, getVectorType(), inside,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    scf::YieldOp::create(b, build());
    b.setInsertionPointToStart(choice.elseBlock());
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(getVectorType()));
    scf::YieldOp::create(b, zero);
    return choice.getResult(0);
  }

  /// Stores the columns of `rows`, which the lane has, as words of the tile:
  /// those that are `word` behind the warp's number in its rows.
  void putWords(ArrayRef<Value> rows, int64_t word) {
    // The lane's columns begin in row lane * width of the tile.
    Value first = mulIndex(b, lane, of.getRowOfTile(of.width));
    if (of.width > 1)
      first =
          addIndex(b, first,
                   mulIndex(b, divIndex(b, lane, kLanes / of.width), of.width));
    first = addIndex(b, first, mulIndex(b, warp, of.width));
    for (int64_t column = 0; column < of.width; ++column) {
      SmallVector<Value> elements;
      for (Value row : rows)
        elements.push_back(vector::ExtractOp::create(b, row, column));
      Value vector =
          vector::FromElementsOp::create(b, getVectorType(), elements);
      int64_t offset = of.getRowOfTile(column) + word * of.width;
      vector::StoreOp::create(b, vector, tile, addIndex(b, first, offset),
                              /*nontemporal=*/false, getAlignment());
    }
  }

  /// Stores the row of the tile that is `row` behind the warp's number.
  void storeRow(int64_t row) {
    Value first = addIndex(b, firstColumn, warp);
    Value j = addIndex(b, first, row);
    Value inRow = mulIndex(b, lane, of.width);
    Value i = addIndex(b, firstRow, inRow);
    OpBuilder::InsertionGuard guard(b);
    if (Value inside = isInside(i, j)) {
      auto some = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
      b.setInsertionPointToStart(some.thenBlock());
    }
    // `row` is a multiple of kWarps: warp + row lies in the same 32 rows.
    Value ofWarp = addIndex(b, mulIndex(b, warp, of.getRowOfTile(1)), inRow);
    Value vector = vector::LoadOp::create(
        b, getVectorType(), tile, addIndex(b, ofWarp, of.getRowOfTile(row)),
        /*nontemporal=*/false, getAlignment());
    vector::StoreOp::create(b, vector, of.target, getPlace(j, i),
                            /*nontemporal=*/false, getAlignment());
  }

  ImplicitLocOpBuilder &b;
  const Matrices &of;
  Value lane, warp, matrix, firstRow, firstColumn, tile;
};
} // namespace

static Value createMul(ImplicitLocOpBuilder &b, Value x, OpFoldResult y) {
  if (std::optional<int64_t> known = getConstantIntValue(y))
    return mulIndex(b, x, *known);
  return arith::MulIOp::create(b, x, cast<Value>(y));
}

static gpu::LaunchOp createLaunch(const Matrices &of, linalg::TransposeOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value one = indexConstant(b, 1);
  Value blocks = indexConstant(b, of.matrices);
  for (OpFoldResult size : {of.rows, of.columns})
    blocks = createMul(b, blocks, of.getTiles(b, size));
  Value threads = indexConstant(b, kLanes * kWarps);
  auto launch = gpu::LaunchOp::create(b, blocks, one, one, threads, one, one);
  b.setInsertionPointToEnd(&launch.getBody().front());
  auto terminator = gpu::TerminatorOp::create(b);
  b.setInsertionPoint(terminator);
  TransposeBuilder(b, of, launch.getBlockIds().x, launch.getThreadIds().x)
      .build();
  return launch;
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
      OpBuilder b(op);
      std::optional<Matrices> matrices = getMatrices(b, op);
      if (!matrices)
        continue;
      names.assign(createLaunch(*matrices, op), "transpose");
      emitRemark(op, RemarkId::TransposeTiled) << remarkKey(
          RemarkKey::Bytes, matrices->countTileElements() *
                                *getBytes(matrices->getElementType()));
      op.erase();
    }
  }
};
} // namespace
