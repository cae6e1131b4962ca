//===- EqualFunctions.h - Functions that are equal --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layers of a network are alike, and so are the functions that compute
// them: kernels, and loops of the CPU path.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_EQUALFUNCTIONS_H
#define NM_DIALECT_NM_UTILS_EQUALFUNCTIONS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace nm {

/// Functions that are equal in all but names and locations, in their order.
using EqualFunctions = llvm::SmallVector<mlir::FunctionOpInterface, 1>;

/// Groups `functions`, which have bodies, by equality. The groups have the
/// order of their first functions.
llvm::SmallVector<EqualFunctions>
groupEqualFunctions(llvm::ArrayRef<mlir::FunctionOpInterface> functions);

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_EQUALFUNCTIONS_H
