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
// Where rows are no whole words, or are only in some calls, a lane moves the
// elements of a word one by one.
//
// Of a word's elements, lane l has columns that follow each other, each of
// which is a row of the tile. Rows of 33 words, and a word more after each 32
// rows, put what the lanes of a warp store at once on 32 banks, as 33 l does
// where a word is an element.
//
//===----------------------------------------------------------------------===//

#include "TransposeMatrices.h"
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
#include "nm/Support/Remarks.h"

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
        warp(divIndex(b, thread, kLanes)) {
    auto [column, rest] = split(block, of.getTiles(b, of.columns));
    firstColumn = mulIndex(b, column, of.extent);
    if (!of.hasSeveral()) {
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
    forWidth(of.source, [&](int64_t width) { fill(width); });
    gpu::BarrierOp::create(b);
    forWidth(of.target, [&](int64_t width) {
      for (int64_t row = 0; row < of.extent; row += kWarps)
        storeRow(row, width);
    });
  }

private:
  /// Builds what moves words of a side by accesses of so many elements.
  void forWidth(const Side &side, llvm::function_ref<void(int64_t)> build) {
    if (!side.areWordsInCall)
      return build(side.areWords ? of.width : 1);
    auto choice =
        scf::IfOp::create(b, side.areWordsInCall, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    build(of.width);
    b.setInsertionPointToStart(choice.elseBlock());
    build(1);
  }

  /// Moves words of the source to the tile, in each of whose rows they are
  /// those of a column.
  void fill(int64_t width) {
    // All that a thread reads is on the way before it stores any.
    SmallVector<SmallVector<Value>> read;
    for (int64_t word = 0; word < kLanes; word += kWarps)
      for (int64_t row = 0; row < of.width; ++row)
        read.push_back(load(word * of.width + row, width));
    ArrayRef<SmallVector<Value>> rows = read;
    for (int64_t word = 0; word < kLanes; word += kWarps) {
      putWords(rows.take_front(of.width), word);
      rows = rows.drop_front(of.width);
    }
  }

  /// The remainder and the quotient of `index`, of a block, and `count`, of
  /// tiles, of which there are no more than blocks.
  std::pair<Value, Value> split(Value index, OpFoldResult count) {
    if (std::optional<int64_t> known = getConstantIntValue(count))
      return {remIndex(b, index, *known), divIndex(b, index, *known)};
    return splitBlock(b, index, cast<Value>(count));
  }

  VectorType getVectorType(int64_t width) const {
    return VectorType::get({width}, of.getElementType());
  }
  llvm::MaybeAlign getAlignment(int64_t width) const {
    return llvm::Align(width * *getTransposedBytes(of.getElementType()));
  }
  Value getVector(Value memref, ValueRange place, int64_t width) {
    return vector::LoadOp::create(b, getVectorType(width), memref, place,
                                  /*nontemporal=*/false, getAlignment(width));
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

  /// The elements of the lane's word in the row that is `row` behind its warp's
  /// first one, by loads of `width`. The constant is added last, so that rows
  /// differ by a multiple of their stride.
  SmallVector<Value> load(int64_t row, int64_t width) {
    Value first = addIndex(b, firstRow, mulIndex(b, warp, of.width));
    Value i = addIndex(b, first, row);
    Value j = addIndex(b, firstColumn, mulIndex(b, lane, of.width));
    SmallVector<Value> elements;
    for (int64_t offset = 0; offset < of.width; offset += width) {
      Value vector = loadInside(i, addIndex(b, j, offset), width);
      for (int64_t element = 0; element < width; ++element)
        elements.push_back(vector::ExtractOp::create(b, vector, element));
    }
    return elements;
  }

  /// `width` elements of row `i` from column `j` on; zeros where there are
  /// none.
  Value loadInside(Value i, Value j, int64_t width) {
    auto build = [&] {
      return getVector(of.source.memref, getPlace(i, j), width);
    };
    Value inside = isInside(i, j);
    if (!inside)
      return build();
    VectorType type = getVectorType(width);
    auto choice = scf::IfOp::create(b, type, inside, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    scf::YieldOp::create(b, build());
    b.setInsertionPointToStart(choice.elseBlock());
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
    scf::YieldOp::create(b, zero);
    return choice.getResult(0);
  }

  /// Stores the columns of `rows`, which the lane has, as words of the tile:
  /// those that are `word` behind the warp's number in its rows.
  void putWords(ArrayRef<SmallVector<Value>> rows, int64_t word) {
    // The lane's columns begin in row lane * width of the tile.
    Value first = mulIndex(b, lane, of.getRowOfTile(of.width));
    if (of.width > 1)
      first =
          addIndex(b, first,
                   mulIndex(b, divIndex(b, lane, kLanes / of.width), of.width));
    first = addIndex(b, first, mulIndex(b, warp, of.width));
    for (int64_t column = 0; column < of.width; ++column) {
      SmallVector<Value> elements;
      for (ArrayRef<Value> row : rows)
        elements.push_back(row[column]);
      int64_t offset = of.getRowOfTile(column) + word * of.width;
      storeVector(elements, tile, addIndex(b, first, offset));
    }
  }

  void storeVector(ArrayRef<Value> elements, Value memref, ValueRange place) {
    int64_t width = elements.size();
    Value vector =
        vector::FromElementsOp::create(b, getVectorType(width), elements);
    vector::StoreOp::create(b, vector, memref, place, /*nontemporal=*/false,
                            getAlignment(width));
  }

  /// Stores the row of the tile that is `row` behind the warp's number, by
  /// stores of `width`.
  void storeRow(int64_t row, int64_t width) {
    Value first = addIndex(b, firstColumn, warp);
    Value j = addIndex(b, first, row);
    Value inRow = mulIndex(b, lane, of.width);
    Value i = addIndex(b, firstRow, inRow);
    // `row` is a multiple of kWarps: warp + row lies in the same 32 rows.
    Value ofWarp = addIndex(b, mulIndex(b, warp, of.getRowOfTile(1)), inRow);
    Value place = addIndex(b, ofWarp, of.getRowOfTile(row));
    for (int64_t offset = 0; offset < of.width; offset += width)
      storeInside(addIndex(b, i, offset), j, addIndex(b, place, offset), width);
  }

  /// Stores `width` elements of the tile, from `place` on, to row `j` of the
  /// target from column `i` on, if they are there.
  void storeInside(Value i, Value j, Value place, int64_t width) {
    OpBuilder::InsertionGuard guard(b);
    if (Value inside = isInside(i, j)) {
      auto some = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
      b.setInsertionPointToStart(some.thenBlock());
    }
    Value vector = getVector(tile, place, width);
    vector::StoreOp::create(b, vector, of.target.memref, getPlace(j, i),
                            /*nontemporal=*/false, getAlignment(width));
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
  Value blocks = getValueOrCreateConstantIndexOp(b, b.getLoc(), of.matrices);
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
      ImplicitLocOpBuilder b(op.getLoc(), op);
      std::optional<Matrices> matrices = getMatrices(b, op);
      if (!matrices)
        continue;
      names.assign(createLaunch(*matrices, op), "transpose");
      emitRemark(op, RemarkId::TransposeTiled)
          << remarkKey(RemarkKey::Bytes,
                       matrices->countTileElements() *
                           *getTransposedBytes(matrices->getElementType()));
      op.erase();
    }
  }
};
} // namespace
