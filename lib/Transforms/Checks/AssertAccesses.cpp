//===- AssertAccesses.cpp - Indices are checked at run time ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Transforms/Checks/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace nm {
#define GEN_PASS_DEF_NMASSERTACCESSESPASS
#include "nm/Transforms/Checks/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// `indices` are those of an element of `tensor`.
static void assertIndices(Operation *op, Value tensor, ValueRange indices) {
  auto type = cast<RankedTensorType>(tensor.getType());
  ImplicitLocOpBuilder b(op->getLoc(), op);
  for (auto [i, index] : llvm::enumerate(indices)) {
    std::optional<int64_t> known = getConstantIntValue(index);
    if (known && !type.isDynamicDim(i) && *known >= 0 &&
        *known < type.getDimSize(i))
      continue;
    Value size = tensor::DimOp::create(b, tensor, i);
    // A negative index is a large one.
    Value isWithin =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, size);
    cf::AssertOp::create(
        b, isWithin,
        llvm::formatv("{0}: the index leaves dimension {1} of {2}",
                      op->getName(), i, type)
            .str());
  }
}

namespace {
struct AssertAccesses : nm::impl::NMAssertAccessesPassBase<AssertAccesses> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case([](tensor::ExtractOp op) {
            assertIndices(op, op.getTensor(), op.getIndices());
          })
          .Case([](tensor::InsertOp op) {
            assertIndices(op, op.getDest(), op.getIndices());
          });
    });
  }
};
} // namespace
