//===- NMRowsOps.cpp - Verifiers of the ops of kernels of rows ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// A block has 1024 threads at most, on every chip.
static constexpr int64_t kMostThreads = 1024;
static constexpr int64_t kWarp = 32;
/// Blocks of a cluster that every chip with clusters runs.
static constexpr int64_t kMostParts = 8;
/// Elements of a vector, and vectors of a thread: more would have no registers.
static constexpr int64_t kMostElements = 64;

LogicalResult RowScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, int64_t threads, int64_t rows,
    int64_t vector, int64_t chunks, bool loops, int64_t parts, int64_t kept) {
  // row_schedule_c1
  if (threads < 1 || threads > kMostThreads || !llvm::isPowerOf2_64(threads))
    return emitError() << "expected threads of a row that are a power of two "
                          "up to 1024, got "
                       << threads;
  // row_schedule_c2
  if (rows < 1 || rows > kMostThreads / threads)
    return emitError() << "expected 1 to " << kMostThreads / threads
                       << " rows of a block of " << threads
                       << " threads a row, got " << rows;
  // row_schedule_c3
  if (vector < 1 || vector > kMostElements || chunks < 1 ||
      chunks > kMostElements)
    return emitError() << "expected vector and chunks from 1 to "
                       << kMostElements << ", got " << vector << " and "
                       << chunks;
  // row_schedule_c4
  if (parts < 0 || parts > INT32_MAX || (parts != 1 && loops))
    return emitError() << "expected one part, or without loops several or 0, "
                          "as many as elements need, got "
                       << parts;
  // row_schedule_c5
  int64_t turns = INT32_MAX / (threads * vector * chunks);
  if (kept < 0 || kept > turns || (kept > 0 && (!loops || rows != 1)))
    return emitError() << "expected no turns that are kept, or up to " << turns
                       << " of loops of a block of one row, got " << kept;
  return success();
}

void RowsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &operand : (*this)->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    MemoryEffects::Effect *effect = MemoryEffects::Read::get();
    if (isDpsInit(&operand))
      effect = MemoryEffects::Write::get();
    effects.emplace_back(effect, &operand, SideEffects::DefaultResource::get());
  }
  // The body reads arrays around the op, and asserts. An op that is being
  // created has no body yet.
  for (Operation &inner : getBody().getOps())
    if (auto of = dyn_cast<MemoryEffectOpInterface>(inner))
      of.getEffects(effects);
}

bool RowsOp::isOfElements(int64_t operand) {
  return llvm::any_of(getIndexingMap(operand).getResults(), [&](AffineExpr e) {
    auto dim = dyn_cast<AffineDimExpr>(e);
    return dim && dim.getPosition() >= getRows();
  });
}

DenseSet<Value> RowsOp::collectElementValues() {
  DenseSet<Value> found;
  for (BlockArgument argument : getBody().getArguments())
    if (isOfElements(argument.getArgNumber()))
      found.insert(argument);
  for (Operation &inner : getBody().front()) {
    auto index = dyn_cast<IndexOp>(inner);
    bool isOfElement = index && index.getDim() >= getRows();
    if (!isa<ReduceOp>(inner))
      for (Value operand : inner.getOperands())
        isOfElement |= found.contains(operand);
    if (isOfElement)
      found.insert_range(inner.getResults());
  }
  return found;
}

bool RowsOp::hasUnknownElements() {
  int64_t dims = getNumDims();
  return dims > int64_t(getRows()) &&
         ShapedType::isDynamic(getStaticExtent(dims - 1));
}

bool RowsOp::hasEdges() {
  int64_t dims = getNumDims();
  if (!getSchedule() || getSchedule()->getParts() == 0)
    return false;
  if (dims == int64_t(getRows()))
    return getSchedule()->getVector() > 1;
  int64_t innermost = getStaticExtent(dims - 1);
  return !ShapedType::isDynamic(innermost) &&
         innermost % getSchedule()->getVector() != 0;
}

std::pair<Value, int64_t> RowsOp::getExtentOf(int64_t dim) {
  std::pair<Value, int64_t> found;
  for (auto [number, operand] : llvm::enumerate(getOperands())) {
    auto type = cast<ShapedType>(operand.getType());
    for (auto [i, e] : llvm::enumerate(getIndexingMap(number).getResults())) {
      auto of = dyn_cast<AffineDimExpr>(e);
      if (!of || of.getPosition() != dim)
        continue;
      if (!type.isDynamicDim(i))
        return {operand, i};
      if (!found.first)
        found = {operand, i};
    }
  }
  return found;
}

int64_t RowsOp::getStaticExtent(int64_t dim) {
  auto [operand, i] = getExtentOf(dim);
  return cast<ShapedType>(operand.getType()).getDimSize(i);
}

/// Checks that a map has the dimensions of the space, and a result for each of
/// its operand's.
static LogicalResult verifyRank(RowsOp op, int64_t number) {
  AffineMap map = op.getIndexingMap(number);
  auto type = cast<ShapedType>(op->getOperand(number).getType());
  // rows_c1
  if (map.getNumDims() != op.getNumDims() || map.getNumSymbols() != 0)
    return op.emitOpError() << "expected maps of " << op.getNumDims()
                            << " dimensions, got " << AffineMapAttr::get(map);
  // rows_c2
  if (map.getNumResults() != type.getRank())
    return op.emitOpError()
           << "operand #" << number << ": expected a map of as many results as "
           << type << " has dimensions, got " << AffineMapAttr::get(map);
  return success();
}

/// Checks that a map reads an operand at one place for each point of the space.
static LogicalResult verifyMap(RowsOp op, int64_t number) {
  Value operand = op->getOperand(number);
  AffineMap map = op.getIndexingMap(number);
  auto type = cast<ShapedType>(operand.getType());
  auto emitError = [&] {
    return op.emitOpError() << "operand #" << number << ": ";
  };
  // rows_c2
  for (auto [i, e] : llvm::enumerate(map.getResults())) {
    if (auto constant = dyn_cast<AffineConstantExpr>(e)) {
      if (constant.getValue() == 0 && type.getDimSize(i) == 1)
        continue;
      return emitError() << "expected the constant 0 in a dimension of one "
                            "element alone, got "
                         << AffineMapAttr::get(map) << " of " << type;
    }
    auto dim = dyn_cast<AffineDimExpr>(e);
    if (!dim || llvm::count(map.getResults(), e) > 1)
      return emitError() << "expected a map of different dimensions and the "
                            "constant 0, got "
                         << AffineMapAttr::get(map);
    // rows_c3
    int64_t extent = op.getStaticExtent(dim.getPosition());
    if (!type.isDynamicDim(i) && type.getDimSize(i) != extent)
      return emitError() << "expected " << extent << " elements along d"
                         << dim.getPosition() << ", as others have, got "
                         << type.getDimSize(i);
  }
  return success();
}

LogicalResult RowsOp::verify() {
  // rows_c1
  if (getIndexingMaps().size() != getNumOperands())
    return emitOpError() << "expected a map for each of " << getNumOperands()
                         << " operands, got " << getIndexingMaps().size();
  if (getOutputs().empty())
    return emitOpError() << "expected at least one output, got none";
  int64_t dims = getNumDims(), rows = getRows();
  for (int64_t i = 0; i < getNumOperands(); ++i)
    if (failed(verifyRank(*this, i)))
      return failure();
  if (rows < 0 || rows > dims)
    return emitOpError() << "expected rows of 0 to " << dims
                         << " dimensions, got " << rows;
  for (int64_t dim = 0; dim < dims; ++dim)
    if (!getExtentOf(dim).first)
      return emitOpError() << "expected a map that has d" << dim
                           << ", whose extent is not known";
  for (int64_t i = 0; i < getNumOperands(); ++i)
    if (failed(verifyMap(*this, i)))
      return failure();
  // rows_c4
  for (int64_t i = getInputs().size(); i < getNumOperands(); ++i) {
    int64_t expected = isOfElements(i) ? dims : rows, found = 0;
    for (AffineExpr e : getIndexingMap(i).getResults())
      found += isa<AffineDimExpr>(e);
    if (found != expected)
      return emitOpError() << "operand #" << i << ": expected an output with "
                           << expected << " dimensions of the space, got "
                           << getIndexingMaps()[i];
  }
  // rows_c12
  if (std::optional<uint64_t> most = getMost();
      most && (*most < 1 || *most > INT32_MAX || dims - rows != 1 ||
               !hasUnknownElements()))
    return emitOpError() << "expected a bound from 1 on of one dimension of "
                            "elements whose extent is not known, got most = "
                         << int64_t(*most);
  // rows_c5
  Block &body = getBody().front();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield)
    return emitOpError() << "expected a body that ends in nm.yield, got "
                         << body.getTerminator()->getName();
  auto areElements = [](ValueRange values, OperandRange of) {
    return llvm::equal(values.getTypes(), of.getTypes(), [](Type a, Type b) {
      return a == cast<ShapedType>(b).getElementType();
    });
  };
  if (!areElements(body.getArguments(), getInputs()))
    return emitOpError() << "expected an argument of the body for each input, "
                            "of its elements' type";
  if (!areElements(yield.getValues(), getOutputs()))
    return emitOpError() << "expected nm.yield of a value for each output, of "
                            "its elements' type";
  return success();
}

/// Checks that threads have all elements of a row, in whole vectors.
static LogicalResult verifyElements(RowsOp op, RowScheduleAttr schedule) {
  // rows_c11
  if (schedule.getParts() == 0) {
    if (!op.getBody().getOps<ReduceOp>().empty())
      return op.emitOpError("expected no nm.reduce with blocks as many as "
                            "elements need (parts = 0)");
    return success();
  }
  // rows_c8
  int64_t elements = 1, rows = op.getRows(), dims = op.getNumDims();
  bool isKnown = true;
  for (int64_t dim = rows; dim < dims; ++dim) {
    int64_t extent = op.getStaticExtent(dim);
    isKnown &= !ShapedType::isDynamic(extent) &&
               !llvm::MulOverflow(elements, extent, elements);
  }
  // rows_c12
  if (std::optional<uint64_t> most = op.getMost()) {
    elements = *most;
    isKnown = true;
  }
  int64_t covered = schedule.getThreads() * schedule.getVector() *
                    schedule.getChunks() * schedule.getParts();
  if (!schedule.getLoops() && (!isKnown || elements > covered))
    return op.emitOpError() << "expected loops, or a schedule of all elements "
                               "of a row, got one of "
                            << covered;
  int64_t innermost = dims > rows ? op.getStaticExtent(dims - 1) : 1;
  if (!op.hasEdges())
    return success();
  // A thread has one element before the first whole vector or behind the last,
  // and there is one whole vector.
  int64_t vector = schedule.getVector();
  if (schedule.getRows() != 1 || dims - rows != 1 || innermost < 2 * vector ||
      schedule.getThreads() < 2 * vector)
    return op.emitOpError()
           << "expected vectors that " << innermost
           << " elements are divided in, or blocks of one row, of at least "
           << 2 * vector
           << " threads and one dimension of as many elements, got vectors of "
           << vector;
  return success();
}

/// Checks what an op of the body does beside computing numbers: `ofElements`
/// are the values that each element of a row has its own of.
static LogicalResult verifyEffects(Operation &inner,
                                   const DenseSet<Value> &ofElements) {
  if (isa<YieldOp, ReduceOp>(inner))
    return success();
  // rows_c9
  if (auto assertion = dyn_cast<cf::AssertOp>(inner)) {
    if (ofElements.contains(assertion.getArg()))
      return inner.emitOpError("expected a condition of the row in nm.rows, "
                               "got one of its elements");
    return success();
  }
  // rows_c10
  if (isa<memref::LoadOp, tensor::ExtractOp>(inner)) {
    auto type = cast<ShapedType>(inner.getOperand(0).getType());
    if (!type.hasStaticShape() || type.getNumElements() == 0)
      return inner.emitOpError("expected an array of known extents with an "
                               "element in nm.rows, got ")
             << type;
    return success();
  }
  if (!isPure(&inner) || inner.getNumRegions() != 0)
    return inner.emitOpError("expected an op without regions or effects in "
                             "nm.rows");
  return success();
}

LogicalResult RowsOp::verifyRegions() {
  DenseSet<Value> ofElements = collectElementValues();
  for (Operation &inner : getBody().front())
    if (failed(verifyEffects(inner, ofElements)))
      return failure();
  // rows_c4
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  for (auto [number, value] : llvm::enumerate(yield.getValues()))
    if (!isOfElements(getInputs().size() + number) &&
        ofElements.contains(value))
      return yield.emitOpError()
             << "value #" << number
             << ": expected one of the row, as its output has no dimension of "
                "elements; nm.reduce gives one";
  auto schedule = getSchedule();
  if (!schedule)
    return success();
  if (failed(verifyElements(*this, *schedule)))
    return failure();
  if (getBody().getOps<ReduceOp>().empty())
    return success();
  // rows_c6
  int64_t parts = schedule->getParts();
  if (parts > 1 && (parts > kMostParts || !llvm::isPowerOf2_64(parts) ||
                    schedule->getThreads() < kWarp))
    return emitOpError() << "expected a row that is reduced to have one part, "
                            "or 2, 4 or 8 of at least "
                         << kWarp << " threads each, got " << parts
                         << " parts of " << schedule->getThreads()
                         << " threads";
  // rows_c7
  int64_t threads = schedule->getThreads() * schedule->getRows();
  if (schedule->getThreads() > 1 && threads % kWarp != 0)
    return emitOpError() << "expected a block of whole warps, whose lanes "
                            "exchange what they reduce, got one of "
                         << threads << " threads";
  return success();
}

LogicalResult IndexOp::verify() {
  // index_c1
  int64_t dims = cast<RowsOp>((*this)->getParentOp()).getNumDims();
  int64_t dim = getDim();
  if (dim < 0 || dim >= dims)
    return emitOpError() << "expected one of the " << dims
                         << " dimensions of the space, got " << dim;
  return success();
}

LogicalResult ReduceOp::verify() {
  // reduce_c1
  if (getKind() == arith::AtomicRMWKind::assign)
    return emitOpError() << "expected a kind that combines, got assign";
  return success();
}
