//===- LoopLoads.h - Loads that can be made for other turns -----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_MAP_LOOPLOADS_H
#define NM_DIALECT_NM_MAP_LOOPLOADS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace nm {

/// A load of global memory in the body of a loop, and what computes its address
/// there from the number of the turn, in order.
struct LoopLoad {
  mlir::Operation *load;
  llvm::SetVector<mlir::Operation *> slice;
};

/// The loads of global memory that stand right in `loop`, are no part of a
/// condition, and whose addresses depend on nothing but the number of the turn.
llvm::SmallVector<LoopLoad> findLoopLoads(mlir::scf::ForOp loop);

/// Whether `loop` stores to memory that such loads could be from.
bool storesToGlobal(mlir::scf::ForOp loop);

/// Makes the load of turn `turn` at the place of `b`.
mlir::Value loadFor(mlir::OpBuilder &b, const LoopLoad &found,
                    mlir::scf::ForOp loop, mlir::Value turn);

/// Lets `loop` carry `first` and `next`, what `loads` bring for its first turn
/// and, made in its body, for the following one, in their place. Returns the
/// loop that takes the place of `loop`.
mlir::scf::ForOp carryLoads(mlir::scf::ForOp loop,
                            llvm::ArrayRef<LoopLoad> loads,
                            mlir::ValueRange first, mlir::ValueRange next);

} // namespace nm

#endif // NM_DIALECT_NM_MAP_LOOPLOADS_H
