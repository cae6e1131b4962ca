//===- SplitEmpties.cpp - Every user has an empty tensor of its own -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "nm/Transforms/Tensors/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMSPLITEMPTIESPASS
#include "nm/Transforms/Tensors/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// The uses of `empty` in groups that can have one tensor each: uses that
/// exclude each other, of which a branch decides.
static SmallVector<SmallVector<OpOperand *, 1>>
groupUses(tensor::EmptyOp empty) {
  SmallVector<SmallVector<OpOperand *, 1>> groups;
  for (OpOperand &use : empty->getUses()) {
    auto *group = llvm::find_if(groups, [&](ArrayRef<OpOperand *> others) {
      return llvm::all_of(others, [&](OpOperand *other) {
        return insideMutuallyExclusiveRegions(use.getOwner(),
                                              other->getOwner());
      });
    });
    if (group == groups.end())
      groups.push_back({&use});
    else
      group->push_back(&use);
  }
  return groups;
}

namespace {
struct SplitEmpties : nm::impl::NMSplitEmptiesPassBase<SplitEmpties> {
  void runOnOperation() override {
    SmallVector<tensor::EmptyOp> empties;
    getOperation()->walk([&](tensor::EmptyOp op) { empties.push_back(op); });
    for (tensor::EmptyOp empty : empties) {
      SmallVector<SmallVector<OpOperand *, 1>> groups = groupUses(empty);
      if (groups.size() < 2)
        continue;
      for (ArrayRef<OpOperand *> uses : groups) {
        // Before the branch, where it has several.
        Operation *user = uses.front()->getOwner();
        auto isIn = [&](OpOperand *use) {
          return user->isAncestor(use->getOwner());
        };
        while (!llvm::all_of(uses, isIn))
          user = user->getParentOp();
        Value own = OpBuilder(user).clone(*empty)->getResult(0);
        for (OpOperand *use : uses)
          use->set(own);
      }
      empty.erase();
    }
  }
};
} // namespace
