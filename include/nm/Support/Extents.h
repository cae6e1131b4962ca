//===- Extents.h - Products of extents --------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A type may have any extents, whose product 64 bits need not hold; MLIR's
// computeProduct and getNumElements do not ask.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_EXTENTS_H
#define NM_SUPPORT_EXTENTS_H

#include "mlir/Support/LLVM.h"
#include <cstdint>
#include <limits>
#include <optional>

namespace nm {

/// The product of `extents`; nothing where one is dynamic, or where it passes
/// `limit` on the way.
std::optional<int64_t>
getProduct(llvm::ArrayRef<int64_t> extents,
           int64_t limit = std::numeric_limits<int64_t>::max());

/// Bytes of an array with elements of `elementBytes`: 2^64 - 1 if they are as
/// many or more.
uint64_t getArrayBytes(llvm::ArrayRef<int64_t> shape, uint64_t elementBytes);

} // namespace nm

#endif // NM_SUPPORT_EXTENTS_H
