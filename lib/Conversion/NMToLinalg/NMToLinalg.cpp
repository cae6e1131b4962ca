//===- NMToLinalg.cpp - nm-to-linalg --------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "nm/Conversion/NMToLinalg/Passes.h"
#include "nm/Dialect/NM/Utils/EpilogueMath.h"
#include "nm/Support/NumberOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace nm {
#define GEN_PASS_DEF_NMTOLINALGPASS
#include "nm/Conversion/NMToLinalg/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;
using utils::IteratorType;

namespace {
struct NMToLinalg : nm::impl::NMToLinalgPassBase<NMToLinalg> {
  void runOnOperation() override;
};
} // namespace

/// Where C's element (m, n) lies, in terms of loops of which `m` and `n` are
/// two of `numLoops`.
static AffineMap getCMap(ImplicitLocOpBuilder &b, ProductOpInterface product,
                         unsigned numLoops, unsigned m, unsigned n) {
  AffineExpr mExpr = b.getAffineDimExpr(m), nExpr = b.getAffineDimExpr(n);
  if (!product.isOnMatrices())
    return AffineMap::get(numLoops, 0, nExpr);
  SmallVector<AffineExpr, 2> exprs = {mExpr, nExpr};
  if (product.isCFeatureMajor())
    std::swap(exprs[0], exprs[1]);
  return AffineMap::get(numLoops, 0, exprs, b.getContext());
}

/// Sums into `acc`, over the loops (m,) condensed row, n: the innermost
/// one reads the values in order.
static Value createSum(ImplicitLocOpBuilder &b, ProductOpInterface product,
                       const WeightParts &parts, Value acc) {
  unsigned row = product.isOnMatrices() ? 1 : 0, n = row + 1, numLoops = n + 1;
  AffineMap valuesMap = AffineMap::get(
      numLoops, 0, {b.getAffineDimExpr(row), b.getAffineDimExpr(n)},
      b.getContext());
  SmallVector<AffineMap> maps = {valuesMap,
                                 getCMap(b, product, numLoops, 0, n)};
  SmallVector<IteratorType> loops(numLoops, IteratorType::parallel);
  loops[row] = IteratorType::reduction;
  Value values = createValueRows(b, parts);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    ImplicitLocOpBuilder bb(loc, builder);
    DenseRow place = createDenseRow(bb, parts, linalg::IndexOp::create(bb, row),
                                    linalg::IndexOp::create(bb, n));
    SmallVector<Value, 2> at = {place.row};
    if (product.isOnMatrices())
      at.insert(product.isAFeatureMajor() ? at.end() : at.begin(),
                linalg::IndexOp::create(bb, 0));
    Value a = tensor::ExtractOp::create(bb, product.getA(), at);
    a = convertNumber(bb, a, product.getAcc());
    Value b = convertNumber(bb, args[0], product.getAcc());
    Value sum = createAdd(bb, args[1], createMul(bb, a, b));
    if (place.valid)
      sum = arith::SelectOp::create(bb, place.valid, sum, args[1]);
    linalg::YieldOp::create(bb, sum);
  };
  return linalg::GenericOp::create(b, acc.getType(), values, acc, maps, loops,
                                   body)
      .getResult(0);
}

/// C of the sums: scale, bias, activation, residual, and one rounding.
static Value createEpilogueLoop(ImplicitLocOpBuilder &b,
                                ProductOpInterface product, Value sums) {
  unsigned numLoops = product.isOnMatrices() ? 2 : 1, n = numLoops - 1;
  AffineMap cMap = getCMap(b, product, numLoops, 0, n);
  SmallVector<Value> ins = {sums};
  SmallVector<AffineMap> maps = {cMap};
  for (Value columns : {product.getScale(), product.getBias()})
    if (columns) {
      ins.push_back(columns);
      maps.push_back(AffineMap::get(numLoops, 0, b.getAffineDimExpr(n)));
    }
  if (product.getResidual()) {
    ins.push_back(product.getResidual());
    maps.push_back(cMap);
  }
  maps.push_back(cMap);
  SmallVector<IteratorType> loops(numLoops, IteratorType::parallel);
  Type element = getElementTypeOrSelf(product.getInit());
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    ImplicitLocOpBuilder bb(loc, builder);
    Type type = getEpilogueType(product.getAcc(), bool(product.getScale()));
    Value x = convertNumber(bb, args[0], type);
    auto next = [&, i = 0]() mutable {
      return convertNumber(bb, args[++i], type);
    };
    if (product.getScale())
      x = createMul(bb, x, next());
    if (product.getBias())
      x = createAdd(bb, x, next());
    x = createEpilogue(bb, product.getEpilogue(), x);
    if (product.getResidual())
      x = createCombine(bb, product.getCombine(), x, next());
    linalg::YieldOp::create(bb, convertNumber(bb, x, element));
  };
  return linalg::GenericOp::create(b, product.getInit().getType(), ins,
                                   product.getInit(), maps, loops, body)
      .getResult(0);
}

static LogicalResult lowerProduct(ProductOpInterface product,
                                  WeightPartsCache &weights) {
  if (!product.getResult())
    return product->emitOpError()
           << "expected tensors, got " << product.getInitType();
  FailureOr<WeightParts> parts = weights.get(product.getWeight());
  if (failed(parts))
    return failure();
  OpBuilder builder(product);
  ImplicitLocOpBuilder b(product.getLoc(), builder);
  bool sumsAreC = product.getInitType().getElementType() == product.getAcc() &&
                  !product.getScale() && !product.getBias() &&
                  !product.getResidual() &&
                  product.getEpilogue() == Epilogue::None;
  Value acc = product.getInit();
  if (!sumsAreC)
    acc = tensor::EmptyOp::create(
        b, tensor::getMixedSizes(b, product.getLoc(), product.getInit()),
        product.getAcc());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(product.getAcc()));
  acc = linalg::FillOp::create(b, zero, acc).getResult(0);
  Value c = createSum(b, product, *parts, acc);
  if (!sumsAreC)
    c = createEpilogueLoop(b, product, c);
  product.getResult().replaceAllUsesWith(c);
  product->erase();
  return success();
}

/// Element (row, column) of the dense weight: looked up among the kept units of
/// its window, zero when it is none of them.
static Value createLookup(ImplicitLocOpBuilder &b, const WeightParts &parts,
                          Value row, Value column) {
  CondensedType type = parts.type;
  int64_t unitK = type.getPattern().getUnitK();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  // The rows of the values that may hold the element: one a kept unit.
  Value rowsPerWindow = index(type.getPattern().getKeep() * unitK);
  Value window = arith::DivUIOp::create(
      b, row, index(type.getPattern().getWindowRows(type.getK())));
  Value firstUnit = arith::MulIOp::create(b, window, rowsPerWindow);
  Value inUnit = arith::RemUIOp::create(b, row, index(unitK));
  Value first = arith::AddIOp::create(b, firstUnit, inUnit);
  Value last = arith::AddIOp::create(b, first, rowsPerWindow);
  Value zero =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  auto loop =
      scf::ForOp::create(b, first, last, index(unitK), ValueRange{zero});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value valueRow = loop.getInductionVar();
  DenseRow place = createDenseRow(b, parts, valueRow, column);
  Value hit =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, place.row, row);
  if (place.valid)
    hit = arith::AndIOp::create(b, hit, place.valid);
  Value value =
      tensor::ExtractOp::create(b, parts.values, ValueRange{valueRow, column});
  Value found =
      arith::SelectOp::create(b, hit, value, loop.getRegionIterArgs()[0]);
  scf::YieldOp::create(b, found);
  return loop.getResult(0);
}

/// Makes the dense weight.
static LogicalResult lowerExpand(ExpandOp op, WeightPartsCache &weights) {
  FailureOr<WeightParts> parts = weights.get(op.getWeight());
  if (failed(parts))
    return failure();
  CondensedType type = parts->type;
  if (type.getPacking())
    return op.emitOpError()
           << "expected a weight without packing, got " << type;
  OpBuilder builder(op);
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  auto body = [&](OpBuilder &nested, Location loc, ValueRange) {
    ImplicitLocOpBuilder bb(loc, nested);
    Value row = linalg::IndexOp::create(bb, 0);
    Value column = linalg::IndexOp::create(bb, 1);
    linalg::YieldOp::create(bb, createLookup(bb, *parts, row, column));
  };
  Value init = tensor::EmptyOp::create(
      b, ArrayRef<int64_t>{type.getK(), type.getN()}, type.getElementType());
  SmallVector<IteratorType> loops(2, IteratorType::parallel);
  Value dense =
      linalg::GenericOp::create(b, init.getType(), ValueRange(), init,
                                b.getMultiDimIdentityMap(2), loops, body)
          .getResult(0);
  if (dense.getType() != op.getType())
    dense = tensor::CastOp::create(b, op.getType(), dense);
  op.replaceAllUsesWith(dense);
  op.erase();
  return success();
}

/// Replaces nm.values and nm.indices by the part.
template <typename Op>
static LogicalResult lowerPart(Op op, WeightPartsCache &weights) {
  FailureOr<WeightParts> parts = weights.get(op.getWeight());
  if (failed(parts))
    return failure();
  Value part = std::is_same_v<Op, ValuesOp> ? parts->values : parts->indices;
  if (part.getType() != op.getType()) {
    OpBuilder builder(op);
    part = tensor::CastOp::create(builder, op.getLoc(), op.getType(), part);
  }
  op->getResult(0).replaceAllUsesWith(part);
  op.erase();
  return success();
}

void NMToLinalg::runOnOperation() {
  // Makers of weights come last, when nothing uses them any more.
  SmallVector<Operation *> users, makers;
  getOperation().walk([&](Operation *op) {
    if (isa<ConstantOp, AssembleOp, CondenseOp>(op))
      makers.push_back(op);
    else if (isa<NMDialect>(op->getDialect()))
      users.push_back(op);
  });
  WeightPartsCache weights;
  for (Operation *op : users) {
    LogicalResult lowered =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case([&](ProductOpInterface product) {
              return lowerProduct(product, weights);
            })
            .Case<ExpandOp>(
                [&](auto expand) { return lowerExpand(expand, weights); })
            .Case<ValuesOp, IndicesOp>(
                [&](auto part) { return lowerPart(part, weights); })
            .Default([](Operation *other) {
              return other->emitOpError()
                     << "expected ops on tensors only, got one of a tile";
            });
    if (failed(lowered))
      return signalPassFailure();
  }
  for (Operation *op : llvm::reverse(makers)) {
    if (!op->use_empty()) {
      op->emitOpError()
          << "expected only nm ops to use a condensed weight, got "
          << (*op->user_begin())->getName();
      return signalPassFailure();
    }
    op->erase();
  }
}
