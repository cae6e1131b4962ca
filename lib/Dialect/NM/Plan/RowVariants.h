//===- RowVariants.h - A product by its number of rows ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_PLAN_ROWVARIANTS_H
#define NM_LIB_DIALECT_NM_PLAN_ROWVARIANTS_H

#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// What computes a product of at most `most` rows, and of one, where that is 1.
struct RowVariant {
  int64_t most = 0;
  ScheduleAttr schedule = {};
  /// Whether a token-major A is transposed first (createRowVariants).
  bool transposesA = false;

  /// Whether it computes as `other` does.
  bool isLike(const RowVariant &other) const {
    return schedule == other.schedule && transposesA == other.transposesA;
  }
};

/// Replaces `op`, on tensors, by branches of the host: the first of `variants`,
/// which ascend, that the rows at run time do not exceed (that of one row: that
/// they are), else `last`, whatever its `most`.
///
/// A variant that transposes reads A from rows of k that begin at multiples of
/// 128 bytes, in a buffer of its own: `op` may have any number of rows, and the
/// copy engine takes strides of a multiple of 16 bytes only.
void createRowVariants(ProductOpInterface op,
                       llvm::ArrayRef<RowVariant> variants,
                       const RowVariant &last);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_PLAN_ROWVARIANTS_H
