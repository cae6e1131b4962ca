//===- OutlineLoops.cpp - Loops of host code as functions -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model for the CPU is one function of thousands of loops. LLVM's loop passes
// ask what holds when a loop is entered and walk back to the start of the
// function for it, and its register allocator keeps a range for each value: the
// time grows with the square of the function's size. What a loop nest needs to
// know of the others is nothing.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "nm/Dialect/NM/Utils/EqualFunctions.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Transforms/Buffers/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMOUTLINELOOPSPASS
#include "nm/Transforms/Buffers/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// A private function that LLVM leaves apart.
static func::FuncOp createFunction(Location loc, StringRef name,
                                   ValueRange arguments) {
  OpBuilder b(loc.getContext());
  auto type = b.getFunctionType(TypeRange(arguments), {});
  auto function = func::FuncOp::create(b, loc, name, type);
  function.setPrivate();
  function->setAttr("passthrough", b.getArrayAttr(b.getStringAttr("noinline")));
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(b.getContext(), LLVM::Linkage::Internal));
  b.setInsertionPointToStart(function.addEntryBlock());
  func::ReturnOp::create(b, loc);
  return function;
}

/// What `loop` uses from outside of it, bounds first.
static llvm::SetVector<Value> findUsed(scf::ParallelOp loop) {
  llvm::SetVector<Value> used(loop->operand_begin(), loop->operand_end());
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  return used;
}

/// Moves `loop` to a function of its own and calls it. Constants are made anew
/// there, so that it is known as well as it was; the data that a constant holds
/// is an argument, which makes equal layers equal functions.
static func::CallOp outline(scf::ParallelOp loop, SymbolTable &symbols,
                            func::FuncOp caller) {
  SmallVector<Value> arguments;
  SmallVector<Operation *> constants;
  for (Value value : findUsed(loop)) {
    Operation *op = value.getDefiningOp();
    if (op && op->hasTrait<OpTrait::ConstantLike>())
      constants.push_back(op);
    else
      arguments.push_back(value);
  }
  auto what = loop->getAttrOfType<StringAttr>(kKernelNameAttr);
  std::string name =
      (caller.getName() + "_" + (what ? what.getValue() : "loop")).str();
  func::FuncOp function = createFunction(loop.getLoc(), name, arguments);
  symbols.insert(function, std::next(Block::iterator(caller)));

  OpBuilder b(loop);
  auto call = func::CallOp::create(b, loop.getLoc(), function, arguments);
  Block &body = function.getBody().front();
  loop->moveBefore(body.getTerminator());
  b.setInsertionPoint(loop);
  auto replace = [&](Value from, Value to) {
    from.replaceUsesWithIf(
        to, [&](OpOperand &use) { return loop->isAncestor(use.getOwner()); });
  };
  for (Operation *constant : constants)
    replace(constant->getResult(0), b.clone(*constant)->getResult(0));
  for (auto [from, to] : llvm::zip_equal(arguments, body.getArguments()))
    replace(from, to);
  return call;
}

namespace {
struct OutlineLoops : nm::impl::NMOutlineLoopsPassBase<OutlineLoops> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto loop = dyn_cast<scf::ParallelOp>(op);
      if (!loop)
        return WalkResult::advance();
      if (loop.getNumResults() == 0 && loop->getParentOfType<func::FuncOp>())
        loops.push_back(loop);
      return WalkResult::skip();
    });
    SmallVector<FunctionOpInterface> functions;
    llvm::DenseMap<Operation *, func::CallOp> calls;
    for (scf::ParallelOp loop : loops) {
      auto caller = loop->getParentOfType<func::FuncOp>();
      func::CallOp call = outline(loop, symbols, caller);
      auto function = symbols.lookup<func::FuncOp>(call.getCallee());
      functions.push_back(function);
      calls[function] = call;
    }
    for (EqualFunctions &equal : groupEqualFunctions(functions))
      for (FunctionOpInterface function : llvm::drop_begin(equal)) {
        calls[function].setCallee(equal.front().getName());
        symbols.erase(function);
      }
  }
};
} // namespace
