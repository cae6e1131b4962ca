//===- PackWeights.cpp - Offline layout of weights ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NM-SpMM III-C. What lies where is lib/Layout's business; this pass decides
// for which products a weight is packed.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/CallersWeights.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Layout/PanelLayout.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/ParallelRanges.h"
#include "nm/Support/RawElements.h"
#include "nm/Support/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

namespace nm {
#define GEN_PASS_DEF_NMPACKWEIGHTSPASS
#include "nm/Dialect/NM/Plan/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The schedules of the products of `weight`.
static SmallVector<ScheduleAttr> getSchedules(Value weight) {
  SmallVector<ScheduleAttr> schedules;
  for (Operation *user : weight.getUsers()) {
    auto product = dyn_cast<ProductOpInterface>(user);
    if (ScheduleAttr schedule = product ? product.getScheduleAttr() : nullptr)
      schedules.push_back(schedule);
  }
  return schedules;
}

/// The form of a weight for `schedule`.
static WeightForm chooseForm(CondensedType weight, ScheduleAttr schedule) {
  return schedule.getKind().chooseForm(
      weight, schedule.getStepRows(weight.getK(), weight.getPattern()),
      schedule.getPromoteWeight() || schedule.getPacked());
}

/// Whether values in these forms lie alike, but for panels.
static bool shareValues(WeightForm form, WeightForm other) {
  return form.laneRows == other.laneRows && form.fragments == other.fragments;
}

namespace {
/// What products of a weight agree on that have its values in one form, so that
/// they share them.
struct Agreement {
  Agreement(Value weight, WeightForm form);

  SmallVector<ScheduleAttr> schedules;
  /// The order of the rows of a step, and the rows of k within which it is one.
  layout::RowOrder order = layout::RowOrder::Ascending;
  int64_t orderedRows = 0;

  /// Condensed rows of the values: of the longest of all kernels' steps; and
  /// their columns: of all kernels' blocks, 0 where each has its own.
  int64_t valueRows = 0, valueColumns = 0;
  /// Those of a panel, as choosePanelColumns says.
  std::optional<int64_t> panelColumns;

  /// Rows of k in which positions of a kernel with steps of `step` rows count,
  /// where rows are ordered: the step, so that no place of a window is added to
  /// them, or those that are ordered where a byte holds no position in more. 0
  /// where they count in windows, or are none.
  int64_t getPositionRows(IndexCoding coding, int64_t step) const;

private:
  void chooseOrder(CondensedType type, WeightForm form);
};
} // namespace

/// The columns of a panel with which all blocks are whole panels, so that those
/// whose values can be like `form` share them. Nothing where panels would have
/// rows that are no whole chunks of 16 bytes, which a thread copies at once:
/// each kernel then has panels of its own.
static std::optional<int64_t>
choosePanelColumns(CondensedType type, ArrayRef<ScheduleAttr> schedules) {
  int64_t columns = 0;
  for (ScheduleAttr schedule : schedules)
    columns = std::gcd(columns, schedule.getBlockN());
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  if (columns * bits % 128 != 0)
    return std::nullopt;
  return columns;
}

/// The columns of the values whose panels kernels of all `schedules` read: of
/// their blocks, and whole runs of columns that share an index in any of them.
/// 0 where that is beyond 64 bits, which no layout is.
static int64_t chooseValueColumns(CondensedType type,
                                  ArrayRef<ScheduleAttr> schedules) {
  int64_t unitN = type.getPattern().getUnitN(), runs = 1, columns = 0;
  for (ScheduleAttr schedule : schedules) {
    int64_t blockN = schedule.getBlockN(), ofBlocks = 0;
    if (llvm::MulOverflow<int64_t>(llvm::divideCeil(type.getN(), blockN),
                                   blockN, ofBlocks))
      return 0;
    columns = std::max(columns, ofBlocks);
    runs = std::lcm(runs, std::min(unitN, blockN));
  }
  int64_t all = 0;
  bool fits =
      !llvm::MulOverflow<int64_t>(llvm::divideCeil(columns, runs), runs, all);
  return fits ? all : 0;
}

Agreement::Agreement(Value weight, WeightForm form) {
  auto type = cast<CondensedType>(weight.getType());
  for (ScheduleAttr schedule : getSchedules(weight))
    if (shareValues(chooseForm(type, schedule), form))
      schedules.push_back(schedule);
  for (ScheduleAttr schedule : schedules) {
    int64_t step = schedule.getStepRows(type.getK(), type.getPattern());
    int64_t steps = schedule.getSteps(type.getK(), type.getPattern());
    valueRows =
        std::max(valueRows, steps * type.getPattern().getCondensedRows(step));
  }
  panelColumns = choosePanelColumns(type, schedules);
  if (panelColumns)
    valueColumns = chooseValueColumns(type, schedules);
  chooseOrder(type, form);
}

/// Rows of k whose positions a byte holds, in which as many are ordered beside
/// kernels that read positions.
static constexpr int64_t kByteRows = 256;

int64_t Agreement::getPositionRows(IndexCoding coding, int64_t step) const {
  if (coding != IndexCoding::Positions || orderedRows == 0)
    return 0;
  return step <= kByteRows ? step : orderedRows;
}

/// For the banks where lanes each read a row of their own, and where an order
/// within some rows of k is one within each step. Units of several rows lie on
/// several banks as they are. Kernels of few rows take what order there is.
void Agreement::chooseOrder(CondensedType type, WeightForm form) {
  PatternAttr pattern = type.getPattern();
  if (!form.fragments || pattern.getUnitK() != 1)
    return;
  ScheduleAttr first = schedules.front();
  int64_t rows = 0;
  bool isOneStep = true, isForBanks = false;
  for (ScheduleAttr schedule : schedules) {
    // Places in a list of rows are those of a block and a step.
    bool agrees =
        schedule.getPacked() == first.getPacked() &&
        (!schedule.getPacked() || (schedule.getBlockN() == first.getBlockN() &&
                                   schedule.getStepK() == first.getStepK()));
    if (!agrees)
      return;
    // Where warps share the rows of a column, lanes read elements of A.
    isForBanks |= schedule.getKind().getSumThreads() == 1;
    isOneStep &= schedule.getStepK() == first.getStepK();
    rows = std::gcd(rows, schedule.getStepRows(type.getK(), pattern));
    if (chooseForm(type, schedule).coding != IndexCoding::Positions)
      continue;
    if (pattern.isWindowAll())
      return;
    rows = std::gcd(rows, kByteRows);
  }
  // The order is by the rows of a step modulo those that lie on other banks.
  if (!isForBanks || (!isOneStep && rows % layout::kBankRows != 0))
    return;
  // What is ordered is whole windows, which bytes may not hold, and whole
  // fragments.
  if ((!pattern.isWindowAll() &&
       rows % pattern.getWindowRows(type.getK()) != 0) ||
      pattern.getCondensedRows(rows) % layout::kFragmentRows != 0)
    return;
  order = layout::RowOrder::Banks;
  orderedRows = rows;
}

/// The packed values of a constant by their type and form, on which alone they
/// depend.
using PackedValues = llvm::MapVector<Attribute, ElementsAttr>;

/// Loops of lib/Layout on the threads of `context`, over iterations of about
/// `elements` elements.
static sparsity::RangeLoop makeLoop(MLIRContext *context, int64_t elements) {
  return [=](int64_t count, const std::function<void(int64_t, int64_t)> &body) {
    parallelRanges(context, count, elements, body);
  };
}

static layout::Elements getElements(const RawElements &raw) {
  return {raw.getData().data(), raw.getElementBytes(), raw.isSplat()};
}

/// The values of `constant` in the order of `indices`.
static ElementsAttr packValues(ConstantOp constant,
                               const layout::PanelLayout &layout,
                               const layout::PackedIndices &indices,
                               const RawElements &values,
                               RankedTensorType type) {
  SmallVector<char, 0> packed;
  packed.resize_for_overwrite(type.getNumElements() * values.getElementBytes());
  layout.packValues(
      getElements(values), indices, packed.data(),
      makeLoop(constant.getContext(), layout.getGeometry().valueColumns));
  StringRef name = getElementsName(constant.getValues(), "weight");
  return makeElements(type, std::move(packed), (name + ".packed").str());
}

/// The layout of `weight` for `schedule`, or nothing after an error.
static std::optional<layout::PanelLayout> getLayout(Value weight,
                                                    ScheduleAttr schedule,
                                                    const Agreement &agreement,
                                                    WeightForm form) {
  auto type = cast<CondensedType>(weight.getType());
  int64_t blockN = schedule.getBlockN();
  int64_t panels = blockN / agreement.panelColumns.value_or(blockN);
  int64_t step = schedule.getStepRows(type.getK(), type.getPattern());
  std::string error;
  std::optional<layout::PanelLayout> layout = layout::PanelLayout::get(
      getWeight(type.getK(), type.getN(), type.getPattern()),
      {blockN, step, panels, form.laneRows, getCoding(form.coding),
       form.fragments, agreement.getPositionRows(form.coding, step),
       agreement.valueRows, agreement.valueColumns},
      type.getElementType().getIntOrFloatBitWidth() / 8, error);
  if (!layout)
    emitError(weight.getLoc()) << "cannot pack the weight: " << error
                               << "; choose another schedule than " << schedule;
  return layout;
}

/// The type of a weight in `layout`, with lists of `columns` columns.
static CondensedType getPackedType(CondensedType type, WeightForm form,
                                   const Agreement &agreement,
                                   const layout::Geometry &geometry,
                                   int64_t columns) {
  MLIRContext *context = type.getContext();
  auto packing = PackingAttr::get(
      context, geometry.blockN, geometry.stepK, columns,
      geometry.blockN / geometry.panelColumns, form.laneRows, form.coding,
      form.fragments, agreement.getPositionRows(form.coding, geometry.stepK),
      // Said where it says more than the steps.
      geometry.valueRows == geometry.getRowsOfSteps() ? 0 : geometry.valueRows,
      geometry.valueColumns == geometry.getColumns() ? 0
                                                     : geometry.valueColumns);
  return CondensedType::get(context, type.getK(), type.getN(),
                            type.getElementType(), type.getPattern(), packing);
}

/// Says of how many rows of how many a block reads the weight.
static void reportPacked(Operation *op, int64_t columns,
                         const layout::Geometry &geometry) {
  emitRemark(op, RemarkId::WeightPacked)
      << remarkKey(RemarkKey::Rows, columns != 0 ? columns : geometry.stepK)
      << remarkKey(RemarkKey::OfRows, geometry.stepK)
      << remarkKey(RemarkKey::PanelColumns, geometry.panelColumns);
}

/// Bytes of shared memory at multiples of which what the copy engine brings
/// begins, and so of which the indices of a step are a multiple.
static constexpr int64_t kLineBytes = 128;

/// `form`, with positions of bytes in the place of the rows of a step that is
/// ordered and whose kernel reads them: a weight has indices for each of its
/// kernels, which bytes make a fourth of.
static WeightForm preferBytes(CondensedType type, ScheduleAttr schedule,
                              const Agreement &agreement, WeightForm form) {
  WeightForm ofBytes = form;
  ofBytes.coding = IndexCoding::Positions;
  int64_t rows = schedule.getStepRows(type.getK(), type.getPattern());
  int64_t indices = type.getPattern().getCondensedRows(rows) *
                    type.getPattern().getUnitColumns(schedule.getBlockN());
  // A window that is all of k is no number of rows for positions to count in.
  bool isOrdered = agreement.orderedRows != 0 &&
                   !type.getPattern().isWindowAll() && rows <= kByteRows &&
                   indices % kLineBytes == 0;
  bool isRead = schedule.getKind().readsForm(type.getPattern(), ofBytes);
  return isOrdered && isRead && !schedule.getPacked() ? ofBytes : form;
}

/// What the caller is to pack `argument` as for `schedule`; null after an
/// error.
static Value packArgument(BlockArgument argument, ScheduleAttr schedule,
                          const Agreement &agreement, WeightForm form) {
  auto type = cast<CondensedType>(argument.getType());
  std::optional<layout::PanelLayout> layout =
      getLayout(argument, schedule, agreement, form);
  if (!layout)
    return {};
  auto b = ImplicitLocOpBuilder::atBlockBegin(argument.getLoc(),
                                              argument.getOwner());
  auto pack =
      PackOp::create(b,
                     getPackedType(type, form, agreement, layout->getGeometry(),
                                   /*columns=*/0),
                     argument, b.getStringAttr(toString(agreement.order)),
                     b.getI64IntegerAttr(agreement.orderedRows));
  reportPacked(pack, /*columns=*/0, layout->getGeometry());
  return pack;
}

/// Packs `constant` for `schedule`; null after an error.
static ConstantOp packConstant(ImplicitLocOpBuilder &b, ConstantOp constant,
                               ScheduleAttr schedule,
                               const Agreement &agreement, WeightForm form,
                               PackedValues &packedValues) {
  auto type = cast<CondensedType>(constant.getType());
  auto values = RawElements::get(constant.getValues(), ignoreReason);
  auto indices = RawElements::get(constant.getIndices(), ignoreReason);
  if (failed(values) || failed(indices)) {
    constant.emitOpError("expected weight data, got elided elements; print the "
                         "module with its resources");
    return {};
  }
  std::optional<layout::PanelLayout> layout =
      getLayout(constant, schedule, agreement, form);
  if (!layout)
    return {};
  const layout::Geometry &geometry = layout->getGeometry();
  layout::PackedIndices packed =
      layout->packIndices(getElements(*indices), schedule.getPacked(),
                          agreement.order, agreement.orderedRows,
                          makeLoop(b.getContext(), geometry.getTileIndices()));
  CondensedType packedType =
      getPackedType(type, form, agreement, geometry, packed.width);
  StringRef name = getElementsName(constant.getValues(), "weight");
  ElementsAttr columns;
  if (packed.width != 0)
    columns = makeElements(
        RankedTensorType::get(packedType.getColumnsShape(), b.getI32Type()),
        std::move(packed.columns), (name + ".columns").str());
  RankedTensorType valuesType = packedType.getValuesTensorType();
  Attribute key = b.getArrayAttr(
      {TypeAttr::get(valuesType), b.getBoolAttr(form.fragments)});
  ElementsAttr &sharedValues = packedValues[key];
  if (!sharedValues)
    sharedValues = packValues(constant, *layout, packed, *values, valuesType);
  auto result = ConstantOp::create(
      b, packedType, sharedValues,
      makeElements(packedType.getIndicesTensorType(), std::move(packed.indices),
                   (name + ".rows").str()),
      columns);
  reportPacked(constant, packed.width, geometry);
  return result;
}

/// Why the weight of `op` stays as it is; "" where it does not.
static StringRef getReasonToStay(ProductOpInterface op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  if (!schedule)
    return "no schedule";
  if (op.getWeightType().getPacking())
    return "the weight is packed";
  if (op.getWeight().getDefiningOp<ConstantOp>())
    return "";
  if (!isWeightOfCaller(op.getWeight()))
    return "the weight is neither a constant nor an argument of a public "
           "function";
  return schedule.getPacked() ? "lists of columns need the weight's data" : "";
}

namespace {
struct PackWeights : nm::impl::NMPackWeightsPassBase<PackWeights> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](ProductOpInterface op) {
      return pack(op) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (auto &[key, weight] : packed)
      if (key.first.use_empty())
        if (Operation *constant = key.first.getDefiningOp())
          erased.insert(constant);
    for (Operation *constant : erased)
      constant->erase();
  }

  /// Gives `op` a packed weight; false after an error.
  bool pack(ProductOpInterface op) {
    if (StringRef reason = getReasonToStay(op); !reason.empty()) {
      emitRemark(op, RemarkId::WeightNotPacked) << remarkReason("{0}", reason);
      return true;
    }
    ScheduleAttr schedule = op.getScheduleAttr();
    Value weight = op.getWeight();
    Builder builder(&getContext());
    WeightForm form = chooseForm(op.getWeightType(), schedule);
    Attribute key = builder.getArrayAttr(
        {builder.getI64ArrayAttr({schedule.getBlockN(), schedule.getStepK(),
                                  form.laneRows, int64_t(form.coding),
                                  int64_t(form.fragments)}),
         builder.getBoolAttr(schedule.getPacked())});
    Value &result = packed[{weight, key}];
    if (!result)
      result = pack(weight, schedule, getAgreement(weight, form), form);
    if (!result)
      return false;
    op.getWeightMutable().set(result);
    return true;
  }

  Value pack(Value weight, ScheduleAttr schedule, const Agreement &agreement,
             WeightForm form) {
    form = preferBytes(cast<CondensedType>(weight.getType()), schedule,
                       agreement, form);
    auto constant = weight.getDefiningOp<ConstantOp>();
    if (!constant)
      return packArgument(cast<BlockArgument>(weight), schedule, agreement,
                          form);
    ImplicitLocOpBuilder b(constant.getLoc(), constant);
    ConstantOp result =
        packConstant(b, constant, schedule, agreement, form, values[constant]);
    return result ? result.getResult() : Value();
  }

  /// Made before any product has another weight.
  const Agreement &getAgreement(Value weight, WeightForm form) {
    Builder builder(&getContext());
    Attribute ofForm =
        builder.getArrayAttr({builder.getI64IntegerAttr(form.laneRows),
                              builder.getBoolAttr(form.fragments)});
    auto *agreement = agreements.find({weight, ofForm});
    if (agreement == agreements.end())
      agreement =
          agreements.insert({{weight, ofForm}, Agreement(weight, form)}).first;
    return agreement->second;
  }

  llvm::MapVector<Operation *, PackedValues> values;
  llvm::MapVector<std::pair<Value, Attribute>, Agreement> agreements;
  // One packed weight for all products that agree on columns and step.
  llvm::MapVector<std::pair<Value, Attribute>, Value> packed;
  llvm::SmallSetVector<Operation *, 4> erased;
};
} // namespace
