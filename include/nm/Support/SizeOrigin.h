//===- SizeOrigin.h - Where the size of a dimension comes from --*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_SIZEORIGIN_H
#define NM_SUPPORT_SIZEORIGIN_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"

namespace nm {

/// A number, where `value` is null; dimension `number` of the tensor `value`;
/// or the integer `value`. Equal origins are equal sizes.
struct SizeOrigin {
  mlir::Value value;
  int64_t number = 0;

  bool operator==(const SizeOrigin &other) const {
    return value == other.value && number == other.number;
  }
};

/// Whether the type of `shaped`, as far as it says, has a dimension `index`.
bool isDimension(mlir::Value shaped, int64_t index);

/// Where the size of dimension `dim` of `shaped` comes from, through the ops
/// that hand sizes on. Makes no ops.
SizeOrigin getSizeOrigin(mlir::Value shaped, int64_t dim);

/// Where `size`, an integer, comes from.
SizeOrigin getSizeOrigin(mlir::OpFoldResult size);

/// Where a size comes from that is said as one may come from somewhere.
SizeOrigin getSizeOrigin(const SizeOrigin &size);

/// Makes the size, as an index.
mlir::Value createSize(mlir::ImplicitLocOpBuilder &b, const SizeOrigin &size);

} // namespace nm

#endif // NM_SUPPORT_SIZEORIGIN_H
