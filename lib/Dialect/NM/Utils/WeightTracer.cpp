//===- WeightTracer.cpp - The walk from an operand to its constants -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "nm/Dialect/NM/Utils/ScalarOps.h"
#include "nm/Dialect/NM/Utils/WeightSource.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace nm;

using Source = std::optional<WeightSource>;

/// Ops that one walk goes through; hostile modules have chains without end.
static constexpr unsigned maxDepth = 64;

/// Largest constant that is evaluated when it cannot be looked through.
static constexpr int64_t maxEvaluated = int64_t(1) << 24;

bool nm::isComputedFromConstants(Value value) {
  llvm::SetVector<Operation *> ops;
  bool hasData = false;
  auto visit = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    return op && (ops.insert(op), ops.size() <= maxDepth);
  };
  if (!visit(value))
    return false;
  for (size_t i = 0; i < ops.size(); ++i) {
    DenseElementsAttr dense;
    bool isSplat = matchPattern(ops[i], m_Constant(&dense)) && dense.isSplat();
    hasData |= isa<arith::ConstantOp>(ops[i]) && !isSplat &&
               isa<ShapedType>(ops[i]->getResult(0).getType());
    // A body may read tensors by itself.
    llvm::SetVector<Value> operands(ops[i]->operand_begin(),
                                    ops[i]->operand_end());
    getUsedValuesDefinedAbove(ops[i]->getRegions(), operands);
    for (Value operand : operands)
      if (!visit(operand))
        return false;
  }
  return hasData;
}

//===----------------------------------------------------------------------===//
// WeightSource::Tracer
//===----------------------------------------------------------------------===//

class WeightSource::Tracer {
public:
  Source trace(Value value);
  Source traceScalar(linalg::LinalgOp op, Value scalar,
                     ArrayRef<AffineMap> maps);

private:
  Source traceOp(OpResult result);
  Source traceConstant(arith::ConstantOp constant);
  Source traceMappable(Operation *op);
  Source traceLinalg(linalg::LinalgOp op, OpResult result);
  Source evaluate(OpResult result);

  std::optional<unsigned> addScalar(WeightSource &source, linalg::LinalgOp op,
                                    Value scalar, ArrayRef<AffineMap> maps,
                                    DenseMap<Value, unsigned> &known);
  std::optional<unsigned> addOperand(WeightSource &source, OpOperand &operand,
                                     AffineMap map);

  unsigned depth = 0;
  /// Whether something proved not to be known, on which all that is still being
  /// traced depends.
  bool failed = false;
};

Source WeightSource::trace(Value value) {
  Source source = Tracer().trace(value);
  return source && !source->leaves.empty() ? source : std::nullopt;
}

Source WeightSource::traceScalar(linalg::LinalgOp op, Value scalar,
                                 ArrayRef<AffineMap> maps) {
  Source source = Tracer().traceScalar(op, scalar, maps);
  return source && !source->leaves.empty() ? source : std::nullopt;
}

Source WeightSource::Tracer::trace(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result || !isa<RankedTensorType>(value.getType()) || failed ||
      depth == maxDepth)
    return std::nullopt;
  llvm::SaveAndRestore deeper(depth, depth + 1);
  Source source = traceOp(result);
  if (!source && !failed)
    source = evaluate(result);
  failed |= !source;
  return source;
}

Source WeightSource::Tracer::traceOp(OpResult result) {
  Operation *op = result.getOwner();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return traceConstant(constant);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return traceLinalg(linalgOp, result);
  if (OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1)
    return traceMappable(op);
  if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
           tensor::ExtractSliceOp>(op))
    return std::nullopt;
  Source source = trace(op->getOperand(0));
  if (!source)
    return std::nullopt;
  auto type = cast<RankedTensorType>(result.getType());
  bool fits = true;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (Leaf &leaf : source->leaves)
      fits &= leaf.view.expandShape(expand.getReassociationIndices(),
                                    type.getShape());
    source->setShape(type.getShape());
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (Leaf &leaf : source->leaves)
      leaf.view.collapseShape(collapse.getReassociationIndices());
    source->setShape(type.getShape());
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    for (Leaf &leaf : source->leaves)
      fits &= leaf.view.extractSlice(slice);
    source->setShape(type.getShape());
  } else {
    // A cast shows or hides extents.
    for (auto [i, extent] : llvm::enumerate(type.getShape())) {
      int64_t known = source->shape[i];
      if (ShapedType::isDynamic(known))
        source->setSize(i, extent);
      else
        fits &= ShapedType::isDynamic(extent) || known == extent;
    }
  }
  return fits ? source : std::nullopt;
}

Source WeightSource::Tracer::traceConstant(arith::ConstantOp constant) {
  auto elements = dyn_cast<ElementsAttr>(constant.getValue());
  if (!elements)
    return std::nullopt;
  ArrayRef<int64_t> shape = elements.getShapedType().getShape();
  std::optional<StridedView> view = StridedView::create(shape);
  if (!view)
    return std::nullopt;
  WeightSource source;
  source.setShape(shape);
  source.leaves.push_back({elements, constant.getLoc(), std::move(*view)});
  Node &node = source.nodes.emplace_back();
  node.type = elements.getElementType();
  node.leaf = 0;
  return source;
}

/// An op on scalars that is written on whole tensors.
Source WeightSource::Tracer::traceMappable(Operation *op) {
  if (!isEvaluable(op))
    return std::nullopt;
  WeightSource result;
  Node node;
  node.type = getElementTypeOrSelf(op->getResult(0));
  node.op = op;
  for (Value operand : op->getOperands()) {
    Source source = trace(operand);
    if (!source || (!result.nodes.empty() && result.shape != source->shape))
      return std::nullopt;
    result.setShape(source->shape);
    node.operands.push_back(result.append(*source));
  }
  result.nodes.push_back(std::move(node));
  if (result.nodes.size() > maxNodes || result.leaves.size() > maxLeaves)
    return std::nullopt;
  return result;
}

Source WeightSource::Tracer::traceLinalg(linalg::LinalgOp op, OpResult result) {
  if (!op.hasPureTensorSemantics() ||
      op.getNumParallelLoops() != op.getNumLoops())
    return std::nullopt;
  AffineMap out =
      op.getMatchingIndexingMap(op.getDpsInitOperand(result.getResultNumber()));
  if (!out.isPermutation())
    return std::nullopt;
  Value scalar =
      op.getBlock()->getTerminator()->getOperand(result.getResultNumber());
  Source source = traceScalar(op, scalar, op.getIndexingMapsArray());
  if (!source)
    return std::nullopt;
  SmallVector<std::optional<unsigned>> from;
  SmallVector<int64_t> shape;
  for (unsigned i = 0, e = out.getNumResults(); i < e; ++i) {
    from.push_back(out.getDimPosition(i));
    shape.push_back(source->shape[out.getDimPosition(i)]);
  }
  source->permute(from, shape);
  return source;
}

/// Everything else that is computed from constants.
Source WeightSource::Tracer::evaluate(OpResult result) {
  if (!isComputedFromConstants(result))
    return std::nullopt;
  std::shared_ptr<const KnownTensor> tensor =
      ConstantEvaluator(maxEvaluated).evaluate(result);
  if (!tensor)
    return std::nullopt;
  ArrayRef<int64_t> shape = tensor->type.getShape();
  std::optional<StridedView> view = StridedView::create(shape);
  if (!view)
    return std::nullopt;
  WeightSource source;
  source.setShape(shape);
  source.leaves.push_back({ConstantEvaluator::toAttribute(*tensor),
                           result.getLoc(), std::move(*view)});
  Node &node = source.nodes.emplace_back();
  node.type = tensor->type.getElementType();
  node.leaf = 0;
  source.evaluated.push_back(result.getOwner()->getName().getStringRef());
  return source;
}

//===----------------------------------------------------------------------===//
// Scalars of the bodies of linalg ops
//===----------------------------------------------------------------------===//

Source WeightSource::Tracer::traceScalar(linalg::LinalgOp op, Value scalar,
                                         ArrayRef<AffineMap> maps) {
  WeightSource source;
  source.setShape(op.getStaticLoopRanges());
  DenseMap<Value, unsigned> known;
  if (!addScalar(source, op, scalar, maps, known))
    return std::nullopt;
  return source;
}

/// Adds what computes `scalar`, depth first, so that it is the last node.
std::optional<unsigned>
WeightSource::Tracer::addScalar(WeightSource &source, linalg::LinalgOp op,
                                Value scalar, ArrayRef<AffineMap> maps,
                                DenseMap<Value, unsigned> &known) {
  if (auto found = known.find(scalar); found != known.end())
    return found->second;
  if (depth == maxDepth)
    return std::nullopt;
  llvm::SaveAndRestore deeper(depth, depth + 1);
  std::optional<unsigned> number;
  Attribute constant;
  auto argument = dyn_cast<BlockArgument>(scalar);
  if (argument && argument.getOwner() == op.getBlock()) {
    OpOperand &operand = op->getOpOperand(argument.getArgNumber());
    if (op.isDpsInit(&operand))
      return std::nullopt;
    if (isa<RankedTensorType>(operand.get().getType()))
      number = addOperand(source, operand, maps[argument.getArgNumber()]);
    else // a scalar operand
      number = addScalar(source, op, operand.get(), maps, known);
  } else if (matchPattern(scalar, m_Constant(&constant))) {
    if (!isa<FloatAttr, IntegerAttr>(constant) ||
        !isScalarType(scalar.getType()))
      return std::nullopt;
    Node &node = source.nodes.emplace_back();
    node.type = scalar.getType();
    node.literal = fromAttribute(constant);
    number = source.nodes.size() - 1;
  } else if (Operation *inner = scalar.getDefiningOp();
             inner && isEvaluable(inner) &&
             inner->getBlock() == op.getBlock()) {
    Node node;
    node.type = scalar.getType();
    node.op = inner;
    for (Value operand : inner->getOperands()) {
      std::optional<unsigned> input =
          addScalar(source, op, operand, maps, known);
      if (!input)
        return std::nullopt;
      node.operands.push_back(*input);
    }
    source.nodes.push_back(std::move(node));
    number = source.nodes.size() - 1;
  }
  if (!number || source.nodes.size() > maxNodes ||
      source.leaves.size() > maxLeaves)
    return std::nullopt;
  known[scalar] = *number;
  return number;
}

/// Adds an operand, seen along the loops that `map` says.
std::optional<unsigned> WeightSource::Tracer::addOperand(WeightSource &source,
                                                         OpOperand &operand,
                                                         AffineMap map) {
  Source input = trace(operand.get());
  if (!input)
    return std::nullopt;
  SmallVector<std::optional<unsigned>> from(source.getRank());
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      std::optional<unsigned> &loop = from[dim.getPosition()];
      if (loop) // a diagonal
        return std::nullopt;
      loop = i;
      // What the constant knows of its extents, the types may hide.
      if (ShapedType::isDynamic(source.shape[dim.getPosition()]))
        source.setSize(dim.getPosition(), input->shape[i]);
    } else if (expr != getAffineConstantExpr(0, map.getContext()) ||
               input->shape[i] != 1) {
      return std::nullopt;
    }
  }
  input->permute(from, source.shape);
  return source.append(*input);
}
