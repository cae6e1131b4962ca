//===- DropRoundings.cpp - Rounding of what is no result -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/Rows/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMDROPROUNDINGSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

static bool isNarrow(Type type) { return type.isF16() || type.isBF16(); }

namespace {
/// Rewrites one body.
class Widener {
public:
  explicit Widener(RowsOp op) : b(op.getContext()), op(op) {}

  void run() {
    for (Operation &inner :
         llvm::make_early_inc_range(op.getBody().front().without_terminator()))
      rewrite(inner);
    // From behind on, as a narrow number may be computed of others.
    for (Operation &inner :
         llvm::make_early_inc_range(llvm::reverse(op.getBody().front())))
      if (isOpTriviallyDead(&inner))
        inner.erase();
  }

private:
  void rewrite(Operation &inner) {
    b.setInsertionPointAfter(&inner);
    if (auto rounded = dyn_cast<arith::TruncFOp>(inner)) {
      if (isNarrow(rounded.getType()) && rounded.getIn().getType().isF32())
        wide[rounded] = rounded.getIn();
      return;
    }
    if (auto widened = dyn_cast<arith::ExtFOp>(inner)) {
      if (Value known = wide.lookup(widened.getIn());
          known && widened.getType().isF32())
        widened.replaceAllUsesWith(known);
      return;
    }
    bool isComputed =
        isa<ReduceOp>(inner) || (inner.hasTrait<OpTrait::Elementwise>() &&
                                 !isa<CastOpInterface>(inner));
    if (isComputed && llvm::any_of(inner.getOperandTypes(), isNarrow))
      compute(inner);
  }

  /// Computes `inner` in f32. Who reads its narrow result reads the rounded
  /// one.
  void compute(Operation &inner) {
    b.setInsertionPoint(&inner);
    SmallVector<Value> operands =
        llvm::map_to_vector(inner.getOperands(), [&](Value operand) {
          return isNarrow(operand.getType()) ? getWide(operand) : operand;
        });
    Operation *copy = b.clone(inner);
    copy->setOperands(operands);
    for (auto [old, result] :
         llvm::zip_equal(inner.getResults(), copy->getResults())) {
      if (!isNarrow(old.getType())) {
        old.replaceAllUsesWith(result);
        continue;
      }
      Type type = old.getType();
      result.setType(b.getF32Type());
      Value rounded = arith::TruncFOp::create(b, inner.getLoc(), type, result);
      wide[rounded] = result;
      old.replaceAllUsesWith(rounded);
    }
  }

  Value getWide(Value value) {
    Value &known = wide[value];
    if (!known)
      known = arith::ExtFOp::create(b, value.getLoc(), b.getF32Type(), value);
    return known;
  }

  OpBuilder b;
  RowsOp op;
  DenseMap<Value, Value> wide; // what narrow values were before, or are, in f32
};

struct DropRoundings : nm::impl::NMDropRoundingsPassBase<DropRoundings> {
  void runOnOperation() override {
    getOperation()->walk([](RowsOp op) { Widener(op).run(); });
  }
};
} // namespace
