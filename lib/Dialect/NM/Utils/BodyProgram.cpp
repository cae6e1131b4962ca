//===- BodyProgram.cpp - Bodies of ops, computed here ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyProgram.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "nm/Dialect/NM/Utils/ScalarOps.h"

using namespace mlir;
using namespace nm;

std::optional<int64_t> nm::getOffset(ArrayRef<int64_t> position,
                                     ArrayRef<int64_t> shape) {
  int64_t offset = 0;
  for (auto [i, extent] : llvm::zip_equal(position, shape)) {
    if (i < 0 || i >= extent)
      return std::nullopt;
    offset = offset * extent + i;
  }
  return offset;
}

std::optional<BodyProgram> BodyProgram::compile(
    Block &body,
    llvm::function_ref<std::shared_ptr<const KnownTensor>(Value)> evaluate) {
  BodyProgram program;
  DenseMap<Value, unsigned> slotOf;
  auto slot = [&](Value value) {
    auto [it, isNew] = slotOf.try_emplace(value, program.slots.size());
    if (isNew)
      program.slots.push_back(Scalar());
    return it->second;
  };
  for (Value argument : body.getArguments())
    slot(argument);
  // A scalar that the body uses: from inside, or a constant.
  auto use = [&](Value value) -> std::optional<unsigned> {
    if (slotOf.contains(value))
      return slot(value);
    Attribute constant;
    if (!matchPattern(value, m_Constant(&constant)) ||
        !isa<FloatAttr, IntegerAttr>(constant) ||
        !isScalarType(value.getType()))
      return std::nullopt;
    unsigned number = slot(value);
    program.slots[number] = fromAttribute(constant);
    return number;
  };
  for (Operation &inner : body.without_terminator()) {
    if (inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    auto extract = dyn_cast<tensor::ExtractOp>(inner);
    if (!extract && !isa<linalg::IndexOp, cf::AssertOp>(inner) &&
        !isEvaluable(&inner))
      return std::nullopt;
    Step step;
    step.op = &inner;
    if (extract) {
      step.source = evaluate(extract.getTensor());
      if (!step.source)
        return std::nullopt;
    }
    for (Value operand : inner.getOperands()) {
      if (extract && operand == extract.getTensor())
        continue;
      std::optional<unsigned> number = use(operand);
      if (!number)
        return std::nullopt;
      step.operands.push_back(*number);
    }
    if (inner.getNumResults() == 1)
      step.result = slot(inner.getResult(0));
    program.steps.push_back(std::move(step));
  }
  for (Value value : body.getTerminator()->getOperands()) {
    std::optional<unsigned> number = use(value);
    if (!number)
      return std::nullopt;
    program.results.push_back(*number);
  }
  return program;
}

bool BodyProgram::run(ArrayRef<int64_t> index) {
  for (const Step &step : steps) {
    if (auto position = dyn_cast<linalg::IndexOp>(step.op)) {
      slots[step.result] = Scalar::fromInteger(index[position.getDim()]);
      continue;
    }
    if (isa<cf::AssertOp>(step.op)) {
      if (!slots[step.operands[0]].integer())
        return false; // it is to fail at run time
      continue;
    }
    if (step.source) {
      SmallVector<int64_t, 4> position;
      for (unsigned operand : step.operands)
        position.push_back(slots[operand].integer());
      std::optional<int64_t> offset =
          getOffset(position, step.source->type.getShape());
      if (!offset)
        return false;
      slots[step.result] = step.source->elements[*offset];
      continue;
    }
    SmallVector<Scalar, 4> operands;
    for (unsigned operand : step.operands)
      operands.push_back(slots[operand]);
    std::optional<Scalar> value = evaluateOp(step.op, operands);
    if (!value)
      return false;
    slots[step.result] = *value;
  }
  return true;
}
