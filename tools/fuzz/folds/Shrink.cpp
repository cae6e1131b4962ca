//===- Shrink.cpp - The smallest function that fails ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"
#include "Checker.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace nm::folds;

namespace {

/// One way to make a function smaller, by the number of an op in the order of
/// a walk, so that it can be done to a copy.
struct Edit {
  enum Sort { DropResult, ToArgument, ToOperand, InlineRegion } sort;
  unsigned op, number;
};

} // namespace

static std::vector<Operation *> listOps(ModuleOp module) {
  std::vector<Operation *> ops;
  getFunction(module).getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { ops.push_back(op); });
  return ops;
}

static std::vector<Edit> listEdits(ModuleOp module) {
  std::vector<Edit> edits;
  std::vector<Operation *> ops = listOps(module);
  unsigned count = ops.size();
  Operation *returned = getFunction(module).front().getTerminator();
  for (unsigned i = 0; i < returned->getNumOperands(); ++i)
    edits.push_back({Edit::DropResult, count - 1, i});
  // Later ops first: those before are often dead then.
  for (unsigned number = count; number-- > 0;) {
    Operation *op = ops[number];
    if (isa<scf::IfOp, scf::ExecuteRegionOp, scf::IndexSwitchOp>(op))
      for (unsigned i = 0; i < op->getNumRegions(); ++i)
        edits.push_back({Edit::InlineRegion, number, i});
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      for (Edit::Sort sort : {Edit::ToArgument, Edit::ToOperand})
        edits.push_back({sort, number, i});
  }
  return edits;
}

static void inlineRegion(Operation *op, Region &region) {
  Operation *end = region.front().getTerminator();
  for (Operation &inner : llvm::make_early_inc_range(region.front()))
    if (&inner != end)
      inner.moveBefore(op);
  op->replaceAllUsesWith(end->getOperands());
  op->erase();
}

static bool apply(ModuleOp module, const Edit &edit) {
  func::FuncOp function = getFunction(module);
  Operation *op = listOps(module)[edit.op];
  if (edit.sort == Edit::DropResult) {
    if (op->getNumOperands() == 1)
      return false;
    op->eraseOperand(edit.number);
    return true;
  }
  if (edit.sort == Edit::InlineRegion) {
    Region &region = op->getRegion(edit.number);
    if (!region.hasOneBlock())
      return false;
    inlineRegion(op, region);
    return true;
  }
  Value result = op->getResult(edit.number), other;
  if (result.use_empty())
    return false;
  if (edit.sort == Edit::ToArgument)
    other = function.front().addArgument(result.getType(), result.getLoc());
  else
    for (Value operand : op->getOperands())
      if (operand.getType() == result.getType())
        other = operand;
  if (!other)
    return false;
  result.replaceAllUsesWith(other);
  return true;
}

/// Removes ops and arguments that nothing uses.
static void clean(ModuleOp module) {
  func::FuncOp function = getFunction(module);
  std::vector<Operation *> ops = listOps(module);
  for (Operation *op : llvm::reverse(ops))
    if (!op->hasTrait<OpTrait::IsTerminator>() && op->use_empty())
      op->erase();
  Block &entry = function.front();
  entry.eraseArguments(
      [](BlockArgument argument) { return argument.use_empty(); });
  function.setFunctionType(
      FunctionType::get(module.getContext(), entry.getArgumentTypes(),
                        entry.getTerminator()->getOperandTypes()));
}

OwningOpRef<ModuleOp>
nm::folds::shrink(ModuleOp module,
                  llvm::function_ref<bool(ModuleOp)> stillFails) {
  OwningOpRef<ModuleOp> smallest = module.clone();
  ScopedDiagnosticHandler silent(module.getContext(),
                                 [](Diagnostic &) { return success(); });
  bool isSmaller = true;
  while (isSmaller) {
    isSmaller = false;
    for (const Edit &edit : listEdits(*smallest)) {
      OwningOpRef<ModuleOp> candidate = smallest->clone();
      if (!apply(*candidate, edit))
        continue;
      clean(*candidate);
      if (failed(verify(*candidate)) || !stillFails(*candidate))
        continue;
      // An op that became an argument may leave as many ops; so it ends.
      isSmaller = true;
      smallest = std::move(candidate);
      break;
    }
  }
  return smallest;
}
