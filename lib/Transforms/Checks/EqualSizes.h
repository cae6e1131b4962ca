//===- EqualSizes.h - Sizes that an op takes for equal ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_TRANSFORMS_CHECKS_EQUALSIZES_H
#define NM_LIB_TRANSFORMS_CHECKS_EQUALSIZES_H

#include "mlir/IR/Operation.h"
#include "nm/Support/SizeOrigin.h"
#include "llvm/ADT/SmallVector.h"

namespace nm {

/// Sizes that are equal: dimensions of operands, numbers, integers.
using EqualSizes = llvm::SmallVector<SizeOrigin, 4>;

/// The sizes that `op` takes for equal, in groups: those of the operands that
/// one loop of a linalg op walks, m, n and k of a product, the parts of a
/// slice. Verifiers have checked those that are static.
llvm::SmallVector<EqualSizes> getEqualSizes(mlir::Operation *op);

} // namespace nm

#endif // NM_LIB_TRANSFORMS_CHECKS_EQUALSIZES_H
