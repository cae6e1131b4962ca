//===- TensorTile.h - Where a tile lies in its tensor -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_TILE_TENSORTILE_H
#define NM_LIB_DIALECT_NM_TILE_TENSORTILE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// A tile of a tensor outside of the launch.
struct TensorTile {
  mlir::Value tensor;
  llvm::SmallVector<mlir::OpFoldResult> at; // of its first element
  llvm::SmallVector<int64_t> dimensions;    // of the tensor, which it has
};

/// Follows the subviews of `launch` that `tile` is one of to the tensor;
/// nothing where it has been changed otherwise. Index arithmetic is made by
/// `b`.
std::optional<TensorTile> findTensor(mlir::ImplicitLocOpBuilder &b,
                                     mlir::Value tile,
                                     mlir::gpu::LaunchOp launch);

/// Whether the strides of `tensor` are such that boxes of it can be fetched.
bool hasBoxes(mlir::Value tensor);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_TILE_TENSORTILE_H
