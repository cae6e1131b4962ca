//===- FoldConstantOps.cpp - Constants from constants ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "nm/Conversion/Passes.h"
#include "nm/Dialect/NM/Utils/ConstantEvaluator.h"
#include "llvm/ADT/SetVector.h"

namespace nm {
#define GEN_PASS_DEF_NMFOLDCONSTANTOPSPASS
#include "nm/Conversion/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// A fill is cheaper as a kernel than as a constant that is uploaded, so it is
/// only computed as a part of something else.
static bool isWorthFolding(Operation *op) {
  return isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp>(op);
}

static bool isPartOfChain(Operation *op) {
  return op->getNumResults() == 1 &&
         isa<linalg::LinalgOp, tensor::CastOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::ExtractSliceOp,
             tensor::InsertSliceOp>(op);
}

namespace {
struct FoldConstantOps : nm::impl::NMFoldConstantOpsPassBase<FoldConstantOps> {
  using NMFoldConstantOpsPassBase::NMFoldConstantOpsPassBase;

  void runOnOperation() override {
    ConstantEvaluator evaluator(maxElements);
    SmallVector<Operation *> candidates;
    getOperation()->walk([&](Operation *op) {
      if (isPartOfChain(op))
        candidates.push_back(op);
    });
    // From the end, so that only the last op of a chain becomes a constant. Ops
    // are erased when all is done: the evaluator remembers their results.
    llvm::SetVector<Operation *> dead;
    for (Operation *op : llvm::reverse(candidates)) {
      Value result = op->getResult(0);
      auto isDead = [&](Operation *user) { return dead.contains(user); };
      bool isUsed = !llvm::all_of(op->getUsers(), isDead);
      if (isUsed && !isWorthFolding(op))
        continue;
      std::shared_ptr<const KnownTensor> value = evaluator.evaluate(result);
      if (!value)
        continue;
      dead.insert(op);
      if (!isUsed)
        continue;
      OpBuilder b(op);
      auto constant = arith::ConstantOp::create(
          b, op->getLoc(), ConstantEvaluator::toAttribute(*value));
      result.replaceAllUsesWith(constant);
    }
    for (Operation *op : dead)
      op->erase();
  }
};
} // namespace
