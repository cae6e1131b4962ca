//===- ReshapeSizes.h - The sizes that a reshape gives ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_RESHAPESIZES_H
#define NM_SUPPORT_RESHAPESIZES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nm {

/// The sizes of the result of `op`, as indices, where they are numbers or the
/// operands of a tensor.from_elements; nothing where they are data.
std::optional<llvm::SmallVector<mlir::OpFoldResult>>
getReshapeSizes(mlir::OpBuilder &builder, mlir::tensor::ReshapeOp op);

} // namespace nm

#endif // NM_SUPPORT_RESHAPESIZES_H
