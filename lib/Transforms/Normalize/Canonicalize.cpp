//===- Canonicalize.cpp - MLIR's canonicalizations where they are right ---===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Transforms/Normalize/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMCANONICALIZEPASS
#include "nm/Transforms/Normalize/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
struct Canonicalize : nm::impl::NMCanonicalizePassBase<Canonicalize> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(all, context);
    guardPatterns(all, findWrongCanonicalization);
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
