//===- ElementsData.h - The bytes of constant elements ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and making large constants without going through one attribute an
// element.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_ELEMENTSDATA_H
#define NM_SUPPORT_ELEMENTSDATA_H

#include "mlir/IR/BuiltinAttributes.h"
#include <optional>
#include <vector>

namespace nm {

/// The elements of `attr` in row-major order, little-endian, as many bytes as
/// its shape needs: dense (splats are repeated) or resource elements of whole
/// bytes. None when the data was elided or its size does not fit the shape.
std::optional<std::vector<char>> readElements(mlir::ElementsAttr attr);

/// The elements of an integer constant, as unsigned values.
std::optional<std::vector<int64_t>> readIndices(mlir::ElementsAttr attr);

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
