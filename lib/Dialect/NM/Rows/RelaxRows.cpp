//===- RelaxRows.cpp - Approximate functions of 16-bit results ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/Rows/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMRELAXROWSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

static bool hasNarrowResults(RowsOp op) {
  return llvm::all_of(op.getOutputs(), [](Value output) {
    Type element = cast<ShapedType>(output.getType()).getElementType();
    return element.isF16() || element.isBF16();
  });
}

namespace {
struct RelaxRows : nm::impl::NMRelaxRowsPassBase<RelaxRows> {
  void runOnOperation() override {
    getOperation()->walk([&](RowsOp op) {
      if (!hasNarrowResults(op))
        return;
      for (Operation &inner : op.getBody().front()) {
        if (!isa<arith::DivFOp, math::ErfOp, math::Exp2Op, math::ExpOp,
                 math::TanhOp>(inner) ||
            !inner.getResult(0).getType().isF32())
          continue;
        auto of = cast<arith::ArithFastMathInterface>(inner);
        arith::FastMathFlags flags = of.getFastMathFlagsAttr().getValue();
        inner.setAttr(of.getFastMathAttrName(),
                      arith::FastMathFlagsAttr::get(
                          &getContext(), flags | arith::FastMathFlags::afn));
      }
    });
  }
};
} // namespace
