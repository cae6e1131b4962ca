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
  classify();
}

void RowBody::classify() {
  Block &body = op.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    levels[argument] = 0;
    if (op.isOfElements(argument.getArgNumber()))
      ofElements.insert(argument);
  }
  for (Operation &inner : body.without_terminator()) {
    int64_t level = 0;
    bool isOfElement = false;
    for (Value operand : inner.getOperands()) {
      level = std::max(level, getLevel(operand));
      isOfElement |= isOfElements(operand);
    }
    if (isa<ReduceOp>(inner)) {
      last = std::max(last, ++level);
      isOfElement = false;
    }
    if (auto index = dyn_cast<IndexOp>(inner))
      isOfElement = index.getDim() >= op.getRows();
    for (Value result : inner.getResults()) {
      levels[result] = level;
      if (isOfElement)
        ofElements.insert(result);
    }
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

/// Places along the first dimensions of an array, which its extents bound,
/// whatever `indices` are.
static SmallVector<Value> bound(ImplicitLocOpBuilder &b, Value memref,
                                ValueRange indices) {
  SmallVector<Value> place;
  auto type = cast<MemRefType>(memref.getType());
  for (auto [index, extent] : llvm::zip_first(indices, type.getShape()))
    place.push_back(
        arith::MinUIOp::create(b, index, indexConstant(b, extent - 1)));
  return place;
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
        bound(b, load.getMemRef(), load.getIndices()));
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

/// Elements that threads of a row have at once.
static int64_t countAtOnce(RowScheduleAttr schedule) {
  return schedule.getThreads() * schedule.getVector() * schedule.getChunks();
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
  // and the last one.
  int64_t count = countAtOnce(schedule);
  Value rest = remIndex(b, elements, count);
  Value whole = arith::SubIOp::create(b, elements, rest);
  auto loop = scf::ForOp::create(b, indexConstant(b, 0), whole,
                                 indexConstant(b, count), sums);
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
    if (*known % countAtOnce(schedule) != 0)
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
  elementValues.clear();
  chunks = createChunks(base, isWhole);
  for (auto [reduce, sum] : llvm::zip_equal(getReductions(level), sums))
    sum = arith::getReductionOp(reduce.getKind(), b, b.getLoc(), sum,
                                combineElements(reduce));
  storeElements(level);
}

/// The places of the elements from `base` on that the thread has.
SmallVector<RowBody::Chunk> RowBody::createChunks(Value base, bool isWhole) {
  int64_t width = schedule.getVector(), count = schedule.getThreads();
  auto known = getStaticPoints(op, op.getRows(), op.getNumDims());
  Value first = addIndex(b, base, mulIndex(b, work.thread, width));
  SmallVector<Chunk> created;
  for (int64_t chunk = 0; chunk < schedule.getChunks(); ++chunk) {
    Value place = addIndex(b, first, chunk * count * width);
    Value inside;
    bool isFull = isWhole;
    if (known && schedule.getParts() > 1)
      isFull = *known % countAtOnce(schedule) == 0;
    else if (known && !schedule.getLoops())
      isFull = *known >= (chunk + 1) * count * width;
    if (!isFull) {
      inside =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place, elements);
      // What is read beyond the row is not used, but has to be there.
      place = arith::SelectOp::create(b, inside, place, indexConstant(b, 0));
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
  int64_t width = schedule.getVector();
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
          b, load.getMemRef(), bound(b, load.getMemRef(), indices)));
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
    for (int64_t i = 0; i < schedule.getVector(); ++i)
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
  SmallVector<Value> row = bound(b, load.getMemRef(), place);
  for (const Chunk &chunk : chunks) {
    access.setElement(chunk.first);
    row.push_back(access.getIndex(op.getNumDims() - 1, 0));
    llvm::append_range(
        values, access.loadAt(load.getMemRef(), row, schedule.getVector()));
    row.pop_back();
  }
  return values;
}

Value RowBody::combineElements(ReduceOp reduce) {
  int64_t width = schedule.getVector();
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
  int64_t width = schedule.getVector();
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
  int64_t width = schedule.getVector();
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
