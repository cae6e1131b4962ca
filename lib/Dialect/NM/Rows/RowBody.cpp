//===- RowBody.cpp - The body of nm.rows for a thread ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowBody.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

RowBody::RowBody(ImplicitLocOpBuilder &b, RowsOp op, const Work &work)
    : b(b), op(op), work(work), schedule(*op.getSchedule()), access(b, op) {
  threads.count = schedule.getThreads();
  threads.rows = schedule.getRows();
  threads.row = work.inBlock.row;
  if (threads.count > kWarpLanes) {
    threads.lane = remIndex(b, work.thread, kWarpLanes);
    threads.warp = divIndex(b, work.thread, kWarpLanes);
  }
  access.setRow(work.row);
  if (!schedule.getLoops() && schedule.getRows() > 1)
    transposed = collectTransposed(op);
  elements = countPoints(b, op, op.getRows(), op.getNumDims());
  width = schedule.getVector();
  begin = indexConstant(b, 0);
  end = elements;
  if (op.hasEdges()) {
    head = begin = access.alignVectors(width);
    Value behind = arith::SubIOp::create(b, elements, head);
    end = arith::SubIOp::create(b, elements, remIndex(b, behind, width));
  }
  classify();
}

void RowBody::classify() {
  Block &body = op.getBody().front();
  ofElements = op.collectElementValues();
  for (Operation &inner : body.without_terminator()) {
    int64_t level = 0;
    for (Value operand : inner.getOperands())
      level = std::max(level, getLevel(operand));
    if (isa<ReduceOp>(inner))
      last = std::max(last, ++level);
    for (Value result : inner.getResults())
      levels[result] = level;
  }
}

void RowBody::build() {
  for (int64_t level = 0; level <= last; ++level) {
    computeRowValues(level);
    computeElements(level);
  }
  storeRowValues();
  for (Operation *assertion : asserts)
    b.insert(assertion);
}

/// Computes what is of the row and has this level.
void RowBody::computeRowValues(int64_t level) {
  Block &body = op.getBody().front();
  if (level == 0)
    for (BlockArgument argument : body.getArguments())
      if (!isOfElements(argument) && !argument.use_empty())
        rowValues[argument] = access.loadOfRow(argument.getArgNumber());
  for (Operation &inner : body.without_terminator()) {
    // What has no results asserts an operand, and is of its level.
    Value of = inner.getNumResults() == 0 ? inner.getOperand(0)
                                          : Value(inner.getResult(0));
    if (!isa<ReduceOp>(inner) && !isOfElements(of) && getLevel(of) == level)
      computeOfRow(inner);
  }
}

void RowBody::computeOfRow(Operation &inner) {
  if (auto index = dyn_cast<IndexOp>(inner)) {
    rowValues[index] = access.getIndex(index.getDim(), 0);
    return;
  }
  IRMapping mapping;
  for (Value operand : inner.getOperands())
    if (Value known = rowValues.lookup(operand))
      mapping.map(operand, known);
  if (isa<cf::AssertOp>(inner)) {
    asserts.push_back(inner.clone(mapping));
    return;
  }
  Operation *copy = b.clone(inner, mapping);
  if (auto load = dyn_cast<memref::LoadOp>(copy)) {
    b.setInsertionPoint(load);
    load.getIndicesMutable().assign(
        boundIndices(b, load.getMemRef(), load.getIndices()));
    b.setInsertionPointAfter(load);
  }
  for (auto [result, value] :
       llvm::zip_equal(inner.getResults(), copy->getResults()))
    rowValues[result] = value;
}

SmallVector<ReduceOp> RowBody::getReductions(int64_t level) {
  SmallVector<ReduceOp> found;
  for (ReduceOp reduce : op.getBody().getOps<ReduceOp>())
    if (getLevel(reduce.getResult()) == level + 1)
      found.push_back(reduce);
  return found;
}

void RowBody::computeElements(int64_t level) {
  if (schedule.getLoops())
    return computeInLoop(level);
  // All that a thread has of the row, which it keeps.
  if (chunks.empty())
    chunks = createChunks(work.first ? work.first : indexConstant(b, 0),
                          /*isWhole=*/false);
  SmallVector<Value> sums;
  for (ReduceOp reduce : getReductions(level))
    sums.push_back(combineElements(reduce));
  finishReductions(level, sums);
  if (level == last)
    for (int64_t of = 0; of <= last; ++of)
      storeElements(of);
  if (level == last)
    storeTransposed();
}

/// Whether elements that are stored have this level.
bool RowBody::hasStores(int64_t level) {
  auto yielded = cast<YieldOp>(op.getBody().front().getTerminator());
  for (auto [number, value] : llvm::enumerate(yielded.getValues()))
    if (op.isOfElements(op.getInputs().size() + number) &&
        getLevel(value) == level)
      return true;
  return false;
}

void RowBody::computeInLoop(int64_t level) {
  SmallVector<ReduceOp> reductions = getReductions(level);
  if (reductions.empty() && !hasStores(level))
    return;
  SmallVector<Value> sums;
  for (ReduceOp reduce : reductions)
    sums.push_back(arith::getIdentityValue(reduce.getKind(), reduce.getType(),
                                           b, b.getLoc()));
  // Turns of which every thread has all elements, which nobody has to check,
  // the last one, and what is in no whole vector.
  int64_t count = countAtOnce();
  Value all = head ? arith::SubIOp::create(b, end, begin).getResult() : end;
  Value whole = arith::SubIOp::create(b, end, remIndex(b, all, count));
  auto loop =
      scf::ForOp::create(b, begin, whole, indexConstant(b, count), sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    llvm::copy(loop.getRegionIterArgs(), sums.begin());
    computeTurn(level, loop.getInductionVar(), /*isWhole=*/true, sums);
    if (!sums.empty())
      scf::YieldOp::create(b, sums);
  }
  llvm::copy(loop.getResults(), sums.begin());
  computeRest(level, whole, sums);
  if (head)
    computeEdges(level, sums);
  elementValues.clear();
  finishReductions(level, sums);
}

/// Computes the turn from `base` on, which has less elements than others. It is
/// skipped where it has none: lanes beyond a row read the row's first element,
/// and a row may be empty.
void RowBody::computeRest(int64_t level, Value base,
                          MutableArrayRef<Value> sums) {
  auto known = getStaticPoints(op, op.getRows(), op.getNumDims());
  if (known) {
    if (head || *known % countAtOnce() != 0)
      computeTurn(level, base, /*isWhole=*/false, sums);
    return;
  }
  Value isSome =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, base, elements);
  SmallVector<Type> types;
  for (Value sum : sums)
    types.push_back(sum.getType());
  bool hasSums = !sums.empty();
  auto choice = scf::IfOp::create(b, types, isSome, hasSums);
  OpBuilder::InsertionGuard guard(b);
  if (hasSums) {
    b.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(b, llvm::to_vector(sums));
  }
  b.setInsertionPointToStart(choice.thenBlock());
  computeTurn(level, base, /*isWhole=*/false, sums);
  if (hasSums)
    scf::YieldOp::create(b, llvm::to_vector(sums));
  llvm::copy(choice.getResults(), sums.begin());
}

/// What is done with the elements from `base` on: `sums` are those of before,
/// and become those of after.
void RowBody::computeTurn(int64_t level, Value base, bool isWhole,
                          MutableArrayRef<Value> sums) {
  computeTurn(level, createChunks(base, isWhole), sums);
}

/// What is done with the elements before the first whole vector and behind the
/// last one: a thread has one of them, or none.
void RowBody::computeEdges(int64_t level, MutableArrayRef<Value> sums) {
  int64_t vector = std::exchange(width, 1);
  Value isBefore =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, work.thread, head);
  Value behind = arith::SubIOp::create(b, work.thread, head);
  Value place = arith::SelectOp::create(b, isBefore, work.thread,
                                        addIndex(b, end, behind));
  Value inside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place, elements);
  place = arith::SelectOp::create(b, inside, place, indexConstant(b, 0));
  computeTurn(level, {{place, inside}}, sums);
  width = vector;
}

/// What is done with the elements of `those` chunks.
void RowBody::computeTurn(int64_t level, ArrayRef<Chunk> those,
                          MutableArrayRef<Value> sums) {
  elementValues.clear();
  chunks = llvm::to_vector(those);
  for (auto [reduce, sum] : llvm::zip_equal(getReductions(level), sums))
    sum = arith::getReductionOp(reduce.getKind(), b, b.getLoc(), sum,
                                combineElements(reduce));
  storeElements(level);
}

void RowBody::finishReductions(int64_t level, ValueRange sums) {
  for (auto [reduce, sum] : llvm::zip_equal(getReductions(level), sums)) {
    Value all = combineThreads(b, reduce.getKind(), sum, threads);
    Value init = rowValues.lookup(reduce.getInit());
    rowValues[reduce.getResult()] = arith::getReductionOp(
        reduce.getKind(), b, b.getLoc(), init ? init : reduce.getInit(), all);
  }
}

/// Lets what is created now be where `condition` holds, if it is set.
static void enterIf(ImplicitLocOpBuilder &b, Value condition) {
  if (!condition)
    return;
  auto some = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  b.setInsertionPointToStart(some.thenBlock());
}

void RowBody::storeElements(int64_t level) {
  auto yielded = cast<YieldOp>(op.getBody().front().getTerminator());
  for (auto [number, value] : llvm::enumerate(yielded.getValues())) {
    int64_t operand = op.getInputs().size() + number;
    // What is of the row can be wanted for each of its elements.
    if (!op.isOfElements(operand) || getLevel(value) != level ||
        isTransposed(operand))
      continue;
    ArrayRef<Value> values = getElements(value);
    for (auto [i, chunk] : llvm::enumerate(chunks)) {
      OpBuilder::InsertionGuard guard(b);
      enterIf(b, andIfSet(b, work.isRow, chunk.inside));
      access.setElement(chunk.first);
      access.store(operand, values.slice(i * width, width));
    }
  }
}

void RowBody::storeTransposed() {
  auto yielded = cast<YieldOp>(op.getBody().front().getTerminator());
  for (int64_t operand : transposed) {
    Value value = yielded.getValues()[operand - op.getInputs().size()];
    ArrayRef<Value> values = getElements(value);
    SmallVector<RowTile::Vector> vectors;
    for (auto [i, chunk] : llvm::enumerate(chunks))
      vectors.push_back(
          {chunk.first, chunk.inside, values.slice(i * width, width)});
    RowTile(b, op, operand, work.inBlock).store(vectors);
  }
}

void RowBody::storeRowValues() {
  auto yielded = cast<YieldOp>(op.getBody().front().getTerminator());
  Value isFirst;
  for (auto [number, value] : llvm::enumerate(yielded.getValues())) {
    int64_t operand = op.getInputs().size() + number;
    if (op.isOfElements(operand))
      continue;
    if (!isFirst && threads.count > 1)
      isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, work.thread,
                                      indexConstant(b, 0));
    OpBuilder::InsertionGuard guard(b);
    enterIf(b, andIfSet(b, work.isRow, isFirst));
    Value known = rowValues.lookup(value);
    access.storeOfRow(operand, known ? known : value);
  }
}
