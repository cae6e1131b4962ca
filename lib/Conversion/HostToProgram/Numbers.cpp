//===- Numbers.cpp - Arithmetic to instructions ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions compute with 64 bits. Integers of fewer bits have zeros above
// them: signs are extended before an instruction that looks at them, and what
// may have left the width is cut off after it. f16 and bf16 are computed in f32
// and rounded.
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;
using program::Opcode;

static unsigned getBits(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

Number FunctionEmitter::zeroExtend(Number number, unsigned bits) {
  return bits == 64 ? number : code.compute(Opcode::ZeroExtend, {number, bits});
}

Number FunctionEmitter::signExtend(Number number, unsigned bits) {
  return bits == 64 ? number : code.compute(Opcode::SignExtend, {number, bits});
}

namespace {
/// How an op on integers is computed.
struct IntegerRule {
  Opcode opcode;
  /// Which operands have signs.
  bool leftSigned = false, rightSigned = false;
  /// Whether the result may have bits above the width.
  bool mayExceed = false;
};
} // namespace

static std::optional<IntegerRule> getIntegerRule(Operation *op) {
  using Rule = std::optional<IntegerRule>;
  auto plain = [](Opcode opcode) { return Rule({opcode}); };
  auto wrapping = [](Opcode opcode) {
    return Rule({opcode, false, false, true});
  };
  auto signedRule = [](Opcode opcode) {
    return Rule({opcode, true, true, true});
  };
  return llvm::TypeSwitch<Operation *, Rule>(op)
      .Case([&](arith::AddIOp) { return wrapping(Opcode::AddI); })
      .Case([&](arith::SubIOp) { return wrapping(Opcode::SubI); })
      .Case([&](arith::MulIOp) { return wrapping(Opcode::MulI); })
      .Case([&](arith::ShLIOp) { return wrapping(Opcode::ShLI); })
      .Case([&](arith::DivUIOp) { return plain(Opcode::DivUI); })
      .Case([&](arith::RemUIOp) { return plain(Opcode::RemUI); })
      .Case([&](arith::AndIOp) { return plain(Opcode::AndI); })
      .Case([&](arith::OrIOp) { return plain(Opcode::OrI); })
      .Case([&](arith::XOrIOp) { return plain(Opcode::XOrI); })
      .Case([&](arith::ShRUIOp) { return plain(Opcode::ShRUI); })
      .Case([&](arith::MinUIOp) { return plain(Opcode::MinUI); })
      .Case([&](arith::MaxUIOp) { return plain(Opcode::MaxUI); })
      .Case([&](arith::DivSIOp) { return signedRule(Opcode::DivSI); })
      .Case([&](arith::RemSIOp) { return signedRule(Opcode::RemSI); })
      .Case([&](arith::MinSIOp) { return signedRule(Opcode::MinSI); })
      .Case([&](arith::MaxSIOp) { return signedRule(Opcode::MaxSI); })
      .Case([&](arith::ShRSIOp) {
        return Rule({Opcode::ShRSI, true, false, true});
      })
      .Default([](Operation *) { return std::nullopt; });
}

bool FunctionEmitter::emitInteger(Operation *op) {
  if (auto product = dyn_cast<arith::MulUIExtendedOp>(op)) {
    if (getBits(product.getLhs().getType()) != 64)
      return false;
    SmallVector<uint32_t> operands = {numberOf(product.getLhs()),
                                      numberOf(product.getRhs())};
    setNumber(product.getLow(), code.compute(Opcode::MulI, operands));
    setNumber(product.getHigh(), code.compute(Opcode::MulHighUI, operands));
    return true;
  }
  std::optional<IntegerRule> rule = getIntegerRule(op);
  if (!rule)
    return false;
  unsigned bits = getBits(op->getResult(0).getType());
  Number left = numberOf(op->getOperand(0)),
         right = numberOf(op->getOperand(1));
  if (rule->leftSigned)
    left = signExtend(left, bits);
  if (rule->rightSigned)
    right = signExtend(right, bits);
  Number result = code.compute(rule->opcode, {left, right});
  setNumber(op->getResult(0),
            rule->mayExceed ? zeroExtend(result, bits) : result);
  return true;
}

/// Bits of CmpF32: less, equal, greater, unordered. LLVM numbers its predicates
/// as equal 1, greater 2, less 4, unordered 8.
static uint32_t getOutcomes(arith::CmpFPredicate predicate) {
  auto code = static_cast<uint32_t>(predicate);
  return (code & 4 ? 1 : 0) | (code & 1 ? 2 : 0) | (code & 2 ? 4 : 0) |
         (code & 8);
}

bool FunctionEmitter::emitCompare(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    Type type = compare.getLhs().getType();
    Opcode opcode = type.isF64() ? Opcode::CmpF64 : Opcode::CmpF32;
    setNumber(compare,
              code.compute(opcode, {widen(numberOf(compare.getLhs()), type),
                                    widen(numberOf(compare.getRhs()), type),
                                    getOutcomes(compare.getPredicate())}));
    return true;
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return false;
  using P = arith::CmpIPredicate;
  Number left = numberOf(compare.getLhs()), right = numberOf(compare.getRhs());
  P predicate = compare.getPredicate();
  unsigned bits = getBits(compare.getLhs().getType());
  if (predicate == P::slt || predicate == P::sle || predicate == P::sgt ||
      predicate == P::sge) {
    left = signExtend(left, bits);
    right = signExtend(right, bits);
  }
  if (predicate == P::sgt || predicate == P::sge || predicate == P::ugt ||
      predicate == P::uge)
    std::swap(left, right);
  auto opcode = [&] {
    switch (predicate) {
    case P::eq:
      return Opcode::CmpEq;
    case P::ne:
      return Opcode::CmpNe;
    case P::slt:
    case P::sgt:
      return Opcode::CmpSLT;
    case P::sle:
    case P::sge:
      return Opcode::CmpSLE;
    case P::ult:
    case P::ugt:
      return Opcode::CmpULT;
    case P::ule:
    case P::uge:
      return Opcode::CmpULE;
    }
    llvm_unreachable("a predicate of integers");
  }();
  setNumber(compare, code.compute(opcode, {left, right}));
  return true;
}

Number FunctionEmitter::widen(Number number, Type type) {
  if (type.isF16())
    return code.compute(Opcode::FromF16ToF32, number);
  if (type.isBF16())
    return code.compute(Opcode::ShLI, {number, code.constant(16)});
  return number;
}

Number FunctionEmitter::narrow(Number number, Type type) {
  if (type.isF16())
    return code.compute(Opcode::FromF32ToF16, number);
  if (type.isBF16())
    return code.compute(Opcode::FromF32ToBF16, number);
  return number;
}

/// Whether instructions compute with floats of `type`.
static bool isComputed(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

bool FunctionEmitter::emitFloat(Operation *op) {
  if (op->getNumResults() != 1 || !isComputed(op->getResult(0).getType()))
    return false;
  Type type = op->getResult(0).getType();
  bool isF64 = type.isF64();
  if (isa<arith::NegFOp>(op)) {
    int64_t sign = int64_t(uint64_t(1) << (getBits(type) - 1));
    setNumber(op->getResult(0),
              code.compute(Opcode::XOrI,
                           {numberOf(op->getOperand(0)), code.constant(sign)}));
    return true;
  }
  using Choice = std::optional<Opcode>;
  auto choose = [&](Opcode f32, Opcode f64) {
    return Choice(isF64 ? f64 : f32);
  };
  Choice opcode = llvm::TypeSwitch<Operation *, Choice>(op)
                      .Case([&](arith::AddFOp) {
                        return choose(Opcode::AddF32, Opcode::AddF64);
                      })
                      .Case([&](arith::SubFOp) {
                        return choose(Opcode::SubF32, Opcode::SubF64);
                      })
                      .Case([&](arith::MulFOp) {
                        return choose(Opcode::MulF32, Opcode::MulF64);
                      })
                      .Case([&](arith::DivFOp) {
                        return choose(Opcode::DivF32, Opcode::DivF64);
                      })
                      .Default([](Operation *) { return std::nullopt; });
  if (!opcode)
    return false;
  SmallVector<uint32_t> operands;
  for (Value operand : op->getOperands())
    operands.push_back(widen(numberOf(operand), type));
  setNumber(op->getResult(0), narrow(code.compute(*opcode, operands), type));
  return true;
}

bool FunctionEmitter::emitIntrinsic(LLVM::CallIntrinsicOp op) {
  if (op.getNumResults() != 1 || op.getArgs().empty())
    return false;
  Type type = op.getResult(0).getType();
  if (!type.isF32() && !type.isF64())
    return false;
  bool isF64 = type.isF64();
  unsigned bits = getBits(type);
  Number sign = code.constant(int64_t(uint64_t(1) << (bits - 1)));
  Number rest = code.constant(int64_t((uint64_t(1) << (bits - 1)) - 1));
  StringRef name = op.getIntrin();
  Number first = numberOf(op.getArgs()[0]);
  if (name == "llvm.fabs" || name == "llvm.copysign") {
    Number magnitude = code.compute(Opcode::AndI, {first, rest});
    if (name == "llvm.copysign") {
      Number part =
          code.compute(Opcode::AndI, {numberOf(op.getArgs()[1]), sign});
      magnitude = code.compute(Opcode::OrI, {magnitude, part});
    }
    setNumber(op.getResult(0), magnitude);
    return true;
  }
  using Choice = std::optional<Opcode>;
  auto choose = [&](Opcode f32, Opcode f64) {
    return Choice(isF64 ? f64 : f32);
  };
  Choice opcode =
      llvm::StringSwitch<Choice>(name)
          .Case("llvm.ceil", choose(Opcode::CeilF32, Opcode::CeilF64))
          .Case("llvm.floor", choose(Opcode::FloorF32, Opcode::FloorF64))
          .Case("llvm.fma", choose(Opcode::FmaF32, Opcode::FmaF64))
          .Case("llvm.round", choose(Opcode::RoundF32, Opcode::RoundF64))
          .Case("llvm.roundeven",
                choose(Opcode::RoundEvenF32, Opcode::RoundEvenF64))
          .Case("llvm.sqrt", choose(Opcode::SqrtF32, Opcode::SqrtF64))
          .Case("llvm.trunc", choose(Opcode::TruncF32, Opcode::TruncF64))
          .Default(std::nullopt);
  if (!opcode)
    return false;
  SmallVector<uint32_t> operands;
  for (Value operand : op.getArgs())
    operands.push_back(numberOf(operand));
  setNumber(op.getResult(0), code.compute(*opcode, operands));
  return true;
}

bool FunctionEmitter::emitConversion(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (!from.isIntOrIndexOrFloat() || !to.isIntOrIndexOrFloat())
    return false;
  Value result = op->getResult(0);
  auto number = [&] { return numberOf(op->getOperand(0)); };
  unsigned fromBits = getBits(from), toBits = getBits(to);
  auto set = [&](Number value) {
    setNumber(result, value);
    return true;
  };
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp, arith::BitcastOp>(op))
    return set(toBits < fromBits ? zeroExtend(number(), toBits) : number());
  if (isa<arith::TruncIOp>(op))
    return set(zeroExtend(number(), toBits));
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return set(
        fromBits == toBits
            ? number()
            : zeroExtend(signExtend(number(), std::min(fromBits, toBits)),
                         toBits));
  auto isFloat = [](Type type) { return isComputed(type); };
  bool toF64 = to.isF64(), fromF64 = from.isF64();
  if (isa<arith::SIToFPOp>(op) && isFloat(to))
    return set(
        narrow(code.compute(toF64 ? Opcode::FromSIToF64 : Opcode::FromSIToF32,
                            signExtend(number(), fromBits)),
               to));
  if (isa<arith::UIToFPOp>(op) && isFloat(to))
    return set(
        narrow(code.compute(toF64 ? Opcode::FromUIToF64 : Opcode::FromUIToF32,
                            number()),
               to));
  if (isa<arith::FPToSIOp>(op) && isFloat(from))
    return set(zeroExtend(
        code.compute(fromF64 ? Opcode::FromF64ToSI : Opcode::FromF32ToSI,
                     widen(number(), from)),
        toBits));
  if (isa<arith::FPToUIOp>(op) && isFloat(from))
    return set(zeroExtend(
        code.compute(fromF64 ? Opcode::FromF64ToUI : Opcode::FromF32ToUI,
                     widen(number(), from)),
        toBits));
  if (isa<arith::ExtFOp>(op) && isFloat(from) && isFloat(to)) {
    Number wide = widen(number(), from);
    return set(toF64 ? code.compute(Opcode::FromF32ToF64, wide) : wide);
  }
  if (isa<arith::TruncFOp>(op) && isFloat(from) && isFloat(to)) {
    // One rounding from f64 to each.
    if (fromF64)
      return set(code.compute(to.isF32()   ? Opcode::FromF64ToF32
                              : to.isF16() ? Opcode::FromF64ToF16
                                           : Opcode::FromF64ToBF16,
                              number()));
    return set(narrow(number(), to));
  }
  return false;
}

/// The bits of a number.
static int64_t getBits(Attribute attribute) {
  APInt bits = isa<IntegerAttr>(attribute)
                   ? cast<IntegerAttr>(attribute).getValue()
                   : cast<FloatAttr>(attribute).getValue().bitcastToAPInt();
  return static_cast<int64_t>(bits.getZExtValue());
}

bool FunctionEmitter::emitComplex(Operation *op) {
  if (auto constant = dyn_cast<complex::ConstantOp>(op))
    numbers[constant] = {code.constant(getBits(constant.getValue()[0])),
                         code.constant(getBits(constant.getValue()[1]))};
  else if (auto create = dyn_cast<complex::CreateOp>(op))
    numbers[create] = {numberOf(create.getReal()),
                       numberOf(create.getImaginary())};
  else if (auto part = dyn_cast<complex::ReOp>(op))
    setNumber(part, numbers.find(part.getComplex())->second[0]);
  else if (auto part = dyn_cast<complex::ImOp>(op))
    setNumber(part, numbers.find(part.getComplex())->second[1]);
  else
    return false;
  return true;
}

void FunctionEmitter::emitSelect(arith::SelectOp op) {
  Numbers result;
  Numbers yes = numbers.find(op.getTrueValue())->second;
  Numbers no = numbers.find(op.getFalseValue())->second;
  for (auto [a, b] : llvm::zip_equal(yes, no))
    result.push_back(
        code.compute(Opcode::Select, {numberOf(op.getCondition()), a, b}));
  numbers[op] = result;
}

bool FunctionEmitter::emitCount(Operation *op) {
  if (!isa<math::CountLeadingZerosOp, math::CountTrailingZerosOp,
           math::CtPopOp>(op))
    return false;
  unsigned bits = getBits(op->getResult(0).getType());
  Number number = numberOf(op->getOperand(0));
  if (isa<math::CtPopOp>(op)) {
    setNumber(op->getResult(0), code.compute(Opcode::CountOnes, number));
  } else if (isa<math::CountLeadingZerosOp>(op)) {
    Number zeros = code.compute(Opcode::CountLeadingZeros, number);
    setNumber(op->getResult(0),
              code.compute(Opcode::SubI, {zeros, code.constant(64 - bits)}));
  } else {
    // A bit above the width stops the count.
    Number zeros = code.compute(Opcode::CountTrailingZeros, number);
    setNumber(op->getResult(0),
              code.compute(Opcode::MinUI, {zeros, code.constant(bits)}));
  }
  return true;
}

std::optional<LogicalResult> FunctionEmitter::emitNumberOp(Operation *op) {
  if (llvm::any_of(op->getResultTypes(), [](Type type) {
        return !type.isIntOrIndexOrFloat() && !isa<ComplexType>(type);
      }))
    return std::nullopt;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    setNumber(constant, code.constant(getBits(constant.getValue())));
    return success();
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    emitSelect(select);
    return success();
  }
  bool done = false;
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    done = emitIntrinsic(call);
  else
    done = emitComplex(op) || emitInteger(op) || emitCount(op) ||
           emitCompare(op) || emitFloat(op) || emitConversion(op);
  return done ? std::optional(success()) : std::nullopt;
}
