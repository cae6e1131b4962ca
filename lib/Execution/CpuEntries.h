//===- CpuEntries.h - The host ABI for CPU code -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_CPUENTRIES_H
#define NM_LIB_EXECUTION_CPUENTRIES_H

#include "mlir/IR/BuiltinOps.h"

namespace nm {

/// Replaces the C interface `_mlir_ciface_f` of every function, as
/// convert-func-to-llvm makes it, by one with the signature of the host ABI:
/// `i32 (context, result..., argument...)`. The context is not used.
void addCpuEntries(mlir::ModuleOp module);

} // namespace nm

#endif // NM_LIB_EXECUTION_CPUENTRIES_H
