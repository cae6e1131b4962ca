//===- EqualSizes.cpp - Sizes that an op takes for equal ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EqualSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;

using Groups = SmallVector<EqualSizes>;

static int64_t getRank(Value value) {
  return cast<ShapedType>(value.getType()).getRank();
}

/// `size` as it was given, not where it comes from.
static SizeOrigin toSize(OpFoldResult size) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return {{}, *number};
  return {cast<Value>(size), 0};
}

/// A group for each dimension of `values`, which have the same shape, but
/// `but`.
static void addShapes(Groups &groups, ValueRange values, int64_t but = -1) {
  for (int64_t i = 0, e = getRank(values.front()); i < e; ++i) {
    if (i == but)
      continue;
    EqualSizes &group = groups.emplace_back();
    for (Value value : values)
      group.push_back({value, i});
  }
}

static Groups getLoopSizes(linalg::LinalgOp op) {
  Groups groups(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [i, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        groups[loop.getPosition()].push_back({operand.get(), int64_t(i)});
  }
  return groups;
}

/// n of a product and, of one on matrices, m; and k.
static Groups getProductSizes(ProductOpInterface op) {
  Groups groups;
  if (op.isOnMatrices())
    groups.push_back({{op.getA(), op.isAFeatureMajor()},
                      {op.getInit(), op.isCFeatureMajor()}});
  EqualSizes &k = groups.emplace_back();
  k = {{{}, op.getWeightType().getK()},
       {op.getA(), op.isOnMatrices() && !op.isAFeatureMajor()}};
  EqualSizes &n = groups.emplace_back();
  n = {{{}, op.getWeightType().getN()}, {op.getInit(), op.getColumnDim()}};
  for (Value columns : {op.getScale(), op.getBias()})
    if (columns)
      n.push_back({columns, 0});
  if (op.getResidual())
    addShapes(groups, {op.getInit(), op.getResidual()});
  return groups;
}

/// The parts of a weight have the shapes that its type says.
static Groups getAssembledSizes(AssembleOp op) {
  Groups groups;
  auto add = [&](Value part, ArrayRef<int64_t> shape) {
    for (auto [i, extent] : llvm::enumerate(shape))
      groups.push_back({{{}, extent}, {part, int64_t(i)}});
  };
  CondensedType type = op.getType();
  add(op.getValues(), type.getValuesShape());
  add(op.getIndices(), type.getIndicesShape());
  if (op.getColumns())
    add(op.getColumns(), type.getColumnsShape());
  return groups;
}

static Groups getScanSizes(tm_tensor::ScanOp op) {
  Groups groups;
  Value input = op.getInputs()[0], accumulator = op.getOutputs()[1];
  addShapes(groups, {input, op.getOutputs()[0]});
  int64_t dim = op.getDimension();
  for (int64_t i = 0, e = getRank(accumulator); i < e; ++i)
    groups.push_back({{input, i < dim ? i : i + 1}, {accumulator, i}});
  return groups;
}

static Groups getTopkSizes(tm_tensor::TopkOp op) {
  Groups groups;
  addShapes(groups, op.getOutputs());
  Value input = op.getInputs()[0], values = op.getOutputs()[0];
  if (op.getInputs().size() == 2)
    addShapes(groups, op.getInputs());
  if (getRank(input) == getRank(values))
    addShapes(groups, {input, values}, op.getDimension());
  return groups;
}

static Groups getAttentionSizes(tm_tensor::AttentionOp op) {
  Groups groups;
  Value q = op.getInputs()[0], k = op.getInputs()[1], v = op.getInputs()[2],
        c = op.getOutputs()[0];
  int64_t rows = getRank(q) - 2, columns = rows + 1;
  for (int64_t i = 0; i < rows; ++i)
    groups.push_back({{q, i}, {k, i}, {v, i}, {c, i}});
  groups.push_back({{q, rows}, {c, rows}});
  groups.push_back({{q, columns}, {k, columns}});
  groups.push_back({{k, rows}, {v, rows}});
  groups.push_back({{v, columns}, {c, columns}});
  if (op.getInputs().size() == 4) {
    Value mask = op.getInputs()[3];
    for (int64_t i = 0; i < columns; ++i)
      groups.push_back({{q, i}, {mask, i}});
    groups.push_back({{k, rows}, {mask, columns}});
  }
  return groups;
}

/// What is not split keeps its size.
static Groups getExpandSizes(tensor::ExpandShapeOp op) {
  Groups groups;
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices()))
    if (group.size() == 1)
      groups.push_back({{op.getSrc(), int64_t(i)}, toSize(sizes[group[0]])});
  return groups;
}

static Groups getInsertSizes(tensor::InsertSliceOp op) {
  Groups groups;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t dim = 0;
  for (auto [i, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped[i])
      groups.push_back({{op.getSource(), dim++}, toSize(size)});
  return groups;
}

/// What is not put behind each other is equally large.
static Groups getConcatSizes(tensor::ConcatOp op) {
  Groups groups;
  int64_t dim = op.getDim();
  addShapes(groups, op.getInputs(), dim);
  for (auto [i, group] : llvm::enumerate(groups)) {
    int64_t known = op.getResultType().getDimSize(int64_t(i) < dim ? i : i + 1);
    if (!ShapedType::isDynamic(known))
      group.insert(group.begin(), {{}, known});
  }
  return groups;
}

SmallVector<EqualSizes> nm::getEqualSizes(Operation *op) {
  return llvm::TypeSwitch<Operation *, Groups>(op)
      .Case([](linalg::LinalgOp op) { return getLoopSizes(op); })
      .Case([](ProductOpInterface op) { return getProductSizes(op); })
      .Case([](AssembleOp op) { return getAssembledSizes(op); })
      .Case([](tm_tensor::ScanOp op) { return getScanSizes(op); })
      .Case([](tm_tensor::SortOp op) {
        Groups groups;
        addShapes(groups, op.getOutputs());
        return groups;
      })
      .Case([](tm_tensor::TopkOp op) { return getTopkSizes(op); })
      .Case([](tm_tensor::ScatterOp op) {
        return Groups{{{op.getInputs()[0], 0}, {op.getInputs()[1], 0}}};
      })
      .Case([](tm_tensor::AttentionOp op) { return getAttentionSizes(op); })
      .Case([](tensor::ConcatOp op) { return getConcatSizes(op); })
      .Case([](tensor::ExpandShapeOp op) { return getExpandSizes(op); })
      .Case([](tensor::InsertSliceOp op) { return getInsertSizes(op); })
      .Default([](Operation *) { return Groups(); });
}
