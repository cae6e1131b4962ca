//===- LoadFragments.cpp - A step as slices of fragments ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/KernelPlan/StepTurns.h"
#include "nm/Dialect/NM/Map/KindLowering.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"

namespace nm {
#define GEN_PASS_DEF_NMLOADFRAGMENTSPASS
#include "nm/Dialect/NM/Map/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Indices of a column that lie together. Columns of a fragment share theirs.
static int64_t getIndexLaneRows(TileMmaOp op) {
  return op.getFragments() ? 1 : int64_t(op.getLaneRows());
}

/// Kept units of a step, for each unit column.
static int64_t countUnits(TileMmaOp op) {
  auto indices = cast<MemRefType>(op.getIndices().getType());
  switch (op.getCoding()) {
  case IndexCoding::Window:
    return indices.getDimSize(0);
  case IndexCoding::Mask:
    return indices.getDimSize(0) * op.getPattern().getMaskUnits();
  case IndexCoding::Bits:
    return indices.getDimSize(0) * 32 / op.getPattern().getPositionBits();
  default:
    return getIndexLaneRows(op) == 1
               ? indices.getDimSize(1)
               : indices.getDimSize(0) * getIndexLaneRows(op);
  }
}

namespace {
/// Cuts one step of a kernel.
class Slicer {
public:
  Slicer(TileMmaOp op, int64_t stepK, SlicePlan plan)
      : op(op), plan(plan), b(op.getLoc(), op),
        unitK(op.getPattern().getUnitK()) {
    units = countUnits(op);
    if (ShapedType::isDynamic(units))
      units = op.getPattern().getCondensedRows(stepK) / unitK;
    // Positions of as many units as make a slice, of more where they are
    // written out anyway.
    int64_t ofSlice = llvm::divideCeil(plan.rows, unitK);
    int64_t most = std::min(plan.units, plan.unrolled / unitK);
    together = getTurn(units, ofSlice, most);
  }

  LogicalResult cut() {
    if (units % together != 0)
      return op.emitOpError()
             << "expected a step of a multiple of " << plan.rows
             << " condensed rows, which the kind multiplies at once, got "
             << units * unitK;
    int64_t atOnce = getTurn(units, together, plan.unrolled / unitK);
    Value sum =
        forEach(units, atOnce, together, op.getAcc(),
                [&](Value unit, Value acc) { return cutUnits(unit, acc); });
    op.replaceAllUsesWith(sum);
    op.erase();
    return success();
  }

private:
  using Body = function_ref<Value(Value place, Value acc)>;

  /// Calls `body` for 0, stride, ... below `count`: `atOnce` of them a turn of
  /// a loop, or all where that is `count`.
  Value forEach(int64_t count, int64_t atOnce, int64_t stride, Value acc,
                Body body) {
    auto unroll = [&](Value base, Value acc) {
      for (int64_t i = 0; i < atOnce; i += stride)
        acc = body(addIndex(b, base, i), acc);
      return acc;
    };
    if (atOnce >= count)
      return unroll(indexConstant(b, 0), acc);
    auto loop = createCountedLoop(b, count, atOnce, acc);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value sum = unroll(loop.getInductionVar(), loop.getRegionIterArgs()[0]);
    scf::YieldOp::create(b, sum);
    return loop.getResult(0);
  }

  /// All rows of `together` units from `unit` on.
  Value cutUnits(Value unit, Value acc) {
    FragmentType sums = op.getType();
    int64_t unitColumns = op.getPattern().getUnitColumns(sums.getN());
    auto type = FragmentType::get(op.getContext(), together, unitColumns,
                                  b.getIndexType(), Role::Positions);
    Value positions = LoadPositionsOp::create(
        b, type, op.getIndices(), unit, op.getColumns(), op.getPattern(),
        op.getCoding(), getIndexLaneRows(op), op.getFragments());
    Value row = mulIndex(b, unit, unitK);
    if (plan.rows > unitK) {
      int64_t ofSlice = plan.rows / unitK;
      for (int64_t u = 0; u < together; u += ofSlice)
        acc = cutSlice(positions, u, indexConstant(b, 0),
                       addIndex(b, row, u * unitK), acc);
      return acc;
    }
    for (int64_t u = 0; u < together; ++u) {
      Value first = addIndex(b, row, u * unitK);
      acc = forEach(unitK, getTurn(unitK, plan.rows, plan.unrolled), plan.rows,
                    acc, [&](Value place, Value acc) {
                      return cutSlice(positions, u, place,
                                      addIndex(b, first, place), acc);
                    });
    }
    return acc;
  }

  /// One slice: from row `place` of unit `unit` of `positions` on, which is row
  /// `row` of the step.
  Value cutSlice(Value positions, int64_t unit, Value place, Value row,
                 Value acc) {
    auto elementOf = [](Value memref) {
      return cast<MemRefType>(memref.getType()).getElementType();
    };
    MLIRContext *context = op.getContext();
    FragmentType sums = op.getType();
    auto rowsType = FragmentType::get(context, sums.getM(), plan.rows,
                                      elementOf(op.getA()), Role::Rows);
    auto valuesType =
        FragmentType::get(context, plan.rows, sums.getN(),
                          elementOf(op.getValues()), Role::Values);
    Value rows =
        LoadRowsOp::create(b, rowsType, op.getA(), positions, place, unit,
                           op.getALayout(), /*listed=*/bool(op.getColumns()));
    Value values = LoadValuesOp::create(b, valuesType, op.getValues(), row,
                                        op.getLaneRows(), op.getFragments());
    return MmaOp::create(b, rows, values, acc);
  }

  TileMmaOp op;
  SlicePlan plan;
  ImplicitLocOpBuilder b;
  int64_t unitK;
  int64_t units;    // of the step
  int64_t together; // whose positions are loaded together
};

/// Checks that the kind reads the step's weight as it lies.
static LogicalResult verifyForm(TiledKernel kernel) {
  TileMmaOp op = kernel.mma;
  WeightForm form;
  form.laneRows = int64_t(op.getLaneRows());
  form.fragments = op.getFragments();
  if (op.getCoding() != IndexCoding::Window)
    form.coding = op.getCoding();
  InstructionKind kind = kernel.schedule.getKind();
  if (kind.readsForm(op.getPattern(), form))
    return success();
  return op.emitOpError() << "expected a weight in a form that " << kind
                          << " reads, got coding = "
                          << stringifyEnum(op.getCoding())
                          << ", lane_rows = " << form.laneRows
                          << (form.fragments ? " and fragments" : "")
                          << "; run nm-pack-weights with this schedule";
}

struct LoadFragments : nm::impl::NMLoadFragmentsPassBase<LoadFragments> {
  void runOnOperation() override {
    auto cutStep = [](TiledKernel kernel) -> LogicalResult {
      FailureOr<KindLowering> lowering = getLowering(kernel.launch);
      if (failed(lowering) || failed(verifyForm(kernel)))
        return failure();
      return Slicer(kernel.mma, kernel.schedule.getStepK(),
                    lowering->planSlices(kernel.mma))
          .cut();
    };
    if (failed(forEachKernel(getOperation(), cutStep)))
      signalPassFailure();
  }
};
} // namespace
