//===- VerifyExtents.h - Lists of extents in attributes ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_IR_VERIFYEXTENTS_H
#define NM_LIB_DIALECT_NM_IR_VERIFYEXTENTS_H

#include "mlir/IR/Diagnostics.h"

namespace nm {

/// Checks that `values` has as many entries as `least`, each at least that and
/// below 2^31, so that products of two fit 64 bits.
mlir::LogicalResult
verifyExtents(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
              llvm::StringRef name, llvm::ArrayRef<int64_t> values,
              llvm::ArrayRef<int64_t> least);

/// Checks that a warp has 32 lanes.
mlir::LogicalResult
verifyLanes(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
            llvm::ArrayRef<int64_t> lanes);

/// Checks that a block has at most 32 warps.
mlir::LogicalResult
verifyWarps(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
            llvm::ArrayRef<int64_t> warps);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_IR_VERIFYEXTENTS_H
