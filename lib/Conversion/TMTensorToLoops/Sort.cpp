//===- Sort.cpp - tm_tensor.sort to loops ---------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs of 32 elements are sorted by insertion, all runs of all rows in
// parallel; then neighbouring runs are merged, into a second set of buffers and
// back, each merge one iteration of a parallel loop. Both are stable and give a
// permutation whatever the comparator says.
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nm::tm_tensor;

/// Elements of a run that insertion sorts: most rows of a router's scores are
/// one such run and need one kernel and no second buffer.
static constexpr int64_t kRun = 32;

namespace {
class SortBuilder {
public:
  SortBuilder(ImplicitLocOpBuilder &b, SortOp op)
      : op(op), dimension(op.getDimension()),
        rowExtents(createExtents(b, op.getOutputs()[0])) {
    extent = rowExtents[dimension];
    rowExtents.erase(rowExtents.begin() + dimension);
  }

  void createSort(ImplicitLocOpBuilder &b);

private:
  SmallVector<Value> load(ImplicitLocOpBuilder &b, ValueRange buffers,
                          ValueRange row, Value position);
  void store(ImplicitLocOpBuilder &b, ValueRange values, ValueRange buffers,
             ValueRange row, Value position);

  /// Whether elements `left` may stand before `right`.
  Value mayPrecede(ImplicitLocOpBuilder &b, ValueRange left, ValueRange right);
  /// Whether `later` must stand before `earlier`, which it follows.
  Value mustSwap(ImplicitLocOpBuilder &b, ValueRange later, ValueRange earlier);

  /// A kernel with one iteration for every `length` elements of a row; `body`
  /// is given the row and the first position.
  void createKernel(
      ImplicitLocOpBuilder &b, StringRef name, Value length,
      function_ref<void(ImplicitLocOpBuilder &, ValueRange, Value)> body);
  void sortRuns(ImplicitLocOpBuilder &b);
  void insertElement(ImplicitLocOpBuilder &b, ValueRange row, Value first,
                     Value position);
  void mergeRuns(ImplicitLocOpBuilder &b, ValueRange from, ValueRange to,
                 Value length);
  void createMerges(ImplicitLocOpBuilder &b);

  SortOp op;
  int64_t dimension;
  SmallVector<Value> rowExtents; // without the sorted dimension
  Value extent;                  // of the sorted dimension
};
} // namespace

static Value minimum(ImplicitLocOpBuilder &b, Value left, Value right) {
  return arith::MinSIOp::create(b, left, right);
}

static Value isLess(ImplicitLocOpBuilder &b, Value left, Value right) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, left, right);
}

SmallVector<Value> SortBuilder::load(ImplicitLocOpBuilder &b,
                                     ValueRange buffers, ValueRange row,
                                     Value position) {
  SmallVector<Value> at = insertCoordinate(row, dimension, position), values;
  for (Value buffer : buffers)
    values.push_back(memref::LoadOp::create(b, buffer, at));
  return values;
}

void SortBuilder::store(ImplicitLocOpBuilder &b, ValueRange values,
                        ValueRange buffers, ValueRange row, Value position) {
  SmallVector<Value> at = insertCoordinate(row, dimension, position);
  for (auto [value, buffer] : llvm::zip_equal(values, buffers))
    memref::StoreOp::create(b, value, buffer, at);
}

Value SortBuilder::mayPrecede(ImplicitLocOpBuilder &b, ValueRange left,
                              ValueRange right) {
  return createPrecedes(b, op.getRegion(), left, right);
}

Value SortBuilder::mustSwap(ImplicitLocOpBuilder &b, ValueRange later,
                            ValueRange earlier) {
  // Elements that may stand either way keep their order, whether the comparator
  // says `>=` or `>`.
  Value isFine = mayPrecede(b, earlier, later);
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  return arith::AndIOp::create(b, mayPrecede(b, later, earlier),
                               arith::XOrIOp::create(b, isFine, yes));
}

void SortBuilder::createKernel(
    ImplicitLocOpBuilder &b, StringRef name, Value length,
    function_ref<void(ImplicitLocOpBuilder &, ValueRange, Value)> body) {
  SmallVector<Value> extents = rowExtents;
  extents.push_back(b.createOrFold<arith::CeilDivSIOp>(extent, length));
  createParallel(
      b, extents, name, [&](ImplicitLocOpBuilder &b, ValueRange ivs) {
        body(b, ivs.drop_back(), arith::MulIOp::create(b, ivs.back(), length));
      });
}

void SortBuilder::insertElement(ImplicitLocOpBuilder &b, ValueRange row,
                                Value first, Value position) {
  ValueRange buffers = op.getOutputs();
  SmallVector<Value> element = load(b, buffers, row, position);
  Value one = constantIndex(b, 1);
  Type index = b.getIndexType();
  auto shift = scf::WhileOp::create(
      b, TypeRange(index), position,
      [&](OpBuilder &builder, Location loc, ValueRange place) {
        ImplicitLocOpBuilder b(loc, builder);
        Value hasPrevious = isLess(b, first, place[0]);
        auto compare = scf::IfOp::create(
            b, hasPrevious,
            [&](OpBuilder &builder, Location loc) {
              ImplicitLocOpBuilder b(loc, builder);
              SmallVector<Value> previous = load(
                  b, buffers, row, arith::SubIOp::create(b, place[0], one));
              scf::YieldOp::create(b, mustSwap(b, element, previous));
            },
            [&](OpBuilder &builder, Location loc) {
              ImplicitLocOpBuilder b(loc, builder);
              scf::YieldOp::create(
                  b, arith::ConstantIntOp::create(b, 0, 1).getResult());
            });
        scf::ConditionOp::create(b, compare.getResult(0), place);
      },
      [&](OpBuilder &builder, Location loc, ValueRange place) {
        ImplicitLocOpBuilder b(loc, builder);
        Value previous = arith::SubIOp::create(b, place[0], one);
        store(b, load(b, buffers, row, previous), buffers, row, place[0]);
        scf::YieldOp::create(b, previous);
      });
  store(b, element, buffers, row, shift.getResult(0));
}

void SortBuilder::sortRuns(ImplicitLocOpBuilder &b) {
  Value run = constantIndex(b, kRun);
  createKernel(b, "sort_runs", run,
               [&](ImplicitLocOpBuilder &b, ValueRange row, Value first) {
                 Value last =
                     minimum(b, arith::AddIOp::create(b, first, run), extent);
                 Value second =
                     arith::AddIOp::create(b, first, constantIndex(b, 1));
                 createLoop(b, second, last, {},
                            [&](ImplicitLocOpBuilder &b, Value i, ValueRange) {
                              insertElement(b, row, first, i);
                              return SmallVector<Value>();
                            });
               });
}

void SortBuilder::mergeRuns(ImplicitLocOpBuilder &b, ValueRange from,
                            ValueRange to, Value length) {
  Value both = arith::MulIOp::create(b, length, constantIndex(b, 2));
  createKernel(
      b, "sort_merge", both,
      [&](ImplicitLocOpBuilder &b, ValueRange row, Value first) {
        Value one = constantIndex(b, 1);
        Value middle =
            minimum(b, arith::AddIOp::create(b, first, length), extent);
        Value end = minimum(b, arith::AddIOp::create(b, first, both), extent);
        Value lastPosition = arith::SubIOp::create(b, extent, one);
        createLoop(
            b, first, end, {first, middle},
            [&](ImplicitLocOpBuilder &b, Value i, ValueRange heads) {
              // A run that is used up has no head; any element may stand in.
              Value left = heads[0], right = heads[1];
              SmallVector<Value> leftValues =
                  load(b, from, row, minimum(b, left, lastPosition));
              SmallVector<Value> rightValues =
                  load(b, from, row, minimum(b, right, lastPosition));
              Value leftIsEmpty = arith::CmpIOp::create(
                  b, arith::CmpIPredicate::sge, left, middle);
              Value takeRight = arith::AndIOp::create(
                  b, isLess(b, right, end),
                  arith::OrIOp::create(b, leftIsEmpty,
                                       mustSwap(b, rightValues, leftValues)));
              SmallVector<Value> taken;
              for (auto [l, r] : llvm::zip_equal(leftValues, rightValues))
                taken.push_back(arith::SelectOp::create(b, takeRight, r, l));
              store(b, taken, to, row, i);
              Value step =
                  arith::IndexCastUIOp::create(b, b.getIndexType(), takeRight);
              Value nextRight = arith::AddIOp::create(b, right, step);
              Value leftStep = arith::SubIOp::create(b, one, step);
              return SmallVector<Value>{
                  arith::AddIOp::create(b, left, leftStep), nextRight};
            });
      });
}

void SortBuilder::createMerges(ImplicitLocOpBuilder &b) {
  SmallVector<Value> scratch;
  for (Value output : op.getOutputs()) {
    auto type = cast<MemRefType>(output.getType());
    SmallVector<Value> sizes;
    for (int64_t i = 0, e = type.getRank(); i < e; ++i)
      if (type.isDynamicDim(i))
        sizes.push_back(createExtent(b, output, i));
    scratch.push_back(memref::AllocOp::create(
        b, MemRefType::get(type.getShape(), type.getElementType()), sizes));
  }
  // Two levels an iteration, so that the result is where it belongs.
  scf::WhileOp::create(
      b, TypeRange(b.getIndexType()), constantIndex(b, kRun),
      [&](OpBuilder &builder, Location loc, ValueRange length) {
        ImplicitLocOpBuilder b(loc, builder);
        scf::ConditionOp::create(b, isLess(b, length[0], extent), length);
      },
      [&](OpBuilder &builder, Location loc, ValueRange length) {
        ImplicitLocOpBuilder b(loc, builder);
        Value two = constantIndex(b, 2);
        mergeRuns(b, op.getOutputs(), scratch, length[0]);
        Value twice = arith::MulIOp::create(b, length[0], two);
        mergeRuns(b, scratch, op.getOutputs(), twice);
        Value next = arith::MulIOp::create(b, twice, two);
        scf::YieldOp::create(b, next);
      });
}

void SortBuilder::createSort(ImplicitLocOpBuilder &b) {
  sortRuns(b);
  int64_t known =
      cast<MemRefType>(op.getOutputs()[0].getType()).getDimSize(dimension);
  if (ShapedType::isDynamic(known) || known > kRun)
    createMerges(b);
}

void nm::tm_tensor::lowerSort(ImplicitLocOpBuilder &b, SortOp op) {
  SortBuilder(b, op).createSort(b);
}
