//===- Canonicalize.cpp - MLIR's canonicalizations where they are right ---===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedPatterns.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Transforms/Normalize/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMCANONICALIZEPASS
#include "nm/Transforms/Normalize/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Values that a loop carries, of which MLIR compares each pair whenever it
/// looks at the loop. Loops over tiles carry 64 and more fragments, no two of
/// which are the same: looking for such took most of a product's compilation.
static constexpr unsigned kMostCompared = 16;

static bool carriesMany(Operation *loop) {
  return loop->getNumResults() > kMostCompared;
}

static Veto findSlowCanonicalization(const Pattern &pattern) {
  bool isSlow =
      pattern.getRootKind() &&
      pattern.getRootKind()->getStringRef() == scf::ForOp::getOperationName() &&
      pattern.getDebugName().contains("RemoveDuplicateSuccessorInputUses");
  return isSlow ? carriesMany : nullptr;
}

namespace {
struct Canonicalize : nm::impl::NMCanonicalizePassBase<Canonicalize> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(all, context);
    guardPatterns(all, findWrongCanonicalization);
    guardPatterns(all, findSlowCanonicalization);
    patterns = FrozenRewritePatternSet(std::move(all));
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
    // IR that did not converge is right nevertheless.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
  }

private:
  FrozenRewritePatternSet patterns;
};
} // namespace
