//===- SelectSchedule.cpp - How each product is computed ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/Transforms/Passes.h"
#include "nm/Planner/Planner.h"
#include "nm/Support/Options.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/TargetInfo.h"

namespace nm {
#define GEN_PASS_DEF_NMSELECTSCHEDULEPASS
#include "nm/Dialect/NM/Transforms/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
struct SelectSchedule : nm::impl::NMSelectSchedulePassBase<SelectSchedule> {
  using NMSelectSchedulePassBase::NMSelectSchedulePassBase;

  void runOnOperation() override {
    target = &getTarget(getOperation());
    auto emitError = [&] { return getOperation()->emitError(); };
    if (failed(checkRange(OptionId::Stages, stages, emitError)) ||
        failed(checkRange(OptionId::PackingThreshold, packingThreshold,
                          emitError)) ||
        failed(readDatabase()))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([&](ProductOpInterface op) {
      return failed(select(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult readDatabase() {
    if (!tuning && !tuningDatabase.empty())
      return getOperation()->emitError()
             << "expected no tuning-database without tuning, got `"
             << tuningDatabase << "`";
    database = TuningDatabase();
    if (!tuningDatabase.empty() &&
        failed(database.readFile(&getContext(), tuningDatabase)))
      return failure();
    return tuning ? database.readShipped(&getContext()) : success();
  }

  LogicalResult select(ProductOpInterface op) {
    if (ScheduleAttr schedule = op.getScheduleAttr())
      return check(op, schedule);
    ProductInfo product(op);
    SmallVector<Choice> choices =
        rankSchedules(product, *target, {stages, packingThreshold});
    if (choices.empty())
      return op->emitOpError()
             << "expected a product that a strategy supports on "
             << target->chip;
    preferMeasured(choices, product, *target, database,
                   [&](const Twine &reason) {
                     emitRemark(op, RemarkId::MeasurementIgnored)
                         << remarkReason("{0}", reason.str());
                   });
    op.setScheduleAttr(choices.front().candidate.schedule);
    emitRemark(op, RemarkId::ScheduleSelected)
        << remarkReason("{0}", describeChoice(choices));
    return success();
  }

  /// A schedule written by hand must fit the chip.
  LogicalResult check(ProductOpInterface op, ScheduleAttr schedule) {
    if (schedule.getSplitK() > 1 && !target->hasClusters)
      return op->emitOpError()
             << "expected a chip with clusters, which share the steps of a "
                "schedule with split_k = "
             << schedule.getSplitK() << ", got " << target->chip
             << "; remove split_k or compile for a chip that has them";
    int64_t bytes = getSharedMemoryBytes(schedule, op.getWeightType(),
                                         op.getAType().getElementType());
    if (!schedule.getPacked() && bytes > target->sharedMemoryPerBlock)
      return op->emitOpError()
             << "expected a schedule within the "
             << target->sharedMemoryPerBlock << " bytes of shared memory of "
             << target->chip << ", got one of " << bytes
             << " bytes; choose a smaller block, step or number of stages";
    return success();
  }

  const TargetInfo *target = nullptr;
  TuningDatabase database;
};
} // namespace
