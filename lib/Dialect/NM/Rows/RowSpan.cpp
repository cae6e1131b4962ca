//===- RowSpan.cpp - Vectors that end in the next row ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowSpan.h"
#include "RowAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

Value nm::createAreSpans(ImplicitLocOpBuilder &b, RowsOp op, int64_t vector) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::uge,
                               getExtent(b, op, op.getNumDims() - 1),
                               indexConstant(b, vector));
}

RowSpan::RowSpan(ImplicitLocOpBuilder &b, RowsOp op, Value first,
                 ArrayRef<Value> indices, int64_t count, Numbers numbers)
    : b(b), op(op), first(first), count(count), numbers(numbers),
      indices(indices), next(indices) {
  if (count == 1)
    return;
  int64_t innermost = op.getNumDims() - 1;
  left =
      arith::SubIOp::create(b, getExtent(b, op, innermost), indices[innermost]);
  // Where the vector ends in the row, there may be no other one.
  Value zero = indexConstant(b, 0), one = indexConstant(b, 1);
  Value carry = arith::SelectOp::create(b, isBefore(count - 1), zero, one);
  for (int64_t dim = innermost - 1; dim >= 0; --dim) {
    Value sum = addIndex(b, indices[dim], carry);
    Value isBelow = nm::isBelow(b, sum, getExtent(b, op, dim));
    next[dim] = arith::SelectOp::create(b, isBelow, sum, zero);
    carry = arith::SelectOp::create(b, isBelow, zero, one);
  }
  next[innermost] = zero;
}

/// Whether the element that is `offset` behind the first one is in its row.
Value RowSpan::isBefore(int64_t offset) {
  return nm::isBelow(b, indexConstant(b, offset), left);
}

Value RowSpan::getIndex(int64_t dim, int64_t offset) {
  if (offset == 0)
    return indices[dim];
  if (dim + 1 != op.getNumDims())
    return arith::SelectOp::create(b, isBefore(offset), indices[dim],
                                   next[dim]);
  Value behind = arith::SubIOp::create(b, indexConstant(b, offset), left);
  return arith::SelectOp::create(b, isBefore(offset),
                                 addIndex(b, indices[dim], offset), behind);
}

SmallVector<Value> RowSpan::getPlace(int64_t number, int64_t offset) {
  SmallVector<Value> place;
  for (AffineExpr e : op.getIndexingMap(number).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(e);
    place.push_back(dim ? getIndex(dim.getPosition(), offset)
                        : indexConstant(b, 0));
  }
  return place;
}

/// Whether elements follow each other in an operand as they do in the space.
bool RowSpan::isInOrder(int64_t number) {
  return op.getIndexingMap(number).isIdentity();
}

/// Elements of an operand in order that one access moves.
int64_t RowSpan::getWidth(int64_t number) {
  return isPacked(op->getOperand(number).getType()) ? 1 : count;
}

static bool isRowMajor(Value memref) {
  return cast<MemRefType>(memref.getType()).getLayout().isIdentity();
}

/// All of a row-major array as one dimension.
static Value flatten(ImplicitLocOpBuilder &b, Value memref) {
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  if (rank == 1)
    return memref;
  ReassociationIndices all = llvm::to_vector<2>(llvm::seq(rank));
  return memref::CollapseShapeOp::create(
      b, memref, SmallVector<ReassociationIndices>{all});
}

/// The place of the element with indices `of` in a row-major operand, where all
/// of it is one dimension.
Value RowSpan::linearize(int64_t number, ArrayRef<Value> of) {
  Value memref = op->getOperand(number);
  bool isNarrow = numbers == Numbers::Narrow;
  Type type = isNarrow ? Type(b.getI32Type()) : b.getIndexType();
  auto narrow = [&](Value value) {
    return isNarrow ? b.createOrFold<arith::IndexCastUIOp>(type, value) : value;
  };
  Value place;
  for (auto [i, e] : llvm::enumerate(op.getIndexingMap(number).getResults())) {
    Value scaled;
    if (place)
      scaled =
          b.createOrFold<arith::MulIOp>(place, narrow(dimOf(b, memref, i)));
    auto dim = dyn_cast<AffineDimExpr>(e);
    Value index = dim ? narrow(of[dim.getPosition()]) : Value();
    if (scaled && index)
      place = b.createOrFold<arith::AddIOp>(scaled, index);
    else
      place = scaled ? scaled : index;
  }
  if (!place)
    return indexConstant(b, 0);
  return isNarrow
             ? b.createOrFold<arith::IndexCastUIOp>(b.getIndexType(), place)
             : place;
}

/// How far the elements of a row are from each other in a row-major operand,
/// where all of it is one dimension.
Value RowSpan::getStep(int64_t number) {
  auto innermost = getAffineDimExpr(op.getNumDims() - 1, op.getContext());
  Value step = indexConstant(b, 0), memref = op->getOperand(number);
  for (auto [i, e] : llvm::enumerate(op.getIndexingMap(number).getResults()))
    step = e == innermost
               ? indexConstant(b, 1)
               : b.createOrFold<arith::MulIOp>(step, dimOf(b, memref, i));
  return step;
}

SmallVector<Value> RowSpan::load(int64_t number) {
  Value memref = op->getOperand(number);
  if (!isRowMajor(memref) || op.getIndexingMap(number).getNumResults() == 0)
    return loadEach(number);
  Value flat = flatten(b, memref);
  if (isInOrder(number))
    return loadElements(b, flat, {first}, count, getWidth(number));
  Value here = linearize(number, indices), step, behind;
  if (count > 1) {
    step = getStep(number);
    behind = arith::SubIOp::create(b, linearize(number, next),
                                   arith::MulIOp::create(b, left, step));
  }
  SmallVector<Value> values = {memref::LoadOp::create(b, flat, here)};
  for (int64_t offset = 1; offset < count; ++offset) {
    Value base = arith::SelectOp::create(b, isBefore(offset), here, behind);
    Value place = addIndex(b, base, mulIndex(b, step, offset));
    values.push_back(memref::LoadOp::create(b, flat, place));
  }
  return values;
}

/// The elements of an operand that has gaps, or has one element.
SmallVector<Value> RowSpan::loadEach(int64_t number) {
  SmallVector<Value> values;
  for (int64_t offset = 0; offset < count; ++offset)
    values.push_back(memref::LoadOp::create(b, op->getOperand(number),
                                            getPlace(number, offset)));
  return values;
}

void RowSpan::store(int64_t number, ArrayRef<Value> values) {
  Value memref = op->getOperand(number);
  if (isRowMajor(memref) && isInOrder(number))
    return storeElements(b, flatten(b, memref), {first}, values,
                         getWidth(number));
  for (auto [offset, value] : llvm::enumerate(values))
    memref::StoreOp::create(b, value, memref, getPlace(number, offset));
}
