//===- ValueType.h - The type of an argument or a result --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_NUMBERS_VALUETYPE_H
#define NM_NUMBERS_VALUETYPE_H

#include "nm/Numbers/Tensor.h"

namespace nm {

/// An argument or a result.
struct ValueType {
  ElementType element = ElementType::F32;
  /// -1 for a dynamic extent.
  std::vector<int64_t> shape;
  /// A number rather than an array; `shape` is empty.
  bool isScalar = false;

  /// "?x4096xf32".
  std::string str() const { return toString(shape, element); }
  bool operator==(const ValueType &other) const {
    return element == other.element && shape == other.shape &&
           isScalar == other.isScalar;
  }
  bool operator!=(const ValueType &other) const { return !(*this == other); }
  bool isStatic() const {
    for (int64_t extent : shape)
      if (extent == -1)
        return false;
    return true;
  }
};

} // namespace nm

#endif // NM_NUMBERS_VALUETYPE_H
