//===- Topk.cpp - tm_tensor.topk to loops ---------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One iteration of the parallel loop is one row: each element is carried along
// the K kept ones, which are in order, and changes places with those that it
// goes before.
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nm::tm_tensor;

/// Whether the carried {value, index} goes before the kept one: by the region,
/// and among equals by the index.
static Value createGoesBefore(ImplicitLocOpBuilder &b, Region &region,
                              ValueRange carried, ValueRange kept) {
  Value before = createPrecedes(b, region, carried[0], kept[0]);
  Value after = createPrecedes(b, region, kept[0], carried[0]);
  Value isEqual =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, before, after);
  Value isEarlier =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, carried[1], kept[1]);
  return arith::SelectOp::create(b, isEqual, isEarlier, before);
}

void nm::tm_tensor::lowerTopk(ImplicitLocOpBuilder &b, TopkOp op) {
  int64_t dimension = op.getDimension();
  Value input = op.getInputs()[0];
  SmallVector<Value> extents = createExtents(b, input);
  Value extent = extents[dimension];
  extents.erase(extents.begin() + dimension);
  Value count = createExtent(b, op.getOutputs()[0], dimension);

  auto insert = [&](ImplicitLocOpBuilder &b, ValueRange row, Value position) {
    SmallVector<Value> from = insertCoordinate(row, dimension, position);
    Value value = memref::LoadOp::create(b, input, from);
    Value index =
        op.getInputs().size() > 1
            ? memref::LoadOp::create(b, op.getInputs()[1], from).getResult()
            : arith::IndexCastOp::create(b, b.getI32Type(), position)
                  .getResult();
    createLoop(b, constantIndex(b, 0), count, {value, index},
               [&](ImplicitLocOpBuilder &b, Value k, ValueRange carried) {
                 SmallVector<Value> at = insertCoordinate(row, dimension, k),
                                    kept;
                 for (Value output : op.getOutputs())
                   kept.push_back(memref::LoadOp::create(b, output, at));
                 Value swap =
                     createGoesBefore(b, op.getRegion(), carried, kept);
                 SmallVector<Value> next;
                 for (auto [mine, its, output] :
                      llvm::zip_equal(carried, kept, op.getOutputs())) {
                   Value stays = arith::SelectOp::create(b, swap, mine, its);
                   memref::StoreOp::create(b, stays, output, at);
                   next.push_back(arith::SelectOp::create(b, swap, its, mine));
                 }
                 return next;
               });
  };
  createParallel(
      b, extents, "topk", [&](ImplicitLocOpBuilder &b, ValueRange row) {
        createLoop(b, constantIndex(b, 0), extent, {},
                   [&](ImplicitLocOpBuilder &b, Value i, ValueRange) {
                     insert(b, row, i);
                     return SmallVector<Value>();
                   });
      });
}
