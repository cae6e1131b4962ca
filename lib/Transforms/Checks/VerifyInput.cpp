//===- VerifyInput.cpp - What no single verifier can check ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module comes from outside. What follows computes with byte sizes, reads the
// data of constants and calls functions on the device's behalf, so that all of
// it is checked here, once, before anything is lowered.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "nm/Dialect/NM/IR/CondenseElements.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Support/Extents.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/RawElements.h"
#include "nm/Transforms/Checks/Passes.h"
#include "llvm/ADT/SCCIterator.h"

namespace nm {
#define GEN_PASS_DEF_NMVERIFYINPUTPASS
#include "nm/Transforms/Checks/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The bytes of the static part of a shaped type; all ones if that passes 64
/// bits. From 2^48 on it is more than any machine has; below, sums of a few do
/// not overflow.
static uint64_t countBytes(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || llvm::is_contained(shaped.getShape(), 0))
    return 0;
  // nm-verify-types has refused types without a size.
  uint64_t bytes = getElementBytes(shaped.getElementType()).value_or(0);
  return getArrayBytes(llvm::to_vector(llvm::make_filter_range(
                           shaped.getShape(), ShapedType::isStatic)),
                       bytes);
}

static LogicalResult verifyTypes(Operation *op) {
  // A constant's data exists, on the host and on the device, even when it is
  // written as one value: the largest GPU has no room for more.
  bool isConstant = op->hasTrait<OpTrait::ConstantLike>();
  auto verify = [&](TypeRange types) -> LogicalResult {
    for (Type type : types) {
      if (countBytes(type) >= (uint64_t(1) << 48))
        return op->emitOpError()
               << "expected types of less than 2^48 bytes, got " << type;
      if (isConstant && countBytes(type) >= (uint64_t(1) << 38))
        return op->emitOpError()
               << "expected a constant of less than 2^38 "
                  "bytes, got "
               << type << " (" << countBytes(type) << " bytes)";
    }
    return success();
  };
  if (failed(verify(op->getResultTypes())))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(verify(block.getArgumentTypes())))
        return failure();
  return success();
}

/// Checks the data of a condensed constant, resources included.
static LogicalResult verifyConstant(ConstantOp op) {
  auto emitError = [&] { return op.emitOpError(); };
  auto type = cast<CondensedType>(op.getType());
  if (failed(RawElements::get(op.getValues(), [&](const Twine &reason) {
        op.emitOpError(reason);
      })))
    return failure();
  if (failed(checkIndices(op.getIndices(), type, emitError)))
    return failure();
  return op.getColumns() ? checkColumns(*op.getColumns(), type, emitError)
                         : success();
}

/// The same for the indices of a weight that is made of constants.
static LogicalResult verifyAssemble(AssembleOp op) {
  auto emitError = [&] { return op.emitOpError(); };
  ElementsAttr indices, columns;
  auto type = cast<CondensedType>(op.getType());
  if (matchPattern(op.getIndices(), m_Constant(&indices)) &&
      failed(checkIndices(indices, type, emitError)))
    return failure();
  if (op.getColumns() && matchPattern(op.getColumns(), m_Constant(&columns)))
    return checkColumns(columns, type, emitError);
  return success();
}

/// MLIR's verifier asks nothing of a step; one of zero would never end.
static LogicalResult verifySteps(LoopLikeOpInterface loop) {
  auto steps = loop.getLoopSteps();
  if (!steps)
    return success();
  for (OpFoldResult step : *steps)
    if (std::optional<int64_t> known = getConstantIntValue(step);
        known && *known <= 0)
      return loop->emitOpError()
             << "expected a step of at least 1, got " << *known;
  return success();
}

/// Kernels' host code has no use for recursion, and its depth has no bound.
static LogicalResult verifyNoRecursion(Operation *module) {
  CallGraph graph(module);
  for (auto it = llvm::scc_begin<const CallGraph *>(&graph); !it.isAtEnd();
       ++it)
    if (it.hasCycle())
      for (const CallGraphNode *node : *it)
        if (!node->isExternal())
          return node->getCallableRegion()->getParentOp()->emitOpError(
              "unsupported: a function that calls itself, directly or through "
              "others");
  return success();
}

/// Host code is linked with these by name.
static LogicalResult verifyFunctionNames(Operation *module) {
  static constexpr StringLiteral kTaken[] = {
      "aligned_alloc", "fmod",    "fmodf",  "free",         "malloc",
      "memcpy",        "memmove", "memset", "__truncdfbf2", "__truncsfbf2"};
  WalkResult result = module->walk([](FunctionOpInterface function) {
    StringRef name = function.getName();
    if (!llvm::is_contained(kTaken, name) && !name.starts_with("nmrt"))
      return WalkResult::advance();
    function.emitOpError("unsupported: a function named `")
        << name << "`, as one that compiled code calls; rename it";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct VerifyInput : nm::impl::NMVerifyInputPassBase<VerifyInput> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (failed(verifyTypes(op)))
        return WalkResult::interrupt();
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op);
          loop && failed(verifySteps(loop)))
        return WalkResult::interrupt();
      if (auto constant = dyn_cast<ConstantOp>(op);
          constant && failed(verifyConstant(constant)))
        return WalkResult::interrupt();
      if (auto assemble = dyn_cast<AssembleOp>(op);
          assemble && failed(verifyAssemble(assemble)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted() || failed(verifyNoRecursion(getOperation())) ||
        failed(verifyFunctionNames(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
