//===- RowElements.cpp - What a thread computes of its elements -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowBody.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"

using namespace mlir;
using namespace nm;

/// The places of the elements from `base` on that the thread has.
SmallVector<RowBody::Chunk> RowBody::createChunks(Value base, bool isWhole) {
  int64_t count = schedule.getThreads();
  auto known = getStaticPoints(op, op.getRows(), op.getNumDims());
  Value first = addIndex(b, base, mulIndex(b, work.thread, width));
  SmallVector<Chunk> created;
  for (int64_t chunk = 0; chunk < schedule.getChunks(); ++chunk) {
    Value place = addIndex(b, first, chunk * count * width);
    Value inside;
    bool isFull = isWhole;
    if (known && schedule.getParts() > 1)
      isFull = *known % countAtOnce() == 0;
    else if (known && !schedule.getLoops())
      isFull = *known >= (chunk + 1) * count * width;
    if (!isFull) {
      inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place, end);
      // What is read beyond the row is not used, but has to be there.
      place = arith::SelectOp::create(b, inside, place, begin);
    }
    created.push_back({place, inside});
  }
  return created;
}

ArrayRef<Value> RowBody::getElements(Value value) {
  auto known = elementValues.find(value);
  if (known == elementValues.end())
    known = elementValues.insert({value, computeElementsOf(value)}).first;
  return known->second;
}

SmallVector<Value> RowBody::computeElementsOf(Value value) {
  SmallVector<Value> values;
  if (!isOfElements(value)) {
    Value ofRow = rowValues.lookup(value);
    values.assign(chunks.size() * width, ofRow ? ofRow : value);
    return values;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    for (const Chunk &chunk : chunks) {
      access.setElement(chunk.first);
      llvm::append_range(values, access.load(argument.getArgNumber(), width));
    }
    return values;
  }
  Operation *inner = value.getDefiningOp();
  if (auto index = dyn_cast<IndexOp>(inner))
    return computeIndices(index.getDim());
  auto load = dyn_cast<memref::LoadOp>(inner);
  if (load && readsRun(load))
    return loadRuns(load);
  // Copies, as those that are computed meanwhile move what is known.
  SmallVector<SmallVector<Value>> operands;
  for (Value operand : inner->getOperands())
    operands.push_back(llvm::to_vector(getElements(operand)));
  for (size_t i = 0; i < chunks.size() * width; ++i) {
    IRMapping mapping;
    for (auto [operand, of] : llvm::zip_equal(inner->getOperands(), operands))
      mapping.map(operand, of[i]);
    if (load) {
      SmallVector<Value> indices;
      for (Value index : load.getIndices())
        indices.push_back(mapping.lookup(index));
      values.push_back(memref::LoadOp::create(
          b, load.getMemRef(), boundIndices(b, load.getMemRef(), indices)));
      continue;
    }
    Operation *copy = b.clone(*inner, mapping);
    unsigned number = cast<OpResult>(value).getResultNumber();
    values.push_back(copy->getResult(number));
  }
  return values;
}

/// The places of elements along a dimension of theirs.
SmallVector<Value> RowBody::computeIndices(int64_t dim) {
  SmallVector<Value> values;
  for (const Chunk &chunk : chunks) {
    access.setElement(chunk.first);
    for (int64_t i = 0; i < width; ++i)
      values.push_back(access.getIndex(dim, i));
  }
  return values;
}

/// Whether what `load` reads for elements that follow each other does so too:
/// its last index is their place, and others are of the row.
bool RowBody::readsRun(memref::LoadOp load) {
  auto type = load.getMemRefType();
  if (type.getRank() == 0)
    return false;
  auto last = load.getIndices().back().getDefiningOp<IndexOp>();
  int64_t innermost = op.getNumDims() - 1;
  return last && int64_t(last.getDim()) == innermost &&
         op.getStaticExtent(innermost) <= type.getShape().back() &&
         !ShapedType::isDynamic(op.getStaticExtent(innermost)) &&
         llvm::none_of(load.getIndices().drop_back(),
                       [&](Value index) { return isOfElements(index); });
}

SmallVector<Value> RowBody::loadRuns(memref::LoadOp load) {
  SmallVector<Value> place, values;
  for (Value index : load.getIndices().drop_back()) {
    Value known = rowValues.lookup(index);
    place.push_back(known ? known : index);
  }
  SmallVector<Value> row = boundIndices(b, load.getMemRef(), place);
  for (const Chunk &chunk : chunks) {
    access.setElement(chunk.first);
    row.push_back(access.getIndex(op.getNumDims() - 1, 0));
    llvm::append_range(values, access.loadAt(load.getMemRef(), row, width));
    row.pop_back();
  }
  return values;
}

Value RowBody::combineElements(ReduceOp reduce) {
  SmallVector<Value> values = llvm::to_vector(getElements(reduce.getValue()));
  Value neutral;
  for (auto [number, chunk] : llvm::enumerate(chunks)) {
    if (!chunk.inside)
      continue;
    if (!neutral)
      neutral = arith::getIdentityValue(reduce.getKind(), reduce.getType(), b,
                                        b.getLoc());
    for (int64_t i = number * width; i < int64_t(number + 1) * width; ++i)
      values[i] = arith::SelectOp::create(b, chunk.inside, values[i], neutral);
  }
  return combineTree(b, reduce.getKind(), values);
}
