//===- MemRefs.cpp - Questions about buffers ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/MemRefs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "nm/Support/SignatureAttributes.h"

using namespace mlir;
using namespace nm;

Value nm::createDim(ImplicitLocOpBuilder &b, Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(b, type.getDimSize(dim));
  auto toValue = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
  };
  Operation *op = buffer.getDefiningOp();
  if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op))
    return toValue(alloc.getMixedSizes()[dim]);
  if (auto cast = dyn_cast_or_null<memref::CastOp>(op);
      cast && isa<MemRefType>(cast.getSource().getType()))
    return createDim(b, cast.getSource(), dim);
  if (auto view = dyn_cast_or_null<memref::ReinterpretCastOp>(op))
    return toValue(view.getMixedSizes()[dim]);
  if (auto view = dyn_cast_or_null<memref::SubViewOp>(op);
      view && view.getDroppedDims().none())
    return toValue(view.getMixedSizes()[dim]);
  if (auto view = dyn_cast_or_null<memref::ExpandShapeOp>(op))
    return toValue(view.getMixedOutputShape()[dim]);
  if (auto view = dyn_cast_or_null<memref::CollapseShapeOp>(op)) {
    Value product;
    ReassociationIndices group = view.getReassociationIndices()[dim];
    for (int64_t source : group) {
      Value size = createDim(b, view.getSrc(), source);
      product = product ? arith::MulIOp::create(b, product, size) : size;
    }
    return product;
  }
  return memref::DimOp::create(b, buffer, dim);
}

Value nm::getViewRoot(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

Value nm::getLoadedBuffer(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getMemRef();
  auto load = dyn_cast<vector::LoadOp>(op);
  return load ? load.getBase() : Value();
}

/// Whether `root` is an array of a weight of the caller's, which nobody writes
/// to while calls run.
static bool isWeightArgument(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  auto function = argument ? dyn_cast_or_null<FunctionOpInterface>(
                                 argument.getOwner()->getParentOp())
                           : nullptr;
  return function && argument.getOwner()->isEntryBlock() &&
         function.getArgAttr(argument.getArgNumber(), kPartAttr);
}

bool nm::isConstantBuffer(Value buffer) {
  Value root = getViewRoot(buffer);
  if (isWeightArgument(root))
    return true;
  auto get = root.getDefiningOp<memref::GetGlobalOp>();
  if (!get)
    return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      get, get.getNameAttr());
  return global && global.getConstant();
}
