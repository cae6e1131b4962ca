//===- PackTile.cpp - Copies of A's tile become gathers ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMPACKTILEPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The copy that fills `buffer` for `mma`; null when there is none in its
/// block, or when anything else uses the buffer.
static TileCopyOp findCopy(TileMmaOp mma, Value buffer) {
  TileCopyOp found;
  for (Operation *user : buffer.getUsers()) {
    if (user == mma)
      continue;
    auto copy = dyn_cast<TileCopyOp>(user);
    if (found || !copy || copy.getDestination() != buffer ||
        copy->getBlock() != mma->getBlock())
      return {};
    found = copy;
  }
  return found;
}

static void missed(TileMmaOp mma, StringRef why) {
  emitRemark(mma, RemarkId::TileNotPacked) << remarkReason("{0}", why);
}

/// Replaces the copy of A's tile by a gather of the listed rows.
static void pack(TileMmaOp mma, gpu::LaunchOp launch) {
  if (!mma.getColumns())
    return missed(mma, "no column information");
  if (!isWorkgroup(mma.getA()))
    return missed(mma, "A is not promoted");
  TileCopyOp copy = findCopy(mma, mma.getA());
  if (!copy)
    return missed(mma,
                  "A's buffer is not filled by one nm.tile_copy beside the "
                  "product, for it alone; pack before buffers are "
                  "doubled");
  ImplicitLocOpBuilder b(copy.getLoc(), copy);
  auto whole = cast<MemRefType>(copy.getDestination().getType());
  int64_t rows = cast<MemRefType>(mma.getColumns().getType()).getDimSize(1);
  // As the buffer that it replaces.
  auto [strides, offset] = whole.getStridesAndOffset();
  int64_t padding = strides[0] - whole.getDimSize(1);
  Value buffer;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&launch.getBody().front());
    buffer = allocateWorkgroup(b, {rows, whole.getDimSize(1)},
                               whole.getElementType(), padding);
    if (isSwizzled(copy.getDestination()))
      setSwizzled(buffer);
  }
  TileGatherOp::create(b, copy.getSource(), mma.getColumns(), buffer,
                       copy.getPredicate(), copy.getTranspose(),
                       copy.getAsync());
  Value replaced = copy.getDestination();
  copy.erase();
  mma.getAMutable().assign(buffer);
  mma.getColumnsMutable().clear();
  eraseUnused(replaced);
  emitRemark(mma, RemarkId::TilePacked)
      << remarkKey(RemarkKey::Rows, rows)
      << remarkKey(RemarkKey::OfRows, whole.getDimSize(0));
}

namespace {
struct PackTile : nm::impl::NMPackTilePassBase<PackTile> {
  void runOnOperation() override {
    auto packKernel = [](TiledKernel kernel) {
      pack(kernel.mma, kernel.launch);
      return success();
    };
    if (failed(forEachKernel(getOperation(), packKernel)))
      signalPassFailure();
  }
};
} // namespace
