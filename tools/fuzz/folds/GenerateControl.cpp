//===- GenerateControl.cpp - Random ops of scf ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nm::folds;

/// Fills the block of a region with random ops, and yields values of the types
/// that are given.
void Generator::yieldIn(Region &region, TypeRange types) {
  if (region.empty())
    region.emplaceBlock();
  inRegion(region, [&] {
    addSteps(random.below(4));
    Values yielded;
    for (Type type : types)
      yielded.push_back(operand(type));
    scf::YieldOp::create(builder, yielded);
  });
}

static llvm::SmallVector<Type> repeat(unsigned count,
                                      llvm::function_ref<Type()> make) {
  llvm::SmallVector<Type> types;
  while (count-- > 0)
    types.push_back(make());
  return types;
}

void Generator::addIf() {
  Value condition = operand(builder.getI1Type());
  auto types = repeat(1 + random.below(2), [&] { return scalarType(); });
  auto choice = scf::IfOp::create(builder, types, condition);
  yieldIn(choice.getThenRegion(), types);
  yieldIn(choice.getElseRegion(), types);
  offer(choice.getResults());
}

void Generator::addFor() {
  Type bounds = random.chance(80) ? Type(builder.getIndexType())
                                  : Type(builder.getI32Type());
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder,
                                     builder.getIntegerAttr(bounds, value));
  };
  Value first = random.chance(60) ? number(random.below(3)) : operand(bounds);
  Value end = random.chance(50) ? number(random.below(6)) : operand(bounds);
  Value step =
      random.chance(85) ? number(1 + random.below(3)) : operand(bounds);
  auto types = repeat(1 + random.below(3), [&] { return scalarType(); });
  Values inits;
  for (Type type : types)
    inits.push_back(operand(type));
  // Two of the carried values are often the same.
  if (types.size() > 1 && types[0] == types[1] && random.chance(40))
    inits[1] = inits[0];
  auto loop = scf::ForOp::create(builder, first, end, step, inits);
  if (random.chance(15))
    loop.setUnsignedCmp(true);
  yieldIn(loop.getRegion(), types);
  offer(loop.getResults());
}

static Value makeNumber(ImplicitLocOpBuilder &builder, int64_t value) {
  return arith::ConstantOp::create(builder, builder.getI32IntegerAttr(value));
}

/// Counts, and passes on any values; the last one twice, if so asked.
void Generator::fillBefore(scf::WhileOp loop, bool isTwice) {
  Value count = loop.getBeforeArguments()[0];
  Value limit = random.chance(40) ? operand(count.getType())
                                  : makeNumber(builder, random.below(5));
  Value condition =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, count, limit);
  offer(condition);
  addSteps(random.below(4));
  Values values = {count};
  for (Type type : llvm::drop_begin(loop.getResultTypes()))
    values.push_back(operand(type));
  if (isTwice) {
    Type type = values.back().getType();
    if (random.chance(50)) {
      // What the condition chooses is of use on one side of it only.
      auto choice = scf::IfOp::create(builder, type, condition);
      yieldIn(choice.getThenRegion(), type);
      yieldIn(choice.getElseRegion(), type);
      values.back() = choice.getResult(0);
    }
    values[values.size() - 2] = values.back();
  }
  scf::ConditionOp::create(builder, condition, values);
}

void Generator::fillAfter(scf::WhileOp loop) {
  addSteps(random.below(3));
  Value step = makeNumber(builder, 1 + random.below(2));
  Values values = {
      arith::AddIOp::create(builder, loop.getAfterArguments()[0], step)};
  for (Type type : llvm::drop_begin(loop.getOperandTypes()))
    values.push_back(operand(type));
  scf::YieldOp::create(builder, values);
}

/// A loop that counts to a small number. What it carries besides, and what it
/// passes on, is random.
void Generator::addWhile() {
  Type counter = builder.getI32Type();
  auto carried = repeat(random.below(3), [&] { return scalarType(); });
  carried.insert(carried.begin(), counter);
  auto passed = repeat(random.below(3), [&] { return scalarType(); });
  passed.insert(passed.begin(), counter);
  bool isTwice = random.chance(50);
  if (isTwice)
    passed.append(2, random.chance(50) ? carried.back() : scalarType());
  Values inits = {makeNumber(builder, random.below(3))};
  for (Type type : TypeRange(carried).drop_front())
    inits.push_back(operand(type));
  auto loop = scf::WhileOp::create(builder, passed, inits);
  for (auto [region, types] :
       {std::pair(&loop.getBefore(), TypeRange(carried)),
        std::pair(&loop.getAfter(), TypeRange(passed))}) {
    Block &block = region->emplaceBlock();
    for (Type type : types)
      block.addArgument(type, builder.getLoc());
  }
  inRegion(loop.getBefore(), [&] { fillBefore(loop, isTwice); });
  inRegion(loop.getAfter(), [&] { fillAfter(loop); });
  offer(loop.getResults());
}

void Generator::addSwitch() {
  Value value = operand(builder.getIndexType());
  auto types = repeat(1 + random.below(2), [&] { return scalarType(); });
  llvm::SmallVector<int64_t> cases;
  for (unsigned i = 0, count = random.below(3); i < count; ++i)
    cases.push_back(static_cast<int64_t>(2 * i) - (random.chance(20) ? 1 : 0));
  auto choice =
      scf::IndexSwitchOp::create(builder, types, value, cases, cases.size());
  for (Region &region : choice->getRegions())
    yieldIn(region, types);
  offer(choice.getResults());
}

void Generator::addExecuteRegion() {
  auto types = repeat(1 + random.below(2), [&] { return scalarType(); });
  auto region = scf::ExecuteRegionOp::create(builder, types);
  yieldIn(region.getRegion(), types);
  offer(region.getResults());
}
