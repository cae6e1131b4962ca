//===- Scan.cpp - tm_tensor.scan to loops ---------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One iteration of the parallel loop is one row; a row is summed in order, so
// that floats round as in PyTorch.
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nm::tm_tensor;

/// The loop over one row that is not empty.
static void scanRow(ImplicitLocOpBuilder &b, ScanOp op, ValueRange row,
                    Value extent) {
  Value input = op.getInputs()[0], totals = op.getOutputs()[0],
        accumulator = op.getOutputs()[1];
  int64_t dimension = op.getDimension();
  bool inclusive = op.getInclusive();
  Value zero = constantIndex(b, 0), one = constantIndex(b, 1);
  auto at = [&](Value position) {
    return insertCoordinate(row, dimension, position);
  };
  Value first = inclusive
                    ? memref::LoadOp::create(b, input, at(zero)).getResult()
                    : memref::LoadOp::create(b, accumulator, row).getResult();
  memref::StoreOp::create(b, first, totals, at(zero));
  ValueRange last = createLoop(
      b, one, extent, first,
      [&](ImplicitLocOpBuilder &b, Value i, ValueRange carried) {
        Value from = inclusive ? i : arith::SubIOp::create(b, i, one);
        Value next = memref::LoadOp::create(b, input, at(from));
        Value total = inlineRegion(b, op.getRegion(), {carried[0], next});
        memref::StoreOp::create(b, total, totals, at(i));
        return SmallVector<Value>{total};
      });
  memref::StoreOp::create(b, last[0], accumulator, row);
}

void nm::tm_tensor::lowerScan(ImplicitLocOpBuilder &b, ScanOp op) {
  SmallVector<Value> extents = createExtents(b, op.getInputs()[0]);
  Value extent = extents[op.getDimension()];
  extents.erase(extents.begin() + op.getDimension());
  createParallel(
      b, extents, "scan", [&](ImplicitLocOpBuilder &b, ValueRange row) {
        Value isNotEmpty = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt,
                                                 extent, constantIndex(b, 0));
        auto guard = scf::IfOp::create(b, isNotEmpty);
        OpBuilder::InsertionGuard inside(b);
        b.setInsertionPointToStart(guard.thenBlock());
        scanRow(b, op, row, extent);
      });
}
