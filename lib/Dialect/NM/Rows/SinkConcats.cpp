//===- SinkConcats.cpp - Element-wise ops before concatenations -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemberOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "nm/Dialect/NM/Rows/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace nm {
#define GEN_PASS_DEF_NMSINKCONCATSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;
using linalg::GenericOp;

namespace {
/// A part of the extent of a dimension.
struct Part {
  int64_t dim, offset, size;
};
} // namespace

static RankedTensorType getPartType(Value value, const Part &part) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
  shape[part.dim] = part.size;
  return type.clone(shape);
}

static Value createPart(ImplicitLocOpBuilder &b, Value value, Part part);

/// An op is computed in at most so many parts. A rotary embedding needs two;
/// the number is a guess.
static constexpr int64_t kMostParts = 4;

/// The input of a concatenation that `part` is; null if it is none.
static Value findInput(tensor::ConcatOp op, const Part &part) {
  if (int64_t(op.getDim()) != part.dim)
    return {};
  int64_t offset = 0;
  for (Value input : op.getInputs()) {
    int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(part.dim);
    if (offset == part.offset && size == part.size)
      return input;
    offset += size;
  }
  return {};
}

/// The part of a reshape that adds or drops dimensions of one element.
template <typename Reshape>
static Value createPartOfReshape(ImplicitLocOpBuilder &b, Reshape op,
                                 const Part &part, int64_t sourceDim) {
  Value source =
      createPart(b, op.getSrc(), {sourceDim, part.offset, part.size});
  return Reshape::create(b, getPartType(op.getResult(), part), source,
                         op.getReassociationIndices());
}

/// The dimension of the other side of a reshape of `groups` that the one number
/// `dim` of the wide side is, or of the narrow one.
static int64_t findNarrow(ArrayRef<ReassociationIndices> groups, int64_t dim) {
  for (auto [narrow, group] : llvm::enumerate(groups))
    if (llvm::is_contained(group, dim))
      return narrow;
  return -1;
}

static int64_t findWide(ArrayRef<ReassociationIndices> groups, int64_t dim,
                        RankedTensorType wide) {
  for (int64_t i : groups[dim])
    if (wide.getDimSize(i) != 1)
      return i;
  return groups[dim].front();
}

/// A part of `value`, taken as far up as moving elements goes.
static Value createPart(ImplicitLocOpBuilder &b, Value value, Part part) {
  Operation *op = value.getDefiningOp();
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op))
    if (Value input = findInput(concat, part))
      return input;
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    if (movesUnitsAlone(expand))
      return createPartOfReshape(
          b, expand, part,
          findNarrow(expand.getReassociationIndices(), part.dim));
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op))
    if (movesUnitsAlone(collapse))
      return createPartOfReshape(b, collapse, part,
                                 findWide(collapse.getReassociationIndices(),
                                          part.dim, collapse.getSrcType()));
  if (auto transpose = dyn_cast_or_null<linalg::TransposeOp>(op)) {
    int64_t dim = transpose.getPermutation()[part.dim];
    Value source =
        createPart(b, transpose.getInput(), {dim, part.offset, part.size});
    RankedTensorType type = getPartType(value, part);
    Value init =
        tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
    return linalg::TransposeOp::create(b, source, init,
                                       transpose.getPermutation())
        ->getResult(0);
  }
  RankedTensorType type = getPartType(value, part);
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)), sizes,
      strides(type.getRank(), b.getIndexAttr(1));
  offsets[part.dim] = b.getIndexAttr(part.offset);
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  return tensor::ExtractSliceOp::create(b, type, value, offsets, sizes,
                                        strides);
}

/// The place of `loop` in the results of a map; -1 if it is none.
static int64_t findResult(AffineMap map, int64_t loop) {
  AffineExpr dim = getAffineDimExpr(loop, map.getContext());
  auto found = llvm::find(map.getResults(), dim);
  return found == map.getResults().end()
             ? -1
             : std::distance(map.getResults().begin(), found);
}

/// A concatenation of rows' elements that `op` reads, and the loop along which.
/// What concatenates rows is written in place (nm-write-in-place), and computed
/// by one kernel where reductions follow.
static std::pair<tensor::ConcatOp, int64_t> findConcat(GenericOp op) {
  for (int64_t i = 0; i < op.getNumDpsInputs(); ++i) {
    Access read = getRead(op, i);
    auto concat = read.value.getDefiningOp<tensor::ConcatOp>();
    if (concat && int64_t(concat.getDim()) + 1 == concat.getRank())
      return {concat, read.dims[concat.getDim()]};
  }
  return {};
}

/// What `op` computes in a part of the iterations of a loop.
static Value compute(ImplicitLocOpBuilder &b, GenericOp op, int64_t loop,
                     int64_t offset, int64_t size) {
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands()) {
    int64_t dim = findResult(op.getMatchingIndexingMap(input), loop);
    inputs.push_back(dim < 0
                         ? input->get()
                         : createPart(b, input->get(), {dim, offset, size}));
  }
  OpOperand *init = op.getDpsInitOperand(0);
  int64_t dim = findResult(op.getMatchingIndexingMap(init), loop);
  RankedTensorType type = getPartType(op->getResult(0), {dim, offset, size});
  Value out =
      tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
  auto part = GenericOp::create(b, type, inputs, out, op.getIndexingMapsArray(),
                                op.getIteratorTypesArray());
  IRMapping mapping;
  op.getRegion().cloneInto(&part.getRegion(), mapping);
  return part->getResult(0);
}

/// Whether an op can be computed in parts.
static bool isSeparable(GenericOp op) {
  return op.getNumReductionLoops() == 0 && op->getNumResults() == 1 &&
         isPointwise(op) &&
         llvm::none_of(op.getStaticLoopRanges(), ShapedType::isDynamic);
}

/// Computes `op` in parts of `sizes` iterations of a loop.
static void computeParts(RewriterBase &rewriter, GenericOp op, int64_t loop,
                         ArrayRef<int64_t> sizes) {
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<Value> parts;
  int64_t offset = 0;
  for (int64_t size : sizes) {
    parts.push_back(compute(b, op, loop, offset, size));
    offset += size;
  }
  OpOperand *init = op.getDpsInitOperand(0);
  int64_t dim = findResult(op.getMatchingIndexingMap(init), loop);
  rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, dim, parts);
}

static void sinkConcat(RewriterBase &rewriter, GenericOp op) {
  if (!isSeparable(op))
    return;
  auto [concat, loop] = findConcat(op);
  if (!concat || loop == kUnit)
    return;
  SmallVector<int64_t> sizes;
  for (Value input : concat.getInputs())
    sizes.push_back(
        cast<RankedTensorType>(input.getType()).getDimSize(concat.getDim()));
  computeParts(rewriter, op, loop, sizes);
}

/// How many parts along its last loop have the iterations of `other`; 0 if none
/// have.
static int64_t countParts(GenericOp op, GenericOp other) {
  SmallVector<int64_t> all = op.getStaticLoopRanges(),
                       some = other.getStaticLoopRanges();
  if (all.empty() || all.size() != some.size() || some.back() == 0 ||
      ArrayRef<int64_t>(all).drop_back() != ArrayRef<int64_t>(some).drop_back())
    return 0;
  int64_t parts = all.back() / some.back();
  return parts * some.back() == all.back() && parts <= kMostParts ? parts : 0;
}

/// Computes ops of parts of an array in parts as small as those of other ops: V
/// of an attention in halves as Q and K are, which are one kernel then.
static void splitReaders(RewriterBase &rewriter, ArrayRef<GenericOp> ops) {
  llvm::MapVector<Value, SmallVector<GenericOp>> readers;
  for (GenericOp op : ops)
    if (isSeparable(op) && op.getNumDpsInputs() != 0)
      readers[getWholeArray(op.getDpsInputOperand(0)->get())].push_back(op);
  SmallVector<std::pair<GenericOp, int64_t>> found;
  for (auto &[array, those] : readers)
    for (GenericOp op : those) {
      int64_t parts = 1;
      for (GenericOp other : those)
        parts = std::max(parts, countParts(op, other));
      if (parts > 1)
        found.push_back({op, parts});
    }
  for (auto [op, parts] : found) {
    int64_t size = op.getStaticLoopRanges().back() / parts;
    computeParts(rewriter, op, int64_t(op.getNumLoops()) - 1,
                 SmallVector<int64_t>(parts, size));
  }
}

/// Lets a transposition of rows' parts be one of each: the parts of its rows
/// are written by the kernels that compute them.
static void sinkConcat(RewriterBase &rewriter, linalg::TransposeOp op) {
  auto concat = op.getInput().getDefiningOp<tensor::ConcatOp>();
  ArrayRef<int64_t> order = op.getPermutation();
  int64_t last = int64_t(order.size()) - 1;
  if (!concat || int64_t(concat.getDim()) != last || order.back() == last ||
      !op.hasPureTensorSemantics() || !concat.getType().hasStaticShape())
    return;
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), op);
  int64_t dim = std::distance(order.begin(), llvm::find(order, last));
  SmallVector<Value> parts;
  for (Value input : concat.getInputs()) {
    int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(last);
    RankedTensorType type = getPartType(op->getResult(0), {dim, 0, size});
    Value init =
        tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
    parts.push_back(
        linalg::TransposeOp::create(b, input, init, order)->getResult(0));
  }
  rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, dim, parts);
}

/// The part that a slice is, along one dimension; none else.
static std::optional<Part> getPart(tensor::ExtractSliceOp op) {
  if (!op.hasUnitStride() ||
      op.getSourceType().getRank() != op.getType().getRank())
    return std::nullopt;
  std::optional<Part> found;
  for (auto [dim, offset, size] :
       llvm::enumerate(op.getStaticOffsets(), op.getStaticSizes())) {
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size))
      return std::nullopt;
    if (size == op.getSourceType().getDimSize(dim))
      continue;
    if (found)
      return std::nullopt;
    found = Part{int64_t(dim), offset, size};
  }
  return found;
}

/// Lets a slice of a transposed array be the transposition of a slice. Where
/// all users of the array are slices, it is not transposed as a whole any more.
static void sliceBefore(RewriterBase &rewriter, tensor::ExtractSliceOp op) {
  std::optional<Part> part = getPart(op);
  if (!part || !op.getSource().getDefiningOp<linalg::TransposeOp>())
    return;
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), op);
  rewriter.replaceOp(op, createPart(b, op.getSource(), *part));
}

namespace {
struct SinkConcats : nm::impl::NMSinkConcatsPassBase<SinkConcats> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (tensor::ExtractSliceOp slice : collect<tensor::ExtractSliceOp>())
      sliceBefore(rewriter, slice);
    sink(rewriter);
    // What the others of a group are computed in is known now.
    splitReaders(rewriter, collect<GenericOp>());
    sink(rewriter);
  }

private:
  /// All ops of type `Op`, in order.
  template <typename Op> SmallVector<Op> collect() {
    SmallVector<Op> ops;
    getOperation()->walk([&](Op op) { ops.push_back(op); });
    return ops;
  }

  /// In order: what an op reads is concatenated before it is looked at.
  void sink(RewriterBase &rewriter) {
    for (linalg::LinalgOp op : collect<linalg::LinalgOp>()) {
      if (auto generic = dyn_cast<GenericOp>(op.getOperation()))
        sinkConcat(rewriter, generic);
      else if (auto transpose =
                   dyn_cast<linalg::TransposeOp>(op.getOperation()))
        sinkConcat(rewriter, transpose);
    }
  }
};
} // namespace
