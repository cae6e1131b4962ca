//===- NumberBits.h - Types of numbers --------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_HOSTTOPROGRAM_NUMBERBITS_H
#define NM_LIB_CONVERSION_HOSTTOPROGRAM_NUMBERBITS_H

#include "mlir/IR/BuiltinTypes.h"

namespace nm {

/// Bits of an integer, an index or a float.
inline unsigned getBits(mlir::Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// Whether instructions compute with floats of `type`.
inline bool isComputed(mlir::Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

} // namespace nm

#endif // NM_LIB_CONVERSION_HOSTTOPROGRAM_NUMBERBITS_H
