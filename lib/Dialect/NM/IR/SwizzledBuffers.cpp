//===- SwizzledBuffers.cpp - The attribute nm.swizzle ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/IR/SwizzledBuffers.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

bool nm::canSwizzle(int64_t columns, Type element) {
  if (!element.isIntOrFloat())
    return false;
  int64_t bits = element.getIntOrFloatBitWidth();
  int64_t rowBits = columns * bits, chunkBits = kSwizzledChunkBytes * 8;
  // An element lies in one chunk.
  if (chunkBits % bits != 0 || rowBits % chunkBits != 0)
    return false;
  int64_t chunks = rowBits / chunkBits;
  return chunks % kChunksOfBanks == 0 ||
         (chunks < kChunksOfBanks && llvm::isPowerOf2_64(chunks));
}

LogicalResult nm::verifySwizzle(Operation *op, NamedAttribute attribute) {
  // swizzle_c1
  auto allocation = dyn_cast<memref::AllocOp>(op);
  if (!allocation || !isa<UnitAttr>(attribute.getValue()))
    return op->emitError() << "expected `" << kSwizzleAttrName
                           << "` to be a unit attribute of a memref.alloc, got "
                           << attribute.getValue() << " on " << op->getName();
  // swizzle_c2
  MemRefType type = allocation.getType();
  if (type.getRank() < 2 || type.isDynamicDim(type.getRank() - 1) ||
      !type.getLayout().isIdentity())
    return op->emitError() << "expected a buffer with `" << kSwizzleAttrName
                           << "` to have rank 2 or more, rows of static "
                              "extent and no layout, got "
                           << type;
  // swizzle_c3
  if (!canSwizzle(type.getShape().back(), type.getElementType()))
    return op->emitError() << "expected rows of a buffer with `"
                           << kSwizzleAttrName
                           << "` to be 1, 2, 4 or a multiple of 8 chunks of "
                           << kSwizzledChunkBytes << " bytes, got rows of "
                           << type.getShape().back() << " elements of "
                           << type.getElementType();
  return success();
}
