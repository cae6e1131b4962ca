//===- SizeOrigin.cpp - Where the size of a dimension comes from ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/SizeOrigin.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace nm;

bool nm::isDimension(Value shaped, int64_t index) {
  auto type = cast<ShapedType>(shaped.getType());
  return index >= 0 && (!type.hasRank() || index < type.getRank());
}

SizeOrigin nm::getSizeOrigin(OpFoldResult size) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return {{}, *number};
  auto value = cast<Value>(size);
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    return getSizeOrigin(OpFoldResult(cast.getIn()));
  // What has no such dimension has no size either: nm-assert-shapes says so.
  if (auto dim = value.getDefiningOp<tensor::DimOp>())
    if (std::optional<int64_t> index = dim.getConstantIndex();
        index && isDimension(dim.getSource(), *index))
      return getSizeOrigin(dim.getSource(), *index);
  return {value, 0};
}

SizeOrigin nm::getSizeOrigin(Value shaped, int64_t dim) {
  auto type = cast<ShapedType>(shaped.getType());
  if (type.hasRank() && !type.isDynamicDim(dim))
    return {{}, type.getDimSize(dim)};
  Operation *op = shaped.getDefiningOp();
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op))
    return getSizeOrigin(empty.getMixedSizes()[dim]);
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(op))
    return getSizeOrigin(cast.getSource(), dim);
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op);
      slice && slice.getDroppedDims().none())
    return getSizeOrigin(slice.getMixedSizes()[dim]);
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    return getSizeOrigin(expand.getMixedOutputShape()[dim]);
  if (auto reshape = dyn_cast_or_null<tensor::ReshapeOp>(op))
    if (auto shape = reshape.getShape().getDefiningOp<tensor::FromElementsOp>())
      return getSizeOrigin(OpFoldResult(shape.getElements()[dim]));
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    ReassociationIndices group = collapse.getReassociationIndices()[dim];
    if (group.size() == 1)
      return getSizeOrigin(collapse.getSrc(), group.front());
  }
  if (auto style = dyn_cast_or_null<DestinationStyleOpInterface>(op))
    return getSizeOrigin(style.getTiedOpOperand(cast<OpResult>(shaped))->get(),
                         dim);
  return {shaped, dim};
}

SizeOrigin nm::getSizeOrigin(const SizeOrigin &size) {
  if (!size.value)
    return size;
  if (isa<ShapedType>(size.value.getType()))
    return getSizeOrigin(size.value, size.number);
  return getSizeOrigin(OpFoldResult(size.value));
}

Value nm::createSize(ImplicitLocOpBuilder &b, const SizeOrigin &size) {
  if (!size.value)
    return arith::ConstantIndexOp::create(b, size.number);
  if (isa<TensorType>(size.value.getType()))
    return tensor::DimOp::create(b, size.value, size.number);
  if (isa<BaseMemRefType>(size.value.getType()))
    return memref::DimOp::create(b, size.value, size.number);
  if (size.value.getType().isIndex())
    return size.value;
  return arith::IndexCastOp::create(b, b.getIndexType(), size.value);
}
