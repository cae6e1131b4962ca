//===- GenerateScalars.cpp - Random ops on numbers ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nm::folds;

void Generator::addIntegerBinary() {
  static constexpr llvm::StringRef names[] = {
      "addi",  "addi",       "subi",      "subi",     "muli",  "andi",  "andi",
      "ori",   "ori",        "xori",      "xori",     "shli",  "shrsi", "shrui",
      "divsi", "divui",      "remsi",     "remui",    "maxsi", "maxui", "minsi",
      "minui", "floordivsi", "ceildivsi", "ceildivui"};
  llvm::StringRef name = random.pick(names);
  Type type = elementwise(integerType());
  llvm::SmallVector<NamedAttribute> attributes;
  bool hasFlags =
      name == "addi" || name == "subi" || name == "muli" || name == "shli";
  if (hasFlags && random.chance(15)) {
    auto flags = static_cast<arith::IntegerOverflowFlags>(1 + random.below(3));
    attributes.push_back(builder.getNamedAttr(
        "overflowFlags",
        arith::IntegerOverflowFlagsAttr::get(builder.getContext(), flags)));
  }
  bool mayBeExact =
      name == "divsi" || name == "divui" || name == "shrsi" || name == "shrui";
  if (mayBeExact && random.chance(10))
    attributes.push_back(
        builder.getNamedAttr("isExact", builder.getUnitAttr()));
  Value left = operand(type), right = operand(type);
  add(("arith." + name).str(), {left, right}, type, attributes);
}

void Generator::addIndexBinary() {
  static constexpr llvm::StringRef names[] = {
      "add",  "sub",  "sub",  "mul",  "divs",     "divu",      "ceildivs",
      "rems", "remu", "maxs", "maxu", "ceildivu", "floordivs", "mins",
      "minu", "shl",  "shrs", "shru", "and",      "or",        "xor"};
  Type type = builder.getIndexType();
  std::string name = ("index." + random.pick(names)).str();
  Value left = operand(type), right = operand(type);
  add(name, {left, right}, type);
}

void Generator::addIntegerCast() {
  Value source = find([](Type type) { return type.isInteger(); });
  if (!source || random.chance(20)) {
    constexpr unsigned widths[] = {1, 8, 16, 32, 64};
    source = operand(builder.getIntegerType(random.pick(widths)));
  }
  unsigned from = source.getType().getIntOrFloatBitWidth();
  constexpr unsigned widths[] = {1, 8, 16, 32, 64};
  unsigned to = random.pick(widths);
  Type type = builder.getIntegerType(to);
  if (from == to)
    add("arith.bitcast", source, type);
  else if (to > from)
    add(random.chance(50) ? "arith.extsi" : "arith.extui", source, type);
  else
    add("arith.trunci", source, type);
}

void Generator::addIndexCast() {
  static constexpr llvm::StringRef names[] = {
      "arith.index_cast", "arith.index_castui", "index.casts", "index.castu"};
  constexpr unsigned widths[] = {1, 8, 8, 16, 32, 64};
  Value source = find([](Type type) { return type.isIntOrIndex(); });
  if (!source || random.chance(20))
    source = random.chance(50)
                 ? operand(builder.getIndexType())
                 : operand(builder.getIntegerType(random.pick(widths)));
  Type type = source.getType().isIndex()
                  ? Type(builder.getIntegerType(random.pick(widths)))
                  : builder.getIndexType();
  add(random.pick(names), source, type);
}

void Generator::addComparison() {
  Type type = elementwise(integerType());
  if (theme == Theme::Index && random.chance(60))
    type = builder.getIndexType();
  Value left = operand(type), right = operand(type);
  if (type.isIndex() && random.chance(30))
    right = constantIndex(0);
  if (type.isIndex() && random.chance(50)) {
    auto predicate = static_cast<index::IndexCmpPredicate>(random.below(10));
    offer(index::CmpOp::create(builder, predicate, left, right).getResult());
    return;
  }
  auto predicate = static_cast<arith::CmpIPredicate>(random.below(10));
  offer(arith::CmpIOp::create(builder, predicate, left, right).getResult());
}

void Generator::addSelect() {
  Type type = theme == Theme::Float ? floatType() : elementwise(integerType());
  Value condition = operand(builder.getI1Type());
  Value left = operand(type), right = operand(type);
  add("arith.select", {condition, left, right}, type);
}

void Generator::addExtended() {
  constexpr unsigned widths[] = {1, 8, 16, 32, 64};
  Type type = builder.getIntegerType(random.pick(widths));
  Value left = operand(type), right = operand(type);
  static constexpr llvm::StringRef names[] = {
      "arith.addui_extended", "arith.mulsi_extended", "arith.mului_extended"};
  size_t which = random.below(3);
  Type high = which == 0 ? Type(builder.getI1Type()) : type;
  add(names[which], {left, right}, {type, high});
}

void Generator::addFloatBinary() {
  static constexpr llvm::StringRef names[] = {
      "addf", "subf",     "mulf",     "divf",    "remf",
      "addf", "maximumf", "minimumf", "maxnumf", "minnumf"};
  Type type = floatType();
  Value left = operand(type), right = operand(type);
  add(("arith." + random.pick(names)).str(), {left, right}, type);
}

void Generator::addFloatUnary() {
  Type type = floatType();
  add("arith.negf", operand(type), type);
}

void Generator::addFloatComparison() {
  Type type = floatType();
  auto predicate = static_cast<arith::CmpFPredicate>(random.below(16));
  Value left = operand(type), right = operand(type);
  offer(arith::CmpFOp::create(builder, predicate, left, right).getResult());
}

void Generator::addFloatCast() {
  constexpr unsigned widths[] = {1, 8, 16, 32, 64};
  Type integer = builder.getIntegerType(random.pick(widths));
  Type f32 = builder.getF32Type(), f64 = builder.getF64Type();
  Type other = floatType();
  switch (random.below(7)) {
  case 0:
    add("arith.sitofp", operand(integer), other);
    break;
  case 1:
    add("arith.uitofp", operand(integer), other);
    break;
  case 2:
    add("arith.fptosi", operand(other), integer);
    break;
  case 3:
    add("arith.fptoui", operand(other), integer);
    break;
  case 4:
    add("arith.extf", operand(f32), f64);
    break;
  case 5:
    add("arith.truncf", operand(f64), f32);
    break;
  default:
    if (random.chance(50))
      add("arith.bitcast", operand(builder.getI32Type()), f32);
    else
      add("arith.bitcast", operand(f32), builder.getI32Type());
  }
}
