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

/// Whether `use` takes the slice for an op whose result `insertion` puts where
/// the slice was.
static bool isPutBack(OpOperand *use, OpOperand *insertion) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(use->getOwner());
  auto insert = dyn_cast<tensor::InsertSliceOp>(insertion->getOwner());
  if (!slice || !insert || insertion != &insert.getDestMutable() ||
      slice.getType() != insert.getSourceType() ||
      slice.getMixedOffsets() != insert.getMixedOffsets() ||
      slice.getMixedSizes() != insert.getMixedSizes() ||
      slice.getMixedStrides() != insert.getMixedStrides())
    return false;
  auto result = dyn_cast<OpResult>(insert.getSource());
  auto op = insert.getSource().getDefiningOp<DestinationStyleOpInterface>();
  return op && op.getTiedOpOperand(result)->get() == slice.getResult();
}

/// Whether both uses can have one tensor: a branch decides which it is, or one
/// fills a slice of it for the other.
static bool canShare(OpOperand *one, OpOperand *other) {
  return insideMutuallyExclusiveRegions(one->getOwner(), other->getOwner()) ||
         isPutBack(one, other) || isPutBack(other, one);
}

/// The uses of `empty` in groups that can have one tensor each.
static SmallVector<SmallVector<OpOperand *, 1>>
groupUses(tensor::EmptyOp empty) {
  SmallVector<SmallVector<OpOperand *, 1>> groups;
  for (OpOperand &use : empty->getUses()) {
    auto *group = llvm::find_if(groups, [&](ArrayRef<OpOperand *> others) {
      return llvm::all_of(
          others, [&](OpOperand *other) { return canShare(&use, other); });
    });
    if (group == groups.end())
      groups.push_back({&use});
    else
      group->push_back(&use);
  }
  return groups;
}

/// The op before which a value reaches all uses: the first of them, or what
/// they are in, in the innermost block that has all.
static Operation *findFirstUser(ArrayRef<OpOperand *> uses) {
  Operation *first = uses.front()->getOwner();
  for (OpOperand *use : uses) {
    Operation *user;
    while (!(user = first->getBlock()->findAncestorOpInBlock(*use->getOwner())))
      first = first->getParentOp();
    if (user->isBeforeInBlock(first))
      first = user;
  }
  return first;
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
        OpBuilder b(findFirstUser(uses));
        Value own = b.clone(*empty)->getResult(0);
        for (OpOperand *use : uses)
          use->set(own);
      }
      empty.erase();
    }
  }
};
} // namespace
