//===- RawElements.cpp - Raw data of constant elements --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/RawElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace nm;

std::optional<RawElements> RawElements::get(ElementsAttr elements, Error &kind,
                                            std::string &error) {
  ShapedType type = elements.getShapedType();
  Type element = type.getElementType();
  kind = Error::Unsupported;
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() == 0 ||
      element.getIntOrFloatBitWidth() % 8 != 0) {
    llvm::raw_string_ostream(error)
        << "expected integer or float elements of whole bytes, got " << element;
    return std::nullopt;
  }
  if (!type.hasStaticShape()) {
    llvm::raw_string_ostream(error)
        << "expected elements of static shape, got " << type;
    return std::nullopt;
  }
  RawElements raw;
  raw.elementBytes = element.getIntOrFloatBitWidth() / 8;
  if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    raw.data = dense.getRawData();
    raw.splat = dense.isSplat();
    return raw;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  if (!resource) {
    error = "expected dense or resource elements";
    return std::nullopt;
  }
  StringRef name = resource.getRawHandle().getKey();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob) {
    kind = Error::Elided;
    error = "the data of resource '" + name.str() + "' was elided";
    return std::nullopt;
  }
  raw.data = blob->getData();
  int64_t expected;
  if (llvm::MulOverflow(type.getNumElements(), raw.elementBytes, expected) ||
      static_cast<int64_t>(raw.data.size()) != expected) {
    kind = Error::WrongSize;
    llvm::raw_string_ostream(error)
        << "expected " << type.getNumElements() << " elements of "
        << raw.elementBytes << " bytes in resource '" << name << "', got "
        << raw.data.size() << " bytes";
    return std::nullopt;
  }
  return raw;
}

std::optional<RawElements> RawElements::get(ElementsAttr elements,
                                            std::string &error) {
  Error kind;
  return get(elements, kind, error);
}
