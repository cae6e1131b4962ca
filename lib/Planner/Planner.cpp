//===- Planner.cpp - The schedule of a product ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Planner/Planner.h"

#include "TuningReader.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "nm/Dialect/NM/IR/CallersWeights.h"
#include "nm/Support/Options.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace nm;

static bool isCallBehindOthers(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function && function->hasAttr(kBehindOthersAttrName);
}

/// Elements from a row of a feature-major `a` to the next. Where a
/// transposition writes it to a part of longer rows, they are as long as these.
static int64_t getRowStride(Value a, int64_t m) {
  auto transpose = a.getDefiningOp<linalg::TransposeOp>();
  auto part = transpose
                  ? transpose.getInit().getDefiningOp<tensor::ExtractSliceOp>()
                  : nullptr;
  return part ? part.getSourceType().getShape().back() : m;
}

/// ProductInfo::rowAlignment of `a`, of `m` rows.
static int64_t getRowAlignment(Value a, int64_t m) {
  int64_t stride = getRowStride(a, m);
  if (ShapedType::isDynamic(stride))
    return 1;
  int64_t bits = getElementTypeOrSelf(a).getIntOrFloatBitWidth();
  return int64_t(llvm::MinAlign(stride * bits / 8, kSectorBytes));
}

ProductInfo::ProductInfo(ProductOpInterface op)
    : weight(op.getWeightType()), a(op.getAType().getElementType()),
      sum(op.getAcc()), c(op.getInitType().getElementType()), m(op.getRows()),
      isAFeatureMajor(op.isAFeatureMajor()),
      isCFeatureMajor(op.isCFeatureMajor()),
      rowAlignment(getRowAlignment(op.getA(), m)),
      footprint(RowFootprint::get(op)),
      isRuntimeWeight(op.getWeight().getDefiningOp<AssembleOp>() ||
                      isWeightOfCaller(op.getWeight())),
      isBehindOthers(isCallBehindOthers(op)) {}

LogicalResult
nm::checkOptions(const ScheduleOptions &options,
                 llvm::function_ref<InFlightDiagnostic()> emitError) {
  if (failed(checkRange(OptionId::Stages, double(options.stages), emitError)))
    return failure();
  return checkRange(OptionId::PackingThreshold, options.packingThreshold,
                    emitError);
}

KernelPlan ProductInfo::getPlan(ScheduleAttr schedule,
                                const TargetInfo &target) const {
  return KernelPlan::get(schedule, weight, a, isAFeatureMajor, target);
}

llvm::SmallVector<Choice, 0> nm::rankSchedules(const ProductInfo &product,
                                               const TargetInfo &target,
                                               const ScheduleOptions &options) {
  llvm::SmallVector<Choice, 0> choices;
  for (const Strategy *strategy : getStrategies()) {
    llvm::SmallVector<Candidate> candidates;
    strategy->enumerate(product, target, options, candidates);
    for (Candidate &candidate : candidates) {
      Cost cost = predictCost(candidate.work, target);
      // Behind those that are as fast.
      Choice *place = llvm::find_if(choices, [&](const Choice &choice) {
        return choice.cost.seconds > cost.seconds;
      });
      choices.insert(place, {std::move(candidate), cost, strategy->getName()});
    }
  }
  return choices;
}

/// The schedule that `text` is. Why it is none, the parser or the verifier
/// says.
static FailureOr<ScheduleAttr> parseSchedule(llvm::StringRef text,
                                             const ProductInfo &product,
                                             ReasonEmitter emitReason) {
  MLIRContext *context = product.weight.getContext();
  // Another attribute is no error to the parser.
  std::string said = "expected a #nm.schedule";
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(context)); };
  auto parse = [&] {
    ScopedDiagnosticHandler listener(context, [&](Diagnostic &diagnostic) {
      said = diagnostic.str();
      return success();
    });
    auto schedule =
        isAttributeOfNM(text)
            ? dyn_cast_if_present<ScheduleAttr>(parseAttribute(text, context))
            : ScheduleAttr();
    if (schedule &&
        failed(schedule.verifyFor(emitError, product.weight, product.a)))
      return ScheduleAttr();
    return schedule;
  };
  ScheduleAttr schedule = parse();
  // Only now, since a remark is a diagnostic, too.
  if (!schedule)
    return failWith(emitReason, said);
  return schedule;
}

/// The candidate whose schedule is `text`.
static FailureOr<Choice *> findCandidate(llvm::MutableArrayRef<Choice> choices,
                                         const ProductInfo &product,
                                         llvm::StringRef text,
                                         ReasonEmitter emitReason) {
  FailureOr<ScheduleAttr> schedule = parseSchedule(text, product, emitReason);
  if (failed(schedule))
    return failure();
  Choice *found = llvm::find_if(choices, [&](const Choice &choice) {
    return choice.candidate.schedule == *schedule;
  });
  if (found == choices.end())
    return failWith(emitReason, "it is no candidate with these options");
  return found;
}

/// Gives the candidates that `entry` has times of these; whether there are any.
static bool addTimes(llvm::MutableArrayRef<Choice> choices,
                     const ProductInfo &product, const TuningEntry &entry,
                     ReasonEmitter emitIgnored) {
  bool hasTimes = false;
  for (const Measurement *measurement : entry.getCurrent()) {
    auto emitReason = [&](const Twine &reason) {
      emitIgnored("`" + measurement->schedule + "` of " + entry.source + ": " +
                  reason);
    };
    FailureOr<Choice *> found =
        findCandidate(choices, product, measurement->schedule, emitReason);
    if (failed(found))
      continue;
    (*found)->measured = MeasuredTime{measurement->microseconds, &entry};
    hasTimes = true;
  }
  return hasTimes;
}

void nm::preferMeasured(llvm::SmallVectorImpl<Choice> &choices,
                        const ProductInfo &product, const TargetInfo &target,
                        const TuningDatabase &database,
                        ReasonEmitter emitIgnored) {
  bool hasTimes = false;
  for (const TuningEntry *entry : database.find(product, target.chip))
    hasTimes = hasTimes || addTimes(choices, product, *entry, emitIgnored);
  // Those that were not measured keep their order, as do equally fast ones.
  auto getTime = [](const Choice &choice) {
    return choice.measured ? choice.measured->microseconds
                           : std::numeric_limits<double>::infinity();
  };
  llvm::stable_sort(choices, [&](const Choice &x, const Choice &y) {
    return getTime(x) < getTime(y);
  });
}

/// "812.3 us measured on NVIDIA H200 for m = 4096 (tuning.json), " of a choice
/// that has a time.
static std::string describeMeasured(const Choice &choice) {
  if (!choice.measured)
    return "";
  const TuningEntry &entry = *choice.measured->entry;
  return llvm::formatv("{0:f1} us measured on {1} for m = {2} ({3}), ",
                       choice.measured->microseconds,
                       entry.measurements.back().gpu, entry.product.m,
                       entry.source);
}

std::optional<double> nm::predictFastest(const ProductInfo &product,
                                         const TargetInfo &target,
                                         const ScheduleOptions &options) {
  llvm::SmallVector<Choice, 0> choices =
      rankSchedules(product, target, options);
  if (choices.empty())
    return std::nullopt;
  return choices.front().cost.seconds;
}

std::optional<double> nm::predictDense(ProductInfo product,
                                       const TargetInfo &target,
                                       const ScheduleOptions &options) {
  CondensedType weight = product.weight;
  MLIRContext *context = weight.getContext();
  PatternAttr pattern = weight.getPattern();
  auto whole = PatternAttr::get(context, pattern.getWindowUnits(weight.getK()),
                                pattern.getWindow(), pattern.getUnitK(),
                                pattern.getUnitN());
  product.weight =
      CondensedType::get(context, weight.getK(), weight.getN(),
                         weight.getElementType(), whole, PackingAttr());
  product.footprint = nullptr;
  return predictFastest(product, target, options);
}

std::string nm::describeChoice(llvm::ArrayRef<Choice> choices,
                               std::optional<double> dense) {
  const Choice &best = choices.front();
  std::string text = llvm::formatv(
      "{0}: {1}, {2} bytes of shared memory, {3}{4:f1} us predicted, bound by "
      "{5}",
      best.strategy, best.candidate.name, best.candidate.work.sharedBytes,
      describeMeasured(best), best.cost.seconds * 1e6,
      getName(best.cost.bound));
  // The word is needed where the other time stands beside it.
  llvm::StringRef predicted = best.measured ? " predicted" : "";
  if (choices.size() > 1) {
    const Choice &next = choices[1];
    text += llvm::formatv("; next of {0}: {1}, ", choices.size(),
                          next.candidate.name);
    if (next.measured)
      text +=
          llvm::formatv("{0:f1} us measured, ", next.measured->microseconds);
    text += llvm::formatv("{0:f1} us{1}", next.cost.seconds * 1e6, predicted);
  }
  if (dense)
    text += llvm::formatv("; dense: {0:f1} us{1}", *dense * 1e6, predicted);
  return text;
}
