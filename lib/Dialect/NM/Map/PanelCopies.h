//===- PanelCopies.h - Rows of A that lie in words --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_PANELCOPIES_H
#define NM_LIB_DIALECT_NM_MAP_PANELCOPIES_H

#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// Creates before `op`, a transposing copy to a tile in panels, the accesses of
/// `thread`, of `threads` of the block, to its pieces.
void lowerPanelCopy(TileCopyOp op, mlir::Value thread, int64_t threads);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_PANELCOPIES_H
