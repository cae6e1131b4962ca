//===- TensorTile.cpp - Where a tile lies in its tensor -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Base/TensorMapLimits.h"
#include "nm/Dialect/NM/IR/TensorMaps.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"

using namespace mlir;
using namespace nm;

std::optional<TensorTile> nm::findTensor(ImplicitLocOpBuilder &b, Value tile,
                                         gpu::LaunchOp launch) {
  int64_t rank = cast<MemRefType>(tile.getType()).getRank();
  TensorTile found{tile, SmallVector<OpFoldResult>(rank, b.getIndexAttr(0)),
                   llvm::to_vector(llvm::seq<int64_t>(0, rank))};
  while (
      launch->isProperAncestor(found.tensor.getParentRegion()->getParentOp()) ||
      found.tensor.getParentRegion() == &launch.getBody()) {
    auto view = found.tensor.getDefiningOp<memref::SubViewOp>();
    if (!view || !view.hasUnitStride())
      return std::nullopt;
    llvm::SmallBitVector dropped = view.getDroppedDims();
    SmallVector<int64_t> kept; // dimensions of the source
    for (int64_t dim = 0; dim < view.getSourceType().getRank(); ++dim)
      if (!dropped[dim])
        kept.push_back(dim);
    SmallVector<OpFoldResult> at = view.getMixedOffsets();
    for (auto [dim, inner] : llvm::zip_equal(kept, found.at))
      at[dim] = getAsOpFoldResult(
          addIndex(b, getValueOrCreateConstantIndexOp(b, b.getLoc(), at[dim]),
                   getValueOrCreateConstantIndexOp(b, b.getLoc(), inner)));
    for (int64_t &dim : found.dimensions)
      dim = kept[dim];
    found.tensor = view.getSource();
    found.at = std::move(at);
  }
  return found;
}

bool nm::hasBoxes(Value tensor) {
  auto type = cast<MemRefType>(tensor.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getRank() < 2 || type.getRank() > kMostTensorMapDimensions ||
      !getTensorMapElement(type.getElementType()) ||
      failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return false;
  int64_t elementBytes = type.getElementTypeBitWidth() / 8;
  auto outer = llvm::seq<int64_t>(0, type.getRank() - 1);
  return llvm::all_of(outer, [&](int64_t dim) {
    return strideDivisor(tensor, dim) * elementBytes % kTensorMapUnit == 0;
  });
}
