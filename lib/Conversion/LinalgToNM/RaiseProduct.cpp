//===- RaiseProduct.cpp - Contractions to nm.spmm and nm.spmv -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaiseProduct.h"
#include "ProductBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nm;

/// An element-wise op on `inputs`, of which `maps` are the indexing maps.
static Value createElementwise(
    ImplicitLocOpBuilder &b, RankedTensorType type,
    ArrayRef<OpFoldResult> sizes, ValueRange inputs, ArrayRef<AffineMap> maps,
    llvm::function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> compute) {
  Value init = tensor::EmptyOp::create(b, sizes, type.getElementType());
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, init.getType(), inputs, init, allMaps, iterators,
             [&](OpBuilder &builder, Location loc, ValueRange values) {
               ImplicitLocOpBuilder body(loc, builder);
               linalg::YieldOp::create(body, compute(body, values));
             })
      .getResult(0);
}

/// How many elements of A are read along `loop`.
static OpFoldResult getExtent(ImplicitLocOpBuilder &b,
                              const Contraction &contraction, unsigned loop) {
  linalg::LinalgOp op = contraction.op;
  int64_t range = op.getStaticLoopRanges()[loop];
  if (!ShapedType::isDynamic(range))
    return b.getIndexAttr(range);
  // Only rows are dynamic, as the weight is constant.
  int64_t dim =
      llvm::find(contraction.cLoops, loop) - contraction.cLoops.begin();
  return tensor::getMixedSize(b, b.getLoc(), op.getDpsInitOperand(0)->get(),
                              dim);
}

/// The elements of A that are read: where it is read with a stride, or as by a
/// window of one element, it may have more.
static Value sliceActivation(ImplicitLocOpBuilder &b,
                             const Contraction &contraction) {
  Value a = contraction.a;
  linalg::LinalgOp op = contraction.op;
  AffineMap map = op.getMatchingIndexingMap(contraction.activation);
  auto type = cast<RankedTensorType>(a.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), a),
                            offsets(sizes.size(), b.getIndexAttr(0)), strides;
  bool isWhole = true;
  for (auto [i, loop, stride] :
       llvm::enumerate(contraction.aLoops, contraction.aStrides)) {
    strides.push_back(b.getIndexAttr(stride));
    int64_t range = op.getStaticLoopRanges()[loop];
    bool isAll =
        stride == 1 && (isa<AffineDimExpr>(map.getResult(i)) ||
                        (range == type.getDimSize(i) && !type.isDynamicDim(i)));
    if (!isAll)
      sizes[i] = getExtent(b, contraction, loop);
    isWhole &= isAll;
  }
  return isWhole
             ? a
             : tensor::ExtractSliceOp::create(b, a, offsets, sizes, strides);
}

/// `value` with elements of `wide`, a type that holds those that it has.
static Value widen(ImplicitLocOpBuilder &b, Value value, Type wide) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == wide)
    return value;
  return createElementwise(
      b, type.clone(wide), tensor::getMixedSizes(b, b.getLoc(), value), value,
      b.getMultiDimIdentityMap(type.getRank()),
      [&](ImplicitLocOpBuilder &body, ValueRange values) -> Value {
        if (isa<IntegerType>(wide))
          return arith::ExtSIOp::create(body, wide, values[0]);
        return arith::ExtFOp::create(body, wide, values[0]);
      });
}

/// A of unsigned bytes as signed ones, all of them less by 128: the product has
/// a zero point for that.
static Value makeSigned(ImplicitLocOpBuilder &b, Value a) {
  auto type = cast<RankedTensorType>(a.getType());
  return createElementwise(
      b, type, tensor::getMixedSizes(b, b.getLoc(), a), a,
      b.getMultiDimIdentityMap(type.getRank()),
      [&](ImplicitLocOpBuilder &body, ValueRange values) -> Value {
        Value sign = arith::ConstantOp::create(
            body, body.getIntegerAttr(type.getElementType(), -128));
        return arith::XOrIOp::create(body, values[0], sign);
      });
}

/// What `value` is a broadcast of, by `map`; `value` itself if it is none.
static Value skipBroadcast(Value value, AffineMap &map) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumLoops() != op.getNumParallelLoops())
    return value;
  OpOperand *input = op.getDpsInputOperand(0);
  AffineMap in = op.getMatchingIndexingMap(input);
  bool isCopy = op.getBlock()->getTerminator()->getOperand(0) ==
                op.getBlock()->getArgument(0);
  if (!isCopy || !isa<RankedTensorType>(input->get().getType()) ||
      !in.isProjectedPermutation() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return value;
  map = in;
  return input->get();
}

/// Adds what the op's init holds to the product. A vector that was broadcast
/// there, as importers write a bias, is read as that vector.
static Value addInit(ImplicitLocOpBuilder &b, const Contraction &contraction,
                     Value c) {
  linalg::LinalgOp op = contraction.op;
  auto type = cast<RankedTensorType>(c.getType());
  AffineMap id = b.getMultiDimIdentityMap(type.getRank()), map = id;
  Value init = skipBroadcast(op.getDpsInitOperand(0)->get(), map);
  return createElementwise(
      b, type, tensor::getMixedSizes(b, b.getLoc(), c), {c, init}, {id, map},
      [&](ImplicitLocOpBuilder &body, ValueRange values) -> Value {
        if (isa<IntegerType>(type.getElementType()))
          return arith::AddIOp::create(body, values[0], values[1]);
        return arith::AddFOp::create(body, values[0], values[1]);
      });
}

namespace {
/// The part of a matrix, with dimensions along `loops`, that belongs to one
/// weight of a batch.
struct BatchSlice {
  BatchSlice(ImplicitLocOpBuilder &b, Value matrix, ArrayRef<unsigned> loops,
             ArrayRef<unsigned> batch, ArrayRef<int64_t> index)
      : sizes(tensor::getMixedSizes(b, b.getLoc(), matrix)),
        strides(loops.size(), b.getIndexAttr(1)) {
    auto matrixType = cast<RankedTensorType>(matrix.getType());
    SmallVector<int64_t> shape;
    for (auto [i, loop] : llvm::enumerate(loops)) {
      const auto *found = llvm::find(batch, loop);
      if (found == batch.end()) {
        offsets.push_back(b.getIndexAttr(0));
        shape.push_back(matrixType.getDimSize(i));
      } else {
        offsets.push_back(b.getIndexAttr(index[found - batch.begin()]));
        sizes[i] = b.getIndexAttr(1);
      }
    }
    type = RankedTensorType::get(shape, matrixType.getElementType());
  }
  Value extract(ImplicitLocOpBuilder &b, Value matrix) {
    return tensor::ExtractSliceOp::create(b, type, matrix, offsets, sizes,
                                          strides);
  }
  Value insert(ImplicitLocOpBuilder &b, Value part, Value matrix) {
    return tensor::InsertSliceOp::create(b, part, matrix, offsets, sizes,
                                         strides);
  }

  SmallVector<OpFoldResult> offsets, sizes, strides;
  RankedTensorType type;
};
} // namespace

/// Erases `ops` and what they are made of, as far as nothing else uses it.
static void eraseDead(RewriterBase &rewriter,
                      llvm::SetVector<Operation *> ops) {
  while (!ops.empty()) {
    Operation *next = ops.pop_back_val();
    if (!isOpTriviallyDead(next))
      continue;
    for (Value operand : next->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        ops.insert(producer);
    rewriter.eraseOp(next);
  }
}

void nm::raiseProduct(RewriterBase &rewriter, const Contraction &contraction,
                      ArrayRef<ConstantOp> weights,
                      SmallVectorImpl<Operation *> &products) {
  linalg::LinalgOp op = contraction.op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op->getLoc(), rewriter);
  ProductBuilder builder(b, contraction);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value a = widen(b, sliceActivation(b, contraction),
                  contraction.activationType),
        c;
  if (contraction.isUnsigned)
    a = makeSigned(b, a);
  if (contraction.batch.empty()) {
    c = builder.build(a, /*init=*/Value(), weights.front(),
                      products.emplace_back());
  } else {
    c = builder.createEmpty(contraction.cLoops, contraction.productType);
    for (auto [index, weight] :
         llvm::zip_equal(getBatchIndices(contraction), weights)) {
      BatchSlice from(b, a, contraction.aLoops, contraction.batch, index);
      BatchSlice to(b, c, contraction.cLoops, contraction.batch, index);
      Value part = builder.build(from.extract(b, a), to.extract(b, c), weight,
                                 products.emplace_back());
      c = to.insert(b, part, c);
    }
  }
  c = widen(b, c, type.getElementType());
  if (c.getType() != type)
    c = tensor::CastOp::create(b, type, c);
  if (contraction.accumulates)
    c = addInit(b, contraction, c);
  llvm::SetVector<Operation *> producers;
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      producers.insert(producer);
  rewriter.replaceOp(op, c);
  eraseDead(rewriter, std::move(producers));
}
