//===- Swizzle.cpp - Rows of tiles on other banks -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"

using namespace mlir;
using namespace nm;

static int64_t getChunkElements(Type element) {
  return kSwizzledChunkBytes * 8 / element.getIntOrFloatBitWidth();
}

/// The allocation that `memref` is a view of; null where it is none of one.
static memref::AllocOp getAllocation(Value memref) {
  while (auto view = memref.getDefiningOp<memref::SubViewOp>())
    memref = view.getSource();
  return memref.getDefiningOp<memref::AllocOp>();
}

void nm::setSwizzled(Value memref) {
  memref::AllocOp alloc = getAllocation(memref);
  alloc->setAttr(kSwizzleAttrName, UnitAttr::get(alloc.getContext()));
}

bool nm::isSwizzled(Value memref) {
  memref::AllocOp alloc = getAllocation(memref);
  return alloc && alloc->hasAttr(kSwizzleAttrName);
}

/// The row of the buffer, or of the slot of a ring, that row `i` of `memref`
/// is.
static Value getRowOfBuffer(ImplicitLocOpBuilder &b, Value memref, Value i) {
  while (auto view = memref.getDefiningOp<memref::SubViewOp>()) {
    OpFoldResult first =
        view.getMixedOffsets()[view.getSourceType().getRank() - 2];
    std::optional<int64_t> known = getConstantIntValue(first);
    // Eight rows further, all repeats.
    if (!known || *known % kChunksOfBanks != 0)
      i = addIndex(b, i, getValueOrCreateConstantIndexOp(b, b.getLoc(), first));
    memref = view.getSource();
  }
  return i;
}

Value nm::getSwizzle(ImplicitLocOpBuilder &b, Value memref, Value i) {
  if (!isSwizzled(memref))
    return {};
  MemRefType type = getAllocation(memref).getType();
  int64_t ofChunk = getChunkElements(type.getElementType());
  int64_t chunks = std::min(type.getShape().back() / ofChunk, kChunksOfBanks);
  Value line =
      divIndex(b, getRowOfBuffer(b, memref, i), kChunksOfBanks / chunks);
  return mulIndex(b, remIndex(b, line, chunks), ofChunk);
}

Value nm::swizzleColumn(ImplicitLocOpBuilder &b, Value memref, Value i,
                        Value j) {
  Value swizzle = getSwizzle(b, memref, i);
  return swizzle ? arith::XOrIOp::create(b, j, swizzle).getResult() : j;
}
