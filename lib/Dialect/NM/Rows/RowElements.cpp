//===- RowElements.cpp - What a thread computes of its elements -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowBody.h"
#include "RowQuotients.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"
#include "nm/Target/TargetInfo.h"

using namespace mlir;
using namespace nm;

/// Bytes of a register, in which a thread has an element that it computes of.
static constexpr int64_t kWordBytes = 4;
/// Weights are read first where a thread's elements and its weights have no
/// more than these bytes, 40 of the 64 registers that nm-map-rows asks for. The
/// number is a guess.
static constexpr int64_t kMostBytesAhead = 40 * kWordBytes;
/// Weights are read first where an SM gets no more than so many blocks. Of more
/// blocks most do not begin with the kernel, and would only read the row later.
/// The number is a guess.
static constexpr int64_t kBlocksAhead = 8;

/// Quotients for which a shared reciprocal is worth what is asked of them. The
/// number is a guess.
static constexpr int64_t kFewestQuotients = 4;

/// The places of the elements from `base` on that the thread has.
SmallVector<RowBody::Chunk> RowBody::createChunks(Value base, bool isWhole) {
  int64_t count = schedule.getThreads(), width = schedule.getVector();
  auto known = getStaticPoints(op, op.getRows(), op.getNumDims());
  Value first = addIndex(b, base, mulIndex(b, work.thread, width));
  SmallVector<Chunk> created;
  for (int64_t chunk = 0; chunk < schedule.getChunks(); ++chunk) {
    Value place = addIndex(b, first, chunk * count * width);
    Value inside;
    bool isFull = isWhole;
    // Behind a head that only the call knows are fewer.
    if (known && !head && schedule.getParts() > 1)
      isFull = *known % countAtOnce() == 0;
    else if (known && !head && !schedule.getLoops())
      isFull = *known >= (chunk + 1) * count * width;
    if (!isFull) {
      inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place, end);
      // What is read beyond the row is not used, but has to be there.
      place = arith::SelectOp::create(b, inside, place, begin);
    }
    created.push_back({place, inside, width});
  }
  return created;
}

/// The places of kSinglesAtOnce elements from `base` on, one by one: those of
/// neighbouring threads follow each other.
SmallVector<RowBody::Chunk> RowBody::createSingles(Value base) {
  Value first = addIndex(b, base, work.thread);
  SmallVector<Chunk> created;
  for (int64_t i = 0; i < kSinglesAtOnce; ++i) {
    Value place = addIndex(b, first, i * schedule.getThreads());
    Value inside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place, elements);
    // What is read beyond is not used, but has to be there.
    place = arith::SelectOp::create(b, inside, place, begin);
    created.push_back({place, inside, /*width=*/1});
  }
  return created;
}

/// The element before the first whole vector or behind the last one that the
/// thread has, if it has one. Those of several parts are the first part's.
RowBody::Chunk RowBody::createEdge() {
  Value isBefore =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, work.thread, head);
  Value behind = arith::SubIOp::create(b, work.thread, head);
  Value place = arith::SelectOp::create(b, isBefore, work.thread,
                                        addIndex(b, end, behind));
  Value inside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place, elements);
  if (work.part)
    inside = andIfSet(b, inside,
                      arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                            work.part, indexConstant(b, 0)));
  place = arith::SelectOp::create(b, inside, place, indexConstant(b, 0));
  return {place, inside, /*width=*/1};
}

int64_t RowBody::countElements() const {
  int64_t count = 0;
  for (const Chunk &chunk : chunks)
    count += chunk.width;
  return count;
}

ArrayRef<Value> RowBody::getElements(Value value) {
  auto known = elementValues.find(value);
  if (known == elementValues.end())
    known = elementValues.insert({value, computeElementsOf(value)}).first;
  return known->second;
}

SmallVector<Value> RowBody::computeElementsOf(Value value) {
  SmallVector<Value> values;
  if (!levels.isOfElements(value)) {
    Value ofRow = rowValues.lookup(value);
    values.assign(countElements(), ofRow ? ofRow : value);
    return values;
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return readElements(argument.getArgNumber());
  Operation *inner = value.getDefiningOp();
  if (auto index = dyn_cast<IndexOp>(inner))
    return computeIndices(index.getDim());
  auto load = dyn_cast<memref::LoadOp>(inner);
  if (load && readsRun(load))
    return loadRuns(load);
  if (auto divide = dyn_cast<arith::DivFOp>(inner);
      divide && sharesDivisor(divide)) {
    Value divisor = rowValues.lookup(divide.getRhs());
    SmallVector<Value> dividends =
        llvm::to_vector(getElements(divide.getLhs()));
    return createQuotients(b, dividends, divisor);
  }
  // Copies, as those that are computed meanwhile move what is known.
  SmallVector<SmallVector<Value>> operands;
  for (Value operand : inner->getOperands())
    operands.push_back(llvm::to_vector(getElements(operand)));
  for (int64_t i = 0, e = countElements(); i < e; ++i) {
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

/// Whether the thread divides several numbers of f32 by one of the row, as
/// exactly as a division is.
bool RowBody::sharesDivisor(arith::DivFOp divide) const {
  return divide.getType().isF32() && countElements() >= kFewestQuotients &&
         rowValues.contains(divide.getRhs()) &&
         levels.isOfElements(divide.getLhs()) &&
         !divide.getRhs().getDefiningOp<arith::ConstantOp>() &&
         divide.getFastmath() == arith::FastMathFlags::none;
}

/// Reads the elements that the thread has of an input, from shared memory if
/// they are kept there, and else from the array.
SmallVector<Value> RowBody::readElements(int64_t input) {
  Value memory = readsKept ? kept.lookup(input) : Value();
  SmallVector<Value> values;
  for (const Chunk &chunk : chunks) {
    if (memory) {
      Value place = arith::SubIOp::create(b, chunk.first, begin);
      llvm::append_range(
          values, loadElements(b, memory, place, chunk.width, chunk.width));
      continue;
    }
    access.setElement(chunk.first);
    llvm::append_range(values, access.load(input, chunk.width));
  }
  return values;
}

/// Whether most blocks of the kernel may begin when the one before has ended.
static bool hasManyBlocks(RowsOp op) {
  auto rows = getStaticPoints(op, 0, op.getRows());
  int64_t ofSMs =
      kBlocksAhead * getTarget(op->getParentOfType<ModuleOp>()).numSMs;
  return !rows || *rows / op.getSchedule()->getRows() > ofSMs;
}

/// Reads what all rows have in common, such as a norm's weights, before
/// anything of the row, if registers last: constants are there when the kernel
/// before is not done yet (nm-overlap-launches).
void RowBody::readWeights() {
  if (hasManyBlocks(op))
    return;
  SmallVector<BlockArgument> weights;
  for (BlockArgument argument : op.getBody().getArguments())
    if (levels.isOfElements(argument) && !argument.use_empty() &&
        !isOfRows(op, argument.getArgNumber()))
      weights.push_back(argument);
  int64_t bytes = countElements() * kWordBytes;
  for (BlockArgument weight : weights)
    bytes += countElements() * *getElementBytes(weight.getType());
  if (bytes <= kMostBytesAhead)
    for (BlockArgument weight : weights)
      (void)getElements(weight);
}

/// The places of elements along a dimension of theirs.
SmallVector<Value> RowBody::computeIndices(int64_t dim) {
  SmallVector<Value> values;
  for (const Chunk &chunk : chunks) {
    access.setElement(chunk.first);
    for (int64_t i = 0; i < chunk.width; ++i)
      values.push_back(access.getIndex(dim, i));
  }
  return values;
}

/// Whether what `load` reads for elements that follow each other does so too:
/// its last index is their place, and others are of the row.
bool RowBody::readsRun(memref::LoadOp load) {
  auto type = load.getMemRefType();
  if (type.getRank() == 0 || access.areSpans())
    return false;
  auto last = load.getIndices().back().getDefiningOp<IndexOp>();
  int64_t innermost = op.getNumDims() - 1;
  return last && int64_t(last.getDim()) == innermost &&
         op.getStaticExtent(innermost) <= type.getShape().back() &&
         !ShapedType::isDynamic(op.getStaticExtent(innermost)) &&
         llvm::none_of(load.getIndices().drop_back(),
                       [&](Value index) { return levels.isOfElements(index); });
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
    llvm::append_range(values,
                       access.loadAt(load.getMemRef(), row, chunk.width));
    row.pop_back();
  }
  return values;
}

Value RowBody::combineElements(ReduceOp reduce) {
  SmallVector<Value> values;
  Value neutral;
  forEachChunk(getElements(reduce.getValue()), [&](const Chunk &chunk,
                                                   ArrayRef<Value> those) {
    if (chunk.inside && !neutral)
      neutral = arith::getIdentityValue(reduce.getKind(), reduce.getType(), b,
                                        b.getLoc());
    for (Value value : those)
      values.push_back(chunk.inside ? arith::SelectOp::create(b, chunk.inside,
                                                              value, neutral)
                                    : value);
  });
  return combineTree(b, reduce.getKind(), values);
}
