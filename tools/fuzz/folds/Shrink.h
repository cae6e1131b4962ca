//===- Shrink.h - The smallest function that fails --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_FOLDS_SHRINK_H
#define NM_FUZZ_FOLDS_SHRINK_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nm {
namespace folds {

/// Makes the module's function smaller, as long as `stillFails` says so of it:
/// results are dropped, values become arguments, and ops that are no longer
/// used go.
mlir::OwningOpRef<mlir::ModuleOp>
shrink(mlir::ModuleOp module,
       llvm::function_ref<bool(mlir::ModuleOp)> stillFails);

} // namespace folds
} // namespace nm

#endif // NM_FUZZ_FOLDS_SHRINK_H
