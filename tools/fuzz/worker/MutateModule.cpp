//===- MutateModule.cpp - Changes the operations of a module --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Edits that a text mutator rarely makes without breaking the module: operands
// of the same type exchanged, operations removed, repeated and moved,
// attributes changed. What no longer verifies is refused, so that the passes
// see the rest.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "nm/Pipelines/InitAll.h"
#include "nm/Tool/ParseModule.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace nm::fuzz;

namespace {

class Mutator {
public:
  Mutator(ModuleOp module, uint64_t seed) : module(module), random(seed) {}

  /// Makes one edit; false when the chosen one does not apply.
  bool mutate();

private:
  /// A number below `count`.
  size_t choose(size_t count) { return random() % count; }

  /// Any operation but functions and terminators.
  Operation *chooseOperation();
  /// A value of `type` that is visible at `user`, or null.
  Value chooseValue(Operation *user, Type type);

  bool replaceOperand(Operation *op);
  bool swapOperands(Operation *op);
  bool removeOperation(Operation *op);
  bool repeatOperation(Operation *op);
  bool moveOperation(Operation *op);
  bool changeAttribute(Operation *op);
  bool removeAttribute(Operation *op);

  Attribute change(Attribute attribute);
  APInt changeInteger(APInt value);
  Attribute changeElements(DenseElementsAttr elements);
  AffineExpr changeResult(AffineExpr result, unsigned dimensions);
  Attribute changeMap(AffineMap map);

  ModuleOp module;
  std::mt19937_64 random;
};

} // namespace

Operation *Mutator::chooseOperation() {
  std::vector<Operation *> candidates;
  module.walk([&](Operation *op) {
    if (op != module && !isa<FunctionOpInterface>(op))
      candidates.push_back(op);
  });
  return candidates.empty() ? nullptr : candidates[choose(candidates.size())];
}

Value Mutator::chooseValue(Operation *user, Type type) {
  DominanceInfo dominance(module);
  std::vector<Value> candidates;
  auto consider = [&](Value value) {
    if (value.getType() == type && dominance.properlyDominates(value, user))
      candidates.push_back(value);
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), consider);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), consider);
  });
  return candidates.empty() ? Value() : candidates[choose(candidates.size())];
}

bool Mutator::replaceOperand(Operation *op) {
  if (op->getNumOperands() == 0)
    return false;
  unsigned index = choose(op->getNumOperands());
  Value old = op->getOperand(index);
  Value value = chooseValue(op, old.getType());
  if (!value || value == old)
    return false;
  op->setOperand(index, value);
  return true;
}

bool Mutator::swapOperands(Operation *op) {
  if (op->getNumOperands() < 2)
    return false;
  unsigned first = choose(op->getNumOperands());
  unsigned second = choose(op->getNumOperands());
  Value value = op->getOperand(first);
  if (first == second || value.getType() != op->getOperand(second).getType())
    return false;
  op->setOperand(first, op->getOperand(second));
  op->setOperand(second, value);
  return true;
}

bool Mutator::removeOperation(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value other = chooseValue(op, result.getType());
    // In a module's body an op may use its own results.
    if (!other || other.getDefiningOp() == op)
      return false;
    result.replaceAllUsesWith(other);
  }
  op->erase();
  return true;
}

bool Mutator::repeatOperation(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;
  Operation *copy = op->clone();
  op->getBlock()->getOperations().insertAfter(op->getIterator(), copy);
  for (auto [result, copied] :
       llvm::zip(op->getResults(), copy->getResults())) {
    // The copy may take what it repeats as an operand.
    for (OpOperand &operand : copy->getOpOperands())
      if (operand.get().getType() == result.getType() && choose(2))
        operand.set(result);
    result.replaceUsesWithIf(copied, [&](OpOperand &use) {
      return use.getOwner() != copy && choose(2);
    });
  }
  return true;
}

bool Mutator::moveOperation(Operation *op) {
  Block *block = op->getBlock();
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      block->getOperations().size() < 3)
    return false;
  auto place = block->begin();
  std::advance(place, choose(block->getOperations().size()));
  if (&*place == op)
    return false;
  op->moveBefore(&*place);
  return true;
}

APInt Mutator::changeInteger(APInt value) {
  unsigned width = value.getBitWidth();
  switch (choose(8)) {
  case 0:
    return value + 1;
  case 1:
    return value - 1;
  case 2:
    return APInt::getZero(width);
  case 3:
    return APInt::getAllOnes(width);
  case 4:
    return value.shl(width > 1 ? 1 : 0);
  case 5:
    return value.lshr(1);
  case 6:
    return -value;
  default:
    return APInt(64, choose(17)).zextOrTrunc(width);
  }
}

Attribute Mutator::changeElements(DenseElementsAttr elements) {
  // A splat may stand for more elements than there is memory.
  constexpr int64_t kMostElements = 1 << 14;
  if (elements.empty() || elements.getNumElements() > kMostElements)
    return nullptr;
  if (auto type = dyn_cast<FloatType>(elements.getElementType())) {
    constexpr double values[] = {0.0, -0.0, 1.0, -2.5, 1e30, 1e-30};
    std::vector<APFloat> numbers(elements.getValues<APFloat>().begin(),
                                 elements.getValues<APFloat>().end());
    APFloat value(values[choose(std::size(values))]);
    if (choose(6) == 0)
      value = choose(2) ? APFloat::getNaN(APFloat::IEEEdouble())
                        : APFloat::getInf(APFloat::IEEEdouble());
    bool loses;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &loses);
    numbers[choose(numbers.size())] = value;
    return DenseElementsAttr::get(elements.getType(), numbers);
  }
  if (!elements.getElementType().isIntOrIndex())
    return nullptr;
  std::vector<APInt> numbers(elements.getValues<APInt>().begin(),
                             elements.getValues<APInt>().end());
  APInt &number = numbers[choose(numbers.size())];
  number = changeInteger(number);
  return DenseElementsAttr::get(elements.getType(), numbers);
}

AffineExpr Mutator::changeResult(AffineExpr result, unsigned dimensions) {
  MLIRContext *context = module.getContext();
  switch (choose(6)) {
  case 0:
    return result + 1;
  case 1:
    return result * 2;
  case 2:
    return result.floorDiv(2);
  case 3:
    return getAffineConstantExpr(0, context);
  default:
    if (dimensions == 0)
      return getAffineConstantExpr(1, context);
    return getAffineDimExpr(choose(dimensions), context);
  }
}

Attribute Mutator::changeMap(AffineMap map) {
  if (map.getNumResults() == 0)
    return nullptr;
  std::vector<AffineExpr> results(map.getResults());
  unsigned place = choose(results.size()), other = choose(results.size());
  if (place != other)
    std::swap(results[place], results[other]);
  else
    results[place] = changeResult(results[place], map.getNumDims());
  return AffineMapAttr::get(AffineMap::get(
      map.getNumDims(), map.getNumSymbols(), results, map.getContext()));
}

Attribute Mutator::change(Attribute attribute) {
  Builder builder(module.getContext());
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return IntegerAttr::get(integer.getType(),
                            changeInteger(integer.getValue()));
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return FloatAttr::get(number.getType(),
                          choose(2) ? -number.getValueAsDouble() : 1e30);
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute))
    return changeElements(elements);
  if (auto map = dyn_cast<AffineMapAttr>(attribute))
    return changeMap(map.getValue());
  if (auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    std::vector<int64_t> values(numbers.asArrayRef());
    if (values.empty())
      return nullptr;
    int64_t &value = values[choose(values.size())];
    value = changeInteger(APInt(64, value)).getSExtValue();
    return builder.getDenseI64ArrayAttr(values);
  }
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    std::vector<Attribute> values(array.begin(), array.end());
    if (values.empty())
      return nullptr;
    size_t place = choose(values.size()), other = choose(values.size());
    if (place != other)
      std::swap(values[place], values[other]);
    else if (Attribute changed = change(values[place]))
      values[place] = changed;
    return builder.getArrayAttr(values);
  }
  return nullptr;
}

bool Mutator::changeAttribute(Operation *op) {
  DictionaryAttr attributes = op->getAttrDictionary();
  if (attributes.empty())
    return false;
  NamedAttribute attribute = attributes.getValue()[choose(attributes.size())];
  Attribute changed = change(attribute.getValue());
  if (!changed || changed == attribute.getValue())
    return false;
  // A number that is no case of an enum would leave the operation without the
  // attribute, as no parser does.
  op->setAttr(attribute.getName(), changed);
  if (op->getAttr(attribute.getName()) == changed)
    return true;
  op->setAttr(attribute.getName(), attribute.getValue());
  return false;
}

bool Mutator::removeAttribute(Operation *op) {
  // An operation without one of its own attributes is not what a parser makes
  // of a text without it: there it has its default.
  DictionaryAttr attributes = op->getDiscardableAttrDictionary();
  if (attributes.empty())
    return false;
  op->removeDiscardableAttr(
      attributes.getValue()[choose(attributes.size())].getName());
  return true;
}

bool Mutator::mutate() {
  Operation *op = chooseOperation();
  if (!op)
    return false;
  switch (choose(9)) {
  case 0:
  case 1:
    return replaceOperand(op);
  case 2:
    return swapOperands(op);
  case 3:
    return removeOperation(op);
  case 4:
    return repeatOperation(op);
  case 5:
    return moveOperation(op);
  case 6:
    return removeAttribute(op);
  default:
    return changeAttribute(op);
  }
}

Reply nm::fuzz::mutateModule(Parts parts) {
  DialectRegistry registry;
  nm::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(errors) << diagnostic << "\n";
    return success();
  });
  auto module = parseSourceString<ModuleOp>(parts[1], &context);
  if (!module)
    return {false, errors};
  uint64_t seed = std::strtoull(parts[0].c_str(), nullptr, 10);
  Mutator mutator(*module, seed);
  unsigned edits = 0;
  for (unsigned attempt = 0; attempt < 24 && edits < 1 + seed % 3; ++attempt)
    if (mutator.mutate()) {
      // Later edits assume that values dominate their uses.
      if (failed(nm::verifyModule(*module)))
        return {false, errors};
      ++edits;
    }
  if (edits == 0)
    return {false, "nothing to change"};
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return {true, text};
}
