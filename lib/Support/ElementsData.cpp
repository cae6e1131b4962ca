//===- ElementsData.cpp - Making large constants --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/ElementsData.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace nm;

/// Constants up to this size are printed inline.
static constexpr size_t kInlineBytes = 1024;

ElementsAttr nm::makeElements(RankedTensorType type, ArrayRef<char> data,
                              std::shared_ptr<void> owner, StringRef name) {
  if (data.size() <= kInlineBytes)
    return DenseElementsAttr::getFromRawBuffer(type, data);
  AsmResourceBlob blob(
      data, /*dataAlignment=*/16,
      [owner = std::move(owner)](void *, size_t, size_t) {},
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

void nm::releaseUnusedResources(ModuleOp module) {
  llvm::StringSet<> used;
  AttrTypeWalker walker;
  walker.addWalk([&](DenseResourceElementsAttr elements) {
    used.insert(elements.getRawHandle().getKey());
  });
  module.walk([&](Operation *op) { walker.walk(op->getAttrDictionary()); });
  auto &manager =
      DenseResourceElementsHandle::getManagerInterface(module.getContext())
          .getBlobManager();
  SmallVector<std::string> unused;
  manager.getBlobMap([&](const auto &entries) {
    for (const auto &entry : entries)
      if (!used.contains(entry.getKey()) && entry.getValue().getBlob())
        unused.push_back(entry.getKey().str());
  });
  for (const std::string &name : unused)
    manager.update(name, AsmResourceBlob());
}

StringRef nm::getElementsName(ElementsAttr attr, StringRef fallback) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return resource.getRawHandle().getKey();
  return fallback;
}
