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

namespace nm {

/// Constant elements of `type` with the bytes `data`: dense when small, else a
/// resource called `name` (made unique).
mlir::ElementsAttr makeElements(mlir::RankedTensorType type,
                                llvm::ArrayRef<char> data,
                                llvm::StringRef name);

/// The name of the resource of `attr`, or `fallback`.
llvm::StringRef getElementsName(mlir::ElementsAttr attr,
                                llvm::StringRef fallback);

} // namespace nm

#endif // NM_SUPPORT_ELEMENTSDATA_H
