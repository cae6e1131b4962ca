//===- PermuteConstant.h - Transposed constants -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_TRANSFORMS_TENSORS_PERMUTECONSTANT_H
#define NM_LIB_TRANSFORMS_TENSORS_PERMUTECONSTANT_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Operation.h"

namespace nm {

/// The result of `op`, if it is a linalg op that only permutes the dimensions
/// of a constant: its bytes, moved, of any size. Null for anything else.
mlir::ElementsAttr permuteConstant(mlir::Operation *op);

} // namespace nm

#endif // NM_LIB_TRANSFORMS_TENSORS_PERMUTECONSTANT_H
