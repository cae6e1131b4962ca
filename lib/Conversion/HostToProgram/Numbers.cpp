//===- Numbers.cpp - Numbers to instructions ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"
#include "NumberBits.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;
using program::Opcode;

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
static int64_t getWord(Attribute attribute) {
  APInt bits = isa<IntegerAttr>(attribute)
                   ? cast<IntegerAttr>(attribute).getValue()
                   : cast<FloatAttr>(attribute).getValue().bitcastToAPInt();
  return static_cast<int64_t>(bits.getZExtValue());
}

bool FunctionEmitter::emitComplex(Operation *op) {
  if (auto constant = dyn_cast<complex::ConstantOp>(op))
    numbers[constant] = {code.constant(getWord(constant.getValue()[0])),
                         code.constant(getWord(constant.getValue()[1]))};
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

std::optional<LogicalResult> FunctionEmitter::emitNumberOp(Operation *op) {
  // One of two tensor maps is chosen number by number.
  if (llvm::any_of(op->getResultTypes(), [](Type type) {
        return !type.isIntOrIndexOrFloat() &&
               !isa<ComplexType, TensorMapType>(type);
      }))
    return std::nullopt;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    setNumber(constant, code.constant(getWord(constant.getValue())));
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
