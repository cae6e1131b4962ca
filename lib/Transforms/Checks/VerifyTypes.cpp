//===- VerifyTypes.cpp - Types that nothing here lowers -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes ask types for their width, and a vector, a pointer or a quantized
// number has none. Such a type is refused here once, by name, rather than in
// each place that asks.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/Reassociation.h"
#include "nm/Transforms/Checks/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMVERIFYTYPESPASS
#include "nm/Transforms/Checks/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The type in `type` that cannot be lowered; null if all can. Other types than
/// numbers and arrays, such as those of `gpu`, are not asked for their width.
static Type findUnsupported(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (isa_and_nonnull<TensorType, BaseMemRefType>(shaped))
    type = shaped.getElementType();
  else if (!isa<FloatType, ComplexType>(type) && !type.isInteger(0))
    return {};
  return getElementBytes(type) ? Type() : type;
}

static LogicalResult verifyTypes(Operation *op, TypeRange types) {
  for (Type type : types) {
    Type element = findUnsupported(type);
    if (!element)
      continue;
    InFlightDiagnostic diag = op->emitError("unsupported: elements of type ")
                              << element << "; expected "
                              << listElementTypes(op->getContext());
    if (element != type)
      diag << ", got " << type;
    return diag;
  }
  return success();
}

static LogicalResult verifyOp(Operation *op) {
  if (failed(verifyTypes(op, op->getResultTypes())))
    return failure();
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    if (failed(verifyTypes(op, function.getArgumentTypes())) ||
        failed(verifyTypes(op, function.getResultTypes())))
      return failure();
  }
  if (auto global = dyn_cast<memref::GlobalOp>(op))
    return verifyTypes(op, Type(global.getType()));
  if (auto global = dyn_cast<ml_program::GlobalOp>(op))
    return verifyTypes(op, global.getType());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(verifyTypes(op, block.getArgumentTypes())))
        return failure();
  return success();
}

namespace {
struct VerifyTypes : nm::impl::NMVerifyTypesPassBase<VerifyTypes> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      return failed(verifyOp(op)) ? WalkResult::interrupt()
                                  : WalkResult::advance();
    });
    if (result.wasInterrupted() || failed(verifyReassociations(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
