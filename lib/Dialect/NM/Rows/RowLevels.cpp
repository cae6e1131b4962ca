//===- RowLevels.cpp - What follows what in nm.rows -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowLevels.h"
#include "RowAccess.h"

using namespace mlir;
using namespace nm;

RowLevels::RowLevels(RowsOp op)
    : op(op), ofElements(op.collectElementValues()) {
  for (Operation &inner : op.getBody().front().without_terminator()) {
    int64_t level = 0;
    for (Value operand : inner.getOperands())
      level = std::max(level, get(operand));
    if (isa<ReduceOp>(inner))
      last = std::max(last, ++level);
    for (Value result : inner.getResults())
      levels[result] = level;
  }
}

SmallVector<ReduceOp> RowLevels::getReductions(int64_t level) const {
  SmallVector<ReduceOp> found;
  for (ReduceOp reduce : op.getBody().getOps<ReduceOp>())
    if (get(reduce.getResult()) == level + 1)
      found.push_back(reduce);
  return found;
}

/// The values that are stored for each element and have this level.
static SmallVector<Value> collectStored(RowsOp op, const RowLevels &levels,
                                        int64_t level) {
  SmallVector<Value> found;
  auto yielded = cast<YieldOp>(op.getBody().front().getTerminator());
  for (auto [number, value] : llvm::enumerate(yielded.getValues()))
    if (op.isOfElements(op.getInputs().size() + number) &&
        levels.get(value) == level)
      found.push_back(value);
  return found;
}

bool RowLevels::hasStores(int64_t level) const {
  return !collectStored(op, *this, level).empty();
}

/// The values that `level` computes its reductions and what it stores of.
DenseSet<Value> RowLevels::collectUsed(int64_t level) const {
  SmallVector<Value> rest = collectStored(op, *this, level);
  for (ReduceOp reduce : getReductions(level))
    rest.push_back(reduce.getValue());
  DenseSet<Value> used;
  while (!rest.empty()) {
    Value value = rest.pop_back_val();
    Operation *inner = value.getDefiningOp();
    if (isOfElements(value) && used.insert(value).second && inner)
      llvm::append_range(rest, inner->getOperands());
  }
  return used;
}

SmallVector<int64_t> RowLevels::collectReadAgain() const {
  DenseSet<Value> first = collectUsed(0), later;
  for (int64_t level = 1; level <= last; ++level)
    later.insert_range(collectUsed(level));
  SmallVector<int64_t> found;
  for (BlockArgument argument : op.getBody().getArguments())
    if (int64_t number = argument.getArgNumber(); first.contains(argument) &&
                                                  later.contains(argument) &&
                                                  hasOwnElements(op, number))
      found.push_back(number);
  return found;
}
