//===- Precedence.cpp - The order of tm_tensor.sort and topk --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace nm;

/// The comparison that `region` consists of, if it is one of floats in which a
/// NaN has no place (`oge`, `olt`, ...), as torch-mlir writes it.
static arith::CmpFOp getOrderedComparison(Region &region) {
  Block &body = region.front();
  auto compare =
      body.getTerminator()->getOperand(0).getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return nullptr;
  auto left = dyn_cast<BlockArgument>(compare.getLhs());
  auto right = dyn_cast<BlockArgument>(compare.getRhs());
  bool isPair = left && right && left.getOwner() == &body &&
                right.getOwner() == &body && left.getArgNumber() % 2 == 0 &&
                right.getArgNumber() == left.getArgNumber() + 1;
  switch (compare.getPredicate()) {
  case arith::CmpFPredicate::OGE:
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::OLE:
  case arith::CmpFPredicate::OLT:
    return isPair ? compare : nullptr;
  default:
    return nullptr;
  }
}

Value tm_tensor::createPrecedes(ImplicitLocOpBuilder &b, Region &region,
                                ValueRange left, ValueRange right) {
  SmallVector<Value> arguments;
  for (auto [l, r] : llvm::zip_equal(left, right))
    arguments.append({l, r});
  Value answer = inlineRegion(b, region, arguments);
  arith::CmpFOp compare = getOrderedComparison(region);
  if (!compare)
    return answer;
  bool descending = compare.getPredicate() == arith::CmpFPredicate::OGE ||
                    compare.getPredicate() == arith::CmpFPredicate::OGT;
  unsigned pair = cast<BlockArgument>(compare.getLhs()).getArgNumber() / 2;
  Value key = descending ? left[pair] : right[pair];
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, key, key);
  return arith::OrIOp::create(b, answer, isNaN);
}
