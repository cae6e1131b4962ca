//===- CorrectGelu.cpp - The constant of torch-mlir's gelu ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "nm/Support/Remarks.h"
#include "nm/Support/ScalarForm.h"
#include "nm/Transforms/Normalize/Passes.h"
#include <cmath>

namespace nm {
#define GEN_PASS_DEF_NMCORRECTGELUPASS
#include "nm/Transforms/Normalize/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// sqrt(2 / pi), and what torch-mlir writes for it.
static constexpr double kRight = 0.79788456080286536;
static constexpr double kWritten = 0.797724;

/// Whether `value` is x + 0.044715 x^3 of one of its operands.
static bool isInnerPolynomial(Value value) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  return sum && llvm::any_of(sum->getOperands(), [&](Value x) {
           std::optional<ScalarForm> form = getScalarForm(value, x);
           return form && !form->atom && form->free[0] == 0 &&
                  form->free[1] == 1 && form->free[2] == 0 &&
                  std::fabs(form->free[3] - 0.044715) < 1e-6;
         });
}

static void report(math::TanhOp op) {
  emitRemark(op, RemarkId::GeluCorrected)
      << remarkKey(RemarkKey::Written, std::to_string(kWritten))
      << remarkKey(RemarkKey::Right, std::to_string(kRight));
}

namespace {
struct CorrectConstant : OpRewritePattern<math::TanhOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::TanhOp op,
                                PatternRewriter &rewriter) const override {
    auto product = op.getOperand().getDefiningOp<arith::MulFOp>();
    if (!product || !isa<FloatType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected a scalar product");
    for (OpOperand &operand : product->getOpOperands()) {
      std::optional<double> constant = getConstantFloat(operand.get());
      Value inner = product->getOperand(1 - operand.getOperandNumber());
      if (!constant || std::fabs(*constant - kWritten) > 1e-6 ||
          !isInnerPolynomial(inner))
        continue;
      rewriter.setInsertionPoint(product);
      Value right = arith::ConstantOp::create(
          rewriter, op.getLoc(), rewriter.getFloatAttr(op.getType(), kRight));
      rewriter.modifyOpInPlace(product, [&] { operand.set(right); });
      report(op);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "expected torch-mlir's constant");
  }
};

struct CorrectGelu : nm::impl::NMCorrectGeluPassBase<CorrectGelu> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<CorrectConstant>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
