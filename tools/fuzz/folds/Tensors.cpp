//===- Tensors.cpp - Executes ops of tensor -------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nm::folds;

static Datum makeTensor(Extents extents, const Scalar &fill) {
  Datum datum;
  datum.elements.assign(countElements(extents), fill);
  datum.extents = std::move(extents);
  return datum;
}

static Scalar unwritten(Value tensor) {
  return Scalar::poison(getWidth(tensor.getType()));
}

/// Ops on single elements and extents.
bool Interpreter::executeAccess(Operation *op, bool &isKnown) {
  isKnown = true;
  llvm::SmallVector<int64_t> position;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    const Datum &source = get(extract.getTensor());
    if (!getIntegers(op, extract.getIndices(), position) ||
        !checkPosition(op, position, source.extents))
      return false;
    set(op->getResult(0),
        Datum(source.elements[linearize(position, source.extents)]));
    return true;
  }
  if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    Datum result = get(insert.getDest());
    if (!getIntegers(op, insert.getIndices(), position) ||
        !checkPosition(op, position, result.extents))
      return false;
    result.elements[linearize(position, result.extents)] =
        get(insert.getScalar()).scalar();
    return setResults(op, {std::move(result)});
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    const Extents &extents = get(dim.getSource()).extents;
    if (!getIntegers(op, dim.getIndex(), position) ||
        !checkPosition(op, position, {static_cast<int64_t>(extents.size())}))
      return false;
    set(op->getResult(0), Datum({llvm::APInt(64, extents[position[0]])}));
    return true;
  }
  isKnown = false;
  return false;
}

bool Interpreter::executeReshape(Operation *op, bool &isKnown) {
  isKnown = true;
  if (isa<tensor::CastOp, tensor::BitcastOp>(op))
    return setResults(op, {get(op->getOperand(0))});
  Datum result;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    const Datum &source = get(collapse.getSrc());
    result.elements = source.elements;
    for (const ReassociationIndices &group :
         collapse.getReassociationIndices()) {
      int64_t extent = 1;
      for (int64_t axis : group)
        extent *= source.extents[axis];
      result.extents.push_back(extent);
    }
    return setResults(op, {std::move(result)});
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    const Datum &source = get(expand.getSrc());
    result.elements = source.elements;
    if (!getMixed(op, expand.getMixedOutputShape(), result.extents))
      return false;
    for (auto [extent, group] :
         llvm::zip_equal(source.extents, expand.getReassociationIndices())) {
      int64_t product = 1;
      for (int64_t axis : group)
        product *= result.extents[axis];
      if (product != extent)
        return undefined(op, "another number of elements");
    }
    return setResults(op, {std::move(result)});
  }
  isKnown = false;
  return false;
}

bool Interpreter::executeGenerate(Operation *op) {
  auto generate = cast<tensor::GenerateOp>(op);
  Extents extents;
  if (!getExtents(op, generate.getType(), generate.getDynamicExtents(),
                  extents))
    return false;
  Datum result = makeTensor(extents, unwritten(generate.getResult()));
  llvm::SmallVector<int64_t> position(extents.size(), 0);
  for (Scalar &element : result.elements) {
    Data arguments, yielded;
    for (int64_t coordinate : position)
      arguments.push_back(Datum({llvm::APInt(64, coordinate)}));
    if (!executeBlock(generate.getBody().front(), std::move(arguments),
                      yielded))
      return false;
    element = yielded.front().scalar();
    advance(position, extents);
  }
  return setResults(op, {std::move(result)});
}

bool Interpreter::executePad(Operation *op) {
  auto pad = cast<tensor::PadOp>(op);
  Datum source = get(pad.getSource());
  llvm::SmallVector<int64_t> low, high;
  if (!getMixed(op, pad.getMixedLowPad(), low) ||
      !getMixed(op, pad.getMixedHighPad(), high))
    return false;
  Extents extents;
  for (auto [extent, before, after] :
       llvm::zip_equal(source.extents, low, high)) {
    if (before < 0 || after < 0 || before > 64 || after > 64)
      return undefined(op, "negative or vast padding");
    extents.push_back(extent + before + after);
  }
  if (countElements(extents) > kMostElements)
    return stop(Status::TooLong, op, "vast tensor");
  Datum result = makeTensor(extents, unwritten(pad.getResult()));
  llvm::SmallVector<int64_t> position(extents.size(), 0);
  for (Scalar &element : result.elements) {
    llvm::SmallVector<int64_t> inner;
    bool isInside = true;
    for (auto [coordinate, before, extent] :
         llvm::zip_equal(position, low, source.extents)) {
      inner.push_back(coordinate - before);
      isInside &= inner.back() >= 0 && inner.back() < extent;
    }
    Data arguments, yielded;
    for (int64_t coordinate : position)
      arguments.push_back(Datum({llvm::APInt(64, coordinate)}));
    if (!executeBlock(pad.getRegion().front(), std::move(arguments), yielded))
      return false;
    element = isInside ? source.elements[linearize(inner, source.extents)]
                       : yielded.front().scalar();
    advance(position, extents);
  }
  return setResults(op, {std::move(result)});
}

bool Interpreter::executeConcat(Operation *op) {
  auto concat = cast<tensor::ConcatOp>(op);
  uint64_t axis = concat.getDim();
  Extents extents = get(op->getOperand(0)).extents;
  extents[axis] = 0;
  for (Value input : concat.getInputs()) {
    Extents part = get(input).extents;
    extents[axis] += part[axis];
    part[axis] = extents[axis];
    if (part != extents)
      return undefined(op, "other extents");
  }
  Datum result = makeTensor(extents, unwritten(concat.getResult()));
  int64_t offset = 0;
  for (Value input : concat.getInputs()) {
    const Datum &part = get(input);
    llvm::SmallVector<int64_t> position(extents.size(), 0);
    for (const Scalar &element : part.elements) {
      llvm::SmallVector<int64_t> place(position);
      place[axis] += offset;
      result.elements[linearize(place, extents)] = element;
      advance(position, part.extents);
    }
    offset += part.extents[axis];
  }
  return setResults(op, {std::move(result)});
}

bool Interpreter::executeTensor(Operation *op, bool &isKnown) {
  for (auto method :
       {&Interpreter::executeAccess, &Interpreter::executeReshape}) {
    bool succeeded = (this->*method)(op, isKnown);
    if (isKnown)
      return succeeded;
  }
  isKnown = true;
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
    return executeSlice(op);
  if (isa<tensor::GenerateOp>(op))
    return executeGenerate(op);
  if (isa<tensor::PadOp>(op))
    return executePad(op);
  if (isa<tensor::ConcatOp>(op))
    return executeConcat(op);
  if (isa<linalg::LinalgOp>(op))
    return executeLinalg(op);
  Extents extents;
  if (isa<tensor::EmptyOp>(op))
    return getExtents(op, op->getResult(0).getType(), op->getOperands(),
                      extents) &&
           setResults(op, {makeTensor(extents, unwritten(op->getResult(0)))});
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return getExtents(op, splat.getType(), splat.getDynamicSizes(), extents) &&
           setResults(op,
                      {makeTensor(extents, get(splat.getInput()).scalar())});
  if (auto fromElements = dyn_cast<tensor::FromElementsOp>(op)) {
    Datum result;
    result.extents.assign(fromElements.getType().getShape().begin(),
                          fromElements.getType().getShape().end());
    for (const Datum &element : getAll(op->getOperands()))
      result.elements.push_back(element.scalar());
    return setResults(op, {std::move(result)});
  }
  isKnown = false;
  return false;
}
