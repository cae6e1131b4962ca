//===- InlineCalls.cpp - Calls that hide constants ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"
#include "nm/Dialect/NM/Utils/WeightSource.h"
#include "nm/Support/Remarks.h"
#include "nm/Transforms/Normalize/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMINLINECALLSPASS
#include "nm/Transforms/Normalize/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Ops that all copies of functions may have together.
static constexpr int64_t maxCopiedOps = int64_t(1) << 16;

/// Whether a call hands over data that is known, which may be a weight.
static bool handsConstants(func::CallOp call) {
  return llvm::any_of(call.getOperands(), [](Value operand) {
    return isa<RankedTensorType>(operand.getType()) &&
           isComputedFromConstants(operand);
  });
}

static int64_t countOps(func::FuncOp function) {
  int64_t count = 0;
  function.walk([&](Operation *) { ++count; });
  return count;
}

namespace {
/// Inlines calls of the functions of one module.
class CallInliner {
public:
  explicit CallInliner(ModuleOp module) : module(module), symbols(module) {}

  /// Inlines private functions that are called once. True if there were any.
  bool inlineOnlyCalls();
  /// Inlines calls of private functions that hand over constants. True if there
  /// were any.
  bool inlineConstantCalls();
  /// Says of the other calls that do why they stay.
  void reportOthers();

private:
  func::FuncOp getCallee(func::CallOp call) const;
  func::CallOp getOnlyCall(func::FuncOp function);
  SmallVector<func::CallOp> findConstantCalls();
  bool callsItself(func::FuncOp function);
  StringRef getReasonToStay(func::CallOp call, func::FuncOp function);
  bool inlineCall(func::CallOp call, func::FuncOp function, bool copies);

  ModuleOp module;
  SymbolTable symbols;
  int64_t copied = 0;
};
} // namespace

/// The function of the module that `call` calls, if that is private and here.
func::FuncOp CallInliner::getCallee(func::CallOp call) const {
  if (SymbolTable::getNearestSymbolTable(call) != module)
    return nullptr; // of a module inside this one
  auto function = symbols.lookup<func::FuncOp>(call.getCallee());
  return function && function.isPrivate() && !function.isExternal() ? function
                                                                    : nullptr;
}

/// The only use of `function`, where that is a call by another.
func::CallOp CallInliner::getOnlyCall(func::FuncOp function) {
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, module);
  if (!uses || !llvm::hasSingleElement(*uses))
    return nullptr;
  auto call = dyn_cast<func::CallOp>(uses->begin()->getUser());
  return call && !function->isAncestor(call) ? call : nullptr;
}

/// Calls in the order of the module that hand over constants.
SmallVector<func::CallOp> CallInliner::findConstantCalls() {
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) {
    if (getCallee(call) && handsConstants(call))
      calls.push_back(call);
  });
  return calls;
}

bool CallInliner::callsItself(func::FuncOp function) {
  llvm::SetVector<Operation *> reached;
  reached.insert(function);
  for (size_t i = 0; i < reached.size(); ++i) {
    WalkResult result = reached[i]->walk([&](func::CallOp call) {
      func::FuncOp next = getCallee(call);
      if (next == function)
        return WalkResult::interrupt();
      if (next)
        reached.insert(next);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return true;
  }
  return false;
}

/// Why a call cannot be inlined; empty if it can.
StringRef CallInliner::getReasonToStay(func::CallOp call,
                                       func::FuncOp function) {
  if (function.getNoInline() || call.getNoInline())
    return "it is marked no_inline";
  if (!function.getBody().hasOneBlock())
    return "the function has several blocks";
  if (callsItself(function))
    return "the function calls itself";
  return "";
}

/// Puts the body of `function`, or a copy of it, where it is called.
bool CallInliner::inlineCall(func::CallOp call, func::FuncOp function,
                             bool copies) {
  InlinerInterface interface(function.getContext());
  InlinerConfig config;
  if (failed(mlir::inlineCall(interface, config.getCloneCallback(), call,
                              function, &function.getBody(),
                              /*shouldCloneInlinedRegion=*/copies)))
    return false;
  emitRemark(call, RemarkId::Inlined)
      << remarkKey(RemarkKey::Callee, function.getSymName());
  call.erase();
  return true;
}

bool CallInliner::inlineOnlyCalls() {
  bool changed = false;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (!function.isPrivate() || function.isExternal())
      continue;
    func::CallOp call = getOnlyCall(function);
    if (!call || !getReasonToStay(call, function).empty() ||
        !inlineCall(call, function, /*copies=*/false))
      continue;
    symbols.erase(function);
    changed = true;
  }
  return changed;
}

bool CallInliner::inlineConstantCalls() {
  bool changed = false;
  for (func::CallOp call : findConstantCalls()) {
    func::FuncOp function = getCallee(call);
    int64_t ops = countOps(function);
    if (ops > maxCopiedOps - copied ||
        !getReasonToStay(call, function).empty() ||
        !inlineCall(call, function, /*copies=*/true))
      continue;
    copied += ops;
    changed = true;
    if (SymbolTable::symbolKnownUseEmpty(function, module))
      symbols.erase(function);
  }
  return changed;
}

void CallInliner::reportOthers() {
  for (func::CallOp call : findConstantCalls()) {
    func::FuncOp function = getCallee(call);
    StringRef reason = getReasonToStay(call, function);
    if (reason.empty())
      reason = countOps(function) > maxCopiedOps - copied
                   ? "too many ops would be copied"
                   : "the function has an op that cannot be inlined";
    emitRemark(call, RemarkId::NotInlined)
        << remarkReason("{0}", reason)
        << remarkKey(RemarkKey::Callee, function.getSymName());
  }
}

namespace {
struct InlineCalls : nm::impl::NMInlineCallsPassBase<InlineCalls> {
  void runOnOperation() override {
    CallInliner inliner(getOperation());
    // What is inlined may be a call in its turn.
    while (inliner.inlineOnlyCalls() || inliner.inlineConstantCalls())
      ;
    inliner.reportOthers();
  }
};
} // namespace
