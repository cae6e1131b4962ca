//===- NMTileOps.cpp - Verifiers and effects of the tile-level ops
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTiles.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Base/TensorMapLimits.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/IR/TransposeBlocks.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

void TileMmaOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, nullptr, effects);
}
void TileCopyOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, getDestination(), effects);
}
void TileBoxOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, getDestination(), effects);
}
void InitBarriersOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, getBarriers(), effects);
}
void TileGatherOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, getDestination(), effects);
}
void TileFetchOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, getStaging(), effects);
}
void TileTransposeOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, getDestination(), effects);
}
void TileStoreOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, getDestination(), effects);
}

LogicalResult TileMmaOp::verify() {
  // tile_mma_c1 and, of the indices,
  // tile_mma_c4,
  // tile_mma_c5,
  // tile_mma_c6
  if (failed(verifyTileOfA(*this, getA(), getALayout())) ||
      failed(verifyTileRank(*this, "values", getValues())) ||
      failed(verifyIndices(*this, getIndices(), getColumns(), getCoding())))
    return failure();
  auto a = cast<MemRefType>(getA().getType());
  auto values = cast<MemRefType>(getValues().getType());
  FragmentType acc = getAcc().getType();
  // tile_mma_c2
  if (failed(verifyRowsOfA(*this, getA(), getALayout(), acc.getM())) ||
      failed(verifyWithin(*this, "columns of values", getTileColumns(values),
                          acc.getN() * int64_t(getLaneRows()))))
    return failure();
  // tile_mma_c7
  if (failed(verifyPanels(*this, "values", getValues(),
                          acc.getN() * int64_t(getLaneRows()))))
    return failure();
  // tile_mma_c3
  if (getAccumulatorType(a.getElementType(), values.getElementType()) !=
      acc.getElementType())
    return emitOpError()
           << "expected A and values whose products are summed in "
           << acc.getElementType() << ", got " << a.getElementType() << " and "
           << values.getElementType();
  return success();
}

/// Checks that a copy's destination is a workgroup buffer of static shape and
/// of the source's element type, which has rank 2 or may be in panels.
static LogicalResult verifyCopy(Operation *op, Value source, Value destination,
                                bool mayBeInPanels = false) {
  auto from = cast<MemRefType>(source.getType());
  auto to = cast<MemRefType>(destination.getType());
  if (!to.hasStaticShape() ||
      !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(to))
    return op->emitOpError() << "expected a destination of static shape in "
                                "workgroup memory, got "
                             << to;
  if (from.getElementType() != to.getElementType())
    return op->emitOpError()
           << "expected a destination of the source's element "
              "type "
           << from.getElementType() << ", got " << to.getElementType();
  return mayBeInPanels ? verifyTileRank(op, "the destination", destination)
                       : verifyRank(op, "the destination", destination, 2);
}

/// Checks that `barriers` are `count` (any number, if that is dynamic) in
/// workgroup memory.
static LogicalResult verifyBarriers(Operation *op, Value barriers,
                                    int64_t count) {
  auto type = cast<MemRefType>(barriers.getType());
  if (type.getRank() == 1 && !type.isDynamicDim(0) &&
      gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) &&
      type.getElementType().isInteger(64) &&
      (ShapedType::isDynamic(count) || type.getDimSize(0) == count))
    return success();
  return op->emitOpError("expected ")
         << (ShapedType::isDynamic(count) ? "barriers" : "one barrier")
         << " of i64 in workgroup memory, got " << type;
}

/// Checks what the copy engine needs of a copy through a barrier.
static LogicalResult verifyBulkCopy(TileCopyOp op) {
  auto from = cast<MemRefType>(op.getSource().getType());
  auto to = cast<MemRefType>(op.getDestination().getType());
  // What is copied at once: all, where neither side has a gap.
  bool isOneRange = from.getShape() == to.getShape() &&
                    isContiguousTile(from) && isContiguousTile(to);
  int64_t elements =
      isOneRange ? from.getNumElements() : from.getShape().back();
  int64_t rowBits = elements * to.getElementTypeBitWidth();
  if (!op.getAsync() || op.getTranspose() || !from.hasStaticShape() ||
      from.getDimSize(getRowDim(from)) != to.getDimSize(0) ||
      getTileColumns(from) != to.getDimSize(1) || rowBits % 128 != 0)
    return op.emitOpError()
           << "expected an asynchronous copy, not transposed, of a source as "
              "large as the destination, of rows of a multiple of 16 bytes, "
              "through a barrier, got "
           << from << " to " << to;
  return verifyBarriers(op, op.getBarrier(), 1);
}

LogicalResult TileCopyOp::verify() {
  // tile_copy_c1
  if (failed(verifyCopy(*this, getSource(), getDestination(),
                        /*mayBeInPanels=*/getTranspose())) ||
      failed(verifyTileRank(*this, "the source", getSource())))
    return failure();
  auto from = cast<MemRefType>(getSource().getType());
  auto to = cast<MemRefType>(getDestination().getType());
  if (isInPanels(to) && (!isContiguousTile(to) || to.getDimSize(2) == 0))
    return emitOpError() << "expected panels of the destination that have "
                            "columns and no gaps, got "
                         << to;
  // tile_copy_c2
  int64_t extents[] = {from.getDimSize(getRowDim(from)), getTileColumns(from)};
  int64_t limits[] = {to.getDimSize(getRowDim(to)), getTileColumns(to)};
  for (int dim : {0, 1})
    if (failed(verifyWithin(*this, "source extents",
                            extents[getTranspose() ? 1 - dim : dim],
                            limits[dim])))
      return failure();
  // tile_copy_c3
  if (getTranspose() &&
      failed(verifyRank(*this, "a source that is transposed", getSource(), 2)))
    return failure();
  if (!getTranspose() &&
      failed(verifyPanels(*this, "the source", getSource(), to.getDimSize(1))))
    return failure();
  // tile_copy_c4
  if (getBarrier() && failed(verifyBulkCopy(*this)))
    return failure();
  // tile_copy_c5
  if (getCached() && (!getAsync() || getBarrier()))
    return emitOpError("expected a cached copy to be an asynchronous one of "
                       "threads");
  return success();
}

LogicalResult TileBoxOp::verify() {
  auto to = cast<MemRefType>(getDestination().getType());
  // tile_box_c1
  if (failed(verifyTileRank(*this, "the destination", getDestination())))
    return failure();
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(to) ||
      !isContiguousTile(to))
    return emitOpError() << "expected a destination of static shape without "
                            "gaps in workgroup memory, got "
                         << to;
  // tile_box_c2
  if (getAt().size() < 2 || getAt().size() > kMostTensorMapDimensions)
    return emitOpError() << "expected 2 to " << kMostTensorMapDimensions
                         << " coordinates, one for each dimension of the "
                            "tensor, got "
                         << getAt().size();
  // tile_box_c3
  return verifyBarriers(*this, getBarrier(), 1);
}

LogicalResult InitBarriersOp::verify() {
  // init_barriers_c1
  return verifyBarriers(*this, getBarriers(), ShapedType::kDynamic);
}

LogicalResult CommitOp::verify() {
  // commit_c2
  if (bool(getBarrier()) != getBytes().has_value())
    return emitOpError("expected bytes beside a barrier, and none without");
  // commit_c1
  if (!getBarrier())
    return success();
  // The bytes that a phase of an mbarrier can count.
  constexpr int64_t kMostBytes = (1 << 20) - 1;
  if (*getBytes() > kMostBytes)
    return emitOpError() << "expected at most " << kMostBytes
                         << " bytes a phase, got " << *getBytes();
  return verifyBarriers(*this, getBarrier(), 1);
}

LogicalResult WaitOp::verify() {
  // wait_c2
  if (bool(getBarrier()) != bool(getPhase()))
    return emitOpError("expected a phase beside a barrier, and none without");
  // wait_c3
  if (!getBarrier() && !getPending())
    return emitOpError("expected `pending` without a barrier");
  // wait_c1
  return getBarrier() ? verifyBarriers(*this, getBarrier(), 1) : success();
}

LogicalResult ArriveOp::verify() {
  // arrive_c2
  if (getCopies() && getWarp())
    return emitOpError(
        "expected `copies`, which are a thread's, or `warp`, got "
        "both");
  // arrive_c1
  return verifyBarriers(*this, getBarrier(), 1);
}

void RolesOp::build(OpBuilder &builder, OperationState &state,
                    int64_t producers) {
  state.addAttribute(getProducersAttrName(state.name),
                     builder.getI64IntegerAttr(producers));
  for (int region = 0; region < 2; ++region)
    state.addRegion()->emplaceBlock();
}

LogicalResult RolesOp::verify() {
  // roles_c1
  auto launch = dyn_cast<gpu::LaunchOp>((*this)->getParentOp());
  if (!launch)
    return emitOpError("expected it in a gpu.launch, outside of loops, so that "
                       "all threads of the block reach it");
  // roles_c2
  std::optional<int64_t> threads = getConstantIntValue(launch.getBlockSizeX());
  if (!threads || *threads <= 32 * int64_t(getProducers()))
    return emitOpError() << "expected a block of more threads than its "
                         << getProducers() << " warps of producers have";
  return success();
}

LogicalResult TileGatherOp::verify() {
  // tile_gather_c1
  if (failed(verifyCopy(*this, getSource(), getDestination())) ||
      failed(verifyRank(*this, "the source", getSource(), 2)))
    return failure();
  auto columns = cast<MemRefType>(getColumns().getType());
  auto to = cast<MemRefType>(getDestination().getType());
  // tile_gather_c2
  if (columns.getRank() != 2 || columns.getDimSize(0) != 1 ||
      columns.getDimSize(1) != to.getDimSize(0) ||
      !columns.getElementType().isInteger(32))
    return emitOpError() << "expected columns of 1x" << to.getDimSize(0)
                         << " i32, got " << columns;
  return success();
}

/// Checks that a tile of A, token-major in `staging`, is cut into blocks that
/// are transposed.
static LogicalResult verifyStaging(Operation *op, Value staging) {
  auto type = cast<MemRefType>(staging.getType());
  std::optional<int64_t> extent =
      TransposeBlocks::getExtent(type.getElementType());
  if (!extent)
    return op->emitOpError()
           << "expected elements of 2, 4 or 8 bytes, got " << type;
  if (!TransposeBlocks::get(type.getElementType(), type.getDimSize(1),
                            type.getDimSize(0), /*threads=*/1))
    return op->emitOpError()
           << "expected a tile of whole blocks, multiples of " << *extent / 2
           << " rows by " << *extent << " columns, got " << type;
  return success();
}

LogicalResult TileFetchOp::verify() {
  // tile_fetch_c1
  if (failed(verifyCopy(*this, getSource(), getStaging())) ||
      failed(verifyRank(*this, "the source", getSource(), 2)))
    return failure();
  // tile_fetch_c2
  if (failed(verifyStaging(*this, getStaging())))
    return failure();
  auto from = cast<MemRefType>(getSource().getType());
  auto to = cast<MemRefType>(getStaging().getType());
  // tile_fetch_c3
  for (int dim : {0, 1})
    if (failed(verifyWithin(*this, "source extents", from.getDimSize(dim),
                            to.getDimSize(dim))))
      return failure();
  return success();
}

LogicalResult TileTransposeOp::verify() {
  // tile_transpose_c1
  if (failed(verifyCopy(*this, getStaging(), getDestination())) ||
      failed(verifyCopy(*this, getDestination(), getStaging())) ||
      failed(verifyStaging(*this, getStaging())))
    return failure();
  // tile_transpose_c2
  auto from = cast<MemRefType>(getStaging().getType());
  auto to = cast<MemRefType>(getDestination().getType());
  if (from.getDimSize(0) != to.getDimSize(1) ||
      from.getDimSize(1) != to.getDimSize(0))
    return emitOpError() << "expected a destination of the staging buffer's "
                            "extents, exchanged, got "
                         << from << " and " << to;
  return success();
}

LogicalResult TileReduceOp::verify() {
  if (!isAcrossGrid())
    return success();
  FragmentType fragment = getResult().getType();
  auto workspace = cast<MemRefType>(getWorkspace().getType());
  // tile_reduce_c1
  if (workspace.getRank() != 2 ||
      workspace.getDimSize(1) != fragment.getM() * fragment.getN() ||
      workspace.getElementType() != fragment.getElementType())
    return emitOpError() << "expected a workspace with a row of "
                         << fragment.getM() * fragment.getN() << " x "
                         << fragment.getElementType() << " for each part, got "
                         << workspace;
  // tile_reduce_c2
  auto arrivals = cast<MemRefType>(getArrivals().getType());
  if (arrivals.getRank() != 1 || arrivals.getDimSize(0) != 1 ||
      !arrivals.getElementType().isInteger(32))
    return emitOpError() << "expected arrivals that are one i32, got "
                         << arrivals;
  return success();
}

LogicalResult TileStoreOp::verify() {
  // tile_store_c1
  if (failed(verifyRank(*this, "the destination", getDestination(), 2)))
    return failure();
  auto to = cast<MemRefType>(getDestination().getType());
  FragmentType value = getValue().getType();
  bool feature = getCLayout() == Layout::FeatureMajor;
  // tile_store_c2
  if (failed(verifyWithin(*this, "rows of m", to.getDimSize(feature ? 1 : 0),
                          value.getM())) ||
      failed(verifyWithin(*this, "columns", to.getDimSize(feature ? 0 : 1),
                          value.getN())))
    return failure();
  // tile_store_c6
  if (!isProductResult(
          getEpilogueType(value.getElementType(), bool(getScale())),
          to.getElementType()))
    return emitOpError() << "expected a destination for sums of "
                         << value.getElementType()
                         << (getScale() ? " with a scale" : " without a scale")
                         << ", got " << to;
  // tile_store_c3
  if (getBias() && failed(verifyRank(*this, "the bias", getBias(), 1)))
    return failure();
  // tile_store_c5
  if (getScale() && failed(verifyRank(*this, "the scale", getScale(), 1)))
    return failure();
  // tile_store_c4
  if (getResidual()) {
    auto residual = cast<MemRefType>(getResidual().getType());
    if (residual.getShape() != to.getShape() ||
        residual.getElementType() != to.getElementType())
      return emitOpError() << "expected a residual like the destination " << to
                           << ", got " << residual;
  }
  return success();
}
