//===- LoopNest.h - Loops over buffers --------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the lowerings of the ops of tm_tensor share, and those lowerings.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_TMTENSORTOLOOPS_LOOPNEST_H
#define NM_LIB_CONVERSION_TMTENSORTOLOOPS_LOOPNEST_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"

namespace nm::tm_tensor {

/// Builds the body of loops with these induction variables.
using BodyBuilder =
    llvm::function_ref<void(mlir::ImplicitLocOpBuilder &, mlir::ValueRange)>;

mlir::Value constantIndex(mlir::ImplicitLocOpBuilder &b, int64_t value);

/// Extent `dimension` of `buffer`, a constant if it is known.
mlir::Value createExtent(mlir::ImplicitLocOpBuilder &b, mlir::Value buffer,
                         int64_t dimension);
/// All extents of `buffer`.
mlir::SmallVector<mlir::Value> createExtents(mlir::ImplicitLocOpBuilder &b,
                                             mlir::Value buffer);

/// An scf.parallel from 0 to `extents`, which is to become a kernel with `name`
/// in its name. Without extents it has one iteration.
void createParallel(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange extents,
                    llvm::StringRef name, BodyBuilder body);

/// An scf.for from `lower` to `upper` in steps of 1 that carries `inits`;
/// `body` is given the induction variable and what is carried, and returns the
/// next.
mlir::ValueRange
createLoop(mlir::ImplicitLocOpBuilder &b, mlir::Value lower, mlir::Value upper,
           mlir::ValueRange inits,
           llvm::function_ref<mlir::SmallVector<mlir::Value>(
               mlir::ImplicitLocOpBuilder &, mlir::Value, mlir::ValueRange)>
               body);

/// `rows` with `position` inserted as coordinate `dimension`.
mlir::SmallVector<mlir::Value> insertCoordinate(mlir::ValueRange rows,
                                                int64_t dimension,
                                                mlir::Value position);

/// Copies the region's body and returns what it yields for `arguments`.
mlir::Value inlineRegion(mlir::ImplicitLocOpBuilder &b, mlir::Region &region,
                         mlir::ValueRange arguments);

/// What `region`, a comparison of {left, right} pairs, says of elements that
/// are sorted together. As in PyTorch, NaN is larger than everything.
mlir::Value createPrecedes(mlir::ImplicitLocOpBuilder &b, mlir::Region &region,
                           mlir::ValueRange left, mlir::ValueRange right);

/// Replace an op on buffers by loops, which are built before it.
void lowerScan(mlir::ImplicitLocOpBuilder &b, ScanOp op);
void lowerScatter(mlir::ImplicitLocOpBuilder &b, ScatterOp op);
void lowerSort(mlir::ImplicitLocOpBuilder &b, SortOp op);
void lowerTopk(mlir::ImplicitLocOpBuilder &b, TopkOp op);

} // namespace nm::tm_tensor

#endif // NM_LIB_CONVERSION_TMTENSORTOLOOPS_LOOPNEST_H
