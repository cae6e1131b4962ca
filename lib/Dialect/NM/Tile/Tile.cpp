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

#include "BlockBuilder.h"
#include "StreamK.h"
#include "Workspace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/ClusterOps.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMTILEPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

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

/// The steps of the block of place `rank` among the split_k that share a tile,
/// all of them where `rank` is null: the blocks have ranges in the order of
/// their ranks, of which the first may be one longer. Their number is one
/// constant, or one of two, as getStepCount knows them.
static StepRange createSteps(ImplicitLocOpBuilder &b,
                             const MatrixProduct &product, Value rank) {
  if (!rank)
    return {};
  int64_t blocks = product.schedule.getSplitK();
  int64_t steps = BlockExtents::get(product.schedule, product.type()).steps;
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
  int64_t steps = BlockExtents::get(product.schedule, product.type()).steps;
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

/// Of an A [k, m] on rows of whole lines of a buffer that is otherwise unused
/// (nm-select-schedule and nm-propagate-layouts make such), the buffer [k, m'];
/// `a` where it is none. What is behind the m elements of a row is anything,
/// and may be read.
static Value getPaddedBuffer(Value a) {
  auto view = a.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getType().getRank() != 2 || !view.hasZeroOffset() ||
      !view.hasUnitStride())
    return a;
  auto buffer = view.getSource().getDefiningOp<memref::AllocOp>();
  if (!buffer || buffer.getType().getRank() != 2 ||
      buffer.getType().isDynamicDim(0) ||
      buffer.getType().getDimSize(0) != view.getType().getDimSize(0))
    return a;
  return isOnlyWritten(view) ? buffer.getMemref() : a;
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
