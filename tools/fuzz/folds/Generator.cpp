//===- Generator.cpp - Makes random functions -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace nm::folds;

llvm::ArrayRef<llvm::StringRef> nm::folds::getThemeNames() {
  // In the order of `Theme`.
  static constexpr llvm::StringRef names[] = {
      "integer", "index", "float", "control", "tensor", "slice", "linalg"};
  return names;
}

Generator::Generator(MLIRContext *context, uint64_t seed)
    : builder(UnknownLoc::get(context), context), random(seed) {}

void Generator::offer(ValueRange values) {
  pool.append(values.begin(), values.end());
}

Value Generator::add(llvm::StringRef name, ValueRange operands, TypeRange types,
                     llvm::ArrayRef<NamedAttribute> attributes) {
  OperationState state(builder.getLoc(), name, operands, types, attributes);
  Operation *op = builder.create(state);
  offer(op->getResults());
  return op->getResult(0);
}

Value Generator::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(builder, value);
}

static Attribute toAttribute(Type type, const llvm::APInt &bits) {
  if (auto element = dyn_cast<FloatType>(type))
    return FloatAttr::get(element,
                          llvm::APFloat(element.getFloatSemantics(), bits));
  return IntegerAttr::get(type, bits);
}

Value Generator::constant(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (!tensor.hasStaticShape())
      return argument(type);
    llvm::SmallVector<Attribute> elements;
    int64_t count = random.chance(40) ? 1 : tensor.getNumElements();
    for (int64_t i = 0; i < count; ++i)
      elements.push_back(toAttribute(tensor.getElementType(),
                                     random.number(tensor.getElementType())));
    return arith::ConstantOp::create(builder,
                                     DenseElementsAttr::get(tensor, elements));
  }
  auto value = cast<TypedAttr>(toAttribute(type, random.number(type)));
  return arith::ConstantOp::create(builder, value);
}

Value Generator::argument(Type type) {
  Block &entry = function.front();
  Values same;
  for (BlockArgument existing : entry.getArguments())
    if (existing.getType() == type)
      same.push_back(existing);
  if (!same.empty() && (same.size() > 2 || random.chance(60)))
    return random.pick(same);
  return entry.addArgument(type, builder.getLoc());
}

Value Generator::find(llvm::function_ref<bool(Type)> accepts) {
  Values found;
  for (Value value : pool)
    if (accepts(value.getType()))
      found.push_back(value);
  if (found.empty())
    return nullptr;
  // Folds look at chains of ops, so the last value is taken often.
  return random.chance(50) ? found.back() : random.pick(found);
}

Value Generator::operand(Type type) {
  if (random.chance(70))
    if (Value value = find([&](Type other) { return other == type; }))
      return value;
  return random.chance(50) ? constant(type) : argument(type);
}

Type Generator::integerType() {
  constexpr unsigned widths[] = {1, 8, 16, 32, 32, 64, 0, 0};
  unsigned width = random.pick(widths);
  return width ? Type(builder.getIntegerType(width)) : builder.getIndexType();
}

Type Generator::floatType() {
  return random.chance(70) ? builder.getF32Type() : builder.getF64Type();
}

Type Generator::scalarType() {
  return random.chance(80) ? integerType() : floatType();
}

Type Generator::elementwise(Type scalar) {
  if (theme != Theme::Tensor || random.chance(70))
    return scalar;
  Value value = find([&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getElementType() == scalar;
  });
  return value ? value.getType() : scalar;
}

llvm::ArrayRef<Generator::Step> Generator::getSteps(Theme of) const {
  static constexpr Step integers[] = {
      &Generator::addIntegerBinary, &Generator::addIntegerBinary,
      &Generator::addIntegerBinary, &Generator::addIntegerCast,
      &Generator::addIntegerCast,   &Generator::addComparison,
      &Generator::addSelect,        &Generator::addExtended};
  static constexpr Step indices[] = {
      &Generator::addIndexBinary,  &Generator::addIndexBinary,
      &Generator::addComparison,   &Generator::addIndexCast,
      &Generator::addIndexCast,    &Generator::addSelect,
      &Generator::addIntegerBinary};
  static constexpr Step floats[] = {
      &Generator::addFloatBinary,     &Generator::addFloatBinary,
      &Generator::addFloatUnary,      &Generator::addFloatCast,
      &Generator::addFloatComparison, &Generator::addSelect};
  static constexpr Step controls[] = {
      &Generator::addIf,     &Generator::addFor,
      &Generator::addWhile,  &Generator::addWhile,
      &Generator::addSwitch, &Generator::addExecuteRegion};
  static constexpr Step tensors[] = {
      &Generator::addFromElements, &Generator::addExtract,
      &Generator::addExtract,      &Generator::addInsert,
      &Generator::addDim,          &Generator::addTensorCast,
      &Generator::addEmpty,        &Generator::addSplat,
      &Generator::addGenerate,     &Generator::addPad,
      &Generator::addConcat,       &Generator::addExpand,
      &Generator::addCollapse,     &Generator::addCollapse};
  static constexpr Step slices[] = {
      &Generator::addExtractSlice, &Generator::addExtractSlice,
      &Generator::addInsertSlice, &Generator::addTensorCast,
      &Generator::addDim};
  static constexpr Step linalgs[] = {
      &Generator::addGeneric,   &Generator::addGeneric,
      &Generator::addFill,      &Generator::addTranspose,
      &Generator::addBroadcast, &Generator::addTensorCast};
  const llvm::ArrayRef<Step> steps[] = {integers, indices, floats, controls,
                                        tensors,  slices,  linalgs};
  return steps[static_cast<size_t>(of)];
}

void Generator::addStep() {
  Theme of = theme;
  bool isScalar =
      theme == Theme::Integer || theme == Theme::Index || theme == Theme::Float;
  // Ops with regions need something to work on.
  if (depth > 0 || (!isScalar && random.chance(35)))
    of = random.chance(60) ? Theme::Integer : Theme::Index;
  else if (!isScalar && theme != Theme::Control && random.chance(20))
    of = Theme::Tensor;
  if (depth == 1 && theme == Theme::Control && random.chance(20))
    of = Theme::Control;
  (this->*random.pick(getSteps(of)))();
}

void Generator::addSteps(unsigned count) {
  while (count-- > 0)
    addStep();
}

/// Returns what nothing uses; where all is used, the last value.
void Generator::finish() {
  Values results;
  for (Value value : pool)
    if (value.use_empty() && results.size() < 6)
      results.push_back(value);
  if (results.empty() && !pool.empty())
    results.push_back(pool.back());
  func::ReturnOp::create(builder, results);
  Block &entry = function.front();
  function.setFunctionType(builder.getFunctionType(
      entry.getArgumentTypes(), ValueRange(results).getTypes()));
}

OwningOpRef<ModuleOp> Generator::generate(llvm::ArrayRef<Theme> themes) {
  theme = random.pick(themes);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, builder.getLoc());
  builder.setInsertionPointToEnd(module->getBody());
  function =
      func::FuncOp::create(builder, "f", builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  addSteps(theme == Theme::Control ? 2 + random.below(3) : 3 + random.below(7));
  finish();
  return module;
}
