//===- CheckInput.h - Constants that cannot be compiled ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_CHECKINPUT_H
#define NM_LIB_COMPILER_CHECKINPUT_H

#include "mlir/IR/BuiltinOps.h"

namespace nm {

/// Refuses, with an error on the op, constants whose data was elided or does
/// not fill their type, which the parser lets pass.
mlir::LogicalResult checkConstants(mlir::ModuleOp module);

} // namespace nm

#endif // NM_LIB_COMPILER_CHECKINPUT_H
