//===- BufferizableOpInterfaceImpl.cpp - Bufferization of the nm dialect
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/IR/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/BufferViewFlowOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "nm/Dialect/NM/IR/NMOps.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace nm;

/// The operands of an op with a buffer for each tensor.
static FailureOr<SmallVector<Value>>
getBuffers(Operation *op, RewriterBase &rewriter,
           const BufferizationOptions &options, BufferizationState &state) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (isa<RankedTensorType>(operand.getType())) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      operand = *buffer;
    }
    operands.push_back(operand);
  }
  return operands;
}

namespace {
/// A product writes all of C and reads none of it.
template <typename Op>
struct ProductInterface
    : DstBufferizableOpInterfaceExternalModel<ProductInterface<Op>, Op> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<SmallVector<Value>> operands =
        getBuffers(op, rewriter, options, state);
    if (failed(operands))
      return failure();
    auto product = cast<Op>(op);
    Value init = (*operands)[product.getInitMutable().getOperandNumber()];
    Op::create(rewriter, op->getLoc(), TypeRange(), *operands, op->getAttrs());
    replaceOpWithBufferizedValues(rewriter, op, init);
    return success();
  }
};

/// A kernel of rows writes all of its outputs and reads none of them.
struct RowsInterface
    : DstBufferizableOpInterfaceExternalModel<RowsInterface, RowsOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<SmallVector<Value>> operands =
        getBuffers(op, rewriter, options, state);
    if (failed(operands))
      return failure();
    auto rows = cast<RowsOp>(op);
    ValueRange all = *operands;
    ValueRange outputs = all.drop_front(rows.getInputs().size());
    auto buffered = RowsOp::create(rewriter, op->getLoc(), TypeRange(),
                                   *operands, op->getAttrs());
    rewriter.inlineRegionBefore(rows.getBody(), buffered.getBody(),
                                buffered.getBody().begin());
    replaceOpWithBufferizedValues(rewriter, op, outputs);
    return success();
  }
};

/// nm.assemble only names its parts, so it reads them.
struct AssembleInterface
    : BufferizableOpInterface::ExternalModel<AssembleInterface, AssembleOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<SmallVector<Value>> operands =
        getBuffers(op, rewriter, options, state);
    if (failed(operands))
      return failure();
    auto bufferized =
        AssembleOp::create(rewriter, op->getLoc(), op->getResultTypes(),
                           *operands, op->getAttrs());
    rewriter.replaceOp(op, bufferized.getResult());
    return success();
  }
};

/// nm-own-results sees to it that a call returns buffers of its own.
struct CallFlow
    : BufferViewFlowOpInterface::ExternalModel<CallFlow, func::CallOp> {
  void populateDependencies(Operation *, RegisterDependenciesFn) const {}
  bool mayBeTerminalBuffer(Operation *, Value) const { return true; }
};
} // namespace

void nm::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NMDialect *) {
    SpmmOp::attachInterface<ProductInterface<SpmmOp>>(*context);
    SpmvOp::attachInterface<ProductInterface<SpmvOp>>(*context);
    AssembleOp::attachInterface<AssembleInterface>(*context);
    RowsOp::attachInterface<RowsInterface>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::CallOp::attachInterface<CallFlow>(*context);
  });
}
