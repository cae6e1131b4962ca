//===- Signature.cpp - What a function takes and gives --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Entry/Signature.h"

#include "mlir/IR/BuiltinTypes.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

static std::optional<ElementType> toElementType(Type type) {
  // Host code is 64-bit.
  if (type.isIndex())
    return ElementType::I64;
  const NumericType *row = lookupNumericType(type);
  return row ? std::optional(row->id) : std::nullopt;
}

/// Nothing when no host array can hold the type.
static std::optional<ValueType> toValueType(Type type) {
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
  result.element = *elementType;
  return result;
}

FailureOr<Signature> nm::getSignature(func::FuncOp function) {
  Signature signature;
  signature.name = function.getName().str();
  auto convert = [&](TypeRange types, const char *what,
                     std::vector<ValueType> &result) -> LogicalResult {
    for (auto [index, type] : llvm::enumerate(types)) {
      std::optional<ValueType> converted = toValueType(type);
      if (!converted)
        return function.emitError()
               << "expected " << what << " #" << index
               << " to be a number or a ranked array without strides, of "
               << listNumericTypes(type.getContext()) << ", got " << type;
      result.push_back(std::move(*converted));
    }
    return success();
  };
  if (failed(convert(function.getArgumentTypes(), "argument",
                     signature.arguments)) ||
      failed(convert(function.getResultTypes(), "result", signature.results)))
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
