//===- NMOps.cpp - Tensor-level ops of the nm dialect
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each check carries the label of its rule in docs/Spec.md.

#include "nm/Dialect/NM/IR/NMOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "nm/Dialect/NM/IR/CondenseElements.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

#include "nm/Dialect/NM/IR/NMInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "nm/Dialect/NM/IR/NMOps.cpp.inc"

/// Checks that `type`, called `name`, is `shape` of `elementType`; a dynamic
/// extent fits every extent.
static LogicalResult verifyPart(Operation *op, StringRef name, ShapedType type,
                                ArrayRef<int64_t> shape, Type elementType) {
  if (failed(verifyCompatibleShape(type.getShape(), shape)) ||
      type.getElementType() != elementType)
    return op->emitOpError()
           << "expected " << name << " of type "
           << RankedTensorType::get(shape, elementType) << ", got " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// nm.constant, nm.condense, nm.expand, nm.assemble, nm.values, nm.indices
//===----------------------------------------------------------------------===//

/// Checks indices and columns that are written out.
/// Resource elements are checked when they are read: they may be large.
static LogicalResult verifyElements(ConstantOp op, CondensedType type) {
  auto emitError = [&] { return op.emitOpError(); };
  if (isa<DenseIntElementsAttr>(op.getIndices()) &&
      failed(checkIndices(op.getIndices(), type, emitError)))
    return failure();
  std::optional<ElementsAttr> columns = op.getColumns();
  if (columns && isa<DenseIntElementsAttr>(*columns))
    return checkColumns(*columns, type, emitError);
  return success();
}

LogicalResult ConstantOp::verify() {
  auto type = cast<CondensedType>(getType());
  // constant_c1
  if (failed(verifyPart(*this, "values", getValues().getShapedType(),
                        type.getValuesShape(), type.getElementType())))
    return failure();
  // constant_c2
  if (failed(verifyPart(*this, "indices", getIndices().getShapedType(),
                        type.getIndicesShape(), type.getIndexType())))
    return failure();
  // constant_c3
  if (getColumns().has_value() == type.getColumnsShape().empty())
    return emitOpError() << "expected column information exactly when the "
                            "packing has columns, got type "
                         << type;
  if (getColumns() &&
      failed(verifyPart(*this, "columns", getColumns()->getShapedType(),
                        type.getColumnsShape(), type.getIndexType())))
    return failure();
  return verifyElements(*this, type);
}

/// Checks a dense [k, n] tensor against the condensed type `type`.
static LogicalResult verifyDense(Operation *op, Value dense, Type type) {
  auto condensed = cast<CondensedType>(type);
  if (condensed.getPacking())
    return op->emitOpError() << "expected a type without packing, got " << type;
  return verifyPart(op, "dense weight", cast<ShapedType>(dense.getType()),
                    {condensed.getK(), condensed.getN()},
                    condensed.getElementType());
}

// condense_c1
LogicalResult CondenseOp::verify() {
  return verifyDense(*this, getDense(), getType());
}

// expand_c1
LogicalResult ExpandOp::verify() {
  return verifyDense(*this, getDense(), getWeight().getType());
}

LogicalResult AssembleOp::verify() {
  auto type = cast<CondensedType>(getType());
  // assemble_c1
  if (failed(verifyPart(*this, "values",
                        cast<ShapedType>(getValues().getType()),
                        type.getValuesShape(), type.getElementType())))
    return failure();
  // assemble_c2
  if (failed(verifyPart(*this, "indices",
                        cast<ShapedType>(getIndices().getType()),
                        type.getIndicesShape(), type.getIndexType())))
    return failure();
  // assemble_c3
  if (static_cast<bool>(getColumns()) == type.getColumnsShape().empty())
    return emitOpError() << "expected column information exactly when the "
                            "packing has columns, got type "
                         << type;
  if (getColumns())
    return verifyPart(*this, "columns",
                      cast<ShapedType>(getColumns().getType()),
                      type.getColumnsShape(), type.getIndexType());
  return success();
}

// values_c1
LogicalResult ValuesOp::verify() {
  auto type = cast<CondensedType>(getWeight().getType());
  return verifyPart(*this, "values", cast<ShapedType>(getValues().getType()),
                    type.getValuesShape(), type.getElementType());
}

// indices_c1
LogicalResult IndicesOp::verify() {
  auto type = cast<CondensedType>(getWeight().getType());
  return verifyPart(*this, "indices", cast<ShapedType>(getIndices().getType()),
                    type.getIndicesShape(), type.getIndexType());
}

//===----------------------------------------------------------------------===//
// nm.spmm, nm.spmv
//===----------------------------------------------------------------------===//

/// Checks that an extent of an operand is `expected` where both are static.
static LogicalResult verifyExtent(Operation *op, StringRef name,
                                  StringRef extent, int64_t actual,
                                  int64_t expected) {
  if (ShapedType::isDynamic(actual) || ShapedType::isDynamic(expected) ||
      actual == expected)
    return success();
  return op->emitOpError() << "expected " << name << " to have " << extent
                           << " = " << expected << ", got " << actual;
}

/// Checks the rank and the element type of an operand.
static LogicalResult verifyOperand(Operation *op, StringRef name,
                                   ShapedType type, int64_t rank,
                                   Type elementType) {
  if (type.getRank() != rank)
    return op->emitOpError()
           << "expected " << name << " of rank " << rank << ", got " << type;
  if (elementType && type.getElementType() != elementType)
    return op->emitOpError() << "expected " << name << " of element type "
                             << elementType << ", got " << type;
  return success();
}

/// Checks an operand with one number for each column of C, if there is one:
/// any float, or an i32, as `type` is.
static LogicalResult verifyColumns(ProductOpInterface op, StringRef name,
                                   Value operand, Type type) {
  if (!operand)
    return success();
  auto shaped = cast<ShapedType>(operand.getType());
  if (failed(verifyOperand(op, ("the " + name).str(), shaped, 1, nullptr)) ||
      failed(verifyExtent(op, ("the " + name).str(), "n", shaped.getDimSize(0),
                          op.getWeightType().getN())))
    return failure();
  bool isFloat = isa<FloatType>(type);
  if (isFloat ? !isa<FloatType>(shaped.getElementType())
              : shaped.getElementType() != type)
    return op->emitOpError()
           << "expected a " << name << " of " << (isFloat ? "floats" : "i32")
           << ", got " << shaped;
  return success();
}

/// product_c1, c2 and c5: the ranks and element types of A and C, and the type
/// of the sums.
static LogicalResult verifyProductTypes(ProductOpInterface op, int64_t rank) {
  CondensedType weight = op.getWeightType();
  Type element = op.getInitType().getElementType();
  // product_c1
  if (failed(verifyOperand(op, "A", op.getAType(), rank, nullptr)) ||
      failed(verifyOperand(op, "C", op.getInitType(), rank, nullptr)))
    return failure();
  Type a = op.getAType().getElementType();
  Type acc = getAccumulatorType(a, weight.getElementType());
  if (!acc)
    return op->emitOpError()
           << "expected A of " << listOperandTypes()
           << ", of a float beside a weight of floats, and of f64 beside one "
              "of "
              "f64, got A of "
           << a << " beside a weight of " << weight.getElementType();
  // product_c2
  Type type = getEpilogueType(acc, bool(op.getScale()));
  if (!isProductResult(type, element))
    return op->emitOpError()
           << "expected C of " << listProductResults(type)
           << " elements for sums of " << acc
           << (op.getScale() ? " with a scale" : " without a scale") << ", got "
           << op.getInitType();
  // product_c5
  if (op.getAcc() != acc)
    return op->emitOpError()
           << "expected " << acc << " accumulation of " << a << " x "
           << weight.getElementType() << ", got " << op.getAcc();
  return success();
}

/// product_c3, c4, c9 and c10: what the epilogue reads and does.
static LogicalResult verifyProductEpilogue(ProductOpInterface op,
                                           int64_t rank) {
  Type type = getEpilogueType(op.getAcc(), bool(op.getScale()));
  // product_c3
  if (failed(verifyColumns(op, "bias", op.getBias(), type)))
    return failure();
  // product_c9
  if (failed(verifyColumns(op, "scale", op.getScale(),
                           Float32Type::get(op.getContext()))))
    return failure();
  // product_c4
  if (op.getResidual()) {
    auto residual = cast<ShapedType>(op.getResidual().getType());
    if (failed(verifyOperand(op, "the residual", residual, rank,
                             op.getInitType().getElementType())))
      return failure();
    if (failed(verifyCompatibleShape(residual.getShape(),
                                     op.getInitType().getShape())))
      return op->emitOpError() << "expected a residual of C's shape "
                               << op.getInitType() << ", got " << residual;
  }
  // product_c10
  if (!isa<FloatType>(type) && op.getEpilogue() != Epilogue::None &&
      op.getEpilogue() != Epilogue::Relu)
    return op->emitOpError() << "expected the epilogue none or relu of "
                                "integers, got "
                             << stringifyEpilogue(op.getEpilogue());
  return success();
}

/// The rules that nm.spmm and nm.spmv share; `rank` is 2 or 1.
static LogicalResult verifyProduct(ProductOpInterface op, int64_t rank) {
  if (failed(verifyProductTypes(op, rank)) ||
      failed(verifyProductEpilogue(op, rank)))
    return failure();
  // product_c6
  bool onTensors = isa<RankedTensorType>(op.getInitType());
  for (Value operand :
       {op.getA(), op.getScale(), op.getBias(), op.getResidual()})
    if (operand && isa<RankedTensorType>(operand.getType()) != onTensors)
      return op->emitOpError()
             << "expected all operands to be tensors or all "
                "to be memrefs, got "
             << operand.getType() << " beside " << op.getInitType();
  if (onTensors != static_cast<bool>(op.getResult()))
    return op->emitOpError() << "expected a result exactly when C is a tensor";
  // product_c7
  if (onTensors && op.getResult().getType() != op.getInitType())
    return op->emitOpError()
           << "expected a result of C's type " << op.getInitType() << ", got "
           << op.getResult().getType();
  // product_c8
  if (ScheduleAttr schedule = op.getScheduleAttr())
    return schedule.verifyFor([&] { return op->emitOpError(); },
                              op.getWeightType(),
                              op.getAType().getElementType());
  return success();
}

LogicalResult SpmmOp::verify() {
  if (failed(verifyProduct(*this, 2)))
    return failure();
  CondensedType weight = getWeightType();
  bool aFeature = getALayout() == Layout::FeatureMajor;
  bool cFeature = getCLayout() == Layout::FeatureMajor;
  // spmm_c1
  if (failed(verifyExtent(*this, "A", "k",
                          getAType().getDimSize(aFeature ? 0 : 1),
                          weight.getK())) ||
      failed(verifyExtent(*this, "C", "n",
                          getInitType().getDimSize(cFeature ? 0 : 1),
                          weight.getN())))
    return failure();
  // spmm_c2
  return verifyExtent(*this, "C", "m",
                      getInitType().getDimSize(cFeature ? 1 : 0),
                      getAType().getDimSize(aFeature ? 1 : 0));
}

LogicalResult SpmvOp::verify() {
  if (failed(verifyProduct(*this, 1)))
    return failure();
  // spmv_c1
  if (failed(verifyExtent(*this, "A", "k", getAType().getDimSize(0),
                          getWeightType().getK())))
    return failure();
  // spmv_c2
  return verifyExtent(*this, "C", "n", getInitType().getDimSize(0),
                      getWeightType().getN());
}

/// A product reads its memrefs and writes C; on tensors it has no effect.
static void
getProductEffects(ProductOpInterface op,
                  SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!isa<MemRefType>(op.getInitType()))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (operand.get() == op.getInit())
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
  // The parts of the weight lie behind nm.assemble.
  effects.emplace_back(MemoryEffects::Read::get());
}

void SpmmOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getProductEffects(*this, effects);
}

void SpmvOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getProductEffects(*this, effects);
}

/// The result has the shape of C.
static LogicalResult reifyProduct(ProductOpInterface op, OpBuilder &builder,
                                  ReifiedRankedShapedTypeDims &dims) {
  if (!op.getResult())
    return failure();
  SmallVector<OpFoldResult> shape;
  for (int64_t i = 0, e = op.getInitType().getRank(); i < e; ++i)
    shape.push_back(
        tensor::getMixedSize(builder, op.getLoc(), op.getInit(), i));
  dims.push_back(std::move(shape));
  return success();
}

LogicalResult SpmmOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &dims) {
  return reifyProduct(*this, builder, dims);
}

LogicalResult SpmvOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &dims) {
  return reifyProduct(*this, builder, dims);
}
