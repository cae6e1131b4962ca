//===- ConstantEvaluator.cpp - Tensors known at compile time --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/ConstantEvaluator.h"
#include "BodyProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "nm/Dialect/NM/Utils/ScalarOps.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/Extents.h"
#include "nm/Support/RawElements.h"

using namespace mlir;
using namespace nm;

/// Advances `index` in row-major order; false after the last.
static bool advance(SmallVectorImpl<int64_t> &index, ArrayRef<int64_t> shape) {
  for (int64_t i = int64_t(shape.size()) - 1; i >= 0; --i) {
    if (++index[i] < shape[i])
      return true;
    index[i] = 0;
  }
  return false;
}

ConstantEvaluator::Known ConstantEvaluator::evaluate(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !isScalarType(type.getElementType()))
    return nullptr;
  if (!getProduct(type.getShape(), maxElements))
    return nullptr;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Known result = compute(value);
  known[value] = result;
  return result;
}

ConstantEvaluator::Known ConstantEvaluator::compute(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return nullptr;
  auto type = cast<RankedTensorType>(value.getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<ElementsAttr>(constant.getValue());
    return elements ? computeConstant(elements, type) : nullptr;
  }
  if (isa<tensor::EmptyOp>(op)) {
    auto result = std::make_shared<KnownTensor>();
    result->type = type;
    result->elements.assign(type.getNumElements(), Scalar());
    return result;
  }
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op)) {
    Known source = evaluate(op->getOperand(0));
    if (!source)
      return nullptr;
    auto result = std::make_shared<KnownTensor>(*source);
    result->type = type;
    return result;
  }
  if (auto scan = dyn_cast<tm_tensor::ScanOp>(op))
    return computeScan(scan, cast<OpResult>(value));
  if (isa<tensor::ExtractSliceOp>(op))
    return computeExtractSlice(value);
  if (isa<tensor::InsertSliceOp>(op))
    return computeInsertSlice(value);
  if (isa<tensor::ConcatOp>(op))
    return computeConcat(value);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return computeLinalg(linalgOp, cast<OpResult>(value));
  return nullptr;
}

ConstantEvaluator::Known
ConstantEvaluator::computeConstant(ElementsAttr attr, RankedTensorType type) {
  auto result = std::make_shared<KnownTensor>();
  result->type = type;
  Type element = type.getElementType();
  int64_t count = type.getNumElements();
  result->elements.reserve(count);
  FailureOr<RawElements> raw = RawElements::get(attr, ignoreReason);
  if (succeeded(raw)) {
    for (int64_t i = 0; i < count; ++i)
      result->elements.push_back(loadScalar(element, raw->getElement(i)));
    return result;
  }
  // An index, or an integer that fills no whole bytes.
  auto dense = dyn_cast<DenseIntElementsAttr>(attr);
  if (!dense)
    return nullptr;
  for (const APInt &value : dense.getValues<APInt>())
    result->elements.push_back(Scalar::fromInteger(value.getSExtValue()));
  return result;
}

ConstantEvaluator::Known ConstantEvaluator::computeLinalg(linalg::LinalgOp op,
                                                          OpResult result) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1)
    return nullptr;
  auto evaluateHere = [&](Value operand) { return evaluate(operand); };
  std::optional<BodyProgram> program =
      BodyProgram::compile(*op.getBlock(), evaluateHere);
  if (!program)
    return nullptr;
  SmallVector<int64_t> work(ranges);
  work.push_back(1 + program->size());
  if (!getProduct(work, 16 * maxElements))
    return nullptr;

  // Operands: tensors with their maps, or scalars.
  size_t count = op->getNumOperands();
  SmallVector<Known> tensors(count);
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    maps.push_back(map);
    Value value = operand.get();
    if (isa<RankedTensorType>(value.getType())) {
      auto &tensor = tensors[operand.getOperandNumber()];
      tensor = evaluate(value);
      if (!tensor)
        return nullptr;
      continue;
    }
    Attribute constant;
    if (!matchPattern(value, m_Constant(&constant)) ||
        !isa<FloatAttr, IntegerAttr>(constant) ||
        !isScalarType(value.getType()))
      return nullptr;
    program->arguments(count)[operand.getOperandNumber()] =
        fromAttribute(constant);
  }

  OpOperand *init = op.getDpsInitOperand(0);
  unsigned initNumber = init->getOperandNumber();
  auto output = std::make_shared<KnownTensor>(*tensors[initNumber]);
  if (llvm::is_contained(ranges, 0))
    return output;
  SmallVector<int64_t> index(ranges.size(), 0);
  do {
    MutableArrayRef<Scalar> arguments = program->arguments(count);
    int64_t target = -1;
    for (unsigned i = 0; i < count; ++i) {
      if (!tensors[i])
        continue;
      std::optional<int64_t> offset =
          getOffset(maps[i].compose(index), tensors[i]->type.getShape());
      if (!offset)
        return nullptr;
      arguments[i] = i == initNumber ? output->elements[*offset]
                                     : tensors[i]->elements[*offset];
      if (i == initNumber)
        target = *offset;
    }
    if (!program->run(index))
      return nullptr;
    output->elements[target] = program->result(0);
  } while (advance(index, ranges));
  return output;
}

/// Totals only, of which the accumulator is the last.
ConstantEvaluator::Known ConstantEvaluator::computeScan(tm_tensor::ScanOp op,
                                                        OpResult result) {
  auto evaluateHere = [&](Value operand) { return evaluate(operand); };
  std::optional<BodyProgram> program =
      BodyProgram::compile(op.getRegion().front(), evaluateHere);
  Known input = evaluate(op.getInputs()[0]);
  if (!program || !input || !op.getInclusive() || result.getResultNumber() != 0)
    return nullptr;
  ArrayRef<int64_t> shape = input->type.getShape();
  if (!getProduct({computeProduct(shape), int64_t(1 + program->size())},
                  16 * maxElements))
    return nullptr;
  auto totals = std::make_shared<KnownTensor>(*input);
  // Elements along the dimension are so many apart.
  int64_t step = computeProduct(shape.drop_front(op.getDimension() + 1));
  int64_t extent = shape[op.getDimension()];
  for (int64_t i = 0, e = totals->elements.size(); i < e; ++i) {
    if (i / step % extent == 0)
      continue;
    program->arguments(2)[0] = totals->elements[i - step];
    program->arguments(2)[1] = input->elements[i];
    if (!program->run({}))
      return nullptr;
    totals->elements[i] = program->result(0);
  }
  return totals;
}

/// Calls `visit` with the linear offset in `shape` of each element of a slice,
/// in row-major order. Fails where the slice is not static, or leaves the
/// shape.
static LogicalResult
forEachInSlice(OffsetSizeAndStrideOpInterface op, ArrayRef<int64_t> shape,
               llvm::function_ref<void(int64_t offset)> visit) {
  ArrayRef<int64_t> offsets = op.getStaticOffsets(),
                    sizes = op.getStaticSizes(), steps = op.getStaticStrides();
  for (ArrayRef<int64_t> values : {offsets, sizes, steps})
    if (ShapedType::isDynamicShape(values))
      return failure();
  if (llvm::is_contained(sizes, 0))
    return success();
  SmallVector<int64_t> index(sizes.size(), 0), position(sizes.size());
  do {
    for (size_t i = 0; i < index.size(); ++i)
      position[i] = offsets[i] + index[i] * steps[i];
    std::optional<int64_t> offset = getOffset(position, shape);
    if (!offset)
      return failure();
    visit(*offset);
  } while (advance(index, sizes));
  return success();
}

ConstantEvaluator::Known ConstantEvaluator::computeExtractSlice(Value value) {
  auto op = value.getDefiningOp<tensor::ExtractSliceOp>();
  Known source = evaluate(op.getSource());
  if (!source)
    return nullptr;
  auto result = std::make_shared<KnownTensor>();
  result->type = cast<RankedTensorType>(value.getType());
  auto take = [&](int64_t offset) {
    result->elements.push_back(source->elements[offset]);
  };
  if (failed(forEachInSlice(op, source->type.getShape(), take)))
    return nullptr;
  return result;
}

ConstantEvaluator::Known ConstantEvaluator::computeInsertSlice(Value value) {
  auto op = value.getDefiningOp<tensor::InsertSliceOp>();
  Known source = evaluate(op.getSource()), target = evaluate(op.getDest());
  if (!source || !target ||
      getProduct(op.getStaticSizes()) != int64_t(source->elements.size()))
    return nullptr;
  auto result = std::make_shared<KnownTensor>(*target);
  const Scalar *next = source->elements.data();
  auto write = [&](int64_t offset) { result->elements[offset] = *next++; };
  if (failed(forEachInSlice(op, target->type.getShape(), write)))
    return nullptr;
  return result;
}

ConstantEvaluator::Known ConstantEvaluator::computeConcat(Value value) {
  auto op = value.getDefiningOp<tensor::ConcatOp>();
  auto result = std::make_shared<KnownTensor>();
  result->type = cast<RankedTensorType>(value.getType());
  SmallVector<Known> parts;
  for (Value input : op.getInputs()) {
    parts.push_back(evaluate(input));
    if (!parts.back())
      return nullptr;
  }
  // Row-major: for each index of the dimensions before, a run of every part.
  int64_t outer =
      computeProduct(result->type.getShape().take_front(op.getDim()));
  for (int64_t i = 0; i < outer; ++i)
    for (const Known &part : parts) {
      size_t run = part->elements.size() / outer;
      auto begin = part->elements.begin() + i * run;
      llvm::append_range(result->elements,
                         llvm::make_range(begin, begin + run));
    }
  return result;
}

ElementsAttr ConstantEvaluator::toAttribute(const KnownTensor &tensor) {
  Type element = tensor.type.getElementType();
  // Types of whole bytes go as bytes, so that large constants become resources
  // and not one attribute an element.
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  if (element.isIndex() || width % 8 != 0) {
    SmallVector<Attribute> values;
    for (Scalar value : tensor.elements)
      values.push_back(nm::toAttribute(element, value));
    return DenseElementsAttr::get(tensor.type, values);
  }
  std::vector<char> bytes(tensor.elements.size() * (width / 8));
  char *next = bytes.data();
  for (Scalar value : tensor.elements) {
    storeScalar(element, value, next);
    next += width / 8;
  }
  // One that is the same everywhere is one element.
  ArrayRef<char> first(bytes.data(), width / 8), all(bytes);
  if (!bytes.empty() &&
      all.drop_front(first.size()) == all.drop_back(first.size()))
    return DenseElementsAttr::getFromRawBuffer(tensor.type, first);
  return makeElements(tensor.type, std::move(bytes), "nm_folded");
}
