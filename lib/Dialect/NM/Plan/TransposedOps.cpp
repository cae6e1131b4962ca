//===- TransposedOps.cpp - Ops that give their results transposed ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposedOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Support/Extents.h"
#include "nm/Support/TransposedMatrices.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;

using Operands = llvm::SmallVector<TransposedOperand>;

RankedTensorType nm::getTransposedType(RankedTensorType type,
                                       llvm::ArrayRef<int64_t> permutation) {
  return type.clone(applyPermutation(type.getShape(), permutation));
}

static Value createEmpty(RewriterBase &rewriter, Location loc,
                         RankedTensorType type) {
  return tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                 type.getElementType());
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static std::optional<Operands> getOperandsOf(SpmmOp op) {
  if (op.getScheduleAttr())
    return std::nullopt;
  Operands operands;
  if (op.getResidual())
    operands.push_back({&op.getResidualMutable()[0], {1, 0}});
  return operands;
}

static Value transpose(RewriterBase &rewriter, SpmmOp op,
                       ValueRange transposed) {
  auto type = getTransposedType(
      cast<RankedTensorType>(op.getResult().getType()), {1, 0});
  Value init = createEmpty(rewriter, op.getLoc(), type);
  rewriter.modifyOpInPlace(op, [&] {
    op.getInitMutable().assign(init);
    if (!transposed.empty())
      op.getResidualMutable().assign(transposed.front());
    op.setCLayout(op.getCLayout() == Layout::FeatureMajor
                      ? Layout::TokenMajor
                      : Layout::FeatureMajor);
    op.getResult().setType(type);
  });
  return op.getResult();
}

//===----------------------------------------------------------------------===//
// Element-wise ops
//===----------------------------------------------------------------------===//

/// The loops of `op`, of which the last should be the last dimension of what
/// the op gives, in terms of those of the op that gives it transposed.
static AffineMap getLoops(linalg::GenericOp op,
                          llvm::ArrayRef<int64_t> permutation) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  llvm::SmallVector<AffineExpr> results =
      applyPermutation(map.getResults(), permutation);
  return inversePermutation(
      AffineMap::get(map.getNumDims(), 0, results, op.getContext()));
}

/// The order of dimensions in which what `map` indexes lies as the loops do.
/// Nothing where not every loop chooses one of them, as of a bias.
static std::optional<Permutation> getOrder(AffineMap map) {
  if (!map.isPermutation())
    return std::nullopt;
  Permutation order(map.getNumDims());
  for (auto [i, result] : llvm::enumerate(map.getResults()))
    order[cast<AffineDimExpr>(result).getPosition()] = i;
  return order;
}

/// Whether `value` has an element for each of `result`, of a static shape.
static bool isAsLarge(Value value, Value result) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto whole = cast<RankedTensorType>(result.getType());
  return type && getArrayBytes(type.getShape(), 1) >=
                     getArrayBytes(whole.getShape(), 1);
}

static std::optional<Operands>
getOperandsOf(linalg::GenericOp op, llvm::ArrayRef<int64_t> permutation) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() != 0 ||
      op.hasIndexSemantics() || !op.hasPureTensorSemantics() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
    return std::nullopt;
  AffineMap loops = getLoops(op, permutation);
  Operands operands;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto order = getOrder(op.getMatchingIndexingMap(input).compose(loops));
    // All of a matrix would be read across its rows.
    if (!order && isAsLarge(input->get(), op.getResult(0)))
      return std::nullopt;
    if (order && !isIdentityPermutation(*order))
      operands.push_back({input, *order});
  }
  return operands;
}

static Value transpose(RewriterBase &rewriter, linalg::GenericOp op,
                       llvm::ArrayRef<int64_t> permutation,
                       ValueRange transposed) {
  AffineMap loops = getLoops(op, permutation);
  auto type = getTransposedType(
      cast<RankedTensorType>(op.getResult(0).getType()), permutation);
  Operands operands = *getOperandsOf(op, permutation);
  llvm::SmallVector<Value> inputs(op.getInputs());
  llvm::SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands())
    maps.push_back(op.getMatchingIndexingMap(input).compose(loops));
  AffineMap identity = rewriter.getMultiDimIdentityMap(op.getNumLoops());
  for (auto [operand, value] : llvm::zip_equal(operands, transposed)) {
    unsigned number = operand.operand->getOperandNumber();
    inputs[number] = value;
    maps[number] = identity;
  }
  maps.push_back(identity);
  Value init = createEmpty(rewriter, op.getLoc(), type);
  auto result = linalg::GenericOp::create(
      rewriter, op.getLoc(), type, inputs, init, maps,
      llvm::SmallVector<utils::IteratorType>(op.getNumLoops(),
                                             utils::IteratorType::parallel));
  rewriter.cloneRegionBefore(op.getRegion(), result.getRegion(),
                             result.getRegion().begin());
  return result.getResult(0);
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

using Groups = llvm::SmallVector<ReassociationIndices>;

/// Groups of as many dimensions as `groups` have, one after the other, in the
/// order `permutation`.
static Groups permuteGroups(const Groups &groups,
                            llvm::ArrayRef<int64_t> permutation) {
  Groups permuted;
  int64_t next = 0;
  for (int64_t group : permutation) {
    auto end = next + int64_t(groups[group].size());
    permuted.push_back(llvm::to_vector<2>(llvm::seq(next, end)));
    next = end;
  }
  return permuted;
}

/// The order of all dimensions where groups of them change places.
static Permutation expandOrder(const Groups &groups,
                               llvm::ArrayRef<int64_t> permutation) {
  Permutation order;
  for (int64_t group : permutation)
    llvm::append_range(order, groups[group]);
  return order;
}

/// The order of `groups` that is the order `permutation` of their dimensions;
/// nothing where that takes a group apart.
static std::optional<Permutation>
collapseOrder(const Groups &groups, llvm::ArrayRef<int64_t> permutation) {
  Permutation order;
  for (size_t i = 0; i < permutation.size();) {
    const auto *group =
        llvm::find_if(groups, [&](const ReassociationIndices &dims) {
          return dims.front() == permutation[i];
        });
    if (group == groups.end() || permutation.slice(i).take_front(
                                     group->size()) != llvm::ArrayRef(*group))
      return std::nullopt;
    order.push_back(group - groups.begin());
    i += group->size();
  }
  return order;
}

static std::optional<Operands>
getOperandsOf(tensor::CollapseShapeOp op, llvm::ArrayRef<int64_t> permutation) {
  return Operands{{&op.getSrcMutable(),
                   expandOrder(op.getReassociationIndices(), permutation)}};
}

static Value transpose(RewriterBase &rewriter, tensor::CollapseShapeOp op,
                       llvm::ArrayRef<int64_t> permutation,
                       ValueRange transposed) {
  return tensor::CollapseShapeOp::create(
      rewriter, op.getLoc(), getTransposedType(op.getResultType(), permutation),
      transposed.front(),
      permuteGroups(op.getReassociationIndices(), permutation));
}

static std::optional<Operands>
getOperandsOf(tensor::ExpandShapeOp op, llvm::ArrayRef<int64_t> permutation) {
  auto order = collapseOrder(op.getReassociationIndices(), permutation);
  if (!order)
    return std::nullopt;
  return Operands{{&op.getSrcMutable(), *order}};
}

static Value transpose(RewriterBase &rewriter, tensor::ExpandShapeOp op,
                       llvm::ArrayRef<int64_t> permutation,
                       ValueRange transposed) {
  Groups groups = op.getReassociationIndices();
  return tensor::ExpandShapeOp::create(
      rewriter, op.getLoc(), getTransposedType(op.getResultType(), permutation),
      transposed.front(),
      permuteGroups(groups, *collapseOrder(groups, permutation)));
}

//===----------------------------------------------------------------------===//
// Transpositions
//===----------------------------------------------------------------------===//

/// The order in which the result of `op`, in the order `permutation`, has the
/// dimensions of the input.
static Permutation compose(linalg::TransposeOp op,
                           llvm::ArrayRef<int64_t> permutation) {
  return applyPermutation(op.getPermutation(), permutation);
}

/// Another order takes no longer if it has a fast kernel.
static std::optional<Operands>
getOperandsOf(linalg::TransposeOp op, llvm::ArrayRef<int64_t> permutation) {
  if (!op.hasPureTensorSemantics() ||
      !getTransposedMatrices(op.getInput().getType().getShape(),
                             compose(op, permutation)))
    return std::nullopt;
  return Operands();
}

static Value transpose(RewriterBase &rewriter, linalg::TransposeOp op,
                       llvm::ArrayRef<int64_t> permutation, ValueRange) {
  auto type = getTransposedType(
      cast<RankedTensorType>(op.getResult()[0].getType()), permutation);
  Value init = createEmpty(rewriter, op.getLoc(), type);
  return linalg::TransposeOp::create(rewriter, op.getLoc(), op.getInput(), init,
                                     compose(op, permutation))
      .getResult()[0];
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

bool nm::canTranspose(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && !type.getEncoding();
}

std::optional<Operands>
nm::getTransposedOperands(Operation *op, llvm::ArrayRef<int64_t> permutation) {
  if (op->getNumResults() != 1 || !canTranspose(op->getResult(0)))
    return std::nullopt;
  auto operands =
      llvm::TypeSwitch<Operation *, std::optional<Operands>>(op)
          .Case([](SpmmOp product) { return getOperandsOf(product); })
          .Case<linalg::GenericOp, tensor::CollapseShapeOp,
                tensor::ExpandShapeOp, linalg::TransposeOp>(
              [&](auto one) { return getOperandsOf(one, permutation); })
          .Default([](Operation *) { return std::nullopt; });
  if (operands && !llvm::all_of(*operands, [](const TransposedOperand &one) {
        return canTranspose(one.operand->get());
      }))
    return std::nullopt;
  return operands;
}

Value nm::createTransposed(RewriterBase &rewriter, Operation *op,
                           llvm::ArrayRef<int64_t> permutation,
                           ValueRange transposed) {
  rewriter.setInsertionPoint(op);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](SpmmOp product) {
        return transpose(rewriter, product, transposed);
      })
      .Case<linalg::GenericOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
            linalg::TransposeOp>([&](auto one) {
        return transpose(rewriter, one, permutation, transposed);
      });
}
