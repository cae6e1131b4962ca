//===- TMTensorVerifiers.cpp - What the ops of tm_tensor expect -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At least as strict as torch-mlir's verifiers where a later pass relies on it,
// and never stricter than what torch-mlir writes.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/TypeUtilities.h"
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace nm::tm_tensor;

//===----------------------------------------------------------------------===//
// Checks that several ops share
//===----------------------------------------------------------------------===//

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

/// Checks how many operands there are, and that they are all tensors or all
/// memrefs. `inputs` and `outputs` are {least, most}.
static LogicalResult verifyOperands(DestinationStyleOpInterface op,
                                    std::pair<int64_t, int64_t> inputs,
                                    std::pair<int64_t, int64_t> outputs) {
  auto verifyCount = [&](StringRef group, int64_t got,
                         std::pair<int64_t, int64_t> range) -> LogicalResult {
    if (got >= range.first && got <= range.second)
      return success();
    InFlightDiagnostic diagnostic = op.emitOpError("expected ") << range.first;
    if (range.second == INT64_MAX)
      diagnostic << " or more";
    else if (range.second != range.first)
      diagnostic << " or " << range.second;
    return diagnostic << " `" << group << "` operands, got " << got;
  };
  if (failed(verifyCount("ins", op.getNumDpsInputs(), inputs)) ||
      failed(verifyCount("outs", op.getNumDpsInits(), outputs)))
    return failure();
  bool onTensors = isa<TensorType>(op->getOperand(0).getType());
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (isa<TensorType>(type) != onTensors)
      return op.emitOpError("expected operands that are all tensors or all "
                            "memrefs, got ")
             << type << " as operand #" << index;
  return success();
}

static LogicalResult verifyDimension(Operation *op, int64_t dimension,
                                     int64_t rank) {
  if (dimension >= 0 && dimension < rank)
    return success();
  return op->emitOpError("expected a dimension below the rank, ")
         << rank << ", got " << dimension;
}

/// Checks that the region takes values of `arguments` and yields one `result`.
static LogicalResult verifyRegion(Operation *op, ArrayRef<Type> arguments,
                                  Type result) {
  Block &body = op->getRegion(0).front();
  if (!llvm::equal(body.getArgumentTypes(), arguments))
    return op->emitOpError("expected a region with arguments (")
           << arguments << "), got (" << body.getArgumentTypes() << ")";
  auto yield = cast<YieldOp>(body.getTerminator());
  if (yield.getNumOperands() != 1 || yield.getOperand(0).getType() != result)
    return yield.emitOpError("expected to yield one ")
           << result << ", got (" << yield.getOperandTypes() << ")";
  return success();
}

static LogicalResult verifySameElement(Operation *op, StringRef what,
                                       ShapedType type, ShapedType other) {
  if (type.getElementType() == other.getElementType())
    return success();
  return op->emitOpError("expected ")
         << what << " of element type " << other.getElementType() << ", got "
         << type;
}

static LogicalResult verifyShape(Operation *op, StringRef what, ShapedType type,
                                 ArrayRef<int64_t> shape) {
  if (succeeded(verifyCompatibleShape(type.getShape(), shape)))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expected ")
                                  << what << " of shape [";
  llvm::interleaveComma(shape, diagnostic, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      diagnostic << "?";
    else
      diagnostic << size;
  });
  return diagnostic << "], got " << type;
}

//===----------------------------------------------------------------------===//
// scan, sort, topk
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  if (failed(verifyOperands(*this, {1, 1}, {2, 2})))
    return failure();
  ShapedType input = shapedType(getInputs()[0]);
  ShapedType output = shapedType(getOutputs()[0]);
  ShapedType accumulator = shapedType(getOutputs()[1]);
  if (failed(verifyDimension(*this, getDimension(), input.getRank())) ||
      failed(verifySameElement(*this, "totals", output, input)) ||
      failed(verifySameElement(*this, "an accumulator", accumulator, input)) ||
      failed(verifyShape(*this, "totals", output, input.getShape())))
    return failure();
  SmallVector<int64_t> others(input.getShape());
  others.erase(others.begin() + getDimension());
  if (failed(verifyShape(*this, "an accumulator", accumulator, others)))
    return failure();
  Type element = input.getElementType();
  return verifyRegion(*this, {element, element}, element);
}

LogicalResult SortOp::verify() {
  if (failed(verifyOperands(*this, {0, 0}, {1, INT64_MAX})))
    return failure();
  ShapedType first = shapedType(getOutputs()[0]);
  if (failed(verifyDimension(*this, getDimension(), first.getRank())))
    return failure();
  SmallVector<Type> arguments;
  for (Value output : getOutputs()) {
    if (failed(verifyShape(*this, "operands that are sorted together",
                           shapedType(output), first.getShape())))
      return failure();
    arguments.append(2, shapedType(output).getElementType());
  }
  return verifyRegion(*this, arguments, IntegerType::get(getContext(), 1));
}

LogicalResult TopkOp::verify() {
  if (failed(verifyOperands(*this, {1, 2}, {2, 2})))
    return failure();
  ShapedType input = shapedType(getInputs()[0]);
  ShapedType values = shapedType(getOutputs()[0]);
  ShapedType places = shapedType(getOutputs()[1]);
  if (failed(verifyDimension(*this, getDimension(), input.getRank())) ||
      failed(verifySameElement(*this, "values", values, input)) ||
      failed(verifyShape(*this, "indices", places, values.getShape())))
    return failure();
  SmallVector<Value> indices(getInputs().drop_front());
  indices.push_back(getOutputs()[1]);
  for (Value value : indices)
    if (!shapedType(value).getElementType().isInteger(32))
      return emitOpError("expected indices of type i32, got ")
             << value.getType();
  if (getInputs().size() == 2 &&
      failed(verifyShape(*this, "indices", shapedType(getInputs()[1]),
                         input.getShape())))
    return failure();
  SmallVector<int64_t> expected(input.getShape());
  if (values.getRank() == input.getRank())
    expected[getDimension()] = values.getDimSize(getDimension());
  if (failed(verifyShape(*this, "values", values, expected)))
    return failure();
  Type element = input.getElementType();
  return verifyRegion(*this, {element, element},
                      IntegerType::get(getContext(), 1));
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

/// Checks `dimension_map`: as many distinct dimensions of the original as there
/// are indices for each update.
static LogicalResult verifyDimensionMap(ScatterOp op, int64_t depth,
                                        int64_t rank) {
  ArrayRef<int64_t> map = op.getDimensionMap();
  if (int64_t(map.size()) != depth)
    return op.emitOpError("expected a dimension_map of ")
           << depth << " dimensions, one for each index of an update, got "
           << map.size();
  llvm::SmallSet<int64_t, 4> seen;
  for (int64_t dimension : map)
    if (dimension < 0 || dimension >= rank || !seen.insert(dimension).second)
      return op.emitOpError("expected distinct dimensions below the rank of "
                            "the original, ")
             << rank << ", in dimension_map, got " << dimension;
  return success();
}

LogicalResult ScatterOp::verify() {
  if (failed(verifyOperands(*this, {2, 2}, {1, 1})))
    return failure();
  ShapedType updates = shapedType(getInputs()[0]);
  ShapedType indices = shapedType(getInputs()[1]);
  ShapedType original = shapedType(getOutputs()[0]);
  if (indices.getRank() != 2 || indices.isDynamicDim(1) ||
      !isa<IntegerType>(indices.getElementType()))
    return emitOpError("expected integer indices of shape [updates, static "
                       "depth], got ")
           << indices;
  int64_t depth = indices.getDimSize(1), rank = original.getRank();
  if (failed(verifyDimensionMap(*this, depth, rank)))
    return failure();
  // Dimensions of the original that no update dimension counts along start at
  // 0, so an index must say where.
  int64_t slice = updates.getRank() - 1;
  if (slice < 0 || slice > rank || rank > depth + slice)
    return emitOpError("expected updates of a rank from ")
           << rank - depth + 1 << " to " << rank + 1 << ", got " << updates;
  if (failed(verifyCompatibleShape(updates.getShape().take_front(),
                                   indices.getShape().take_front())))
    return emitOpError("expected as many updates as indices, got ")
           << updates << " and " << indices;
  for (auto [index, size] :
       llvm::enumerate(original.getShape().take_back(slice))) {
    int64_t update = updates.getDimSize(1 + index);
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(update) &&
        update > size)
      return emitOpError("expected updates that fit the original, got ")
             << updates << " for " << original << ": dimension " << 1 + index
             << " is too large";
  }
  if (failed(verifySameElement(*this, "updates", updates, original)))
    return failure();
  Type element = original.getElementType();
  return verifyRegion(*this, {element, element}, element);
}

//===----------------------------------------------------------------------===//
// attention
//===----------------------------------------------------------------------===//

/// The shape [batch of Q..., rows, columns].
static SmallVector<int64_t> withBatchOf(ShapedType query, int64_t rows,
                                        int64_t columns) {
  SmallVector<int64_t> shape(query.getShape().drop_back(2));
  shape.push_back(rows);
  shape.push_back(columns);
  return shape;
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyOperands(*this, {3, 4}, {1, 1})))
    return failure();
  ShapedType query = shapedType(getInputs()[0]);
  ShapedType key = shapedType(getInputs()[1]);
  ShapedType value = shapedType(getInputs()[2]);
  ShapedType output = shapedType(getOutputs()[0]);
  int64_t rank = query.getRank();
  if (rank < 2 || !isa<FloatType>(query.getElementType()))
    return emitOpError("expected a query of floats with 2 or more dimensions, "
                       "got ")
           << query;
  for (auto [what, type] :
       {std::pair("a key", key), std::pair("a value", value),
        std::pair("an output", output)}) {
    if (type.getRank() != rank)
      return emitOpError("expected ")
             << what << " of rank " << rank << ", got " << type;
    if (failed(verifySameElement(*this, what, type, query)))
      return failure();
  }
  int64_t queries = query.getDimSize(rank - 2),
          features = query.getDimSize(rank - 1);
  int64_t keys = key.getDimSize(rank - 2), results = value.getDimSize(rank - 1);
  if (failed(verifyShape(*this, "a key", key,
                         withBatchOf(query, keys, features))) ||
      failed(verifyShape(*this, "a value", value,
                         withBatchOf(query, keys, results))) ||
      failed(verifyShape(*this, "an output", output,
                         withBatchOf(query, queries, results))))
    return failure();
  if (getInputs().size() < 4)
    return success();
  ShapedType mask = shapedType(getInputs()[3]);
  if (mask.getElementType() != query.getElementType() &&
      !mask.getElementType().isInteger(1))
    return emitOpError("expected a mask of element type i1 or ")
           << query.getElementType() << ", got " << mask;
  return verifyShape(*this, "a mask", mask, withBatchOf(query, queries, keys));
}
