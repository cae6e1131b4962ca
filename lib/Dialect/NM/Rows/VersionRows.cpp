//===- VersionRows.cpp - Kernels of short rows and of long ones -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Rows/Passes.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"

namespace nm {
#define GEN_PASS_DEF_NMVERSIONROWSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Elements of a short row, of which the threads of a warp have 16 each: two
/// accesses of 16-bit elements, and four of f32. The number is a guess.
static constexpr int64_t kShort = 512;

/// Whether threads share a row whose length only a call knows.
static bool isOfUnknownRows(RowsOp op) {
  return op->getNumResults() == 0 && !op.getSchedule() && !op.getMost() &&
         op.hasUnknownElements() && op.getNumDims() - op.getRows() == 1 &&
         !op.getBody().getOps<ReduceOp>().empty() && !followRows(op);
}

namespace {
struct VersionRows : nm::impl::NMVersionRowsPassBase<VersionRows> {
  void runOnOperation() override {
    SmallVector<RowsOp> ops;
    getOperation()->walk([&](RowsOp op) {
      if (isOfUnknownRows(op))
        ops.push_back(op);
    });
    for (RowsOp op : ops) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      Value elements = getExtent(b, op, op.getNumDims() - 1);
      // Of no elements this is more than any number.
      Value last = arith::SubIOp::create(b, elements, indexConstant(b, 1));
      Value isShort = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, last,
                                            indexConstant(b, kShort));
      auto choice = scf::IfOp::create(b, isShort, /*withElseRegion=*/true);
      b.setInsertionPointToStart(choice.thenBlock());
      cast<RowsOp>(b.clone(*op)).setMost(kShort);
      op->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
    }
  }
};
} // namespace
