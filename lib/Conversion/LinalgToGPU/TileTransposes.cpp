//===- TileTransposes.cpp - Transpositions through shared memory ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp reads 128 bytes of a row of the source at once, and writes 128 bytes
// of a row of the target: 32 lanes with a word each, of several elements where
// those are smaller. In between, a block has a square tile in shared memory.
// Its rows are one element longer, so that an odd number of words lies between
// what neighbouring lanes read of a column, and no two of them read one bank.
// (Where rows are no whole words, a lane moves one element, and some do.)
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
  TransposedMatrices of;
  int64_t width;  // elements that a lane moves at once
  int64_t extent; // of a tile, either way

  Type getElementType() const {
    return cast<MemRefType>(source.getType()).getElementType();
  }
  int64_t getTilesOfRows() const { return llvm::divideCeil(of.rows, extent); }
  int64_t getTilesOfColumns() const {
    return llvm::divideCeil(of.columns, extent);
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

/// What `op` transposes, if tiles are of use to it and cover it.
static std::optional<Matrices> getMatrices(OpBuilder &b,
                                           linalg::TransposeOp op) {
  Value source = op.getInput(), target = op.getInit();
  if (!isRowMajor(source) || !isRowMajor(target))
    return std::nullopt;
  auto type = cast<MemRefType>(source.getType());
  auto of = getTransposedMatrices(type.getShape(), op.getPermutation());
  std::optional<int64_t> bytes = getBytes(type.getElementType());
  // Of narrow matrices a tile would be empty for the most part.
  if (!of || of->matrices == 0 || of->rows < kLanes || of->columns < kLanes ||
      !bytes)
    return std::nullopt;
  Matrices found = {source, target, *of, 1, kLanes};
  int64_t inWord = std::max<int64_t>(1, kWordBytes / *bytes);
  if (of->rows % inWord == 0 && of->columns % inWord == 0)
    found.width = inWord;
  found.extent = kLanes * found.width;
  // Of a grid, along x.
  if (!getProduct(
          {of->matrices, found.getTilesOfRows(), found.getTilesOfColumns()},
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

namespace {
/// Builds what a thread does.
class TransposeBuilder {
public:
  TransposeBuilder(ImplicitLocOpBuilder &b, const Matrices &of, Value block,
                   Value thread)
      : b(b), of(of), lane(remIndex(b, thread, kLanes)),
        warp(divIndex(b, thread, kLanes)) {
    Value tile = block;
    firstColumn =
        mulIndex(b, remIndex(b, tile, of.getTilesOfColumns()), of.extent);
    tile = divIndex(b, tile, of.getTilesOfColumns());
    firstRow = mulIndex(b, remIndex(b, tile, of.getTilesOfRows()), of.extent);
    if (cast<MemRefType>(of.source.getType()).getRank() == 3)
      matrix = divIndex(b, tile, of.getTilesOfRows());
  }

  void build() {
    tile = allocateWorkgroup(b, {of.extent, of.extent}, of.getElementType(),
                             /*rowPadding=*/1);
    Value inRow = mulIndex(b, lane, of.width);
    // All that a thread reads is on the way before it stores any.
    SmallVector<Value> read;
    for (int64_t i = 0; i < of.extent; i += kWarps)
      read.push_back(load(addIndex(b, warp, i), inRow));
    for (auto [i, vector] : llvm::enumerate(read))
      putRow(vector, addIndex(b, warp, int64_t(i) * kWarps), inRow);
    gpu::BarrierOp::create(b);
    for (int64_t i = 0; i < of.extent; i += kWarps)
      store(addIndex(b, warp, i), inRow);
  }

private:
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

  /// Whether row `row` and column `column` of the source exist; null where all
  /// do. The elements of a vector do or do not.
  Value isInside(Value row, Value column) {
    Value inside;
    auto check = [&](Value index, int64_t extent) {
      if (extent % of.extent == 0)
        return;
      Value one = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index,
                                        indexConstant(b, extent));
      inside = inside ? arith::AndIOp::create(b, inside, one).getResult() : one;
    };
    check(row, of.of.rows);
    check(column, of.of.columns);
    return inside;
  }

  Value load(Value row, Value column) {
    Value i = addIndex(b, firstRow, row), j = addIndex(b, firstColumn, column);
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

  void putRow(Value vector, Value row, Value column) {
    for (int64_t e = 0; e < of.width; ++e) {
      Value element = vector::ExtractOp::create(b, vector, e);
      memref::StoreOp::create(b, element, tile,
                              ValueRange{row, addIndex(b, column, e)});
    }
  }

  /// Stores what lies in the column `column` of the tile, from `row` on.
  void store(Value column, Value row) {
    Value i = addIndex(b, firstRow, row), j = addIndex(b, firstColumn, column);
    OpBuilder::InsertionGuard guard(b);
    if (Value inside = isInside(i, j)) {
      auto some = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
      b.setInsertionPointToStart(some.thenBlock());
    }
    SmallVector<Value> elements;
    for (int64_t e = 0; e < of.width; ++e)
      elements.push_back(memref::LoadOp::create(
          b, tile, ValueRange{addIndex(b, row, e), column}));
    Value vector = vector::FromElementsOp::create(b, getVectorType(), elements);
    vector::StoreOp::create(b, vector, of.target, getPlace(j, i),
                            /*nontemporal=*/false, getAlignment());
  }

  ImplicitLocOpBuilder &b;
  const Matrices &of;
  Value lane, warp, matrix, firstRow, firstColumn, tile;
};
} // namespace

static gpu::LaunchOp createLaunch(const Matrices &of, linalg::TransposeOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value one = indexConstant(b, 1);
  Value blocks = indexConstant(b, of.of.matrices * of.getTilesOfRows() *
                                      of.getTilesOfColumns());
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
          RemarkKey::Bytes, matrices->extent * (matrices->extent + 1) *
                                *getBytes(matrices->getElementType()));
      op.erase();
    }
  }
};
} // namespace
