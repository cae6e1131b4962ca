//===- WeightTracer.cpp - The walk from an operand to its constants -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightPieces.h"
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

/// The ops that `value` is computed by. False if it is not known before the
/// run, or by too many.
static bool collectProducers(Value value, llvm::SetVector<Operation *> &ops) {
  auto visit = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    return op && (ops.insert(op), ops.size() <= maxDepth);
  };
  if (!visit(value))
    return false;
  for (size_t i = 0; i < ops.size(); ++i) {
    // A body may read tensors by itself.
    llvm::SetVector<Value> operands(ops[i]->operand_begin(),
                                    ops[i]->operand_end());
    getUsedValuesDefinedAbove(ops[i]->getRegions(), operands);
    for (Value operand : operands)
      if (!visit(operand))
        return false;
  }
  return true;
}

/// The elements of constants among `ops`, but for those that are one value,
/// repeated.
static int64_t countData(const llvm::SetVector<Operation *> &ops) {
  int64_t count = 0;
  for (Operation *op : ops) {
    auto constant = dyn_cast<arith::ConstantOp>(op);
    auto elements =
        constant ? dyn_cast<ElementsAttr>(constant.getValue()) : ElementsAttr();
    if (elements && !isa<SplatElementsAttr>(elements))
      count += std::min(elements.getNumElements(), StridedView::maxElements);
  }
  return count;
}

bool nm::isComputedFromConstants(Value value) {
  llvm::SetVector<Operation *> ops;
  return collectProducers(value, ops) && countData(ops) != 0;
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
  Source traceSlice(tensor::ExtractSliceOp slice);
  Source join(OpResult result);
  Source makeLeaf(OpResult result, ElementsAttr elements);
  Source evaluate(OpResult result);

  std::optional<unsigned> addScalar(WeightSource &source, linalg::LinalgOp op,
                                    Value scalar, ArrayRef<AffineMap> maps,
                                    DenseMap<Value, unsigned> &known);
  std::optional<unsigned> addOperand(WeightSource &source, OpOperand &operand,
                                     AffineMap map);
  std::optional<unsigned> addExtract(WeightSource &source,
                                     tensor::ExtractOp extract);

  unsigned depth = 0;
  /// Whether something proved not to be known, on which all that is still being
  /// traced depends.
  bool failed = false;
};

/// `source` if it has data, all of which are known.
static Source takeIfKnown(Source source) {
  return source && source->countChoices() == 1 ? source : std::nullopt;
}

Source WeightSource::trace(Value value) {
  Source source = Tracer().trace(value);
  return source && !source->leaves.empty() ? takeIfKnown(source) : std::nullopt;
}

Source WeightSource::traceScalar(linalg::LinalgOp op, Value scalar,
                                 ArrayRef<AffineMap> maps) {
  return takeIfKnown(traceChosenScalar(op, scalar, maps));
}

Source WeightSource::traceChosenScalar(linalg::LinalgOp op, Value scalar,
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
  // A choice may be one of constants.
  bool isChosen = source && source->countChoices() != 1;
  if (!failed && (!source || (isChosen && isComputedFromConstants(result))))
    if (Source known = evaluate(result))
      source = std::move(known);
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
  if (isa<tensor::ConcatOp, tensor::InsertSliceOp>(op))
    return join(result);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return traceSlice(slice);
  if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
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
  return makeLeaf(result, ConstantEvaluator::toAttribute(*tensor));
}

/// All of `elements`, which were computed for `result`.
Source WeightSource::Tracer::makeLeaf(OpResult result, ElementsAttr elements) {
  ArrayRef<int64_t> shape = elements.getShapedType().getShape();
  std::optional<StridedView> view = StridedView::create(shape);
  if (!view)
    return std::nullopt;
  WeightSource source;
  source.setShape(shape);
  source.leaves.push_back({elements, result.getLoc(), std::move(*view)});
  Node &node = source.nodes.emplace_back();
  node.type = elements.getElementType();
  node.leaf = 0;
  source.evaluated.push_back(result.getOwner()->getName().getStringRef());
  return source;
}

//===----------------------------------------------------------------------===//
// Slices and concatenations
//===----------------------------------------------------------------------===//

/// A slice; of a concatenation, where it lies within a part, one of that part.
Source WeightSource::Tracer::traceSlice(tensor::ExtractSliceOp slice) {
  SmallVector<int64_t> offsets(slice.getStaticOffsets());
  Value of = slice.getSource();
  for (unsigned i = 0; i < maxDepth; ++i) {
    std::optional<Piece> piece = findPiece(of, offsets, slice.getStaticSizes(),
                                           slice.getStaticStrides());
    if (!piece)
      break;
    of = piece->value;
    for (auto [offset, first] : llvm::zip_equal(offsets, piece->offsets))
      offset -= first;
  }
  Source source = trace(of);
  if (!source)
    return std::nullopt;
  for (Leaf &leaf : source->leaves)
    if (!leaf.view.extractSlice(offsets, slice.getStaticSizes(),
                                slice.getStaticStrides(),
                                slice.getDroppedDims()))
      return std::nullopt;
  source->setShape(slice.getType().getShape());
  return source;
}

/// A concatenation of constants, put together: byte by byte, as such weights
/// are large. The attribute is one of its content, so that equal ones are the
/// same.
Source WeightSource::Tracer::join(OpResult result) {
  auto type = cast<RankedTensorType>(result.getType());
  std::optional<SmallVector<Piece>> pieces = getPieces(result);
  llvm::SetVector<Operation *> producers;
  if (!pieces || !collectProducers(result, producers))
    return std::nullopt;
  // A few bytes, put together again and again, could stand for any amount.
  int64_t limit = std::max<int64_t>(maxEvaluated, 2 * countData(producers));
  std::optional<PieceWriter> writer = PieceWriter::create(type, limit);
  if (!writer)
    return std::nullopt;
  for (const Piece &piece : *pieces) {
    // What nothing is written to may be any number.
    if (piece.value.getDefiningOp<tensor::EmptyOp>())
      continue;
    Source source = trace(piece.value);
    if (!source || source->countChoices() != 1 ||
        source->getElementType() != type.getElementType())
      return std::nullopt;
    SmallVector<unsigned> rows = llvm::to_vector(llvm::seq(source->getRank())),
                          columns;
    if (!rows.empty())
      columns.push_back(rows.pop_back_val());
    FailureOr<DenseWeight> data = source->read(rows, columns, ignoreReason);
    if (::failed(data) || !writer->write(piece, *data))
      return std::nullopt;
  }
  return makeLeaf(result, writer->take());
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
  } else if (auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
             extract && extract->getBlock() == op.getBlock()) {
    number = addExtract(source, extract);
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

/// Adds an element of a tensor that the body reads by itself: at the indices of
/// loops, at constants, and at one index that is known only at run time.
std::optional<unsigned>
WeightSource::Tracer::addExtract(WeightSource &source,
                                 tensor::ExtractOp extract) {
  Source input = trace(extract.getTensor());
  if (!input)
    return std::nullopt;
  SmallVector<std::optional<unsigned>> from(source.getRank());
  for (auto [i, index] : llvm::enumerate(extract.getIndices())) {
    int64_t size = input->shape[i];
    APInt constant;
    if (auto position = index.getDefiningOp<linalg::IndexOp>()) {
      std::optional<unsigned> &loop = from[position.getDim()];
      if (loop || ShapedType::isDynamic(size) ||
          source.shape[position.getDim()] != size)
        return std::nullopt;
      loop = i;
    } else if (matchPattern(index, m_ConstantInt(&constant))) {
      if (ShapedType::isDynamic(size) || !constant.ult(size))
        return std::nullopt;
      input->fix(i, constant.getSExtValue());
    } else {
      // Of one there is no choice, and it is not known that it is taken.
      if (size == 1)
        return std::nullopt;
      for (Leaf &leaf : input->leaves)
        if (!leaf.view.leaveOpen(i))
          return std::nullopt;
      input->shape[i] = 1;
    }
  }
  input->permute(from, source.shape);
  return source.append(*input);
}
