//===- Roles.h - Roles of warps as a branch ---------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_ROLES_H
#define NM_LIB_DIALECT_NM_MAP_ROLES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace nm {

/// Lowers the copies of `launch`, each to the threads that execute it.
void lowerCopiesOfRoles(mlir::gpu::LaunchOp launch);

/// Makes a branch of the roles of `launch`, if it has some: what they do is
/// lowered already.
void lowerRoles(mlir::gpu::LaunchOp launch);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_ROLES_H
