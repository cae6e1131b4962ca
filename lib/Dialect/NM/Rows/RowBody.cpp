//===- RowBody.cpp - The body of nm.rows for a thread ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowBody.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/Utils/ClusterOps.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// Lets what is created now be where `condition` holds, if it is set.
static void enterIf(ImplicitLocOpBuilder &b, Value condition) {
  if (!condition)
    return;
  auto some = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  b.setInsertionPointToStart(some.thenBlock());
}

/// The schedule of `op`, with as many single elements for each vector.
static RowScheduleAttr getScheduleOfSingles(RowsOp op) {
  RowScheduleAttr of = *op.getSchedule();
  return RowScheduleAttr::get(op.getContext(), of.getThreads(), of.getRows(),
                              /*vector=*/1, of.getVector() * of.getChunks(),
                              of.getLoops(), of.getParts(), of.getKept());
}

RowBody::RowBody(ImplicitLocOpBuilder &b, RowsOp op, const Work &work,
                 Vectors vectors)
    : b(b), op(op), work(work), schedule(*op.getSchedule()),
      access(b, op, work.reciprocals), levels(op) {
  if (vectors == Vectors::Whole)
    access.assumeVectors();
  else if (vectors == Vectors::Singles)
    schedule = getScheduleOfSingles(op);
  threads.count = schedule.getThreads();
  threads.rows = schedule.getRows();
  threads.row = work.inBlock.row;
  threads.parts = work.part ? schedule.getParts() : 1;
  threads.part = work.part;
  if (threads.count * threads.parts > kWarpLanes) {
    threads.lane = remIndex(b, work.thread, kWarpLanes);
    threads.warp = divIndex(b, work.thread, kWarpLanes);
  }
  access.setRow(work.row);
  if (!schedule.getLoops() && schedule.getRows() > 1)
    transposed = collectTransposed(op);
  elements = countPoints(b, op, op.getRows(), op.getNumDims());
  begin = indexConstant(b, 0);
  end = elements;
  if (int64_t width = schedule.getVector(); op.hasEdges()) {
    head = begin = access.alignVectors(width, schedule.getThreads());
    Value behind = arith::SubIOp::create(b, elements, head);
    end = arith::SubIOp::create(b, elements, remIndex(b, behind, width));
  }
}

void RowBody::build() {
  int64_t last = levels.getLast();
  // Other blocks of the cluster have begun when they have arrived.
  if (last != 0 && threads.parts > 1)
    createClusterArrive(b);
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
      if (!levels.isOfElements(argument) && !argument.use_empty())
        rowValues[argument] = access.loadOfRow(argument.getArgNumber());
  for (Operation &inner : body.without_terminator()) {
    // What has no results asserts an operand, and is of its level.
    Value of = inner.getNumResults() == 0 ? inner.getOperand(0)
                                          : Value(inner.getResult(0));
    if (!isa<ReduceOp>(inner) && !levels.isOfElements(of) &&
        levels.get(of) == level)
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

void RowBody::computeElements(int64_t level) {
  if (schedule.getLoops())
    return computeInLoop(level);
  if (schedule.getParts() == 0)
    return computePart();
  // All that a thread has of the row, which it keeps.
  if (chunks.empty()) {
    Value first = begin;
    if (work.part)
      first = addIndex(b, begin, mulIndex(b, work.part, countAtOnce()));
    chunks = createChunks(first, /*isWhole=*/false);
    if (head)
      chunks.push_back(createEdge());
    readWeights();
  }
  SmallVector<Value> sums;
  for (ReduceOp reduce : levels.getReductions(level))
    sums.push_back(combineElements(reduce));
  finishReductions(level, sums);
  if (level != levels.getLast())
    return;
  for (int64_t of = 0; of <= level; ++of)
    storeElements(of);
  storeTransposed();
}

/// Creates a branch, and what it does where `condition` holds. What is created
/// next is in its other block.
static void createIf(ImplicitLocOpBuilder &b, Value condition,
                     llvm::function_ref<void()> build) {
  auto choice = scf::IfOp::create(b, condition, /*withElseRegion=*/true);
  b.setInsertionPointToStart(choice.thenBlock());
  build();
  b.setInsertionPointToStart(choice.elseBlock());
}

/// Computes a part of elements whose number only the call knows.
void RowBody::computePart() {
  Value first = mulIndex(b, work.part, countAtOnce());
  OpBuilder::InsertionGuard guard(b);
  if (Value areNarrow = createAreNarrow(b, op, op.getRows(), op.getNumDims())) {
    createIf(b, areNarrow, [&] {
      access.assumeNumbers(Numbers::Narrow);
      computePart(first, /*maySpan=*/true);
    });
    access.assumeNumbers(Numbers::Wide);
    return computePart(first, /*maySpan=*/false);
  }
  computePart(first, /*maySpan=*/true);
}

/// Computes the part that begins with element `first`. Where it has all of its
/// elements, it has them in vectors: in whole ones, or, as far as it may, in
/// those that end in the next row. Else it computes one by one.
void RowBody::computePart(Value first, bool maySpan) {
  Value behind = addIndex(b, first, countAtOnce());
  Value isFull =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ule, behind, elements);
  // Of one dimension all vectors but the last one are whole.
  Value areWhole;
  if (op.getNumDims() > 1)
    areWhole = createAreWhole(b, op, schedule.getVector());
  if (schedule.getVector() == 1)
    return computeSingles(first);
  OpBuilder::InsertionGuard guard(b);
  createIf(b, andIfSet(b, isFull, areWhole), [&] {
    access.assumeVectors();
    computeTurn(/*level=*/0, createChunks(first, /*isWhole=*/true), {});
    access.forgetVectors();
  });
  if (areWhole && maySpan && op.getRows() == 0) {
    Value areSpans = createAreSpans(b, op, schedule.getVector());
    createIf(b, andIfSet(b, isFull, areSpans), [&] {
      access.assumeSpans(schedule.getVector());
      computeTurn(/*level=*/0, createChunks(first, /*isWhole=*/true), {});
      access.forgetSpans();
    });
  }
  computeSingles(first);
}

/// Computes the elements of a part from `first` on one by one, in few registers
/// by a loop.
void RowBody::computeSingles(Value first) {
  Value behind = addIndex(b, first, countAtOnce());
  auto loop = scf::ForOp::create(
      b, first, arith::MinUIOp::create(b, behind, elements),
      indexConstant(b, kSinglesAtOnce * schedule.getThreads()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  if (op.getRows() == 0)
    access.assumeSpans(1);
  computeTurn(/*level=*/0, createSingles(loop.getInductionVar()), {});
  access.forgetSpans();
  elementValues.clear();
}

void RowBody::computeInLoop(int64_t level) {
  SmallVector<ReduceOp> reductions = levels.getReductions(level);
  if (reductions.empty() && !levels.hasStores(level))
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
  Value first = schedule.getKept() ? computeKept(level, whole, sums) : begin;
  computeTurns(level, first, whole, sums);
  computeRest(level, whole, sums);
  if (head)
    computeTurn(level, createEdge(), sums);
  elementValues.clear();
  finishReductions(level, sums);
}

/// Computes the turns from `from` to before `to`, of which all threads have all
/// elements.
void RowBody::computeTurns(int64_t level, Value from, Value to,
                           MutableArrayRef<Value> sums) {
  auto loop = scf::ForOp::create(b, from, to, indexConstant(b, countAtOnce()),
                                 llvm::to_vector(sums));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    llvm::copy(loop.getRegionIterArgs(), sums.begin());
    if (readsKept && level == 0) {
      // Of the groups of all turns, and of one for each turn so far, as many
      // may be under way as there are turns behind this one.
      NVVM::CpAsyncWaitGroupOp::create(b, int32_t(schedule.getKept() - 1));
      NVVM::CpAsyncCommitGroupOp::create(b);
    }
    computeTurn(level, loop.getInductionVar(), /*isWhole=*/true, sums);
    if (!sums.empty())
      scf::YieldOp::create(b, llvm::to_vector(sums));
  }
  llvm::copy(loop.getResults(), sums.begin());
}

/// Computes the turns before `whole` that stay in shared memory. Gives the
/// place in the row at which turns that are read from the array begin.
Value RowBody::computeKept(int64_t level, Value whole,
                           MutableArrayRef<Value> sums) {
  Value most = addIndex(b, begin, schedule.getKept() * countAtOnce());
  Value to = arith::MinUIOp::create(b, most, whole);
  if (level == 0)
    copyKept(to);
  if (kept.empty())
    return begin;
  readsKept = true;
  computeTurns(level, begin, to, sums);
  readsKept = false;
  return to;
}

/// Begins to copy the turns before `to` to shared memory. The copies of a turn
/// are one group, and a turn that the row does not have is an empty group, so
/// that their number is constant. A thread copies those elements alone that it
/// reads later, so that no barrier is needed.
void RowBody::copyKept(Value to) {
  int64_t count = countAtOnce(), most = schedule.getKept() * count;
  for (int64_t input : levels.collectReadAgain())
    if (access.canCopy(input, schedule.getVector()))
      kept[input] = allocateWorkgroup(
          b, {most}, getElementTypeOrSelf(op->getOperand(input).getType()),
          /*rowPadding=*/0);
  if (kept.empty())
    return;
  auto loop = scf::ForOp::create(b, begin, addIndex(b, begin, most),
                                 indexConstant(b, count));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value turn = loop.getInductionVar();
  {
    OpBuilder::InsertionGuard inner(b);
    enterIf(b, arith::CmpIOp::create(b, arith::CmpIPredicate::ult, turn, to));
    for (const Chunk &chunk : createChunks(turn, /*isWhole=*/true)) {
      access.setElement(chunk.first);
      Value place = arith::SubIOp::create(b, chunk.first, begin);
      for (auto [input, memory] : kept)
        access.copy(input, chunk.width, memory, place);
    }
  }
  NVVM::CpAsyncCommitGroupOp::create(b);
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

/// What is done with the elements of `those` chunks.
void RowBody::computeTurn(int64_t level, ArrayRef<Chunk> those,
                          MutableArrayRef<Value> sums) {
  elementValues.clear();
  chunks = llvm::to_vector(those);
  for (auto [reduce, sum] : llvm::zip_equal(levels.getReductions(level), sums))
    sum = arith::getReductionOp(reduce.getKind(), b, b.getLoc(), sum,
                                combineElements(reduce));
  storeElements(level);
}

void RowBody::finishReductions(int64_t level, ValueRange sums) {
  if (level == 0 && levels.getLast() != 0 && threads.parts > 1)
    createClusterWait(b);
  for (auto [reduce, sum] :
       llvm::zip_equal(levels.getReductions(level), sums)) {
    Value all = combineThreads(b, reduce.getKind(), sum, threads);
    Value init = rowValues.lookup(reduce.getInit());
    rowValues[reduce.getResult()] = arith::getReductionOp(
        reduce.getKind(), b, b.getLoc(), init ? init : reduce.getInit(), all);
  }
}

void RowBody::storeElements(int64_t level) {
  auto yielded = cast<YieldOp>(op.getBody().front().getTerminator());
  for (auto [number, value] : llvm::enumerate(yielded.getValues())) {
    int64_t operand = op.getInputs().size() + number;
    // What is of the row can be wanted for each of its elements.
    if (!op.isOfElements(operand) || levels.get(value) != level ||
        isTransposed(operand))
      continue;
    ArrayRef<Value> values = getElements(value);
    forEachChunk(values, [&](const Chunk &chunk, ArrayRef<Value> those) {
      OpBuilder::InsertionGuard guard(b);
      enterIf(b, andIfSet(b, work.isRow, chunk.inside));
      access.setElement(chunk.first);
      access.store(operand, those);
    });
  }
}

void RowBody::storeTransposed() {
  auto yielded = cast<YieldOp>(op.getBody().front().getTerminator());
  for (int64_t operand : transposed) {
    Value value = yielded.getValues()[operand - op.getInputs().size()];
    ArrayRef<Value> values = getElements(value);
    SmallVector<RowTile::Vector> vectors;
    forEachChunk(values, [&](const Chunk &chunk, ArrayRef<Value> those) {
      vectors.push_back({chunk.first, chunk.inside, those});
    });
    RowTile(b, op, operand, work.inBlock).store(vectors);
  }
}

/// Whether a thread is the row's first; null where it has one.
Value RowBody::createIsFirst() {
  Value isFirst;
  for (Value number : {work.part, threads.count > 1 ? work.thread : Value()})
    if (number)
      isFirst = andIfSet(b, isFirst,
                         arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                               number, indexConstant(b, 0)));
  return isFirst;
}

void RowBody::storeRowValues() {
  auto yielded = cast<YieldOp>(op.getBody().front().getTerminator());
  Value isFirst;
  for (auto [number, value] : llvm::enumerate(yielded.getValues())) {
    int64_t operand = op.getInputs().size() + number;
    if (op.isOfElements(operand))
      continue;
    if (!isFirst)
      isFirst = createIsFirst();
    OpBuilder::InsertionGuard guard(b);
    enterIf(b, andIfSet(b, work.isRow, isFirst));
    Value known = rowValues.lookup(value);
    access.storeOfRow(operand, known ? known : value);
  }
}
