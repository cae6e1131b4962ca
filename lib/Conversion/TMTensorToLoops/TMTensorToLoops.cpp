//===- TMTensorToLoops.cpp - Buffers: tm_tensor to parallel loops ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Conversion/TMTensorToLoops/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace nm {
#define GEN_PASS_DEF_NMTMTENSORTOLOOPSPASS
#include "nm/Conversion/TMTensorToLoops/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;
using namespace nm::tm_tensor;

static LogicalResult lowerOp(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
    return op->emitOpError("expected operands that are buffers, got tensors; "
                           "run one-shot-bufferize first");
  ImplicitLocOpBuilder b(op->getLoc(), op);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ScanOp scan) { return lowerScan(b, scan), success(); })
      .Case([&](ScatterOp scatter) {
        return lowerScatter(b, scatter), success();
      })
      .Case([&](SortOp sort) { return lowerSort(b, sort), success(); })
      .Case([&](TopkOp topk) { return lowerTopk(b, topk), success(); })
      .Default([](Operation *op) {
        return op->emitOpError("expected to be gone; run "
                               "nm-decompose-attention on tensors first");
      });
}

namespace {
struct TMTensorToLoops : nm::impl::NMTMTensorToLoopsPassBase<TMTensorToLoops> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<TMTensorDialect>(op->getDialect()) && !isa<YieldOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (failed(lowerOp(op)))
        return signalPassFailure();
      op->erase();
    }
  }
};
} // namespace
