//===- ParseModule.cpp - Reads a module -----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Tool/ParseModule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

/// Refuses what ends the process in a verifier of MLIR 22: linalg.transpose
/// reads the first of its dimensions, also where it has none, and tensor.concat
/// the extent of a dimension below 0.
static LogicalResult checkBeforeVerifiers(Operation *op) {
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op);
      transpose && transpose.getPermutation().empty())
    return op->emitOpError("expected at least one dimension, got none; the "
                           "operand is its own transpose");
  if (auto concat = dyn_cast<tensor::ConcatOp>(op);
      concat && static_cast<int64_t>(concat.getDim()) < 0)
    return op->emitOpError("expected a dimension of 0 or more, got ")
           << static_cast<int64_t>(concat.getDim());
  return success();
}

OwningOpRef<ModuleOp>
nm::parseModule(const std::shared_ptr<llvm::SourceMgr> &sources,
                MLIRContext &context) {
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = parseSourceFile<ModuleOp>(sources, config);
  if (!module)
    return nullptr;
  WalkResult walk = module->walk(
      [](Operation *op) { return WalkResult(checkBeforeVerifiers(op)); });
  if (walk.wasInterrupted() || failed(verify(*module)))
    return nullptr;
  return module;
}
