//===- ApproximateMath.cpp - Approximate instructions of the GPU ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms that flush subnormal numbers: the others scale operand and result
// in any case, in four instructions for one.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMAPPROXIMATEMATHPASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;

static Value createExp2(ImplicitLocOpBuilder &b, Value x) {
  return LLVM::CallIntrinsicOp::create(
             b, b.getF32Type(), b.getStringAttr("llvm.nvvm.ex2.approx.ftz"), x)
      .getResult(0);
}

static Value createExp(ImplicitLocOpBuilder &b, Value x) {
  Value log2E = arith::ConstantOp::create(b, b.getF32FloatAttr(0x1.715476p+0f));
  return createExp2(b, arith::MulFOp::create(b, x, log2E));
}

/// Of a divisor whose inverse is subnormal, or which is so itself, operands are
/// scaled: the inverse would be 0 or infinite where the quotient is not. The
/// scale and the inverse are one for all quotients of a divisor.
static Value createQuotient(ImplicitLocOpBuilder &b, Value x, Value y) {
  auto invert = [&](Value divisor) -> Value {
    return NVVM::RcpApproxFtzF32Op::create(b, b.getF32Type(), divisor);
  };
  if (matchPattern(x, m_OneFloat()))
    return invert(y);
  auto real = [&](float value) -> Value {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  };
  auto isAbove = [&](arith::CmpFPredicate predicate, float bound) -> Value {
    return arith::CmpFOp::create(b, predicate, math::AbsFOp::create(b, y),
                                 real(bound));
  };
  Value scale = arith::SelectOp::create(
      b, isAbove(arith::CmpFPredicate::OGT, 0x1p+126f), real(0x1p-30f),
      arith::SelectOp::create(b, isAbove(arith::CmpFPredicate::OLT, 0x1p-126f),
                              real(0x1p+30f), real(1.0f)));
  Value inverse = invert(arith::MulFOp::create(b, y, scale));
  return arith::MulFOp::create(b, arith::MulFOp::create(b, x, scale), inverse);
}

/// What takes the place of `op`; null where that stays.
static Value approximate(ImplicitLocOpBuilder &b, Operation *op) {
  if (isa<math::Exp2Op>(op))
    return createExp2(b, op->getOperand(0));
  if (isa<math::ExpOp>(op))
    return createExp(b, op->getOperand(0));
  if (isa<arith::DivFOp>(op))
    return createQuotient(b, op->getOperand(0), op->getOperand(1));
  return Value();
}

static bool mayBeApproximate(Operation *op) {
  auto interface = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!interface || !op->getResult(0).getType().isF32())
    return false;
  // Conversions may have none.
  arith::FastMathFlagsAttr flags = interface.getFastMathFlagsAttr();
  return flags &&
         bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::afn);
}

namespace {
struct ApproximateMath : nm::impl::NMApproximateMathPassBase<ApproximateMath> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (mayBeApproximate(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      ImplicitLocOpBuilder b(op->getLoc(), op);
      if (Value value = approximate(b, op)) {
        op->getResult(0).replaceAllUsesWith(value);
        op->erase();
      }
    }
  }
};
} // namespace
