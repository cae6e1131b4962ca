//===- LoopNest.cpp - Loops over buffers ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"

using namespace mlir;
using namespace nm;

Value tm_tensor::constantIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value tm_tensor::createExtent(ImplicitLocOpBuilder &b, Value buffer,
                              int64_t dimension) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.isDynamicDim(dimension))
    return constantIndex(b, type.getDimSize(dimension));
  return memref::DimOp::create(b, buffer, dimension);
}

SmallVector<Value> tm_tensor::createExtents(ImplicitLocOpBuilder &b,
                                            Value buffer) {
  SmallVector<Value> extents;
  for (int64_t i = 0, e = cast<MemRefType>(buffer.getType()).getRank(); i < e;
       ++i)
    extents.push_back(createExtent(b, buffer, i));
  return extents;
}

void tm_tensor::createParallel(ImplicitLocOpBuilder &b, ValueRange extents,
                               StringRef name, BodyBuilder body) {
  Value zero = constantIndex(b, 0), one = constantIndex(b, 1);
  SmallVector<Value> upper(extents);
  if (upper.empty())
    upper.push_back(one);
  SmallVector<Value> lower(upper.size(), zero), steps(upper.size(), one);
  auto loop = scf::ParallelOp::create(b, lower, upper, steps);
  loop->setAttr(kKernelNameAttr, b.getStringAttr(name));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(b, ValueRange(loop.getInductionVars()).take_front(extents.size()));
}

ValueRange tm_tensor::createLoop(
    ImplicitLocOpBuilder &b, Value lower, Value upper, ValueRange inits,
    function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, Value, ValueRange)>
        body) {
  auto loop = scf::ForOp::create(
      b, lower, upper, constantIndex(b, 1), inits,
      [&](OpBuilder &builder, Location loc, Value iv, ValueRange carried) {
        ImplicitLocOpBuilder inner(loc, builder);
        SmallVector<Value> next = body(inner, iv, carried);
        scf::YieldOp::create(inner, next);
      });
  return loop.getResults();
}

SmallVector<Value> tm_tensor::insertCoordinate(ValueRange rows,
                                               int64_t dimension,
                                               Value position) {
  SmallVector<Value> coordinates(rows);
  coordinates.insert(coordinates.begin() + dimension, position);
  return coordinates;
}

Value tm_tensor::inlineRegion(ImplicitLocOpBuilder &b, Region &region,
                              ValueRange arguments) {
  Block &body = region.front();
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}
