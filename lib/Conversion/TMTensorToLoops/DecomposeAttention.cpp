//===- DecomposeAttention.cpp - tm_tensor.attention to linalg -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Conversion/TMTensorToLoops/Passes.h"
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"

namespace nm {
#define GEN_PASS_DEF_NMDECOMPOSEATTENTIONPASS
#include "nm/Conversion/TMTensorToLoops/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;
using namespace nm::tm_tensor;

namespace {
/// One attention on its way to linalg. Iteration spaces are [batch..., m, s],
/// [batch..., m, s, d] and [batch..., m, n, s]; `map` names a tensor's
/// dimensions in one of them.
class AttentionBuilder {
public:
  AttentionBuilder(ImplicitLocOpBuilder &b, AttentionOp op)
      : b(b), op(op),
        rank(cast<ShapedType>(op.getInputs()[0].getType()).getRank()),
        // As PyTorch's, the logits and the softmax of half precision are f32.
        compute(elementTypeOf(op.getInputs()[0]).isF64() ? b.getF64Type()
                                                         : b.getF32Type()) {}

  Value create();

private:
  static Type elementTypeOf(Value tensor) {
    return getElementTypeOrSelf(tensor.getType());
  }
  /// The batch dimensions, then `others`, of an iteration space of `count`.
  AffineMap map(int64_t count, ArrayRef<int64_t> others);
  /// A tensor of `compute` filled with `value`; its sizes are the batch's, then
  /// dimension `second` of `tensor` for each of `sizes`.
  Value createFilled(ArrayRef<std::pair<Value, int64_t>> sizes, double value);
  Value
  createGeneric(ValueRange inputs, Value init, ArrayRef<AffineMap> maps,
                int64_t count, bool isReduction,
                function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body);
  Value createProduct(Value left, AffineMap leftMap, Value right,
                      AffineMap rightMap, Value init);
  Value createScale();
  Value createMaskedLogits(Value products);

  ImplicitLocOpBuilder &b;
  AttentionOp op;
  int64_t rank;
  FloatType compute;
};
} // namespace

AffineMap AttentionBuilder::map(int64_t count, ArrayRef<int64_t> others) {
  SmallVector<AffineExpr> dimensions;
  for (int64_t i = 0; i < rank - 2; ++i)
    dimensions.push_back(b.getAffineDimExpr(i));
  for (int64_t other : others)
    dimensions.push_back(b.getAffineDimExpr(rank - 2 + other));
  return AffineMap::get(count, 0, dimensions, b.getContext());
}

Value AttentionBuilder::createFilled(ArrayRef<std::pair<Value, int64_t>> sizes,
                                     double value) {
  SmallVector<OpFoldResult> extents;
  for (int64_t i = 0; i < rank - 2; ++i)
    extents.push_back(
        tensor::getMixedSize(b, b.getLoc(), op.getInputs()[0], i));
  for (auto [tensor, dimension] : sizes)
    extents.push_back(tensor::getMixedSize(b, b.getLoc(), tensor, dimension));
  Value empty = tensor::EmptyOp::create(b, extents, compute);
  Value constant = arith::ConstantOp::create(b, b.getFloatAttr(compute, value));
  return linalg::FillOp::create(b, constant, empty).getResult(0);
}

Value AttentionBuilder::createGeneric(
    ValueRange inputs, Value init, ArrayRef<AffineMap> maps, int64_t count,
    bool isReduction,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  SmallVector<utils::IteratorType> iterators(count,
                                             utils::IteratorType::parallel);
  if (isReduction)
    iterators.back() = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             b, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &builder, Location loc, ValueRange arguments) {
               ImplicitLocOpBuilder inner(loc, builder);
               linalg::YieldOp::create(inner, body(inner, arguments));
             })
      .getResult(0);
}

/// `value` in the wider (or same) type `type`.
static Value extend(ImplicitLocOpBuilder &b, Value value, Type type) {
  return value.getType() == type
             ? value
             : arith::ExtFOp::create(b, type, value).getResult();
}

Value AttentionBuilder::createProduct(Value left, AffineMap leftMap,
                                      Value right, AffineMap rightMap,
                                      Value init) {
  return createGeneric(
      {left, right}, init, {leftMap, rightMap, map(rank + 1, {0, 1})}, rank + 1,
      /*isReduction=*/true,
      [&](ImplicitLocOpBuilder &b, ValueRange v) -> Value {
        Value product = arith::MulFOp::create(b, extend(b, v[0], compute),
                                              extend(b, v[1], compute));
        return arith::AddFOp::create(b, v[2], product);
      });
}

Value AttentionBuilder::createScale() {
  if (FloatAttr scale = op.getScaleAttr())
    return arith::ConstantOp::create(
        b, b.getFloatAttr(compute, scale.getValueAsDouble()));
  Value query = op.getInputs()[0];
  int64_t depth = cast<ShapedType>(query.getType()).getDimSize(rank - 1);
  if (!ShapedType::isDynamic(depth))
    return arith::ConstantOp::create(
        b, b.getFloatAttr(compute, 1 / std::sqrt(double(depth))));
  Value size = tensor::DimOp::create(b, query, rank - 1);
  size = arith::IndexCastOp::create(b, b.getI64Type(), size);
  Value root =
      math::SqrtOp::create(b, arith::SIToFPOp::create(b, compute, size));
  Value one = arith::ConstantOp::create(b, b.getFloatAttr(compute, 1));
  return arith::DivFOp::create(b, one, root);
}

Value AttentionBuilder::createMaskedLogits(Value products) {
  Value scale = createScale();
  AffineMap same = map(rank, {0, 1});
  SmallVector<Value> inputs = {products};
  bool isMasked = op.getInputs().size() == 4;
  if (isMasked)
    inputs.push_back(op.getInputs()[3]);
  SmallVector<AffineMap> maps(inputs.size() + 1, same);
  Value init = createFilled(
      {{op.getInputs()[0], rank - 2}, {op.getInputs()[1], rank - 2}}, 0);
  return createGeneric(
      inputs, init, maps, rank, /*isReduction=*/false,
      [&](ImplicitLocOpBuilder &b, ValueRange v) -> Value {
        Value logit = arith::MulFOp::create(b, v[0], scale);
        if (!isMasked)
          return logit;
        if (!v[1].getType().isInteger(1))
          return arith::AddFOp::create(b, logit, extend(b, v[1], compute));
        Value hidden =
            arith::ConstantOp::create(b, b.getFloatAttr(compute, -INFINITY));
        return arith::SelectOp::create(b, v[1], logit, hidden);
      });
}

Value AttentionBuilder::create() {
  Value query = op.getInputs()[0], key = op.getInputs()[1],
        value = op.getInputs()[2], output = op.getOutputs()[0];
  std::pair<Value, int64_t> m = {query, rank - 2}, s = {key, rank - 2},
                            n = {value, rank - 1};
  AffineMap whole = map(rank, {0, 1}), row = map(rank, {0});

  Value products =
      createProduct(query, map(rank + 1, {0, 2}), key, map(rank + 1, {1, 2}),
                    createFilled({m, s}, 0));
  Value logits = createMaskedLogits(products);
  Value largest =
      createGeneric(logits, createFilled({m}, -INFINITY), {whole, row}, rank,
                    /*isReduction=*/true,
                    [&](ImplicitLocOpBuilder &b, ValueRange v) -> Value {
                      return arith::MaximumFOp::create(b, v[0], v[1]);
                    });
  Value weights = createGeneric(
      {logits, largest}, createFilled({m, s}, 0), {whole, row, whole}, rank,
      /*isReduction=*/false,
      [&](ImplicitLocOpBuilder &b, ValueRange v) -> Value {
        // A row that is hidden altogether has weights exp(-inf - 0) = 0.
        Value hidden =
            arith::ConstantOp::create(b, b.getFloatAttr(compute, -INFINITY));
        Value zero = arith::ConstantOp::create(b, b.getFloatAttr(compute, 0));
        Value isHidden =
            arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, v[1], hidden);
        Value shift = arith::SelectOp::create(b, isHidden, zero, v[1]);
        return math::ExpOp::create(b, arith::SubFOp::create(b, v[0], shift));
      });
  Value sums = createGeneric(
      weights, createFilled({m}, 0), {whole, row}, rank, /*isReduction=*/true,
      [&](ImplicitLocOpBuilder &b, ValueRange v) -> Value {
        return arith::AddFOp::create(b, v[1], v[0]);
      });
  Value mixed = createProduct(weights, map(rank + 1, {0, 2}), value,
                              map(rank + 1, {2, 1}), createFilled({m, n}, 0));
  return createGeneric(
      {mixed, sums}, output, {whole, row, whole}, rank, /*isReduction=*/false,
      [&](ImplicitLocOpBuilder &b, ValueRange v) -> Value {
        Value zero = arith::ConstantOp::create(b, b.getFloatAttr(compute, 0));
        Value isHidden =
            arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, v[1], zero);
        Value quotient = arith::DivFOp::create(b, v[0], v[1]);
        Value result = arith::SelectOp::create(b, isHidden, zero, quotient);
        Type type = v[2].getType();
        return type == compute ? result
                               : arith::TruncFOp::create(b, type, result);
      });
}

namespace {
struct DecomposeAttention
    : nm::impl::NMDecomposeAttentionPassBase<DecomposeAttention> {
  void runOnOperation() override {
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) { ops.push_back(op); });
    for (AttentionOp op : ops) {
      if (op->getNumResults() == 0) {
        op.emitOpError("expected tensors, got buffers");
        return signalPassFailure();
      }
      ImplicitLocOpBuilder b(op.getLoc(), op);
      op->replaceAllUsesWith(ValueRange(AttentionBuilder(b, op).create()));
      op.erase();
    }
  }
};
} // namespace
