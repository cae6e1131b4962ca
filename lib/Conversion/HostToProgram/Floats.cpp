//===- Floats.cpp - Arithmetic of floats to instructions ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f16 and bf16 are computed in f32 and rounded.
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"
#include "NumberBits.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;
using program::Opcode;

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
