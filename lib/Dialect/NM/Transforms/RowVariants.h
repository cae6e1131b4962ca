//===- RowVariants.h - A product by its number of rows ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_TRANSFORMS_ROWVARIANTS_H
#define NM_LIB_DIALECT_NM_TRANSFORMS_ROWVARIANTS_H

#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// What computes a product of at most `most` rows, and of one, where that is 1.
struct RowVariant {
  int64_t most;
  ScheduleAttr schedule;
};

/// Replaces `op`, on tensors, by branches of the host: the first of `variants`,
/// which ascend, that the rows at run time do not exceed (that of one row: that
/// they are), else `op` as it is.
void createRowVariants(ProductOpInterface op,
                       llvm::ArrayRef<RowVariant> variants);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_TRANSFORMS_ROWVARIANTS_H
