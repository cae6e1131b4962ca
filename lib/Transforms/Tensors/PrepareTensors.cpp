//===- PrepareTensors.cpp - Tensor ops before bufferization ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Support/ReshapeSizes.h"
#include "nm/Transforms/Tensors/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMPREPARETENSORSPASS
#include "nm/Transforms/Tensors/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// All dimensions in one group.
static SmallVector<ReassociationIndices> oneGroup(int64_t rank) {
  return {llvm::to_vector(llvm::seq<int64_t>(0, rank))};
}

namespace {
/// tensor.reshape with known sizes, through one dimension.
struct ReshapeToReassociations : OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(op.getResult().getType());
    if (!from || !to || from.getRank() == 0 || to.getRank() == 0)
      return rewriter.notifyMatchFailure(op, "expected ranks above 0");
    auto sizes = nm::getReshapeSizes(rewriter, op);
    if (!sizes)
      return rewriter.notifyMatchFailure(
          op, "expected sizes that are constant or computed");
    Location loc = op.getLoc();

    // The sizes may be known better than the type says.
    auto [known, dynamic] = decomposeMixedValues(*sizes);
    auto type = RankedTensorType::get(known, to.getElementType());

    Value result = op.getSource();
    if (from.getRank() > 1)
      result = tensor::CollapseShapeOp::create(rewriter, loc, result,
                                               oneGroup(from.getRank()));
    // The flat size is known exactly when all sizes of the result are.
    int64_t count =
        type.hasStaticShape() ? type.getNumElements() : ShapedType::kDynamic;
    auto flatType = RankedTensorType::get({count}, from.getElementType());
    if (result.getType() != flatType)
      result = tensor::CastOp::create(rewriter, loc, flatType, result);
    if (to.getRank() > 1)
      result = tensor::ExpandShapeOp::create(rewriter, loc, type, result,
                                             oneGroup(to.getRank()), *sizes);
    if (result.getType() != to)
      result = tensor::CastOp::create(rewriter, loc, to, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// tensor.gather, which nothing bufferizes, as reads of single elements.
struct GatherToExtracts : OpRewritePattern<tensor::GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GatherOp op,
                                PatternRewriter &rewriter) const override;
};

/// A tensor.concat of slices of one element, which stack positions make, as
/// one op that chooses what it reads.
struct StackToGeneric : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override;
};

/// Pieces that are inserted, so that each may be computed where it goes.
/// One-shot analysis follows a chain of insertions from each of them for each,
/// and takes 1.5 s for 100 and 22 s for 200; more are one op, and copied.
constexpr size_t kMostInsertions = 32;

/// tensor.concat as insertions of slices.
struct ConcatToInsertions : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getInputs().size() > kMostInsertions)
      return rewriter.notifyMatchFailure(op, "expected fewer pieces");
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return rewriter.notifyMatchFailure(op, "unsupported: concatenation");
    rewriter.replaceOp(op, *results);
    return success();
  }
};

/// Softmax as the reductions and element-wise ops that it is made of.
struct DecomposeSoftmax : OpRewritePattern<linalg::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return rewriter.notifyMatchFailure(op, "unsupported: softmax");
    rewriter.replaceOp(op, *results);
    return success();
  }
};
} // namespace

/// For each dimension of the result of a gather from `source`, the dimension of
/// `source` that it runs over; none where a coordinate takes its place.
static SmallVector<std::optional<int64_t>>
getSliceDimensions(tensor::GatherOp op) {
  int64_t leading = op.getIndicesType().getRank() - 1;
  int64_t rank = op.getSourceType().getRank();
  bool isReduced = op.getResultType().getRank() - leading != rank;
  SmallVector<std::optional<int64_t>> dimensions;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isGathered = llvm::is_contained(op.getGatherDims(), dim);
    if (isGathered && isReduced)
      continue;
    dimensions.push_back(isGathered ? std::nullopt : std::optional(dim));
  }
  return dimensions;
}

LogicalResult
GatherToExtracts::matchAndRewrite(tensor::GatherOp op,
                                  PatternRewriter &rewriter) const {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResultType();
  int64_t leading = op.getIndicesType().getRank() - 1;
  SmallVector<std::optional<int64_t>> slice = getSliceDimensions(op);
  SmallVector<OpFoldResult> sizes;
  for (int64_t i = 0; i < leading; ++i)
    sizes.push_back(tensor::getMixedSize(rewriter, loc, op.getIndices(), i));
  for (std::optional<int64_t> d : slice)
    sizes.push_back(d ? tensor::getMixedSize(rewriter, loc, op.getSource(), *d)
                      : OpFoldResult(rewriter.getIndexAttr(1)));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  SmallVector<AffineMap> maps = {
      rewriter.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto body = [&](OpBuilder &b, Location loc, ValueRange) {
    SmallVector<Value> position;
    for (int64_t i = 0; i < leading; ++i)
      position.push_back(linalg::IndexOp::create(b, loc, i));
    SmallVector<Value> place(op.getSourceType().getRank());
    for (auto [i, d] : llvm::enumerate(slice))
      if (d)
        place[*d] = linalg::IndexOp::create(b, loc, leading + i);
    for (auto [i, d] : llvm::enumerate(op.getGatherDims())) {
      position.push_back(arith::ConstantIndexOp::create(b, loc, i));
      Value index =
          tensor::ExtractOp::create(b, loc, op.getIndices(), position);
      position.pop_back();
      if (!index.getType().isIndex())
        index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
      place[d] = index;
    }
    Value element = tensor::ExtractOp::create(b, loc, op.getSource(), place);
    linalg::YieldOp::create(b, loc, element);
  };
  Value result =
      linalg::GenericOp::create(rewriter, loc, empty.getType(), ValueRange(),
                                empty, maps, iterators, body)
          .getResult(0);
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(op, result);
  return success();
}

/// The operands of a stack of more are copied, each for itself.
static constexpr size_t kMostStacked = 8;

/// `value` without dimension `dim`, which is 1.
static Value dropDim(OpBuilder &b, Location loc, Value value, int64_t dim) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  SmallVector<ReassociationIndices> groups(rank - 1);
  for (int64_t i = 0; i < rank; ++i)
    groups[std::min(i - (i > dim), rank - 2)].push_back(i);
  return tensor::CollapseShapeOp::create(b, loc, value, groups);
}

LogicalResult StackToGeneric::matchAndRewrite(tensor::ConcatOp op,
                                              PatternRewriter &rewriter) const {
  RankedTensorType type = op.getResultType();
  int64_t dim = op.getDim(), rank = type.getRank();
  if (rank < 2 || op.getInputs().size() > kMostStacked ||
      !llvm::all_of(op.getInputs(), [&](Value input) {
        return cast<RankedTensorType>(input.getType()).getDimSize(dim) == 1;
      }))
    return rewriter.notifyMatchFailure(op,
                                       "expected few slices of one element");
  Location loc = op.getLoc();
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps(op.getInputs().size(), all.dropResult(dim));
  maps.push_back(all);
  SmallVector<Value> slices;
  for (Value input : op.getInputs())
    slices.push_back(dropDim(rewriter, loc, input, dim));
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getInputs().front());
  sizes[dim] = rewriter.getIndexAttr(slices.size());
  // Another slice may know what the first does not.
  for (auto [size, extent] : llvm::zip_equal(sizes, type.getShape()))
    if (!ShapedType::isDynamic(extent))
      size = rewriter.getIndexAttr(extent);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  auto body = [&](OpBuilder &b, Location loc, ValueRange elements) {
    Value place = linalg::IndexOp::create(b, loc, dim);
    Value chosen = elements[slices.size() - 1];
    for (int64_t i = slices.size() - 2; i >= 0; --i) {
      Value here =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, place,
                                arith::ConstantIndexOp::create(b, loc, i));
      chosen = arith::SelectOp::create(b, loc, here, elements[i], chosen);
    }
    linalg::YieldOp::create(b, loc, chosen);
  };
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value result = linalg::GenericOp::create(rewriter, loc, empty.getType(),
                                           slices, empty, maps, iterators, body)
                     .getResult(0);
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(op, result);
  return success();
}

/// A loop gives its next iteration the buffers of this one: what is yielded is
/// brought into them. Where it was made there, bufferization finds the copy to
/// be one of a buffer to itself.
static void copyIntoArguments(Operation *terminator, ValueRange arguments) {
  OpBuilder b(terminator);
  for (auto [operand, argument] :
       llvm::zip(terminator->getOpOperands(), arguments)) {
    Value value = operand.get();
    auto done = value.getDefiningOp<linalg::CopyOp>();
    if (!isa<RankedTensorType>(value.getType()) || value == argument ||
        value.getType() != argument.getType() ||
        (done && done.getOutputs().front() == argument))
      continue;
    operand.set(linalg::CopyOp::create(b, terminator->getLoc(), value, argument)
                    .getResult(0));
  }
}

static void prepareLoops(ModuleOp module) {
  module.walk([](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      copyIntoArguments(loop.getBody()->getTerminator(),
                        loop.getRegionIterArgs());
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      // The arguments of the body, where the condition passes on its own.
      if (llvm::equal(loop.getConditionOp().getArgs(),
                      loop.getBeforeArguments()))
        copyIntoArguments(loop.getYieldOp(), loop.getAfterArguments());
    }
  });
}

namespace {
struct PrepareTensors : nm::impl::NMPrepareTensorsPassBase<PrepareTensors> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ConcatToInsertions, DecomposeSoftmax, GatherToExtracts,
                 ReshapeToReassociations>(&getContext());
    patterns.add<StackToGeneric>(&getContext(), /*benefit=*/2);
    // No op may be left, and each pattern takes one away.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    prepareLoops(getOperation());

    auto no = BoolAttr::get(&getContext(), false);
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
        if (isa<TensorType>(function.getArgument(i).getType()))
          function.setArgAttr(
              i, bufferization::BufferizationDialect::kWritableAttrName, no);
    }
  }
};
} // namespace
