//===- ElementsData.cpp - Making large constants --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/ElementsData.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace nm;

/// Constants up to this size are printed inline.
static constexpr size_t kInlineBytes = 1024;

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
