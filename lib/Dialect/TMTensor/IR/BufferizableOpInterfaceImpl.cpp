//===- BufferizableOpInterfaceImpl.cpp - Bufferization of tm_tensor -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace nm::tm_tensor;

/// Whether `op` uses what its output `operand` held before. A scan writes each
/// element of its totals from its input, and an inclusive one starts without an
/// accumulator; but with an empty dimension it keeps that one.
static bool readsOutput(Operation *op, OpOperand &operand) {
  if (isa<AttentionOp>(op))
    return false;
  if (auto scan = dyn_cast<ScanOp>(op))
    return operand.get() != scan.getOutputs().front();
  return true;
}

namespace {
template <typename Op>
struct UpdateInterface
    : DstBufferizableOpInterfaceExternalModel<UpdateInterface<Op>, Op> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand) ||
           readsOutput(op, operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
    }
    OperationState made(op->getLoc(), op->getName(), operands, TypeRange(),
                        op->getAttrs());
    for (Region &region : op->getRegions())
      made.addRegion()->takeBody(region);
    Operation *onBuffers = rewriter.create(made);
    auto outputs = cast<DestinationStyleOpInterface>(onBuffers).getDpsInits();
    replaceOpWithBufferizedValues(rewriter, op, llvm::to_vector(outputs));
    return success();
  }
};
} // namespace

void nm::tm_tensor::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TMTensorDialect *) {
    ScanOp::attachInterface<UpdateInterface<ScanOp>>(*context);
    ScatterOp::attachInterface<UpdateInterface<ScatterOp>>(*context);
    SortOp::attachInterface<UpdateInterface<SortOp>>(*context);
    TopkOp::attachInterface<UpdateInterface<TopkOp>>(*context);
    AttentionOp::attachInterface<UpdateInterface<AttentionOp>>(*context);
  });
}
