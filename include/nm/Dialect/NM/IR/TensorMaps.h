//===- TensorMaps.h - What nm.tensor_map describes --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_TENSORMAPS_H
#define NM_DIALECT_NM_IR_TENSORMAPS_H

#include "mlir/IR/BuiltinTypes.h"
#include "nm/Base/TensorMapLimits.h"

namespace nm {

/// Discardable attribute of a kernel: which of its arguments, now pointers, are
/// tensor maps, as an array of i32 (nm-lower-tensor-maps,
/// nm-pass-tensor-maps).
inline constexpr llvm::StringLiteral kTensorMapsAttrName = "nm.tensor_maps";

/// The type by which a tensor map copies elements of `type`; nothing where it
/// has none.
std::optional<TensorMapElement> getTensorMapElement(mlir::Type type);

} // namespace nm

#endif // NM_DIALECT_NM_IR_TENSORMAPS_H
