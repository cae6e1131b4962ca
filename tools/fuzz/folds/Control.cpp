//===- Control.cpp - Executes functions and ops of scf --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nm::folds;

Data Interpreter::run(func::FuncOp function, llvm::ArrayRef<Datum> arguments) {
  Data returned;
  executeBlock(function.front(), Data(arguments), returned);
  return returned;
}

/// Executes a block; `yielded` are the operands of its terminator.
bool Interpreter::executeBlock(Block &block, Data arguments, Data &yielded) {
  for (auto [argument, datum] :
       llvm::zip_equal(block.getArguments(), arguments)) {
    if (!checkType(block.getParentOp(), datum, argument.getType()))
      return false;
    set(argument, std::move(datum));
  }
  for (Operation &op : block.without_terminator())
    if (!execute(&op))
      return false;
  yielded = getAll(block.getTerminator()->getOperands());
  return true;
}

bool Interpreter::executeIf(Operation *op) {
  auto choice = cast<scf::IfOp>(op);
  int64_t condition;
  if (!getInteger(op, choice.getCondition(), condition))
    return false;
  Region &region = condition ? choice.getThenRegion() : choice.getElseRegion();
  Data yielded;
  if (!region.empty() && !executeBlock(region.front(), {}, yielded))
    return false;
  return setResults(op, std::move(yielded));
}

bool Interpreter::executeFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  llvm::APInt bounds[3];
  for (unsigned i = 0; i < 3; ++i) {
    const Scalar &bound = get(op->getOperand(i)).scalar();
    if (bound.isPoison)
      return undefined(op, "poison bound");
    bounds[i] = bound.bits;
  }
  auto &[variable, end, step] = bounds;
  bool isUnsigned = loop.getUnsignedCmp();
  // A step is a positive number of the type, also where bounds have no sign.
  if (!step.isStrictlyPositive())
    return undefined(op, "no positive step");
  Data carried = getAll(loop.getInitArgs());
  while (isUnsigned ? variable.ult(end) : variable.slt(end)) {
    if (opsLeft-- == 0)
      return stop(Status::TooLong, op, "too many turns");
    Data arguments = carried;
    arguments.insert(arguments.begin(), Datum({variable}));
    if (!executeBlock(*loop.getBody(), std::move(arguments), carried))
      return false;
    // What follows the last number of the type is not said.
    bool overflow;
    variable = isUnsigned ? variable.uadd_ov(step, overflow)
                          : variable.sadd_ov(step, overflow);
    if (overflow)
      return undefined(op, "the induction variable overflows");
  }
  return setResults(op, std::move(carried));
}

bool Interpreter::executeWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  Data carried = getAll(loop.getInits());
  while (true) {
    if (opsLeft-- == 0)
      return stop(Status::TooLong, op, "too many turns");
    Data forwarded;
    if (!executeBlock(*loop.getBeforeBody(), std::move(carried), forwarded))
      return false;
    if (forwarded.front().scalar().isPoison)
      return undefined(op, "poison condition");
    bool goesOn = !forwarded.front().scalar().bits.isZero();
    forwarded.erase(forwarded.begin());
    if (!goesOn)
      return setResults(op, std::move(forwarded));
    if (!executeBlock(*loop.getAfterBody(), std::move(forwarded), carried))
      return false;
  }
}

bool Interpreter::executeSwitch(Operation *op) {
  auto choice = cast<scf::IndexSwitchOp>(op);
  int64_t value;
  if (!getInteger(op, choice.getArg(), value))
    return false;
  Region *region = &choice.getDefaultRegion();
  for (auto [number, candidate] :
       llvm::zip_equal(choice.getCases(), choice.getCaseRegions()))
    if (number == value)
      region = &candidate;
  Data yielded;
  return executeBlock(region->front(), {}, yielded) &&
         setResults(op, std::move(yielded));
}

bool Interpreter::executeControl(Operation *op, bool &isKnown) {
  isKnown = true;
  if (isa<scf::IfOp>(op))
    return executeIf(op);
  if (isa<scf::ForOp>(op))
    return executeFor(op);
  if (isa<scf::WhileOp>(op))
    return executeWhile(op);
  if (isa<scf::IndexSwitchOp>(op))
    return executeSwitch(op);
  if (auto region = dyn_cast<scf::ExecuteRegionOp>(op)) {
    if (!region.getRegion().hasOneBlock())
      return stop(Status::Unknown, op, "several blocks");
    Data yielded;
    return executeBlock(region.getRegion().front(), {}, yielded) &&
           setResults(op, std::move(yielded));
  }
  isKnown = false;
  return false;
}
