//===- Workspace.h - Sums of the parts of a tile ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_TILE_WORKSPACE_H
#define NM_LIB_DIALECT_NM_TILE_WORKSPACE_H

#include "MatrixProduct.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"

namespace nm {

/// Allocates memory for the sums of each of the blocks that share the tiles of
/// `product`: a row has that of C for the first of them, then for the second,
/// and so on. It has C's layout, so that blocks store their sums as they would
/// store C. Reports a C of which no type could hold so many.
mlir::FailureOr<mlir::Value> createWorkspace(mlir::ImplicitLocOpBuilder &b,
                                             const MatrixProduct &product);

/// What block `rank` of those that share a tile computes: a product whose C is
/// its part of `workspace`, without what follows sums.
MatrixProduct getPart(mlir::ImplicitLocOpBuilder &b,
                      const MatrixProduct &product, mlir::Value workspace,
                      mlir::Value rank);

/// Makes a loop that writes C: for each element, it adds the sums in
/// `workspace` in the order of the blocks, and does what follows sums. Its
/// kernel will be called `name`, which is one of `names`.
void createSumOfParts(mlir::ImplicitLocOpBuilder &b,
                      const MatrixProduct &product, mlir::Value workspace,
                      llvm::StringRef name, KernelNames &names);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_TILE_WORKSPACE_H
