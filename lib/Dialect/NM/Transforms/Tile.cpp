//===- Tile.cpp - Products to grids of blocks and loops over k ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first tile-level stage: hierarchical blocking (NM-SpMM III-B) on subviews
// of global memory. Later passes move the tiles.
//
//===----------------------------------------------------------------------===//

#include "PaddedRows.h"
#include "StreamK.h"
#include "Workspace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Transforms/Passes.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMTILEPASS
#include "nm/Dialect/NM/Transforms/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// Extents of the parts of a step and of a block.
struct Extents {
  int64_t blockM, blockN, stepK; // rows of C, columns of C, rows of k
  int64_t steps, rows;           // steps of a tile, condensed rows a step
  int64_t unitColumns;           // unit columns a block
};

/// The steps of a tile that a block computes; null: all, from the first on.
struct Steps {
  Value first, count;
};
} // namespace

/// Rows of tiles that are computed together: a weight that L2 does not hold is
/// read once for so many of them. (At 4096^3, whose operands it holds, one to
/// sixteen take the same time.)
static constexpr int64_t kRowsOfGroup = 8;

/// Rows of tiles of C.
static Value createBlocksM(ImplicitLocOpBuilder &b,
                           const MatrixProduct &product) {
  int64_t blockM = product.schedule.getBlockM();
  Value m = dimOf(b, product.a, product.aIsFeatureMajor() ? 1 : 0);
  return divIndex(b, addIndex(b, m, blockM - 1), blockM);
}

static Extents getExtents(const MatrixProduct &product) {
  CondensedType type = product.type();
  PatternAttr pattern = type.getPattern();
  Extents e;
  e.blockM = product.schedule.getBlockM();
  e.blockN = product.schedule.getBlockN();
  e.stepK = product.schedule.getStepRows(type.getK(), pattern);
  e.steps = product.schedule.getSteps(type.getK(), pattern);
  // A single step has the rows of k alone, where they are whole slices; what is
  // packed has those of whole steps.
  int64_t rows = pattern.getCondensedRows(type.getK());
  bool isWhole = rows % product.schedule.getKind().getSliceRows() == 0;
  e.rows = e.steps == 1 && isWhole && !type.getPacking()
               ? rows
               : pattern.getCondensedRows(e.stepK);
  e.unitColumns = pattern.getUnitColumns(e.blockN);
  return e;
}

/// A vector as a matrix of one row.
static Value expandToRow(ImplicitLocOpBuilder &b, Value vector) {
  if (!vector)
    return vector;
  auto type = cast<MemRefType>(vector.getType());
  Value extent = dimOf(b, vector, 0);
  SmallVector<ReassociationIndices> all = {{0, 1}};
  OpFoldResult size = type.isDynamicDim(0) ? OpFoldResult(extent)
                                           : b.getIndexAttr(type.getDimSize(0));
  SmallVector<OpFoldResult> shape = {b.getIndexAttr(1), size};
  return memref::ExpandShapeOp::create(
      b, SmallVector<int64_t>{1, type.getDimSize(0)}, vector, all, shape);
}

/// `matrix` with one row, where their number is not known; null if it is.
static Value castToRow(ImplicitLocOpBuilder &b, Value matrix) {
  if (!matrix || cast<MemRefType>(matrix.getType()).hasStaticShape())
    return matrix;
  auto type = cast<MemRefType>(matrix.getType());
  SmallVector<int64_t> shape(type.getShape());
  llvm::replace(shape, ShapedType::kDynamic, int64_t(1));
  MemRefType ofRow = MemRefType::Builder(type).setShape(shape);
  return memref::CastOp::create(b, ofRow, matrix);
}

static MatrixProduct getProduct(ImplicitLocOpBuilder &b, ProductOpInterface op,
                                Value paddedA) {
  auto most = op->getAttrOfType<IntegerAttr>(kMostRowsAttrName);
  bool isOfOneRow = most && most.getInt() == 1;
  auto asMatrix = [&](Value value) {
    if (!op.isOnMatrices())
      return expandToRow(b, value);
    return isOfOneRow ? castToRow(b, value) : value;
  };
  MatrixProduct p;
  p.a = asMatrix(op.getA());
  p.paddedA = paddedA == op.getA() ? p.a : paddedA;
  p.c = asMatrix(op.getInit());
  p.residual = asMatrix(op.getResidual());
  p.scale = op.getScale();
  p.bias = op.getBias();
  p.weight = op.getWeight().getDefiningOp<AssembleOp>();
  p.aLayout = op.getALayout();
  p.cLayout = op.getCLayout();
  p.epilogue = op.getEpilogue();
  p.combine = op.getCombine();
  p.schedule = op.getScheduleAttr();
  if (most)
    p.mostRows = most.getInt();
  return p;
}

namespace {
/// Builds the body of the kernel of one product.
class BlockBuilder {
public:
  /// For `steps` of tile `tileId` of C.
  BlockBuilder(ImplicitLocOpBuilder &b, const MatrixProduct &product,
               Value tileId, Steps steps)
      : b(b), product(product), extents(getExtents(product)),
        weight(product.weight), steps(steps) {
    auto [blockRow, column] = placeTile(tileId);
    blockColumn = column;
    firstRow = mulIndex(b, blockRow, extents.blockM);
    firstColumn = mulIndex(b, blockColumn, extents.blockN);
    if (product.type().getPacking())
      slabs = packedValues();
  }

  /// The sum of the products of the steps.
  Value buildSum() {
    auto fragment =
        FragmentType::get(b.getContext(), extents.blockM, extents.blockN,
                          product.accumulator(), Role::Sum);
    Value zero = TileZeroOp::create(b, fragment);
    Value begin = indexConstant(b, 0);
    Value end = steps.count ? steps.count : indexConstant(b, extents.steps);
    auto loop = scf::ForOp::create(b, begin, end, indexConstant(b, 1), zero);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value sum =
          buildStep(loop.getInductionVar(), loop.getRegionIterArgs().front());
      scf::YieldOp::create(b, sum);
    }
    return loop.getResult(0);
  }

  /// Lets the block store `fragment`.
  void buildStore(Value fragment) {
    bool featureMajor = product.cIsFeatureMajor();
    Value c = tileOf(product.c, featureMajor, firstColumn, extents.blockN);
    Value residual;
    if (product.residual)
      residual =
          tileOf(product.residual, featureMajor, firstColumn, extents.blockN);
    TileStoreOp::create(b, fragment, c, columnsOf(product.scale),
                        columnsOf(product.bias), residual, product.epilogue,
                        product.combine, product.cLayout);
  }

private:
  /// The row and the column of tile `tileId` among the tiles of C: down the
  /// rows of a group, then along n, and so on for the next group.
  std::pair<Value, Value> placeTile(Value tileId) {
    int64_t blocksN = llvm::divideCeil(product.type().getN(), extents.blockN);
    if (blocksN == 1)
      return {tileId, indexConstant(b, 0)};
    // A division by a number that is not known would take a kernel for few rows
    // .1 to .3 us before it loads anything (H200, a throw-away run).
    if (product.mostRows && *product.mostRows <= extents.blockM)
      return {indexConstant(b, 0), tileId};
    Value blocksM = createBlocksM(b, product);
    std::optional<int64_t> known = getConstantIntValue(blocksM);
    if (known == 1)
      return {indexConstant(b, 0), tileId};
    int64_t most = chooseRowsOfGroup();
    Value group = divIndex(b, tileId, most * blocksN);
    Value place = remIndex(b, tileId, most * blocksN);
    Value first = mulIndex(b, group, most);
    if (known && *known % most == 0)
      return {addIndex(b, first, remIndex(b, place, most)),
              divIndex(b, place, most)};
    // The last group may have fewer.
    Value left = arith::SubIOp::create(b, blocksM, first);
    Value rows = arith::MinUIOp::create(b, left, indexConstant(b, most));
    return {addIndex(b, first, arith::RemUIOp::create(b, place, rows)),
            arith::DivUIOp::create(b, place, rows)};
  }

  /// Rows of tiles of a group. Tiles that begin last should be the short ones:
  /// of three rows, the last not full, two thirds of 132 SMs else get no other
  /// tiles than full ones. So such a row is a group of its own.
  int64_t chooseRowsOfGroup() {
    auto c = cast<MemRefType>(product.c.getType());
    int64_t m = c.getDimSize(product.cIsFeatureMajor() ? 1 : 0);
    if (ShapedType::isDynamic(m))
      return kRowsOfGroup;
    int64_t full = m / extents.blockM, most = std::min(full, kRowsOfGroup);
    // Of fewer rows than a tile has there is one row of tiles, also where their
    // number is computed from A's dynamic extent.
    if (full == 0)
      return 1;
    if (m % extents.blockM == 0)
      return most;
    // It reads the weight once more.
    if (!hasShortTiles() || !isWeightInL2())
      return std::min(full + 1, kRowsOfGroup);
    while (most > kRowsOfGroup / 2 && full % most != 0)
      --most;
    return full % most == 0 ? most : kRowsOfGroup;
  }

  /// Whether a tile of few rows takes less time: where loads of A take most of
  /// it. All tiles have the same FMAs and copies of the weight.
  bool hasShortTiles() const {
    return !product.schedule.getPromoteA() ||
           product.aLayout == Layout::TokenMajor;
  }

  bool isWeightInL2() {
    CondensedType type = product.type();
    int64_t bits = type.getElementType().getIntOrFloatBitWidth();
    double bytes = double(type.getPattern().getCondensedRows(type.getK())) *
                   double(type.getN()) * double(bits) / 8;
    const TargetInfo &target = getTarget(b.getInsertionBlock()->getParentOp());
    return bytes <= double(target.l2Bytes);
  }

  /// The extent from `start` on, at most `most` and at most what is left of
  /// `total` (static or the extent `dim` of `memref`).
  OpFoldResult clamp(Value start, int64_t most, Value memref, int64_t dim) {
    auto type = cast<MemRefType>(memref.getType());
    if (!type.isDynamicDim(dim) && type.getDimSize(dim) % most == 0)
      return b.getIndexAttr(most);
    Value left = arith::SubIOp::create(b, dimOf(b, memref, dim), start);
    return arith::MinSIOp::create(b, left, indexConstant(b, most)).getResult();
  }

  Value subview(Value memref, ArrayRef<OpFoldResult> offsets,
                ArrayRef<OpFoldResult> sizes) {
    SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
    return memref::SubViewOp::create(b, memref, offsets, sizes, strides);
  }

  /// The tile of A, C or the residual at (row, other), transposed or not.
  Value tileOf(Value memref, bool featureMajor, Value other, int64_t most) {
    OpFoldResult rows = clamp(firstRow, extents.blockM, memref, featureMajor);
    OpFoldResult others = clamp(other, most, memref, !featureMajor);
    if (featureMajor)
      return subview(memref, {other, firstRow}, {others, rows});
    return subview(memref, {firstRow, other}, {rows, others});
  }

  /// Step `ownStep` of the block's own.
  Value buildStep(Value ownStep, Value acc) {
    CondensedType type = product.type();
    Value step = steps.first ? addIndex(b, ownStep, steps.first) : ownStep;
    Value firstK = mulIndex(b, step, extents.stepK);
    // A step of all of k has what there is, which may be less than whole
    // windows.
    int64_t rowsOfA =
        product.schedule.getStepK() == 0 ? type.getK() : extents.stepK;
    // What is behind the rows of A is for sums that are not stored. The copy
    // engine takes up to twice as long over boxes in which a tensor ends.
    Value a =
        tileOf(product.paddedA, product.aIsFeatureMajor(), firstK, rowsOfA);
    Value values = slabs ? slabOf(step) : valuesOf(step);
    Value columns;
    PackingAttr packing = type.getPacking();
    Value indices =
        packing ? packedIndices(step, columns) : windowIndices(step);
    return TileMmaOp::create(
        b, acc.getType(), a, values, indices, acc, columns,
        packing ? packing.joinWindows(type.getPattern()) : type.getPattern(),
        LayoutAttr::get(b.getContext(), product.aLayout),
        IndexCodingAttr::get(b.getContext(), packing ? packing.getCoding()
                                                     : IndexCoding::Window),
        b.getI64IntegerAttr(packing ? packing.getLaneRows() : 1),
        packing && packing.getFragments() ? b.getUnitAttr() : UnitAttr());
  }

  /// The values [ws, bn] of a step as they are stored unpacked.
  Value valuesOf(Value step) {
    Value first = mulIndex(b, step, extents.rows);
    Value values = weight.getValues();
    return subview(values, {first, firstColumn},
                   {clamp(first, extents.rows, values, 0),
                    clamp(firstColumn, extents.blockN, values, 1)});
  }

  /// The values of a packed weight for the tile.
  Value packedValues() {
    Value values = weight.getValues();
    auto type = cast<MemRefType>(values.getType());
    int64_t panels = product.type().getPacking().getPanels();
    OpFoldResult zero = b.getIndexAttr(0);
    return part(values, {mulIndex(b, blockColumn, panels), zero, zero},
                {panels, type.getDimSize(1), type.getDimSize(2)},
                /*dropsFirst=*/false);
  }

  /// The values of a step of the tile, in its panels; a matrix where it is one.
  Value slabOf(Value step) {
    ArrayRef<int64_t> shape = cast<MemRefType>(slabs.getType()).getShape();
    OpFoldResult zero = b.getIndexAttr(0);
    int64_t rows = extents.rows / product.type().getPacking().getLaneRows();
    return part(slabs, {zero, mulIndex(b, step, rows), zero},
                {shape[0], rows, shape[2]},
                /*dropsFirst=*/shape[0] == 1);
  }

  /// The part of a packed weight of static `shape` at `offsets`, without its
  /// first dimension where `dropsFirst`.
  Value part(Value memref, ArrayRef<OpFoldResult> offsets,
             ArrayRef<int64_t> shape, bool dropsFirst) {
    SmallVector<OpFoldResult> strides(shape.size(), b.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(b.getContext(), shape);
    MemRefType type = memref::SubViewOp::inferRankReducedResultType(
        shape.drop_front(dropsFirst), cast<MemRefType>(memref.getType()),
        offsets, sizes, strides);
    return memref::SubViewOp::create(b, type, memref, offsets, sizes, strides);
  }

  /// The indices [ws / Bk, U] of a step as they are stored unpacked.
  Value windowIndices(Value step) {
    PatternAttr pattern = product.type().getPattern();
    Value indices = weight.getIndices();
    int64_t unitRows = extents.rows / pattern.getUnitK();
    Value firstIndices = mulIndex(b, step, unitRows);
    // A block is some whole unit columns, or a part of one.
    Value firstUnit = extents.blockN % pattern.getUnitN() == 0
                          ? mulIndex(b, blockColumn, extents.unitColumns)
                          : divIndex(b, firstColumn, pattern.getUnitN());
    return subview(indices, {firstIndices, firstUnit},
                   {clamp(firstIndices, unitRows, indices, 0),
                    clamp(firstUnit, extents.unitColumns, indices, 1)});
  }

  /// The indices of a step of a packed weight, and its columns.
  Value packedIndices(Value step, Value &columns) {
    Value indices = weight.getIndices();
    Value place = addIndex(b, mulIndex(b, blockColumn, extents.steps), step);
    OpFoldResult zero = b.getIndexAttr(0);
    if (Value list = weight.getColumns()) {
      auto type = cast<MemRefType>(list.getType());
      columns = part(list, {place, zero}, {1, type.getDimSize(1)},
                     /*dropsFirst=*/false);
    }
    auto type = cast<MemRefType>(indices.getType());
    return part(indices, {place, zero, zero},
                {1, type.getDimSize(1), type.getDimSize(2)},
                /*dropsFirst=*/true);
  }

  /// The block's part of a vector with an element a column, or null.
  Value columnsOf(Value vector) {
    if (!vector)
      return vector;
    return subview(vector, {firstColumn},
                   {clamp(firstColumn, extents.blockN, vector, 0)});
  }

  ImplicitLocOpBuilder &b;
  const MatrixProduct &product;
  Extents extents;
  AssembleOp weight;
  Steps steps;
  Value blockColumn, firstRow, firstColumn;
  Value slabs; // the tile's values of a packed weight
};
} // namespace

/// The steps of the block of place `rank` among the split_k that share a tile,
/// all of them where `rank` is null: the blocks have ranges in the order of
/// their ranks, of which the first may be one longer. Their number is one
/// constant, or one of two, as getStepCount knows them.
static Steps createSteps(ImplicitLocOpBuilder &b, const MatrixProduct &product,
                         Value rank) {
  if (!rank)
    return {};
  int64_t blocks = product.schedule.getSplitK();
  int64_t steps = getExtents(product).steps;
  Value first = mulIndex(b, rank, steps / blocks);
  Value least = indexConstant(b, steps / blocks);
  if (steps % blocks == 0)
    return {first, least};
  Value longer = indexConstant(b, steps % blocks);
  first = addIndex(b, first, arith::MinUIOp::create(b, rank, longer));
  Value isLonger =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, rank, longer);
  Value most = indexConstant(b, steps / blocks + 1);
  return {first, arith::SelectOp::create(b, isLonger, most, least)};
}

/// Makes an empty launch of `blocks` blocks, a linear grid, so that no extent
/// can pass the limit of 65535 that y and z have. `cluster` blocks are one.
static gpu::LaunchOp createLaunch(ImplicitLocOpBuilder &b, Value blocks,
                                  int64_t numThreads, int64_t cluster) {
  Value one = indexConstant(b, 1);
  Value threads = indexConstant(b, numThreads);
  bool hasCluster = cluster > 1;
  Value extent = hasCluster ? indexConstant(b, cluster) : Value();
  Value single = hasCluster ? one : Value();
  auto launch = gpu::LaunchOp::create(
      b, blocks, one, one, threads, one, one,
      /*dynamicSharedMemorySize=*/Value(),
      /*asyncTokenType=*/Type(), /*asyncDependencies=*/ValueRange(),
      /*workgroupAttributions=*/TypeRange(),
      /*privateAttributions=*/TypeRange(), /*clusterSizeX=*/extent,
      /*clusterSizeY=*/single, /*clusterSizeZ=*/single);
  // MLIR's builder makes no arguments for the places in a cluster.
  while (launch.getBody().getNumArguments() <
         launch.getNumConfigRegionAttributes())
    launch.getBody().addArgument(b.getIndexType(), b.getLoc());
  return launch;
}

/// The tiles of C.
static Value countTiles(ImplicitLocOpBuilder &b, const MatrixProduct &product) {
  int64_t blocksN =
      llvm::divideCeil(product.type().getN(), product.schedule.getBlockN());
  return mulIndex(b, createBlocksM(b, product), blocksN);
}

/// The blocks of `product`: several a tile where they share its steps.
static Value countBlocks(ImplicitLocOpBuilder &b,
                         const MatrixProduct &product) {
  return mulIndex(b, countTiles(b, product), product.schedule.getSplitK());
}

/// Makes the launch of `product`. A cluster takes the place of a block where
/// several share its steps.
static gpu::LaunchOp buildLaunch(ImplicitLocOpBuilder &b,
                                 const MatrixProduct &product) {
  int64_t splitK = product.schedule.getSplitK();
  Value blocks = countBlocks(b, product);
  gpu::LaunchOp launch =
      createLaunch(b, blocks, product.schedule.getNumThreads(), splitK);
  launch->setAttr(kScheduleAttrName, product.schedule);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&launch.getBody().front());
  bool isSplit = splitK > 1;
  Value tileId = isSplit ? launch.getClusterIds()->x : launch.getBlockIds().x;
  Value rank = isSplit ? createClusterRank(b) : Value();
  BlockBuilder block(b, product, tileId, createSteps(b, product, rank));
  Value sum = block.buildSum();
  block.buildStore(isSplit ? TileReduceOp::create(b, sum).getResult() : sum);
  gpu::TerminatorOp::create(b);
  return launch;
}

static ScheduleAttr getUnshared(ScheduleAttr schedule) {
  return ScheduleAttr::get(schedule.getContext(), schedule.getKind(),
                           schedule.getBlock(), schedule.getPromoteA(),
                           schedule.getPromoteWeight(), schedule.getPacked(),
                           schedule.getStages(), schedule.getPrefetch(),
                           /*split_k=*/1, schedule.getEngine(), /*stream_k=*/0,
                           /*persistent=*/0, /*producers=*/0);
}

/// Makes the launch of `product` whose blocks share tiles, and leave their sums
/// in `workspace`. Each computes a product of its own steps: the launch has the
/// schedule of one that nobody shares.
static gpu::LaunchOp buildPartsLaunch(ImplicitLocOpBuilder &b,
                                      const MatrixProduct &product,
                                      Value workspace) {
  int64_t splitK = product.schedule.getSplitK();
  Value blocks = countBlocks(b, product);
  gpu::LaunchOp launch =
      createLaunch(b, blocks, product.schedule.getNumThreads(), /*cluster=*/1);
  launch->setAttr(kScheduleAttrName, getUnshared(product.schedule));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&launch.getBody().front());
  Value block = launch.getBlockIds().x;
  Value tileId = divIndex(b, block, splitK), rank = remIndex(b, block, splitK);
  MatrixProduct part = getPart(b, product, workspace, rank);
  BlockBuilder ofPart(b, part, tileId, createSteps(b, product, rank));
  ofPart.buildStore(ofPart.buildSum());
  gpu::TerminatorOp::create(b);
  return launch;
}

/// Lets a block of a stream_k launch compute one of its segments.
static void buildSegment(ImplicitLocOpBuilder &b, const MatrixProduct &product,
                         StreamK &shares, StreamBuffers buffers, Value block,
                         Value number) {
  Segment segment = shares.getSegment(block, number);
  BlockBuilder builder(b, product, segment.tile,
                       {segment.firstStep, segment.numSteps});
  Value sum = builder.buildSum();
  auto [row, first, last] = shares.getRows(block, segment);
  OpFoldResult one = b.getIndexAttr(1);
  Value arrivals = memref::SubViewOp::create(
      b, buffers.arrivals, ArrayRef<OpFoldResult>{segment.shared}, one, one);
  builder.buildStore(TileReduceOp::create(b, sum.getType(), sum, row, first,
                                          last, buffers.workspace, arrivals));
}

/// Makes the launch of `product` whose blocks share the steps of all tiles, and
/// the one before it that counts no arrivals yet.
static gpu::LaunchOp buildStreamLaunch(ImplicitLocOpBuilder &b,
                                       const MatrixProduct &product,
                                       StringRef name) {
  ScheduleAttr schedule = product.schedule;
  int64_t steps = getExtents(product).steps;
  StreamK shares(b, countTiles(b, product), steps, schedule.getStreamK());
  StreamBuffers buffers = createStreamBuffers(
      b, shares, product.accumulator(),
      schedule.getBlockM() * schedule.getBlockN(), (name + "_begin").str());
  Value blocks = indexConstant(b, schedule.getStreamK());
  gpu::LaunchOp launch =
      createLaunch(b, blocks, schedule.getNumThreads(), /*cluster=*/1);
  launch->setAttr(kScheduleAttrName, schedule);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&launch.getBody().front());
  Value block = launch.getBlockIds().x;
  Value begin = indexConstant(b, 0), one = indexConstant(b, 1);
  auto loop = scf::ForOp::create(b, begin, shares.countSegments(block), one);
  gpu::TerminatorOp::create(b);
  b.setInsertionPointToStart(loop.getBody());
  buildSegment(b, product, shares, buffers, block, loop.getInductionVar());
  return launch;
}

/// Makes the launch of `product` whose blocks compute tile after tile: those
/// that are under way together are neighbours, as if each had its own block.
static gpu::LaunchOp buildPersistentLaunch(ImplicitLocOpBuilder &b,
                                           const MatrixProduct &product) {
  ScheduleAttr schedule = product.schedule;
  Value tiles = countTiles(b, product);
  Value most = indexConstant(b, schedule.getPersistent());
  gpu::LaunchOp launch =
      createLaunch(b, b.createOrFold<arith::MinUIOp>(tiles, most),
                   schedule.getNumThreads(), /*cluster=*/1);
  launch->setAttr(kScheduleAttrName, schedule);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&launch.getBody().front());
  auto loop = scf::ForOp::create(b, launch.getBlockIds().x, tiles, most);
  gpu::TerminatorOp::create(b);
  b.setInsertionPointToStart(loop.getBody());
  BlockBuilder block(b, product, loop.getInductionVar(),
                     createSteps(b, product, /*rank=*/Value()));
  block.buildStore(block.buildSum());
  return launch;
}

/// Makes the launches of `product`, and returns the one that multiplies.
static FailureOr<gpu::LaunchOp>
buildLaunches(ImplicitLocOpBuilder &b, const MatrixProduct &product,
              StringRef name, KernelNames &names, bool hasClusters) {
  if (product.schedule.getStreamK() != 0)
    return buildStreamLaunch(b, product, name);
  if (product.schedule.getPersistent() != 0)
    return buildPersistentLaunch(b, product);
  if (product.schedule.getSplitK() == 1 || hasClusters)
    return buildLaunch(b, product);
  FailureOr<Value> workspace = createWorkspace(b, product);
  if (failed(workspace))
    return failure();
  gpu::LaunchOp launch = buildPartsLaunch(b, product, *workspace);
  createSumOfParts(b, product, *workspace, (name + "_sum").str(), names);
  return launch;
}

/// Replaces one product by its launch, or launches.
static LogicalResult tileProduct(ProductOpInterface op, Value paddedA,
                                 KernelNames &names, bool hasClusters) {
  if (!isa<MemRefType>(op.getInitType()))
    return op->emitOpError("expected operands on memrefs; run bufferization "
                           "before nm-tile");
  if (!op.getScheduleAttr())
    return op->emitOpError("expected a schedule; run nm-select-schedule before "
                           "nm-tile or write one on the op");
  auto weight = op.getWeight().getDefiningOp<AssembleOp>();
  if (!weight || !isa<MemRefType>(weight.getValues().getType()))
    return op->emitOpError(
        "expected a weight from nm.assemble of memrefs; run "
        "nm-split-constants and bufferization before nm-tile");
  ScheduleAttr schedule = op.getScheduleAttr();
  PackingAttr packing = op.getWeightType().getPacking();
  CondensedType type = op.getWeightType();
  int64_t step = schedule.getStepRows(type.getK(), type.getPattern());
  if (packing && (packing.getBlockN() != schedule.getBlockN() ||
                  packing.getStepK() != step))
    return op->emitOpError()
           << "expected a weight packed for blocks of " << schedule.getBlockN()
           << " columns and steps of " << step << " rows, got " << packing;
  InstructionKind kind = schedule.getKind();
  if (packing && !kind.readsForm(op.getWeightType().getPattern(),
                                 {packing.getLaneRows(), packing.getCoding(),
                                  packing.getFragments()}))
    return op->emitOpError() << "expected a weight in a form that " << kind
                             << " reads, got " << packing
                             << "; run nm-pack-weights with this "
                                "schedule";
  ImplicitLocOpBuilder b(op.getLoc(), op);
  MatrixProduct product = getProduct(b, op, paddedA);
  StringRef name = op.getKernelName();
  FailureOr<gpu::LaunchOp> built =
      buildLaunches(b, product, name, names, hasClusters);
  if (failed(built))
    return failure();
  gpu::LaunchOp launch = *built;
  if (Attribute rows = op->getAttr(kMostRowsAttrName))
    launch->setAttr(kMostRowsAttrName, rows);
  names.assign(launch, name);
  if (schedule.getSplitK() > 1)
    emitRemark(launch, RemarkId::TileShared)
        << remarkKey(RemarkKey::Blocks, schedule.getSplitK())
        << remarkKey(RemarkKey::Means, hasClusters ? "cluster" : "workspace");
  if (schedule.getStreamK() != 0)
    emitRemark(launch, RemarkId::TileShared)
        << remarkKey(RemarkKey::Blocks, schedule.getStreamK())
        << remarkKey(RemarkKey::Means, "steps of all tiles");
  if (schedule.getPersistent() != 0)
    emitRemark(launch, RemarkId::TilesLooped)
        << remarkKey(RemarkKey::Blocks, schedule.getPersistent());
  op->erase();
  return success();
}

namespace {
struct Tile : nm::impl::NMTilePassBase<Tile> {
  void runOnOperation() override {
    // Tiles of one product read the buffer that another's A is a part of.
    SmallVector<std::pair<ProductOpInterface, Value>> products;
    getOperation()->walk([&](ProductOpInterface op) {
      Value a = op.getA();
      products.emplace_back(op, isa<MemRefType>(a.getType()) &&
                                        op.getALayout() == Layout::FeatureMajor
                                    ? getPaddedBuffer(a)
                                    : a);
    });
    KernelNames names(getOperation());
    bool hasClusters = getTarget(getOperation()).hasClusters;
    for (auto [op, paddedA] : products)
      if (failed(tileProduct(op, paddedA, names, hasClusters)))
        return signalPassFailure();
  }
};
} // namespace
