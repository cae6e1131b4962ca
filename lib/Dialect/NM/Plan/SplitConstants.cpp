//===- SplitConstants.cpp - Condensed constants to tensors ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/RawElements.h"

namespace nm {
#define GEN_PASS_DEF_NMSPLITCONSTANTSPASS
#include "nm/Dialect/NM/Plan/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// An arith.constant of `elements`.
static Value createConstant(ImplicitLocOpBuilder &b, ElementsAttr elements) {
  return arith::ConstantOp::create(b, elements.getType(),
                                   cast<TypedAttr>(elements));
}

/// Checks that the data of every part is there, in a form that kernels' buffers
/// can be filled from.
static LogicalResult verifyData(ConstantOp constant) {
  SmallVector<ElementsAttr> parts = {constant.getValues(),
                                     constant.getIndices()};
  if (constant.getColumns())
    parts.push_back(*constant.getColumns());
  auto emitReason = [&](const Twine &reason) { constant.emitOpError(reason); };
  return success(llvm::all_of(parts, [&](ElementsAttr part) {
    return succeeded(RawElements::get(part, emitReason));
  }));
}

/// Gives every user of `constant` an nm.assemble of its own, right before it,
/// so that no other op can come between the parts and their use.
static void split(ConstantOp constant) {
  ImplicitLocOpBuilder b(constant.getLoc(), constant);
  Value values = createConstant(b, constant.getValues());
  Value indices = createConstant(b, constant.getIndices());
  Value columns;
  if (constant.getColumns())
    columns = createConstant(b, *constant.getColumns());
  for (OpOperand &use : llvm::make_early_inc_range(constant->getUses())) {
    b.setInsertionPoint(use.getOwner());
    use.set(
        AssembleOp::create(b, constant.getType(), values, indices, columns));
  }
  constant.erase();
}

namespace {
struct SplitConstants : nm::impl::NMSplitConstantsPassBase<SplitConstants> {
  void runOnOperation() override {
    SmallVector<ConstantOp> constants;
    getOperation()->walk([&](ConstantOp op) { constants.push_back(op); });
    for (ConstantOp constant : constants) {
      if (failed(verifyData(constant)))
        return signalPassFailure();
      split(constant);
    }
    WalkResult found = getOperation()->walk([](Operation *op) {
      if (!isa<CondenseOp, ExpandOp>(op))
        return WalkResult::advance();
      op->emitOpError("unsupported on a device: a weight whose data is known "
                      "only at run time; make it a constant, or run the module "
                      "with --device=cpu");
      return WalkResult::interrupt();
    });
    if (found.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
