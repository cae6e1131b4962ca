//===- LayoutPlan.cpp - What is computed transposed -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Planner/CostModel.h"
#include "nm/Support/Extents.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

using Operands = llvm::SmallVector<TransposedOperand>;

double nm::predictTranspose(RankedTensorType type, const TargetInfo &target) {
  // Elements of types that no buffer has are an error later.
  uint64_t element = getElementBytes(type.getElementType()).value_or(1);
  // Read and written.
  return predictTransfer(2 * double(getArrayBytes(type.getShape(), element)),
                         target);
}

/// What `value` is a transposition of, if that undoes `permutation`.
static Value getOriginal(Value value, llvm::ArrayRef<int64_t> permutation) {
  auto transpose = value.getDefiningOp<linalg::TransposeOp>();
  if (transpose && isIdentityPermutation(applyPermutation(
                       transpose.getPermutation(), permutation)))
    return transpose.getInput();
  return nullptr;
}

/// The transpositions of `value` in the order `permutation`.
static llvm::SmallVector<linalg::TransposeOp>
getTransposes(Value value, llvm::ArrayRef<int64_t> permutation) {
  llvm::SmallVector<linalg::TransposeOp> found;
  for (Operation *user : value.getUsers())
    if (auto transpose = dyn_cast<linalg::TransposeOp>(user))
      if (transpose.getInput() == value && transpose->getNumResults() == 1 &&
          transpose.getPermutation() == permutation)
        found.push_back(transpose);
  return found;
}

LayoutPlan::LayoutPlan(Value value, llvm::ArrayRef<int64_t> permutation,
                       llvm::ArrayRef<OpOperand *> uses,
                       const TargetInfo &target)
    : value(value), target(target), uses(uses) {
  wanted[value] = Permutation(permutation);
  covered.insert_range(uses);
  decide(collectRegion());
  // What other readers keep from being computed so may make that dearer than
  // it looked.
  auto type = cast<RankedTensorType>(value.getType());
  if (getSeconds() > predictTranspose(type, target)) {
    computed.clear();
    wanted.clear();
    wanted[value] = Permutation(permutation);
  }
}

/// Values that could be computed transposed so that `value` is, with their
/// orders. Of a value of which two would be needed, the first one.
LayoutPlan::Orders LayoutPlan::collectRegion() {
  Orders region;
  llvm::SmallVector<std::pair<Value, Permutation>> work = {
      {value, wanted[value]}};
  while (!work.empty()) {
    auto [one, order] = work.pop_back_val();
    Operation *op = one.getDefiningOp();
    if (!op || op->getBlock() != value.getParentBlock())
      continue;
    auto operands = getTransposedOperands(op, order);
    if (!operands || !region.try_emplace(one, order).second)
      continue;
    for (const TransposedOperand &operand : *operands)
      work.emplace_back(operand.operand->get(), operand.permutation);
  }
  auto values = region.takeVector();
  llvm::sort(values, [](const auto &x, const auto &y) {
    return x.first.getDefiningOp()->isBeforeInBlock(y.first.getDefiningOp());
  });
  region.clear();
  for (auto &[one, order] : values)
    region.insert({one, std::move(order)});
  return region;
}

/// Whether all that reads `result`, which is wanted, would read it transposed.
bool LayoutPlan::canCompute(Value result) const {
  llvm::ArrayRef<int64_t> order = wanted.find(result)->second;
  return llvm::all_of(result.getUses(), [&](OpOperand &use) {
    auto transpose = dyn_cast<linalg::TransposeOp>(use.getOwner());
    return covered.contains(&use) ||
           (transpose && transpose.getInput() == result &&
            use.getOperandNumber() == 0 && transpose.getPermutation() == order);
  });
}

/// The seconds of a transposition of `one`, that of nothing where the compiler
/// does it or where there is one.
static double predictMissing(Value one, llvm::ArrayRef<int64_t> order,
                             const TargetInfo &target) {
  if (matchPattern(one, m_Constant()) || getOriginal(one, order) ||
      !getTransposes(one, order).empty())
    return 0;
  return predictTranspose(cast<RankedTensorType>(one.getType()), target);
}

/// Adds what `operands` read to what is wanted; fails where that is a value in
/// two orders.
bool LayoutPlan::want(llvm::ArrayRef<TransposedOperand> operands) {
  Orders all = wanted;
  for (const TransposedOperand &operand : operands) {
    auto *place =
        all.insert({operand.operand->get(), operand.permutation}).first;
    if (place->second != operand.permutation)
      return false;
  }
  wanted = std::move(all);
  return true;
}

/// Goes from the users to what they read, so that when an op is looked at, all
/// that may read its result transposed has been.
void LayoutPlan::decide(const Orders &region) {
  // The least seconds that each value takes, if nothing else reads it.
  llvm::DenseMap<Value, double> least;
  auto sum = [&](Operation *op, llvm::ArrayRef<int64_t> order) {
    double seconds = 0;
    Operands operands = *getTransposedOperands(op, order);
    for (const TransposedOperand &operand : operands) {
      Value read = operand.operand->get();
      auto known = least.find(read);
      seconds += known != least.end()
                     ? known->second
                     : predictMissing(read, operand.permutation, target);
    }
    return seconds;
  };
  for (const auto &[one, order] : region)
    least[one] = std::min(predictMissing(one, order, target),
                          sum(one.getDefiningOp(), order));

  for (const auto &[one, order] : llvm::reverse(region)) {
    auto *found = wanted.find(one);
    Operation *op = one.getDefiningOp();
    if (found == wanted.end() || found->second != order || !canCompute(one) ||
        sum(op, order) >=
            predictTranspose(cast<RankedTensorType>(one.getType()), target))
      continue;
    Operands operands = *getTransposedOperands(op, order);
    if (!want(operands))
      continue;
    computed.push_back(op);
    for (const TransposedOperand &operand : operands)
      covered.insert(operand.operand);
  }
}

double LayoutPlan::getSeconds() const {
  double seconds = 0;
  for (const auto &[one, order] : wanted)
    if (!llvm::is_contained(computed, one.getDefiningOp()))
      seconds += predictMissing(one, order, target);
  return seconds;
}

/// Lets what reads a transposition of `one` read `transposed`.
void LayoutPlan::replaceTransposes(RewriterBase &rewriter, Value one,
                                   Value transposed) {
  for (linalg::TransposeOp other : getTransposes(one, wanted[one])) {
    if (other.getResult()[0] == transposed)
      continue;
    erased->insert(other);
    rewriter.replaceOp(other, transposed);
  }
}

/// `one` transposed, which no op of the plan computes.
Value LayoutPlan::getTransposed(RewriterBase &rewriter, Value one) {
  Value &transposed = built[one];
  if (transposed)
    return transposed;
  llvm::ArrayRef<int64_t> order = wanted[one];
  transposed = getOriginal(one, order);
  if (transposed)
    return transposed;
  auto type = getTransposedType(cast<RankedTensorType>(one.getType()), order);
  // In front of all that may read it.
  rewriter.setInsertionPointAfterValue(one);
  Value init = tensor::EmptyOp::create(rewriter, one.getLoc(), type.getShape(),
                                       type.getElementType());
  transposed =
      linalg::TransposeOp::create(rewriter, one.getLoc(), one, init, order)
          .getResult()[0];
  replaceTransposes(rewriter, one, transposed);
  return transposed;
}

void LayoutPlan::apply(llvm::DenseSet<Operation *> &erasedOps) {
  erased = &erasedOps;
  IRRewriter rewriter(value.getContext());
  for (Operation *op : llvm::reverse(computed)) {
    Value one = op->getResult(0);
    Operands operands = *getTransposedOperands(op, wanted[one]);
    llvm::SmallVector<Value> transposed;
    for (const TransposedOperand &operand : operands)
      transposed.push_back(getTransposed(rewriter, operand.operand->get()));
    built[one] = createTransposed(rewriter, op, wanted[one], transposed);
    replaceTransposes(rewriter, one, built[one]);
  }
  Value transposed = getTransposed(rewriter, value);
  for (OpOperand *use : uses)
    rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(transposed); });
  for (Operation *op : computed)
    if (op->use_empty()) {
      erased->insert(op);
      rewriter.eraseOp(op);
    }
}
