//===- MemRefs.h - Questions about buffers ----------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_MEMREFS_H
#define NM_SUPPORT_MEMREFS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// The size of dimension `dim` of `buffer` as an index, computed from what its
/// views were made with down to the allocation or the argument that they are
/// views of.
mlir::Value createDim(mlir::ImplicitLocOpBuilder &b, mlir::Value buffer,
                      int64_t dim);

/// What `buffer` is a view of, however many views are between them: an argument
/// or the result of an op that is no view.
mlir::Value getViewRoot(mlir::Value buffer);

/// The buffer that `op`, a load of a number or a vector, reads; null where it
/// is neither.
mlir::Value getLoadedBuffer(mlir::Operation *op);

/// Says whether nothing writes to the memory that `buffer` is a view of, which
/// is so of constants of the module and of a caller's weight (`nm.part`).
bool isConstantBuffer(mlir::Value buffer);

} // namespace nm

#endif // NM_SUPPORT_MEMREFS_H
