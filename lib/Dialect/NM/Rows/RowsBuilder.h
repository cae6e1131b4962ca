//===- RowsBuilder.h - A group of ops to nm.rows ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWSBUILDER_H
#define NM_LIB_DIALECT_NM_ROWS_ROWSBUILDER_H

#include "KernelGroup.h"
#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// Puts an nm.rows of a group in the place of its last op, and erases the ops.
/// Users of its results may stand before it then.
RowsOp buildRows(const KernelGroup &group);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_ROWSBUILDER_H
