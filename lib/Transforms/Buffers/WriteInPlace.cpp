//===- WriteInPlace.cpp - Parts are written where they are copied to ------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "nm/Transforms/Buffers/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMWRITEINPLACEPASS
#include "nm/Transforms/Buffers/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

static bool isStatic(memref::SubViewOp view) {
  return llvm::none_of(view.getStaticOffsets(), ShapedType::isDynamic) &&
         llvm::none_of(view.getStaticSizes(), ShapedType::isDynamic) &&
         llvm::all_of(view.getStaticStrides(),
                      [](int64_t s) { return s == 1; });
}

/// Whether two views of one buffer have no element in common.
static bool areDisjoint(memref::SubViewOp a, memref::SubViewOp b) {
  for (auto [x, xs, y, ys] :
       llvm::zip_equal(a.getStaticOffsets(), a.getStaticSizes(),
                       b.getStaticOffsets(), b.getStaticSizes()))
    if (x + xs <= y || y + ys <= x)
      return true;
  return false;
}

namespace {
/// A copy that is not needed if what is written before is written to `target`.
struct Candidate {
  memref::CopyOp copy;
  memref::AllocOp source;
  memref::SubViewOp target;
  memref::AllocOp whole;
  Operation *first; // that writes the source
};
} // namespace

/// The first of the ops that write `source`, whole and without reading it, if
/// the copy is the only other user. It may be written in more dimensions.
static Operation *findFirstWriter(Value source, memref::CopyOp copy) {
  Operation *first = nullptr;
  for (OpOperand &use : source.getUses()) {
    Operation *user = use.getOwner();
    if (user == copy)
      continue;
    if (auto expand = dyn_cast<memref::ExpandShapeOp>(user)) {
      Operation *writer = findFirstWriter(expand.getResult(), copy);
      if (!writer || user->getBlock() != copy->getBlock())
        return nullptr;
      if (!first || writer->isBeforeInBlock(first))
        first = writer;
      continue;
    }
    auto op = dyn_cast<DestinationStyleOpInterface>(user);
    if (!op || !op.isDpsInit(&use) || user->getBlock() != copy->getBlock() ||
        !user->isBeforeInBlock(copy))
      return nullptr;
    if (!first || user->isBeforeInBlock(first))
      first = user;
  }
  return first;
}

/// Whether `use` of a buffer, or one of a view of it, is between two ops of a
/// block and may touch what `target` is of it.
static bool mayTouch(OpOperand &use, const Candidate &of) {
  Operation *user = use.getOwner();
  if (user == of.target || user == of.copy)
    return false;
  if (auto view = dyn_cast<memref::SubViewOp>(user))
    if (isStatic(view) && areDisjoint(view, of.target))
      return false;
  if (isa<ViewLikeOpInterface>(user))
    return llvm::any_of(user->getResult(0).getUses(),
                        [&](OpOperand &inner) { return mayTouch(inner, of); });
  Operation *here = of.copy->getBlock()->findAncestorOpInBlock(*user);
  // What is before is before in every turn of a loop around the block.
  return !here ||
         (!here->isBeforeInBlock(of.first) && here->isBeforeInBlock(of.copy));
}

static std::optional<Candidate> getCandidate(memref::CopyOp copy) {
  Candidate found;
  found.copy = copy;
  found.source = copy.getSource().getDefiningOp<memref::AllocOp>();
  found.target = copy.getTarget().getDefiningOp<memref::SubViewOp>();
  if (!found.source || !found.target || !isStatic(found.target) ||
      found.source.getType().getShape() != found.target.getType().getShape())
    return std::nullopt;
  found.whole = found.target.getSource().getDefiningOp<memref::AllocOp>();
  if (!found.whole || found.whole == found.source ||
      !found.whole->getOperands().empty() ||
      found.whole->getBlock() != copy->getBlock())
    return std::nullopt;
  found.first = findFirstWriter(found.source, copy);
  if (!found.first)
    return std::nullopt;
  for (OpOperand &use : found.whole->getUses())
    if (mayTouch(use, found))
      return std::nullopt;
  return found;
}

/// Lets what expands `source` expand `target`, whose rows may be further apart.
static void replaceBuffer(Value source, Value target) {
  for (Operation *user : llvm::make_early_inc_range(source.getUsers())) {
    auto expand = dyn_cast<memref::ExpandShapeOp>(user);
    if (!expand)
      continue;
    OpBuilder b(expand);
    if (Operation *op = target.getDefiningOp();
        expand->getBlock() == op->getBlock() && expand->isBeforeInBlock(op))
      b.setInsertionPointAfter(op);
    Value expanded = memref::ExpandShapeOp::create(
        b, expand.getLoc(), expand.getType().getShape(), target,
        expand.getReassociationIndices());
    replaceBuffer(expand.getResult(), expanded);
    expand.getResult().replaceAllUsesWith(expanded);
    expand->erase();
  }
}

namespace {
struct WriteInPlace : nm::impl::NMWriteInPlacePassBase<WriteInPlace> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies) {
      std::optional<Candidate> found = getCandidate(copy);
      if (!found)
        continue;
      if (found->first->isBeforeInBlock(found->whole))
        found->whole->moveBefore(found->first);
      if (!found->target->isBeforeInBlock(found->first))
        found->target->moveBefore(found->first);
      copy->erase();
      replaceBuffer(found->source, found->target);
      found->source.replaceAllUsesWith(found->target.getResult());
      found->source->erase();
    }
  }
};
} // namespace
