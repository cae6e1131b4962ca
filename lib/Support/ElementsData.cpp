//===- ElementsData.cpp - The bytes of constant elements ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/ElementsData.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "nm/Support/NumberOps.h"
#include <cstring>

using namespace mlir;
using namespace nm;

/// Constants up to this size are printed inline.
static constexpr size_t kInlineBytes = 1024;

std::optional<std::vector<char>> nm::readElements(ElementsAttr attr) {
  auto type = dyn_cast<RankedTensorType>(attr.getShapedType());
  if (!type)
    return std::nullopt;
  Type element = type.getElementType();
  std::optional<uint64_t> bytes = getElementBytes(element);
  // Others are not stored as they lie in a buffer.
  if (!bytes || (!isa<ComplexType>(element) &&
                 (!element.isIntOrFloat() ||
                  element.getIntOrFloatBitWidth() != 8 * *bytes)))
    return std::nullopt;
  size_t width = *bytes;
  size_t size = type.getNumElements() * width;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != size)
      return std::nullopt;
    return std::vector<char>(blob->getData().begin(), blob->getData().end());
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return std::nullopt;
  ArrayRef<char> raw = dense.getRawData();
  if (!dense.isSplat())
    return std::vector<char>(raw.begin(), raw.end());
  std::vector<char> data(size);
  for (size_t i = 0; i < size; i += width)
    std::memcpy(data.data() + i, raw.data(), width);
  return data;
}

std::optional<std::vector<int64_t>> nm::readIndices(ElementsAttr attr) {
  std::optional<std::vector<char>> bytes = readElements(attr);
  Type element = attr.getShapedType().getElementType();
  if (!bytes || !element.isIntOrIndex())
    return std::nullopt;
  size_t width = element.getIntOrFloatBitWidth() / 8;
  std::vector<int64_t> indices(bytes->size() / width);
  for (size_t i = 0; i < indices.size(); ++i) {
    uint64_t value = 0;
    std::memcpy(&value, bytes->data() + i * width, width);
    indices[i] = static_cast<int64_t>(value);
  }
  return indices;
}

ElementsAttr nm::makeElements(RankedTensorType type, ArrayRef<char> data,
                              StringRef name) {
  if (data.size() <= kInlineBytes)
    return DenseElementsAttr::getFromRawBuffer(type, data);
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      data, /*align=*/16, /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

StringRef nm::getElementsName(ElementsAttr attr, StringRef fallback) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return resource.getRawHandle().getKey();
  return fallback;
}
