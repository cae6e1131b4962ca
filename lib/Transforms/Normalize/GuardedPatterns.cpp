//===- GuardedPatterns.cpp - Patterns of MLIR with conditions of ours -----===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedPatterns.h"
#include "nm/Base/Assert.h"

using namespace mlir;
using namespace nm;

namespace {
struct GuardedPattern : RewritePattern {
  GuardedPattern(MLIRContext *context, std::unique_ptr<RewritePattern> inner,
                 Veto mustNot)
      : RewritePattern(inner->getRootKind()->getStringRef(),
                       inner->getBenefit(), context,
                       getNames(inner->getGeneratedOps())),
        inner(std::move(inner)), mustNot(mustNot) {
    setDebugName(this->inner->getDebugName());
    addDebugLabels(this->inner->getDebugLabels());
    setHasBoundedRewriteRecursion(this->inner->hasBoundedRewriteRecursion());
  }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (mustNot(op))
      return rewriter.notifyMatchFailure(op, "nm does without it here");
    return inner->matchAndRewrite(op, rewriter);
  }

private:
  static SmallVector<StringRef> getNames(ArrayRef<OperationName> ops) {
    return llvm::map_to_vector(
        ops, [](OperationName op) { return op.getStringRef(); });
  }

  std::unique_ptr<RewritePattern> inner;
  Veto mustNot;
};
} // namespace

void nm::guardPatterns(RewritePatternSet &patterns,
                       llvm::function_ref<Veto(const Pattern &)> findVeto) {
  for (std::unique_ptr<RewritePattern> &pattern :
       patterns.getNativePatterns()) {
    Veto veto = findVeto(*pattern);
    if (!veto)
      continue;
    NM_ASSERT(pattern->getRootKind(), "expected a pattern with a root op");
    pattern = std::make_unique<GuardedPattern>(patterns.getContext(),
                                               std::move(pattern), veto);
  }
}
