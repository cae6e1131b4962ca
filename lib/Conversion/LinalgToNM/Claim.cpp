//===- Claim.cpp - A pattern that an operand's encoding claims ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Claim.h"

using namespace mlir;
using namespace nm;

static constexpr llvm::StringLiteral kPatternName = "nm.claimed_pattern";
static constexpr llvm::StringLiteral kLoopName = "nm.claimed_loop";

void nm::setClaim(linalg::LinalgOp op, const Claim &claim) {
  Builder b(op->getContext());
  op->setDiscardableAttr(kPatternName, claim.pattern);
  op->setDiscardableAttr(kLoopName, b.getI64IntegerAttr(claim.loop));
}

FailureOr<std::optional<Claim>> nm::takeClaim(linalg::LinalgOp op) {
  Attribute patternAttr = op->removeDiscardableAttr(kPatternName);
  Attribute loopAttr = op->removeDiscardableAttr(kLoopName);
  if (!patternAttr && !loopAttr)
    return std::optional<Claim>();
  auto pattern = dyn_cast_or_null<PatternAttr>(patternAttr);
  auto loop = dyn_cast_or_null<IntegerAttr>(loopAttr);
  if (!pattern || !loop || !loop.getValue().ult(op.getNumLoops()) ||
      op.getIteratorTypesArray()[loop.getValue().getZExtValue()] !=
          utils::IteratorType::reduction) {
    op.emitError() << "expected `" << kPatternName << "`, a pattern, with `"
                   << kLoopName << "`, the number of a reduction loop";
    return failure();
  }
  return std::optional<Claim>(
      Claim{pattern, unsigned(loop.getValue().getZExtValue())});
}
