//===- SelectSchedule.cpp - How each product is computed ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"
#include "RowVariants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "nm/Dialect/NM/KernelPlan/KernelPlan.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Planner/Planner.h"
#include "nm/Support/Remarks.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

namespace nm {
#define GEN_PASS_DEF_NMSELECTSCHEDULEPASS
#include "nm/Dialect/NM/Plan/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The share of a product's predicted time that it may take at most with an A
/// that is transposed first: predictions err by more than a gain of 3 %, and
/// the buffer is there in any case.
static constexpr double kWorthTransposing = 0.97;

/// How much longer kernels of one product take whose steps differ, as rows of
/// the weight have one order for all: where one had steps of 128 rows and the
/// others of 256, all took 2 to 3 % longer, that of 64 rows 7 % (H200, bf16,
/// 8:32, L = 32, a throw-away run), and the positions twice the memory.
static constexpr double kOfUnequalSteps = 1.025;
/// How much longer a kernel may take, predicted, whose steps are the others',
/// which spares positions of its own, a byte each: with 1.06, 512 rows of
/// 4096x11008 at 16:32, L = 32, took 77 us, by steps of their own 70 (H200,
/// docs/results/2026-11-29-h200-rows-4.jsonl and
/// 2026-11-30-h200-rows-before-constants.jsonl).
static constexpr double kWorthOneStep = 1.03;
/// Longer steps take less than predicted beside shorter ones from so many rows
/// of A on. It is the least number for which both were measured to take as long
/// as each other; of 200 rows, steps of 256 rows of k are slower, as predicted
/// (H200, a throw-away run).
static constexpr int64_t kLeastRowsOfLongerSteps = 1024;
/// How many times as long as they take longer steps of many rows are predicted
/// to, beside shorter ones. Steps of 256 rows of k for 128 at 8:32, L = 128,
/// are predicted to take 1.09 and 1.11 of the time of 1024 rows of 4096x4096
/// and 4096x11008, and take 1.00 of it (H200,
/// docs/results/2026-11-30-h200-layer-candidates.jsonl).
static constexpr double kOfLongerSteps = 1.08;
/// How much longer it may take where steps divide each other. Steps of 192 and
/// 256 rows of k have an order of 64 in common, of 16 condensed rows at
/// 8:32: 1.8 wavefronts a matrix instead of 1.4 (docs/performance.md, "Order of
/// the rows"), which the predictions leave out.
static constexpr double kWorthOneOrder = 1.03;

/// How many times as long as they take steps of `step` rows of k are predicted
/// to, beside those of `own`, for `rows` rows of A.
static double getOverestimate(int64_t rows, int64_t step, int64_t own) {
  return rows >= kLeastRowsOfLongerSteps && step > own ? kOfLongerSteps : 1;
}

/// How much longer `rows` rows may take by `kept`, the kernel for more, than by
/// `own`: one, of most steps of decoding, not at all. Predictions of one kind
/// compare better than those of two, so that a kernel of the same kind is kept
/// sooner. Of many rows they say up to a tenth too little for `mma_gemv`.
static double getWorth(int64_t rows, ScheduleAttr kept, ScheduleAttr own) {
  if (rows == 1)
    return 1;
  if (rows <= 16)
    return 1.03;
  // Tiles that all have a block of their own need not be shared. Sharing them
  // was predicted to take hardly longer, and took 6 % longer (200 rows of
  // 11008x4096 at 16:32, L = 128: 43.9 us, and 41 without; H200,
  // docs/results/2026-11-30-h200-rows.jsonl and -rows-2.jsonl).
  bool isOneWave = own.getStreamK() == 0 && own.getPersistent() == 0;
  if (kept.getStreamK() != 0 && isOneWave)
    return 1;
  // Kernels for many rows share the weight, so that one more costs its code.
  if (rows > 128 || (isa<MmaSyncAttr>(Attribute(kept.getKind())) &&
                     isa<MmaSyncAttr>(Attribute(own.getKind()))))
    return 1.03;
  bool isSameKind = kept.getKind().getTypeID() == own.getKind().getTypeID();
  bool isOnTensorCores = isa<MmaGemvAttr>(Attribute(own.getKind()));
  if (isSameKind || (rows > 24 && isOnTensorCores))
    return 1.1;
  return rows <= 24 ? 1.03 : 1.08;
}

namespace {
/// The candidates for a product, the fastest first, with its A as it is or
/// transposed before.
struct Way {
  int64_t rows = 0; // of A
  SmallVector<Choice, 0> choices;
  bool transposesA = false;
  double before = 0; // seconds of the transposition

  double getSeconds(const Choice &choice) const {
    return before + choice.getSeconds();
  }

  /// Of the fastest.
  ScheduleAttr getSchedule() const {
    return choices.front().candidate.schedule;
  }
};

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
    reported.clear();
    ProductInfo product(op);
    if (variants && ShapedType::isDynamic(product.m) &&
        isa<RankedTensorType>(op.getInitType()))
      return selectVariants(op, product);
    FailureOr<RowVariant> all = choose(op, product, {});
    if (failed(all))
      return failure();
    op.setScheduleAttr(all->schedule);
    return success();
  }

  /// What computes `op` by its number of rows.
  LogicalResult selectVariants(ProductOpInterface op, ProductInfo product) {
    std::optional<int64_t> step = chooseStep(op, product);
    product.m = kManyRows;
    FailureOr<RowVariant> last = choose(op, product, {}, step);
    if (failed(last))
      return failure();
    SmallVector<RowVariant> found;
    RowVariant ofMore = *last;
    for (int64_t most : llvm::reverse(kVariantRows)) {
      product.m = most;
      FailureOr<RowVariant> variant = choose(op, product, ofMore, step);
      if (failed(variant))
        return failure();
      if (!variant->isLike(ofMore))
        found.insert(found.begin(), *variant);
      ofMore = *variant;
    }
    createRowVariants(op, found, *last);
    return success();
  }

  /// Rows of a step of `schedule`, by which the rows of `weight` are ordered
  /// for all kernels that read it; 0 of kinds that have an order of their own.
  static int64_t getSharedStep(ScheduleAttr schedule, CondensedType weight) {
    if (!isa<MmaSyncAttr>(Attribute(schedule.getKind())) ||
        schedule.getPacked())
      return 0;
    return schedule.getStepRows(weight.getK(), weight.getPattern());
  }

  /// The best way by itself, whatever other kernels do.
  Way findFastest(ProductOpInterface op, const ProductInfo &product) {
    Way best = rank(op, product, /*kept=*/{});
    if (best.choices.empty() || !mayTransposeA(op, product))
      return best;
    Way other = rankTransposed(op, product, /*kept=*/{});
    return isFaster(other, best) ? other : best;
  }

  /// The step that kernels of `op` have, for whatever number of rows, so that
  /// all together take the least by prediction; nothing where each had better
  /// have its own.
  std::optional<int64_t> chooseStep(ProductOpInterface op,
                                    ProductInfo product) {
    SmallVector<Way> ways;
    llvm::SetVector<int64_t> steps;
    auto add = [&](int64_t rows) {
      product.m = rows;
      Way way = findFastest(op, product);
      way.rows = rows;
      int64_t step = way.choices.empty()
                         ? 0
                         : getSharedStep(way.getSchedule(), product.weight);
      if (step == 0)
        return;
      steps.insert(step);
      ways.push_back(std::move(way));
    };
    llvm::for_each(kVariantRows, add);
    add(kManyRows);
    if (steps.size() < 2)
      return std::nullopt;
    std::optional<int64_t> found;
    double least = std::pow(kOfUnequalSteps, double(ways.size()));
    for (int64_t step : steps) {
      double total = 1;
      for (const Way &way : ways)
        total *= getRatio(way, product.weight, step);
      if (total < least)
        std::tie(least, found) = std::pair(total, step);
    }
    return found;
  }

  /// What the fastest choice of `way` with steps of `step` rows takes, of the
  /// fastest one of all; infinity where none takes hardly longer.
  static double getRatio(const Way &way, CondensedType weight, int64_t step) {
    const Choice &best = way.choices.front();
    int64_t own = getSharedStep(best.candidate.schedule, weight);
    for (const Choice &choice : way.choices) {
      double ratio = way.getSeconds(choice) / way.getSeconds(best) /
                     getOverestimate(way.rows, step, own);
      if (getSharedStep(choice.candidate.schedule, weight) == step &&
          choice.measured.has_value() == best.measured.has_value())
        return ratio <= kWorthOneStep ? ratio : INFINITY;
    }
    return INFINITY;
  }

  /// The best way to compute `product`, which is `op`'s or one of as many rows
  /// as it may have; `kept` where that takes hardly longer, or else what has
  /// steps of `step` rows where that does.
  FailureOr<RowVariant> choose(ProductOpInterface op,
                               const ProductInfo &product,
                               const RowVariant &kept,
                               std::optional<int64_t> step = std::nullopt) {
    Way best =
        rank(op, product, kept.transposesA ? ScheduleAttr() : kept.schedule);
    if (best.choices.empty())
      return op->emitOpError()
             << "expected a product that a strategy supports on "
             << target->chip;
    Way other;
    if (mayTransposeA(op, product))
      other = rankTransposed(op, product, kept);
    if (isFaster(other, best))
      std::swap(best, other);
    for (const Way *way : {&best, &other})
      if (keeps(*way, kept, product, best))
        return RowVariant{product.m, kept.schedule, kept.transposesA};
    preferOneOrder(best.choices, kept, product, step);
    ScheduleOptions options = {stages, packingThreshold};
    emitRemark(op, RemarkId::ScheduleSelected) << remarkReason(
        "{0}{1}{2}",
        kept.schedule ? llvm::formatv("up to {0} {1}: ", product.m,
                                      product.m == 1 ? "row" : "rows")
                            .str()
                      : "",
        best.transposesA
            ? llvm::formatv("A is transposed in {0:f1} us, ", best.before * 1e6)
                  .str()
            : "",
        describeChoice(best.choices, predictDense(product, *target, options)));
    return RowVariant{product.m, best.choices.front().candidate.schedule,
                      best.transposesA};
  }

  /// The candidates for `product`, with `kept` among them, if there is one that
  /// reads A alike.
  Way rank(ProductOpInterface op, const ProductInfo &product,
           ScheduleAttr kept) {
    Way way;
    ScheduleOptions options = {stages, packingThreshold, kept};
    way.choices = rankSchedules(product, *target, options);
    // A workspace of tiles would grow with a number of rows that nobody knows.
    if (ShapedType::isDynamic(op.getRows()) && product.m == kManyRows &&
        !target->hasClusters)
      llvm::erase_if(way.choices, [](const Choice &choice) {
        return choice.candidate.schedule.getSplitK() != 1;
      });
    preferMeasured(way.choices, product, *target, database,
                   [&](const Twine &reason) {
                     // Products are ranked for several numbers of rows.
                     if (reported.insert(reason.str()).second)
                       emitRemark(op, RemarkId::MeasurementIgnored)
                           << remarkReason("{0}", reason.str());
                   });
    return way;
  }

  Way rankTransposed(ProductOpInterface op, ProductInfo product,
                     const RowVariant &kept) {
    product.isAFeatureMajor = true;
    product.rowAlignment = kSectorBytes;
    Way way =
        rank(op, product, kept.transposesA ? kept.schedule : ScheduleAttr());
    // What reads A past its tiles has nothing of it.
    llvm::erase_if(way.choices, [](const Choice &choice) {
      return !choice.candidate.schedule.getPromoteA();
    });
    way.transposesA = true;
    way.before = predictTranspose(
        RankedTensorType::get({product.m, product.weight.getK()}, product.a),
        *target);
    return way;
  }

  /// Whether A, of a number of rows that is not known, may be transposed for
  /// this product alone.
  static bool mayTransposeA(ProductOpInterface op, const ProductInfo &product) {
    return isa<SpmmOp>(op) && ShapedType::isDynamic(op.getRows()) &&
           !product.isAFeatureMajor && product.m >= kLeastTransposedRows;
  }

  /// Whether `way`, which transposes, is worth its buffer. As a measured and a
  /// predicted time do not compare, predictions decide, unless `than` was
  /// measured to take less than predicted.
  static bool isFaster(const Way &way, const Way &than) {
    if (way.choices.empty())
      return false;
    const Choice &a = way.choices.front(), &b = than.choices.front();
    if (a.measured && b.measured)
      return way.getSeconds(a) < kWorthTransposing * b.getSeconds();
    return way.before + a.cost.seconds <
           kWorthTransposing * std::min(b.cost.seconds, b.getSeconds());
  }

  /// Puts the first choice in front that takes hardly longer than the fastest
  /// and whose steps are those of the kernels that share its rows' order, or
  /// else divide those of `kept` or are divided by them (nm-pack-weights). The
  /// former are of `step` rows, if that was chosen, and of kinds on CUDA cores
  /// those of `kept`. Not in front of another kind, which has an order of its
  /// own, nor of mma_gemv, which reads the values that others have in any case:
  /// all that equal steps spare there are positions of a byte each.
  static void preferOneOrder(SmallVectorImpl<Choice> &choices,
                             const RowVariant &kept, const ProductInfo &product,
                             std::optional<int64_t> step) {
    CondensedType weight = product.weight;
    const Choice &best = choices.front();
    ScheduleAttr fastest = best.candidate.schedule;
    if (isa<MmaGemvAttr>(Attribute(fastest.getKind())))
      return;
    auto getStep = [&](ScheduleAttr schedule) {
      return schedule.getStepRows(weight.getK(), weight.getPattern());
    };
    auto isLikeFastest = [&](ScheduleAttr schedule) {
      return schedule.getKind().getTypeID() == fastest.getKind().getTypeID() &&
             schedule.getPacked() == fastest.getPacked();
    };
    auto find = [&](double worth, llvm::function_ref<bool(int64_t)> fits) {
      return llvm::find_if(choices, [&](const Choice &choice) {
        ScheduleAttr schedule = choice.candidate.schedule;
        return isLikeFastest(schedule) && fits(getStep(schedule)) &&
               choice.measured.has_value() == best.measured.has_value() &&
               choice.getSeconds() <= worth * best.getSeconds();
      });
    };
    std::optional<int64_t> ofKept;
    if (kept.schedule && isLikeFastest(kept.schedule))
      ofKept = getStep(kept.schedule);
    if (getSharedStep(fastest, weight) == 0)
      step = ofKept;
    auto *found = choices.end();
    if (step)
      found = find(kWorthOneStep *
                       getOverestimate(product.m, *step, getStep(fastest)),
                   [&](int64_t own) { return own == *step; });
    if (found == choices.end() && ofKept)
      found = find(kWorthOneOrder, [&](int64_t own) {
        return own % *ofKept == 0 || *ofKept % own == 0;
      });
    if (found != choices.end())
      std::rotate(choices.begin(), found, std::next(found));
  }

  /// Whether `kept` is one of `way` and takes hardly longer than the best of
  /// `fastest`.
  static bool keeps(const Way &way, const RowVariant &kept,
                    const ProductInfo &product, const Way &fastest) {
    if (!kept.schedule || way.transposesA != kept.transposesA)
      return false;
    const Choice &best = fastest.choices.front();
    double most = getWorth(product.m, kept.schedule, best.candidate.schedule) *
                  fastest.getSeconds(best);
    return llvm::any_of(way.choices, [&](const Choice &choice) {
      return choice.candidate.schedule == kept.schedule &&
             choice.measured.has_value() == best.measured.has_value() &&
             way.getSeconds(choice) <= most;
    });
  }

  /// A schedule written by hand must fit the chip.
  LogicalResult check(ProductOpInterface op, ScheduleAttr schedule) {
    int64_t bytes = KernelPlan::get(schedule, op.getWeightType(),
                                    op.getAType().getElementType(),
                                    op.isAFeatureMajor(), *target)
                        .getSharedBytes();
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
  llvm::StringSet<> reported; // why measurements of an op are ignored
};
} // namespace
