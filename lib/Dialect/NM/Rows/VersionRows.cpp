//===- VersionRows.cpp - Kernels of rows that calls choose among --------===//
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

/// Elements of rows that threads keep in registers: the most of each of two
/// kernels. With more threads have nothing to do of short rows, and with more
/// than 1024 a warp has not enough registers of a row of f16. The numbers are
/// guesses.
static constexpr int64_t kBounds[] = {256, 1024};

static bool isOfUnknownRows(RowsOp op) {
  return op->getNumResults() == 0 && !op.getSchedule() && !op.getMost() &&
         op.hasUnknownElements();
}

static bool isReduction(RowsOp op) {
  return !op.getBody().getOps<ReduceOp>().empty();
}

/// Whether threads share a row, all of whose elements follow each other.
static bool isShared(RowsOp op) {
  return op.getNumDims() - op.getRows() == 1 && !followRows(op);
}

/// Moves `op` to the else-block of a branch, and gives its copy in the other
/// one.
static RowsOp branch(ImplicitLocOpBuilder &b, RowsOp op, Value condition) {
  auto choice = scf::IfOp::create(b, condition, /*withElseRegion=*/true);
  b.setInsertionPointToStart(choice.thenBlock());
  auto copy = cast<RowsOp>(b.clone(*op));
  op->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
  return copy;
}

/// Makes kernels of rows that threads keep, and one of any others.
static void versionByLength(RowsOp op) {
  for (int64_t most : kBounds) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    // Of no elements the last one is beyond any number.
    Value last = arith::SubIOp::create(b, getExtent(b, op, op.getNumDims() - 1),
                                       indexConstant(b, 1));
    Value isShort = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, last,
                                          indexConstant(b, most));
    branch(b, op, isShort).setMost(most);
  }
}

namespace {
struct VersionRows : nm::impl::NMVersionRowsPassBase<VersionRows> {
  void runOnOperation() override {
    SmallVector<RowsOp> ops;
    getOperation()->walk([&](RowsOp op) {
      if (isOfUnknownRows(op))
        ops.push_back(op);
    });
    for (RowsOp op : ops)
      if (isReduction(op) && isShared(op))
        versionByLength(op);
  }
};
} // namespace
