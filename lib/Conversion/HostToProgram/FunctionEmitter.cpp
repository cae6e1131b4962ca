//===- FunctionEmitter.cpp - One host function to instructions ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;

void FunctionEmitter::addParameters() {
  for (BlockArgument argument : function.getArguments())
    define(
        argument, [&] { return code.addNumberParameter(); },
        [&] { return code.addBufferParameter(); });
}

void FunctionEmitter::addBlockArguments(Block &block) {
  for (BlockArgument argument : block.getArguments())
    define(
        argument, [&] { return code.addNumber(); },
        [&] { return code.addBuffer(); });
}

LogicalResult FunctionEmitter::emitOp(Operation *op) {
  if (std::optional<LogicalResult> result = emitBufferOp(op))
    return *result;
  if (std::optional<LogicalResult> result = emitNumberOp(op))
    return *result;
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](cf::AssertOp assertion) {
        emitAssert(numberOf(assertion.getArg()), assertion.getMsg());
        return success();
      })
      .Case([&](cf::BranchOp branch) {
        emitBranch(branch);
        return success();
      })
      .Case([&](cf::CondBranchOp branch) {
        emitCondBranch(branch);
        return success();
      })
      .Case([&](func::ReturnOp end) {
        emitReturn(end);
        return success();
      })
      .Case([&](func::CallOp call) { return emitCall(call); })
      .Case([&](gpu::LaunchFuncOp launch) { return emitLaunch(launch); })
      .Default([](Operation *other) {
        return other->emitOpError("unsupported: an op that host code of "
                                  "programs has no instruction for");
      });
}

LogicalResult FunctionEmitter::emitBlock(Block &block) {
  code.place(labels.lookup(&block));
  for (Operation &op : block)
    if (failed(emitOp(&op)))
      return failure();
  return success();
}

FailureOr<program::Function> FunctionEmitter::run() {
  addParameters();
  Block &entry = function.getBody().front();
  // Values are defined before the blocks that use them.
  llvm::ReversePostOrderTraversal<Block *> order(&entry);
  for (Block *block : order) {
    labels[block] = code.addLabel();
    if (block != &entry)
      addBlockArguments(*block);
  }
  for (Block *block : order)
    if (failed(emitBlock(*block)))
      return failure();
  unsigned numberResults = 0, bufferResults = 0;
  for (Type type : function.getResultTypes()) {
    if (auto memref = dyn_cast<MemRefType>(type)) {
      ++bufferResults;
      numberResults += memref.getNumDynamicDims();
    } else {
      numberResults += countPlaces(type);
    }
  }
  return code.finish(function.getName(), numberResults, bufferResults);
}
