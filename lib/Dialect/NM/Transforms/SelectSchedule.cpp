//===- SelectSchedule.cpp - How each product is computed ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowVariants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "nm/Dialect/NM/Transforms/Passes.h"
#include "nm/Planner/Planner.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/TargetInfo.h"

namespace nm {
#define GEN_PASS_DEF_NMSELECTSCHEDULEPASS
#include "nm/Dialect/NM/Transforms/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// How much longer `rows` rows may take by `kept`, the kernel for more, than by
/// `own`: one, of most steps of decoding, not at all. Predictions of one kind
/// compare better than those of two, so that a kernel of the same kind is kept
/// sooner. Of many rows they say up to a tenth too little for `mma_gemv`.
static double getWorth(int64_t rows, ScheduleAttr kept, ScheduleAttr own) {
  if (rows == 1)
    return 1;
  if (rows <= 16)
    return 1.03;
  bool isSameKind = kept.getKind().getTypeID() == own.getKind().getTypeID();
  bool isOnTensorCores = isa<MmaGemvAttr>(Attribute(own.getKind()));
  if (isSameKind || (rows > 24 && isOnTensorCores))
    return 1.1;
  return rows <= 24 ? 1.03 : 1.08;
}

namespace {
struct SelectSchedule : nm::impl::NMSelectSchedulePassBase<SelectSchedule> {
  using NMSelectSchedulePassBase::NMSelectSchedulePassBase;

  void runOnOperation() override {
    target = &getTarget(getOperation());
    auto emitError = [&] { return getOperation()->emitError(); };
    if (failed(checkOptions({stages, packingThreshold}, emitError)) ||
        failed(readDatabase()))
      return signalPassFailure();
    SmallVector<ProductOpInterface> products;
    getOperation()->walk(
        [&](ProductOpInterface op) { products.push_back(op); });
    for (ProductOpInterface op : products)
      if (failed(select(op)))
        return signalPassFailure();
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
    FailureOr<ScheduleAttr> schedule = choose(op, product, ScheduleAttr());
    if (failed(schedule))
      return failure();
    op.setScheduleAttr(*schedule);
    bool isUnknown = ShapedType::isDynamic(product.m);
    return variants && isUnknown && isa<RankedTensorType>(op.getInitType())
               ? selectVariants(op, product)
               : success();
  }

  /// Adds what computes `op` where it has few rows.
  LogicalResult selectVariants(ProductOpInterface op, ProductInfo product) {
    SmallVector<RowVariant> found;
    ScheduleAttr ofMore = op.getScheduleAttr();
    for (int64_t most : llvm::reverse(kVariantRows)) {
      product.m = most;
      FailureOr<ScheduleAttr> schedule = choose(op, product, ofMore);
      if (failed(schedule))
        return failure();
      if (*schedule != ofMore)
        found.insert(found.begin(), {most, *schedule});
      ofMore = *schedule;
    }
    createRowVariants(op, found);
    return success();
  }

  /// The best schedule for `product`, which is `op`'s or one of as many rows as
  /// it may have; `kept` where that takes hardly longer.
  FailureOr<ScheduleAttr>
  choose(ProductOpInterface op, const ProductInfo &product, ScheduleAttr kept) {
    ScheduleOptions options = {stages, packingThreshold, kept};
    SmallVector<Choice, 0> choices = rankSchedules(product, *target, options);
    if (choices.empty())
      return op->emitOpError()
             << "expected a product that a strategy supports on "
             << target->chip;
    preferMeasured(choices, product, *target, database,
                   [&](const Twine &reason) {
                     emitRemark(op, RemarkId::MeasurementIgnored)
                         << remarkReason("{0}", reason.str());
                   });
    const Choice &best = choices.front();
    if (llvm::any_of(choices, [&](const Choice &choice) {
          // Measured and predicted times do not compare.
          return choice.candidate.schedule == kept &&
                 choice.measured.has_value() == best.measured.has_value() &&
                 choice.getSeconds() <=
                     getWorth(product.m, kept, best.candidate.schedule) *
                         best.getSeconds();
        }))
      return kept;
    emitRemark(op, RemarkId::ScheduleSelected) << remarkReason(
        "{0}{1}",
        kept ? llvm::formatv("up to {0} {1}: ", product.m,
                             product.m == 1 ? "row" : "rows")
                   .str()
             : "",
        describeChoice(choices, predictDense(product, *target, options)));
    return best.candidate.schedule;
  }

  /// A schedule written by hand must fit the chip.
  LogicalResult check(ProductOpInterface op, ScheduleAttr schedule) {
    int64_t bytes = getSharedMemoryBytes(
        schedule, op.getWeightType(), op.getAType().getElementType(), *target);
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
