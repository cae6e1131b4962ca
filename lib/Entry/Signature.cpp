//===- Signature.cpp - What a function takes and gives --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Entry/Signature.h"

#include "mlir/IR/BuiltinTypes.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/SignatureAttributes.h"

#include <set>
#include <tuple>

using namespace mlir;
using namespace nm;

static std::optional<ElementType> toElementType(Type type) {
  // Host code is 64-bit.
  if (type.isIndex())
    return ElementType::I64;
  const NumericType *row = lookupNumericType(type);
  return row ? std::optional(row->id) : std::nullopt;
}

/// The type of MLIR does not say a sign. Nothing when no host array can hold
/// it.
static std::optional<ValueType> toValueType(Type type, bool isUnsigned) {
  ValueType result;
  Type element = type;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    auto memref = dyn_cast<MemRefType>(type);
    bool isSupported = isa<RankedTensorType>(type) ||
                       (memref && memref.getLayout().isIdentity());
    if (!isSupported)
      return std::nullopt;
    element = shaped.getElementType();
    for (int64_t extent : shaped.getShape())
      result.shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  } else {
    result.isScalar = true;
  }
  std::optional<ElementType> elementType = toElementType(element);
  if (!elementType)
    return std::nullopt;
  bool isByte = *elementType == ElementType::I8;
  result.element = isByte && isUnsigned ? ElementType::U8 : *elementType;
  return result;
}

static std::string toName(Attribute name) {
  auto text = dyn_cast_or_null<StringAttr>(name);
  return text ? text.str() : "";
}

static void readNames(func::FuncOp function, Signature &signature) {
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    signature.argumentNames.push_back(
        toName(function.getArgAttr(i, kNameAttr)));
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    signature.resultNames.push_back(
        toName(function.getResultAttr(i, kNameAttr)));
}

static LogicalResult readState(func::FuncOp function, Signature &signature) {
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
    auto initial = function.getArgAttrOfType<ElementsAttr>(i, kStateAttr);
    if (!initial)
      continue;
    if (i != signature.initialState.size())
      return function.emitError("expected state as the first arguments, got "
                                "`nm.state` on argument #")
             << i << " without one before it";
    if (i >= function.getNumResults() ||
        function.getResultTypes()[i] != function.getArgumentTypes()[i])
      return function.emitError("expected the new state as the first results, "
                                "got none of type ")
             << function.getArgumentTypes()[i] << " as result #" << i;
    signature.initialState.push_back(initial);
  }
  return success();
}

/// Adds what `part` says of argument `argument`.
static void readPart(PartAttr part, uint32_t argument, Signature &signature) {
  size_t number = size_t(part.getWeight()), layout = size_t(part.getLayout());
  if (signature.weights.size() <= number)
    signature.weights.resize(number + 1);
  program::WeightArgument &weight = signature.weights[number];
  CondensedType type = part.getType();
  weight.element = *toElementType(type.getElementType());
  weight.weight = getWeight(type.getK(), type.getN(), type.getPattern());
  if (weight.layouts.size() <= layout)
    weight.layouts.resize(layout + 1);
  program::WeightArrays &arrays = weight.layouts[layout];
  if (type.getPacking())
    arrays.layout.packing = getPacking(type.getPacking());
  arrays.layout.order = *layout::lookupRowOrder(part.getOrder().str());
  arrays.layout.orderedRows = part.getOrderedRows();
  bool isValues = part.getKind() == PartKind::Values;
  (isValues ? arrays.values : arrays.indices) = argument;
}

/// Fails where an array of a layout is no argument, or two arguments are it.
static LogicalResult readWeights(func::FuncOp function, Signature &signature) {
  size_t count = 0;
  std::set<std::tuple<int64_t, int64_t, PartKind>> seen;
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    if (auto parts = function.getArgAttrOfType<ArrayAttr>(i, kPartAttr))
      for (auto part : parts.getAsRange<PartAttr>()) {
        readPart(part, i, signature);
        seen.insert({part.getWeight(), part.getLayout(), part.getKind()});
        ++count;
      }
  size_t expected = 0;
  for (const program::WeightArgument &weight : signature.weights)
    expected += 2 * std::max<size_t>(1, weight.layouts.size());
  if (count == expected && seen.size() == expected)
    return success();
  return function.emitError("expected, of each layout of each weight, one "
                            "argument for the values and one for the indices "
                            "(`nm.part`), got ")
         << count << " arrays for " << expected;
}

FailureOr<Signature> nm::getSignature(func::FuncOp function) {
  Signature signature;
  signature.name = function.getName().str();
  auto convert = [&](TypeRange types, const char *what, auto getAttr,
                     std::vector<ValueType> &result) -> LogicalResult {
    for (auto [index, type] : llvm::enumerate(types)) {
      // Its arrays take its place (nm-split-arguments).
      if (isa<CondensedType>(type))
        continue;
      std::optional<ValueType> converted =
          toValueType(type, static_cast<bool>(getAttr(index)));
      if (!converted)
        return function.emitError()
               << "expected " << what << " #" << index
               << " to be a number or a ranked array without strides, of "
               << listNumericTypes(type.getContext()) << ", got " << type;
      result.push_back(std::move(*converted));
    }
    return success();
  };
  auto getArgAttr = [&](unsigned i) {
    return function.getArgAttr(i, kUnsignedAttr);
  };
  auto getResultAttr = [&](unsigned i) {
    return function.getResultAttr(i, kUnsignedAttr);
  };
  if (failed(convert(function.getArgumentTypes(), "argument", getArgAttr,
                     signature.arguments)) ||
      failed(convert(function.getResultTypes(), "result", getResultAttr,
                     signature.results)) ||
      failed(readState(function, signature)))
    return failure();
  readNames(function, signature);
  if (failed(readWeights(function, signature)))
    return failure();
  return signature;
}

FailureOr<std::vector<Signature>> nm::getSignatures(ModuleOp module) {
  std::vector<Signature> signatures;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    FailureOr<Signature> signature = getSignature(function);
    if (failed(signature))
      return failure();
    signatures.push_back(std::move(*signature));
  }
  if (signatures.empty())
    return emitError(module.getLoc(), "expected a public function with a body");
  return signatures;
}

FailureOr<func::FuncOp> nm::findEntry(ModuleOp module, StringRef name) {
  std::vector<func::FuncOp> candidates;
  std::string names;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (function.getName() == name)
      return function;
    candidates.push_back(function);
    names += (names.empty() ? "`" : ", `") + function.getName().str() + "`";
  }
  if (name.empty() && candidates.size() == 1)
    return candidates.front();
  if (candidates.empty())
    return emitError(module.getLoc(), "expected a public function with a body");
  if (name.empty())
    return emitError(module.getLoc(), "expected the name of an entry, one of ")
           << names;
  return emitError(module.getLoc(), "expected an entry among ")
         << names << ", got `" << name << "`";
}
