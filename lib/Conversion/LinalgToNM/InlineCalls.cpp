//===- InlineCalls.cpp - Functions that are called once -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"
#include "nm/Conversion/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMINLINECALLSPASS
#include "nm/Conversion/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// The only use of `function`, where that is a call by another.
static func::CallOp getOnlyCall(func::FuncOp function, ModuleOp module) {
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, module);
  if (!uses || !llvm::hasSingleElement(*uses))
    return nullptr;
  auto call = dyn_cast<func::CallOp>(uses->begin()->getUser());
  return call && !function->isAncestor(call) ? call : nullptr;
}

/// Puts the body of `function` where it is called from.
static bool inlineInto(func::FuncOp function, func::CallOp call) {
  InlinerInterface interface(function.getContext());
  InlinerConfig config;
  return succeeded(inlineCall(interface, config.getCloneCallback(), call,
                              function, &function.getBody(),
                              /*shouldCloneInlinedRegion=*/false));
}

namespace {
struct InlineCalls : nm::impl::NMInlineCallsPassBase<InlineCalls> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (!function.isPrivate() || function.getNoInline() ||
          !function.getBody().hasOneBlock())
        continue;
      func::CallOp call = getOnlyCall(function, getOperation());
      if (!call || call.getNoInline() || !inlineInto(function, call))
        continue;
      call.erase();
      function.erase();
    }
  }
};
} // namespace
