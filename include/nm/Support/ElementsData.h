//===- ElementsData.h - Making large constants ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Making large constants without going through one attribute an element; for
// reading them see RawElements.h.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_ELEMENTSDATA_H
#define NM_SUPPORT_ELEMENTSDATA_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <vector>

namespace nm {

/// Constant elements of `type` with the bytes `data`, aligned to 16: dense when
/// small, else a resource called `name` (made unique), which keeps `owner` for
/// as long as it refers to `data`.
mlir::ElementsAttr makeElements(mlir::RankedTensorType type,
                                llvm::ArrayRef<char> data,
                                std::shared_ptr<void> owner,
                                llvm::StringRef name);

/// The same of a vector, std::vector or a SmallVector without elements of its
/// own, which is not copied.
template <typename Vector>
mlir::ElementsAttr makeElements(mlir::RankedTensorType type, Vector data,
                                llvm::StringRef name) {
  auto owner = std::make_shared<Vector>(std::move(data));
  llvm::ArrayRef<char> bytes(reinterpret_cast<const char *>(owner->data()),
                             owner->size() *
                                 sizeof(typename Vector::value_type));
  return makeElements(type, bytes, owner, name);
}

/// Frees the data of resources that nothing in `module` refers to any more, as
/// the constants that others were made from; MLIR keeps them as long as its
/// context. No attribute from outside of the module may be used afterwards.
void releaseUnusedResources(mlir::ModuleOp module);

/// The name of the resource of `attr`, or `fallback`.
llvm::StringRef getElementsName(mlir::ElementsAttr attr,
                                llvm::StringRef fallback);

} // namespace nm

#endif // NM_SUPPORT_ELEMENTSDATA_H
