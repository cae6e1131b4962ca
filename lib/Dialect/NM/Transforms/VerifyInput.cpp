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
#include "mlir/IR/BuiltinOps.h"
#include "nm/Dialect/NM/IR/CondenseElements.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/Transforms/Passes.h"
#include "nm/Support/RawElements.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMVERIFYINPUTPASS
#include "nm/Dialect/NM/Transforms/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Whether the static part of a shaped type counts less than 2^48 bytes: more
/// than any machine has, and few enough that sums of a few do not overflow.
static bool isRepresentable(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || !shaped.getElementType().isIntOrFloat())
    return true;
  if (llvm::is_contained(shaped.getShape(), 0))
    return true;
  constexpr uint64_t limit = uint64_t(1) << 48;
  uint64_t bytes = llvm::divideCeil(shaped.getElementTypeBitWidth(), 8);
  for (int64_t extent : shaped.getShape())
    if (!ShapedType::isDynamic(extent))
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  return bytes < limit;
}

static LogicalResult verifyTypes(Operation *op) {
  auto verify = [&](TypeRange types) -> LogicalResult {
    for (Type type : types)
      if (!isRepresentable(type))
        return op->emitOpError()
               << "expected types of less than 2^48 bytes, got " << type;
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
  std::string error;
  if (!RawElements::get(op.getValues(), error) ||
      !checkIndices(op.getIndices(), cast<CondensedType>(op.getType()),
                    error) ||
      (op.getColumns() && !RawElements::get(*op.getColumns(), error)))
    return op.emitOpError() << error;
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

namespace {
struct VerifyInput : nm::impl::NMVerifyInputPassBase<VerifyInput> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (failed(verifyTypes(op)))
        return WalkResult::interrupt();
      if (auto constant = dyn_cast<ConstantOp>(op))
        if (failed(verifyConstant(constant)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted() || failed(verifyNoRecursion(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
