//===- OwnResults.cpp - Every result an allocation of its own -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnedResults.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "nm/Transforms/Buffers/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMOWNRESULTSPASS
#include "nm/Transforms/Buffers/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// Whether whoever has `value` has to free it.
static bool isOwned(Value value) {
  Operation *definition = value.getDefiningOp();
  return isa_and_nonnull<memref::AllocOp, func::CallOp>(definition) ||
         (definition && definition->hasAttr(nm::kOwnsResultsAttr));
}

/// The allocation, or result of a call or region, in the block of `user` whose
/// whole memory `buffer` shows, or null.
static Value findOwned(Value buffer, Operation *user) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    // A part would be returned with a pointer that is not the allocation's.
    if (isa<memref::SubViewOp, memref::ReinterpretCastOp>(view))
      return nullptr;
    buffer = view.getViewSource();
  }
  return isOwned(buffer) && buffer.getParentBlock() == user->getBlock()
             ? buffer
             : Value();
}

static Value copyToFresh(OpBuilder &b, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0, e = type.getRank(); i < e; ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(b, loc, buffer, i));
  Value fresh = memref::AllocOp::create(
      b, loc, MemRefType::get(type.getShape(), type.getElementType()), sizes);
  memref::CopyOp::create(b, loc, buffer, fresh);
  return fresh;
}

/// A buffer whose copy has its type.
static bool isCopied(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.getLayout().isIdentity();
}

/// Hands what `op` passes on over to whoever receives it: an allocation of its
/// block, each once, or an argument of the block that owns it; else a copy.
/// Those of `arguments` that are not handed over are freed.
static void handOver(Operation *op, ArrayRef<BlockArgument> arguments = {}) {
  OpBuilder b(op);
  DenseSet<Value> taken;
  for (OpOperand &operand : op->getOpOperands()) {
    Value buffer = operand.get();
    if (!isCopied(buffer))
      continue;
    Value owned =
        llvm::is_contained(arguments, buffer) ? buffer : findOwned(buffer, op);
    if (!owned || !taken.insert(owned).second)
      operand.set(copyToFresh(b, op->getLoc(), buffer));
  }
  for (BlockArgument argument : arguments)
    if (isCopied(argument) && !taken.contains(argument))
      memref::DeallocOp::create(b, op->getLoc(), argument);
}

/// Whether a region of `op` makes a buffer that it passes on, which nobody
/// would free. (Loops that update buffers in place pass on none of their own.)
static bool passesOnOwned(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value value : block.getTerminator()->getOperands())
        if (isCopied(value) && findOwned(value, block.getTerminator()))
          return true;
  return false;
}

/// Makes the buffers that enter and leave the regions of `op` its own.
static void ownRegions(Operation *op) {
  auto isUncopied = [](Value value) {
    return isa<BaseMemRefType>(value.getType()) && !isCopied(value);
  };
  if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op) || !passesOnOwned(op) ||
      llvm::any_of(op->getOperands(), isUncopied) ||
      llvm::any_of(op->getResults(), isUncopied))
    return;
  OpBuilder b(op);
  if (!isa<scf::IfOp>(op))
    for (OpOperand &init : op->getOpOperands())
      if (isCopied(init.get()))
        init.set(copyToFresh(b, op->getLoc(), init.get()));
  for (Region &region : op->getRegions())
    for (Block &block : region)
      handOver(block.getTerminator(), llvm::to_vector(block.getArguments()));
  op->setAttr(nm::kOwnsResultsAttr, b.getUnitAttr());
}

namespace {
struct OwnResults : nm::impl::NMOwnResultsPassBase<OwnResults> {
  void runOnOperation() override {
    // Inner regions first: what they pass on may be passed on again.
    getOperation().walk([](Operation *op) {
      if (isa<func::ReturnOp>(op))
        handOver(op);
      else
        ownRegions(op);
    });
  }
};
} // namespace
