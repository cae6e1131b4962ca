//===- ExpandMath.cpp - Math ops without a library ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream turns every float math op in a kernel into a call of libdevice, and
// LLVM a remainder into one of fmod; neither is at hand. This pass leaves none.
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "nm/Conversion/ExpandMath/Passes.h"
#include "llvm/ADT/StringMap.h"

namespace nm {
#define GEN_PASS_DEF_NMEXPANDMATHPASS
#include "nm/Conversion/ExpandMath/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

using Unary = Value (*)(FloatBuilder &, Value);

/// Ops computed by an expansion in f32 or f64.
static Unary lookupExpansion(Operation *op) {
  static const llvm::StringMap<Unary> table = {
      {"math.acos", expandAcos},   {"math.acosh", expandAcosh},
      {"math.asin", expandAsin},   {"math.asinh", expandAsinh},
      {"math.atan", expandAtan},   {"math.atanh", expandAtanh},
      {"math.cbrt", expandCbrt},   {"math.cos", expandCos},
      {"math.cosh", expandCosh},   {"math.erf", expandErf},
      {"math.erfc", expandErfc},   {"math.exp", expandExp},
      {"math.exp2", expandExp2},   {"math.expm1", expandExpM1},
      {"math.log", expandLog},     {"math.log10", expandLog10},
      {"math.log1p", expandLog1p}, {"math.log2", expandLog2},
      {"math.sin", expandSin},     {"math.sinh", expandSinh},
      {"math.tan", expandTan},     {"math.tanh", expandTanh},
  };
  return table.lookup(op->getName().getStringRef());
}

/// Ops for which NVPTX has instructions, in f32 and f64.
static StringRef lookupIntrinsic(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Case("math.absf", "llvm.fabs")
      .Case("math.ceil", "llvm.ceil")
      .Case("math.copysign", "llvm.copysign")
      .Case("math.floor", "llvm.floor")
      .Case("math.fma", "llvm.fma")
      .Case("math.round", "llvm.round")
      .Case("math.roundeven", "llvm.roundeven")
      .Case("math.sqrt", "llvm.sqrt")
      .Case("math.trunc", "llvm.trunc")
      .Default("");
}

/// The value of an integer constant or a splat of one.
static std::optional<int64_t> getConstantInteger(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return constant.getSExtValue();
  return std::nullopt;
}

/// x to an integral power. Few multiplications beat exp and log in speed and,
/// as each rounds once, in accuracy.
static Value expandFPowI(FloatBuilder &f, ImplicitLocOpBuilder &b, Value x,
                         Value power) {
  constexpr int64_t kMostByProducts = 8;
  std::optional<int64_t> known = getConstantInteger(power);
  if (known && std::abs(*known) <= kMostByProducts)
    return expandPowInt(f, x, *known);
  return expandPow(f, x, arith::SIToFPOp::create(b, x.getType(), power));
}

static Value expandPowF(FloatBuilder &f, Value x, Value power) {
  APFloat constant(0.0f);
  if (matchPattern(power, m_ConstantFloat(&constant))) {
    bool lossy;
    constant.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &lossy);
    double value = constant.convertToDouble();
    if (value == std::floor(value) && std::abs(value) <= 8)
      return expandPowInt(f, x, static_cast<int64_t>(value));
  }
  return expandPow(f, x, power);
}

/// `op` on operands of f32 or f64; null if it is not known.
static Value expandFloatOp(ImplicitLocOpBuilder &b, Operation *op,
                           ValueRange operands) {
  Type type = operands.front().getType();
  if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() > 64)
    return nullptr;
  auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
  bool isRelaxed = flags && flags.getFastMathFlagsAttr() &&
                   bitEnumContainsAll(flags.getFastMathFlagsAttr().getValue(),
                                      arith::FastMathFlags::afn);
  bool isKernel = op->getParentOfType<gpu::GPUModuleOp>();
  FloatBuilder f(b, type, isKernel, isKernel && isRelaxed);
  if (StringRef name = lookupIntrinsic(op); !name.empty())
    return f.intrinsic(name, operands);
  if (isa<math::RsqrtOp>(op))
    return f.div(f.real(1.0), f.sqrt(operands.front()));
  if (Unary expand = lookupExpansion(op))
    return expand(f, operands.front());
  if (isa<math::Atan2Op>(op))
    return expandAtan2(f, operands[0], operands[1]);
  if (isa<arith::RemFOp>(op))
    return expandRemainder(b, f, operands[0], operands[1]);
  if (isa<math::PowFOp>(op))
    return expandPowF(f, operands[0], operands[1]);
  if (isa<math::FPowIOp>(op))
    return expandFPowI(f, b, operands[0], operands[1]);
  return nullptr;
}

/// isnan, isinf and isfinite as comparisons.
static void expandClassification(ImplicitLocOpBuilder &b, Operation *op) {
  Value x = op->getOperand(0);
  FloatType element = cast<FloatType>(getElementTypeOrSelf(x.getType()));
  if (element.getWidth() < 16) { // which may have no infinity
    element = b.getF32Type();
    Type wide = element;
    if (auto vector = dyn_cast<VectorType>(x.getType()))
      wide = vector.clone(element);
    x = arith::ExtFOp::create(b, wide, x);
  }
  TypedAttr infinity =
      b.getFloatAttr(element, APFloat::getInf(element.getFloatSemantics()));
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    infinity = SplatElementsAttr::get(vector, Attribute(infinity));
  Value result;
  if (isa<math::IsNaNOp>(op)) {
    result = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  } else {
    FloatBuilder f(b, x.getType());
    result = arith::CmpFOp::create(
        b,
        isa<math::IsInfOp>(op) ? arith::CmpFPredicate::OEQ
                               : arith::CmpFPredicate::OLT,
        f.abs(x), arith::ConstantOp::create(b, infinity));
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// Replaces one math op. Types narrower than f32 are computed in f32.
static LogicalResult expandOp(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Type type = op->getResult(0).getType();
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (isa<math::AbsIOp>(op)) {
    Value x = op->getOperand(0);
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
    op->getResult(0).replaceAllUsesWith(
        arith::MaxSIOp::create(b, x, arith::SubIOp::create(b, zero, x)));
    op->erase();
    return success();
  }
  if (isa<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(op)) {
    expandClassification(b, op);
    return success();
  }
  if (!element)
    return success(); // integer ops have instructions of their own
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.getRank() != 1)
    return op->emitOpError("unsupported: vector of rank ")
           << vector.getRank() << "; expected scalars or vectors of rank 1";

  bool isNarrow = element.getWidth() < 32;
  SmallVector<Value> operands(op->getOperands());
  Type wide = type;
  if (isNarrow) {
    wide = isa<VectorType>(type)
               ? Type(cast<VectorType>(type).clone(b.getF32Type()))
               : b.getF32Type();
    for (Value &operand : operands)
      if (operand.getType() == type)
        operand = arith::ExtFOp::create(b, wide, operand);
  }
  Value result = expandFloatOp(b, op, operands);
  if (!result)
    return op->emitOpError("unsupported: no expansion of this op on ")
           << element;
  if (isNarrow)
    result = arith::TruncFOp::create(b, type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return success();
}

static SmallVector<Operation *> collectMathOps(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
        isa<arith::RemFOp>(op))
      ops.push_back(op);
  });
  return ops;
}

/// Remainders are loops here, and the reduction of angles has a branch.
static LogicalResult verifyScalars(Operation *op) {
  if (!isa<arith::RemFOp, math::SinOp, math::CosOp, math::TanOp>(op) ||
      !isa<VectorType>(op->getResult(0).getType()))
    return success();
  return op->emitOpError("unsupported: this op on vectors; expected scalars");
}

/// clampf is left to upstream, in terms of others.
static void rewriteByUpstream(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  math::populateExpansionPatterns(patterns, StringRef("clampf"));
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)applyOpPatternsGreedily(collectMathOps(root), std::move(patterns),
                                config);
}

namespace {
struct ExpandMath : nm::impl::NMExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    for (Operation *op : collectMathOps(getOperation()))
      if (failed(verifyScalars(op)))
        return signalPassFailure();
    rewriteByUpstream(getOperation());
    for (Operation *op : collectMathOps(getOperation()))
      if (failed(expandOp(op)))
        return signalPassFailure();
  }
};
} // namespace
