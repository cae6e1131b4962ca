//===- Reassociation.cpp - Dimensions that a reshape names ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/Reassociation.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

static LogicalResult verifyReassociation(Operation *op) {
  auto groups =
      llvm::TypeSwitch<Operation *, SmallVector<ReassociationIndices>>(op)
          .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                memref::ExpandShapeOp, memref::CollapseShapeOp>(
              [](auto reshape) { return reshape.getReassociationIndices(); })
          .Default({});
  int64_t next = 0;
  for (const ReassociationIndices &group : groups)
    for (int64_t dim : group)
      if (dim != next++)
        return op->emitOpError("expected dimension ")
               << next - 1 << " in the reassociation, got " << dim;
  return success();
}

LogicalResult nm::verifyReassociations(Operation *root) {
  WalkResult result = root->walk(
      [](Operation *op) { return WalkResult(verifyReassociation(op)); });
  return failure(result.wasInterrupted());
}
