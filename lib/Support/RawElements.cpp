//===- RawElements.cpp - Raw data of constant elements --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/RawElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace nm;

/// Bytes of an element; none where elements do not fill whole bytes.
static std::optional<int64_t> getStoredBytes(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    std::optional<int64_t> part = getStoredBytes(complex.getElementType());
    return part ? std::optional<int64_t>(2 * *part) : std::nullopt;
  }
  if (element.isInteger(1))
    return 1;
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() == 0 ||
      element.getIntOrFloatBitWidth() % 8 != 0)
    return std::nullopt;
  return element.getIntOrFloatBitWidth() / 8;
}

FailureOr<RawElements> RawElements::get(ElementsAttr elements,
                                        ErrorEmitter emitError) {
  ShapedType type = elements.getShapedType();
  Type element = type.getElementType();
  auto fail = [&](Error kind, const Twine &reason) -> LogicalResult {
    emitError(kind, reason);
    return failure();
  };
  std::optional<int64_t> bytes = getStoredBytes(element);
  if (!bytes)
    return fail(
        Error::Unsupported,
        llvm::formatv(
            "expected integer or float elements of whole bytes, got {0}",
            element));
  if (!type.hasStaticShape())
    return fail(
        Error::Unsupported,
        llvm::formatv("expected elements of static shape, got {0}", type));
  RawElements raw;
  raw.elementBytes = *bytes;
  raw.count = type.getNumElements();
  if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    raw.data = dense.getRawData();
    raw.splat = dense.isSplat();
    if (element.isInteger(1)) {
      auto bits = dense.getValues<bool>();
      raw.unpacked.assign(bits.begin(),
                          raw.splat ? std::next(bits.begin()) : bits.end());
      raw.data = raw.unpacked;
    }
    return raw;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  if (!resource)
    return fail(Error::Unsupported, "expected dense or resource elements");
  StringRef name = resource.getRawHandle().getKey();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return fail(Error::Elided,
                "the data of resource '" + name + "' was elided");
  raw.data = blob->getData();
  int64_t expected;
  if (llvm::MulOverflow(raw.count, raw.elementBytes, expected) ||
      static_cast<int64_t>(raw.data.size()) != expected)
    return fail(Error::WrongSize,
                llvm::formatv("expected {0} elements of {1} bytes in resource "
                              "'{2}', got {3} bytes",
                              raw.count, raw.elementBytes, name,
                              raw.data.size()));
  return raw;
}

FailureOr<RawElements> RawElements::get(ElementsAttr elements,
                                        ReasonEmitter emitReason) {
  return get(elements, [&](Error, const Twine &reason) { emitReason(reason); });
}

int64_t RawElements::readBytes(int64_t index) const {
  uint64_t value = 0;
  std::memcpy(&value, getElement(index), elementBytes);
  return static_cast<int64_t>(value);
}

std::vector<char> RawElements::copy() const {
  if (!splat)
    return std::vector<char>(data.begin(), data.end());
  std::vector<char> all(count * elementBytes);
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(all.data() + i * elementBytes, data.data(), elementBytes);
  return all;
}
