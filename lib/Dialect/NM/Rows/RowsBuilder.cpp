//===- RowsBuilder.cpp - A group of ops to nm.rows ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowsBuilder.h"
#include "Combiners.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace nm;
using linalg::GenericOp;

namespace {
class RowsBuilder {
public:
  explicit RowsBuilder(const KernelGroup &group)
      : group(group),
        b(group.getOps().back()->getLoc(), group.getOps().back()) {
    // The dimensions of rows stand first, the last of them one along which
    // results follow each other where they are transposed: rows of a block are
    // neighbours along it.
    order.resize(group.getExtents().size());
    int64_t next = 0, along = group.getTransposedDim();
    for (bool isElement : {false, true}) {
      for (int64_t dim = 0, e = order.size(); dim < e; ++dim)
        if (group.isElement(dim) == isElement && dim != along)
          order[dim] = next++;
      if (isElement)
        continue;
      if (along != kUnit)
        order[along] = next++;
      rows = next;
    }
  }

  RowsOp build() {
    body = new Block;
    for (GenericOp op : group.getOps())
      inlineBody(op);
    collectResults();
    return create();
  }

private:
  AffineMap getMap(const Access &access) {
    SmallVector<AffineExpr> results;
    for (int64_t dim : access.dims)
      results.push_back(dim == kUnit ? b.getAffineConstantExpr(0)
                                     : b.getAffineDimExpr(order[dim]));
    return AffineMap::get(order.size(), 0, results, b.getContext());
  }

  /// The scalar in the body for an operand of an op: what a member computes, or
  /// an argument, which is added where there is none for this array and map.
  Value read(const Access &access) {
    if (Value known = scalars.lookup(access.value))
      return known;
    if (TypedAttr splat = getSplat(access.value)) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(body);
      return scalars[access.value] = arith::ConstantOp::create(b, splat);
    }
    AffineMap map = getMap(access);
    for (auto [i, input] : llvm::enumerate(inputs))
      if (input == access.value && maps[i] == map)
        return body->getArgument(i);
    inputs.push_back(access.value);
    maps.push_back(map);
    Type element = cast<ShapedType>(access.value.getType()).getElementType();
    return body->addArgument(element, access.value.getLoc());
  }

  /// Appends what `op` computes of an element, and what it reduces.
  void inlineBody(GenericOp op) {
    IRMapping mapping;
    for (int64_t i = 0; i < op.getNumDpsInputs(); ++i)
      mapping.map(op.getRegionInputArgs()[i],
                  read(group.toGroup(op, getRead(op, i))));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(body);
    bool isReduction = op.getNumReductionLoops() != 0;
    DenseSet<Value> combined;
    if (isReduction)
      combined = collectCombined(op);
    for (Operation &inner : op.getBody()->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(index.getResult(), createIndex(op, index.getDim()));
      else if (inner.getNumResults() == 0 ||
               !combined.contains(inner.getResult(0)))
        b.clone(inner, mapping);
    }
    if (isReduction)
      return reduce(op, mapping);
    for (auto [result, value] : llvm::zip_equal(
             op->getResults(), op.getBody()->getTerminator()->getOperands()))
      scalars[result] = getScalar(mapping, value);
  }

  /// Appends the reductions of `op`, of elements that `mapping` has.
  void reduce(GenericOp op, const IRMapping &mapping) {
    StringRef reason;
    SmallVector<Combiner> combiners = *findCombiners(op, reason);
    SmallVector<Value> sums(combiners.size());
    auto get = [&](Value value) {
      return value ? getScalar(mapping, value) : Value();
    };
    for (auto [combiner, sum] : llvm::zip_equal(combiners, sums))
      if (!combiner.extreme)
        sum = createReduce(combiner.kind, get(combiner.element),
                           get(combiner.mask), combiner.init);
    for (auto [combiner, sum] : llvm::zip_equal(combiners, sums))
      if (combiner.extreme) {
        Combiner extreme = combiners[*combiner.extreme];
        extreme.element = get(extreme.element);
        combiner.element = get(combiner.element);
        sum = createPlace(combiner, extreme, sums[*combiner.extreme]);
      }
    for (auto [result, sum] : llvm::zip_equal(op->getResults(), sums))
      scalars[result] = sum;
  }

  /// What elements for which `mask`, if there is one, holds give together.
  Value createReduce(arith::AtomicRMWKind kind, Value element, Value mask,
                     TypedAttr init) {
    Type type = element.getType();
    if (mask) {
      Value neutral = arith::getIdentityValue(kind, type, b, b.getLoc());
      element = arith::SelectOp::create(b, mask, element, neutral);
    }
    return ReduceOp::create(b, type, kind, element,
                            arith::ConstantOp::create(b, init));
  }

  /// The place of the first element that is the extreme `found`. If the row has
  /// a NaN, it is the place of the first NaN, or, if `place` says so, that of
  /// the extreme among the elements before the first NaN.
  Value createPlace(const Combiner &place, const Combiner &extreme,
                    Value found) {
    using Predicate = arith::CmpFPredicate;
    constexpr auto kLeast = arith::AtomicRMWKind::mins;
    Value number = place.element, element = extreme.element;
    auto most = b.getIntegerAttr(number.getType(),
                                 llvm::APInt::getSignedMaxValue(
                                     number.getType().getIntOrFloatBitWidth()));
    auto compare = [&](Value x, Value y) -> Value {
      if (isa<FloatType>(x.getType()))
        return arith::CmpFOp::create(b, Predicate::OEQ, x, y);
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
    };
    Value isNaN, mask;
    if (isa<FloatType>(element.getType()))
      isNaN = arith::CmpFOp::create(b, Predicate::UNO, element, element);
    if (place.isBeforeNaN) {
      Value first = createReduce(kLeast, number, isNaN, most);
      mask = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, number, first);
      found = createReduce(extreme.kind, element, mask, extreme.init);
    }
    Value isFound = compare(element, found);
    if (mask)
      isFound = arith::AndIOp::create(b, isFound, mask);
    else if (isNaN)
      isFound = arith::OrIOp::create(b, isFound, isNaN);
    Value first = createReduce(kLeast, number, isFound, most);
    Value isNone = compare(found, arith::ConstantOp::create(b, extreme.init));
    return arith::SelectOp::create(
        b, isNone, arith::ConstantOp::create(b, place.init), first);
  }

  /// The place along dimension `dim` of `op`.
  Value createIndex(GenericOp op, int64_t dim) {
    int64_t place = group.getPlace(op, dim);
    if (place == kUnit)
      return arith::ConstantIndexOp::create(b, 0);
    return IndexOp::create(b, b.getIndexType(), order[place]);
  }

  /// What the body has for a value of an op's body, or of around it.
  static Value getScalar(const IRMapping &mapping, Value value) {
    return mapping.lookupOrDefault(value);
  }

  void collectResults() {
    for (GenericOp op : group.getOps())
      for (auto [number, result] : llvm::enumerate(op->getResults())) {
        if (!group.isUsedOutside(result))
          continue;
        results.push_back(result);
        maps.push_back(getMap(group.toGroup(op, getWritten(op, number))));
        yielded.push_back(scalars[result]);
        outputs.push_back(createOutput(op, number));
      }
  }

  /// The tensor that result number `number` of `op` is written to. Its init may
  /// be the result of a member or of a fill, which is gone then: the init of
  /// that is taken instead.
  Value createOutput(GenericOp op, int64_t number) {
    Value init = op.getDpsInits()[number];
    while (auto other =
               dyn_cast_or_null<linalg::LinalgOp>(init.getDefiningOp())) {
      if (!group.contains(other) && !isa<linalg::FillOp>(other))
        break;
      init = other.getDpsInits()[cast<OpResult>(init).getResultNumber()];
    }
    return init;
  }

  RowsOp create() {
    SmallVector<Type> types;
    for (Value result : results)
      types.push_back(result.getType());
    auto op = RowsOp::create(b, types, inputs, outputs,
                             b.getAffineMapArrayAttr(maps), rows,
                             /*most=*/nullptr, /*schedule=*/nullptr);
    op.getBody().push_back(body);
    b.setInsertionPointToEnd(body);
    YieldOp::create(b, yielded);
    for (auto [result, replacement] : llvm::zip_equal(results, op.getResults()))
      result.replaceUsesWithIf(replacement, [&](OpOperand &use) {
        return !group.contains(use.getOwner());
      });
    eraseOps();
    return op;
  }

  void eraseOps() {
    for (GenericOp op : llvm::reverse(group.getOps())) {
      for (Value result : op->getResults())
        eraseReshapes(result);
      op->erase();
    }
  }

  static void eraseReshapes(Value value) {
    for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
      eraseReshapes(user->getResult(0));
      user->erase();
    }
  }

  const KernelGroup &group;
  ImplicitLocOpBuilder b;
  SmallVector<int64_t> order; // of each dimension of the group
  int64_t rows = 0;
  Block *body = nullptr;
  SmallVector<Value> inputs, outputs, results, yielded;
  SmallVector<AffineMap> maps;
  llvm::DenseMap<Value, Value> scalars; // of each result of an op
};
} // namespace

RowsOp nm::buildRows(const KernelGroup &group) {
  return RowsBuilder(group).build();
}
