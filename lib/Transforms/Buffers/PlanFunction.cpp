//===- PlanFunction.cpp - What follows from arguments only ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "nm/Support/BufferNames.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

PlanFunction::PlanFunction(func::FuncOp function)
    : b(function.getLoc(), function.getContext()) {
  b.setInsertionPoint(function);
  plan = func::FuncOp::create(
      b, (function.getName() + ".plan").str(),
      b.getFunctionType(function.getArgumentTypes(), TypeRange()));
  plan.setPrivate();
  SymbolTable(function->getParentOp()).insert(plan);
  Block *entry = plan.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  mapping.map(function.getArguments(), plan.getArguments());
}

bool PlanFunction::canCompute(Value value) {
  if (mapping.contains(value))
    return true;
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  bool can = op && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
             llvm::all_of(op->getOperands(),
                          [&](Value operand) { return canCompute(operand); });
  return known[value] = can;
}

/// What is around `op`, up to the function.
static SmallVector<Operation *> getOpsAround(Operation *op) {
  SmallVector<Operation *> around;
  while (!isa<func::FuncOp>(op = op->getParentOp()))
    around.push_back(op);
  return around;
}

bool PlanFunction::canTellIfReached(Operation *op) {
  return llvm::all_of(getOpsAround(op), [&](Operation *outer) {
    auto branch = dyn_cast<scf::IfOp>(outer);
    return branch && canCompute(branch.getCondition()) &&
           canSpeculate(branch.getCondition());
  });
}

bool PlanFunction::canSpeculate(Value value) {
  if (mapping.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  return isSpeculatable(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return canSpeculate(operand); });
}

bool PlanFunction::canComputeIfReached(Value value, Operation *op) {
  return canTellIfReached(op) && canCompute(value) && canSpeculate(value);
}

Value PlanFunction::computeIfReached(Operation *op) {
  Value isReached;
  Operation *inner = op;
  for (Operation *outer : getOpsAround(op)) {
    auto branch = cast<scf::IfOp>(outer);
    Value isTaken = compute(branch.getCondition());
    if (inner->getParentRegion() == &branch.getElseRegion())
      isTaken = arith::XOrIOp::create(
          b, isTaken,
          arith::ConstantIntOp::create(b, /*value=*/1, /*width=*/1));
    isReached =
        isReached ? arith::AndIOp::create(b, isReached, isTaken) : isTaken;
    inner = outer;
  }
  return isReached;
}

Value PlanFunction::compute(Value value) {
  if (Value there = mapping.lookupOrNull(value))
    return there;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    (void)compute(operand);
  b.clone(*op, mapping);
  return mapping.lookup(value);
}

void PlanFunction::takeAssertion(Operation *assertion) {
  for (Value operand : assertion->getOperands())
    (void)compute(operand);
  b.clone(*assertion, mapping);
  assertion->erase();
}

void nm::assertSizes(ImplicitLocOpBuilder &b, memref::AllocOp alloc,
                     ValueRange sizes, Value isReached) {
  Value areNatural;
  for (Value size : sizes) {
    // The size of another buffer is one.
    if (size.getDefiningOp<memref::DimOp>())
      continue;
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value isNatural =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sge, size, zero);
    areNatural = areNatural ? arith::AndIOp::create(b, areNatural, isNatural)
                            : isNatural;
  }
  if (!areNatural)
    return;
  if (isReached) {
    Value yes = arith::ConstantIntOp::create(b, /*value=*/1, /*width=*/1);
    areNatural = arith::SelectOp::create(b, isReached, areNatural, yes);
  }
  cf::AssertOp::create(b, areNatural,
                       "a size of " + describeBuffer(alloc) + " is negative");
}

Value PlanFunction::constant(uint64_t value) {
  return arith::ConstantIndexOp::create(b, static_cast<int64_t>(value));
}

Value PlanFunction::max(Value a, Value c) {
  return arith::MaxUIOp::create(b, a, c);
}

/// `value`, or all ones where `overflows`.
static Value saturate(ImplicitLocOpBuilder &b, Value overflows, Value value) {
  Value most = arith::ConstantIndexOp::create(b, -1);
  return arith::SelectOp::create(b, overflows, most, value);
}

Value PlanFunction::add(Value a, Value c) {
  Value sum = arith::AddIOp::create(b, a, c);
  Value overflows = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, sum, a);
  return saturate(b, overflows, sum);
}

static Value multiply(ImplicitLocOpBuilder &b, Value x, Value y) {
  // All ones times 0 is 0, and else too large again.
  auto product = arith::MulUIExtendedOp::create(b, x, y);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value overflows = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                          product.getHigh(), zero);
  return saturate(b, overflows, product.getLow());
}

Value PlanFunction::align(Value bytes, uint64_t alignment) {
  Value more = add(bytes, constant(alignment - 1));
  return arith::AndIOp::create(b, more, constant(~(alignment - 1)));
}

Value PlanFunction::computeBytes(memref::AllocOp alloc) {
  b.setLoc(alloc.getLoc());
  SmallVector<Value> sizes;
  for (Value size : alloc.getDynamicSizes())
    sizes.push_back(compute(size));
  Value isReached = canTellIfReached(alloc) ? computeIfReached(alloc) : Value();
  assertSizes(b, alloc, sizes, isReached);
  MemRefType type = alloc.getType();
  Value bytes = constant(*getElementBytes(type.getElementType()));
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      bytes = multiply(b, bytes, constant(size));
  for (Value size : sizes)
    bytes = multiply(b, bytes, size);
  return isReached ? arith::SelectOp::create(b, isReached, bytes, constant(0))
                   : bytes;
}

void PlanFunction::finish(ValueRange values) {
  func::ReturnOp::create(b, values);
  plan.setFunctionType(
      b.getFunctionType(plan.getArgumentTypes(), TypeRange(values)));
}
