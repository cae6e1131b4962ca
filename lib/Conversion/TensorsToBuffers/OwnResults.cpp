//===- OwnResults.cpp - Every result an allocation of its own -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "nm/Conversion/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMOWNRESULTSPASS
#include "nm/Conversion/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// The allocation or call in the block of `user` whose whole memory `buffer`
/// shows, or null.
static Value findOwned(Value buffer, Operation *user) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    // A part would be returned with a pointer that is not the allocation's.
    if (isa<memref::SubViewOp, memref::ReinterpretCastOp>(view))
      return nullptr;
    buffer = view.getViewSource();
  }
  Operation *definition = buffer.getDefiningOp();
  bool isOwned = isa_and_nonnull<memref::AllocOp, func::CallOp>(definition) &&
                 definition->getBlock() == user->getBlock();
  return isOwned ? buffer : Value();
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

namespace {
struct OwnResults : nm::impl::NMOwnResultsPassBase<OwnResults> {
  void runOnOperation() override {
    getOperation().walk([](func::ReturnOp op) {
      OpBuilder b(op);
      DenseSet<Value> taken;
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<MemRefType>(operand.get().getType());
        if (!type || !type.getLayout().isIdentity())
          continue;
        Value owned = findOwned(operand.get(), op);
        if (!owned || !taken.insert(owned).second)
          operand.set(copyToFresh(b, op.getLoc(), operand.get()));
      }
    });
  }
};
} // namespace
