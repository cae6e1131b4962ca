//===- RowsBuilder.cpp - A group of ops to nm.rows ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowsBuilder.h"
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

  /// Appends what `op` computes of an element, or of a row.
  void inlineBody(GenericOp op) {
    IRMapping mapping;
    for (int64_t i = 0; i < op.getNumDpsInputs(); ++i)
      mapping.map(op.getRegionInputArgs()[i],
                  read(group.toGroup(op, getRead(op, i))));
    StringRef reason;
    std::optional<Combiner> combiner;
    if (op.getNumReductionLoops() != 0)
      combiner = findCombiner(op, reason);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(body);
    for (Operation &inner : op.getBody()->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        mapping.map(index.getResult(), createIndex(op, index.getDim()));
        continue;
      }
      if (!combiner || &inner != combiner->op) {
        b.clone(inner, mapping);
        continue;
      }
      Value init =
          arith::ConstantOp::create(b, cast<TypedAttr>(combiner->init));
      Value element = getScalar(mapping, combiner->element);
      Value sum =
          ReduceOp::create(b, element.getType(), combiner->kind, element, init);
      mapping.map(inner.getResult(0), sum);
    }
    for (auto [result, value] : llvm::zip_equal(
             op->getResults(), op.getBody()->getTerminator()->getOperands()))
      scalars[result] = getScalar(mapping, value);
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
                             /*schedule=*/nullptr);
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
