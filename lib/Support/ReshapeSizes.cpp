//===- ReshapeSizes.cpp - The sizes that a reshape gives ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/ReshapeSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

std::optional<SmallVector<OpFoldResult>>
nm::getReshapeSizes(OpBuilder &builder, tensor::ReshapeOp op) {
  auto type = cast<ShapedType>(op.getType());
  SmallVector<OpFoldResult> sizes;
  auto addStatic = [&](int64_t size) {
    sizes.push_back(builder.getIndexAttr(size));
  };
  DenseIntElementsAttr constant;
  if (type.hasRank() && type.hasStaticShape()) {
    llvm::for_each(type.getShape(), addStatic);
  } else if (matchPattern(op.getShape(), m_Constant(&constant))) {
    for (const APInt &size : constant.getValues<APInt>())
      addStatic(size.getSExtValue());
  } else if (auto shape =
                 op.getShape().getDefiningOp<tensor::FromElementsOp>()) {
    for (auto [i, size] : llvm::enumerate(shape.getElements())) {
      if (type.hasRank() && !type.isDynamicDim(i))
        addStatic(type.getDimSize(i));
      else if (size.getType().isIndex())
        sizes.push_back(size);
      else
        sizes.push_back(arith::IndexCastOp::create(builder, op.getLoc(),
                                                   builder.getIndexType(), size)
                            .getResult());
    }
  } else {
    return std::nullopt;
  }
  return sizes;
}
