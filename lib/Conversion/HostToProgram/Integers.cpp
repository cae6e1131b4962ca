//===- Integers.cpp - Arithmetic of integers to instructions --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions compute with 64 bits. Integers of fewer bits have zeros above
// them: signs are extended before an instruction that looks at them, and what
// may have left the width is cut off after it.
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"
#include "NumberBits.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;
using program::Opcode;

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
