//===- PackWeights.cpp - Offline layout of constant weights ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NM-SpMM III-C. What lies where is lib/Layout's business; this pass decides
// for which products a constant is packed.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "nm/Dialect/NM/Transforms/Passes.h"
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
#include "nm/Dialect/NM/Transforms/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The schedules of the products of `constant`.
static SmallVector<ScheduleAttr> getSchedules(ConstantOp constant) {
  SmallVector<ScheduleAttr> schedules;
  for (Operation *user : constant->getUsers()) {
    auto product = dyn_cast<ProductOpInterface>(user);
    if (ScheduleAttr schedule = product ? product.getScheduleAttr() : nullptr)
      schedules.push_back(schedule);
  }
  return schedules;
}

/// The form of a weight for `schedule`: what the kind's threads want, where
/// they read it themselves.
static WeightForm chooseForm(CondensedType weight, ScheduleAttr schedule) {
  if (schedule.getPromoteWeight() || schedule.getPacked())
    return {};
  return schedule.getKind().chooseForm(
      weight, schedule.getStepRows(weight.getK(), weight.getPattern()));
}

/// Whether values in these forms lie alike, but for panels.
static bool shareValues(WeightForm form, WeightForm other) {
  return form.laneRows == other.laneRows && form.fragments == other.fragments;
}

namespace {
/// What products of a constant agree on that have its values in one form, so
/// that they share them.
struct Agreement {
  Agreement(ConstantOp constant, WeightForm form);

  SmallVector<ScheduleAttr> schedules;
  /// The order of the rows of a step, and the rows of k within which it is one.
  layout::RowOrder order = layout::RowOrder::Ascending;
  int64_t orderedRows = 0;

private:
  void chooseOrder(CondensedType type);
};
} // namespace

Agreement::Agreement(ConstantOp constant, WeightForm form) {
  auto type = cast<CondensedType>(constant.getType());
  for (ScheduleAttr schedule : getSchedules(constant))
    if (shareValues(chooseForm(type, schedule), form))
      schedules.push_back(schedule);
  chooseOrder(type);
}

/// For the banks where the kinds have lanes that each read a row of their own,
/// and where an order within some rows of k is one within each step. Units of
/// several rows lie on several banks as they are.
void Agreement::chooseOrder(CondensedType type) {
  if (type.getPattern().getUnitK() != 1)
    return;
  ScheduleAttr first = schedules.front();
  int64_t rows = 0;
  bool isOneStep = true;
  for (ScheduleAttr schedule : schedules) {
    // Places in a list of rows are those of a block and a step.
    bool agrees =
        schedule.getPacked() == first.getPacked() &&
        (!schedule.getPacked() || (schedule.getBlockN() == first.getBlockN() &&
                                   schedule.getStepK() == first.getStepK()));
    // One row at a time, or rows that threads share. Other codings than rows
    // are of units that ascend.
    InstructionKind kind = schedule.getKind();
    if (!agrees || kind.getSliceRows() == 1 || kind.getSumThreads() != 1 ||
        chooseForm(type, schedule).coding != IndexCoding::Rows)
      return;
    isOneStep &= schedule.getStepK() == first.getStepK();
    rows = std::gcd(rows, schedule.getStepRows(type.getK(), type.getPattern()));
  }
  // The order is by the rows of a step modulo those that lie on other banks.
  if (!isOneStep && rows % layout::kBankRows != 0)
    return;
  order = layout::RowOrder::Banks;
  orderedRows = rows;
}

/// The columns of a panel with which all blocks are whole panels, so that those
/// whose values can be like `form` share them. Nothing where panels would have
/// rows that are no whole chunks of 16 bytes, which a thread copies at once:
/// each kernel then has panels of its own.
static std::optional<int64_t>
choosePanelColumns(ConstantOp constant, ArrayRef<ScheduleAttr> schedules) {
  auto type = cast<CondensedType>(constant.getType());
  int64_t columns = 0;
  for (ScheduleAttr schedule : schedules)
    columns = std::gcd(columns, schedule.getBlockN());
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  if (columns * bits % 128 != 0)
    return std::nullopt;
  return columns;
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
      makeLoop(constant.getContext(), layout.getGeometry().getColumns()));
  StringRef name = getElementsName(constant.getValues(), "weight");
  return makeElements(type, std::move(packed), (name + ".packed").str());
}

/// The layout of `constant` for `schedule`, or nothing after an error.
static std::optional<layout::PanelLayout> getLayout(ConstantOp constant,
                                                    ScheduleAttr schedule,
                                                    const Agreement &agreement,
                                                    WeightForm form) {
  int64_t blockN = schedule.getBlockN();
  int64_t panels =
      blockN /
      choosePanelColumns(constant, agreement.schedules).value_or(blockN);
  auto type = cast<CondensedType>(constant.getType());
  std::string error;
  std::optional<layout::PanelLayout> layout = layout::PanelLayout::get(
      getWeight(type.getK(), type.getN(), type.getPattern()),
      {blockN, schedule.getStepRows(type.getK(), type.getPattern()), panels,
       form.laneRows, getCoding(form.coding), form.fragments},
      type.getElementType().getIntOrFloatBitWidth() / 8, error);
  if (!layout)
    constant.emitOpError() << error << "; choose another schedule than "
                           << schedule;
  return layout;
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
  auto packing =
      PackingAttr::get(b.getContext(), geometry.blockN, geometry.stepK,
                       packed.width, geometry.blockN / geometry.panelColumns,
                       form.laneRows, form.coding, form.fragments);
  auto packedType =
      CondensedType::get(b.getContext(), type.getK(), type.getN(),
                         type.getElementType(), type.getPattern(), packing);
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
  emitRemark(constant, RemarkId::WeightPacked)
      << remarkKey(RemarkKey::Rows,
                   packed.width != 0 ? packed.width : geometry.stepK)
      << remarkKey(RemarkKey::OfRows, geometry.stepK)
      << remarkKey(RemarkKey::PanelColumns, geometry.panelColumns);
  return result;
}

namespace {
struct PackWeights : nm::impl::NMPackWeightsPassBase<PackWeights> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](ProductOpInterface op) {
      return pack(op) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (auto &[key, constant] : packed)
      if (key.first->use_empty())
        erased.insert(key.first);
    for (Operation *constant : erased)
      constant->erase();
  }

  /// Gives `op` a packed weight; false after an error.
  bool pack(ProductOpInterface op) {
    ScheduleAttr schedule = op.getScheduleAttr();
    auto constant = op.getWeight().getDefiningOp<ConstantOp>();
    if (!schedule || !constant || op.getWeightType().getPacking()) {
      emitRemark(op, RemarkId::WeightNotPacked)
          << remarkReason("{0}", !schedule   ? "no schedule"
                                 : !constant ? "the weight is no constant"
                                             : "the weight is packed");
      return true;
    }
    Builder builder(&getContext());
    WeightForm form = chooseForm(op.getWeightType(), schedule);
    Attribute key = builder.getArrayAttr(
        {builder.getI64ArrayAttr({schedule.getBlockN(), schedule.getStepK(),
                                  form.laneRows, int64_t(form.coding),
                                  int64_t(form.fragments)}),
         builder.getBoolAttr(schedule.getPacked())});
    ConstantOp &result = packed[{constant.getOperation(), key}];
    if (!result) {
      ImplicitLocOpBuilder b(constant.getLoc(), constant);
      // As long as no product has another weight.
      Attribute ofForm =
          builder.getArrayAttr({builder.getI64IntegerAttr(form.laneRows),
                                builder.getBoolAttr(form.fragments)});
      auto *agreement = agreements.find({constant.getOperation(), ofForm});
      if (agreement == agreements.end())
        agreement = agreements
                        .insert({{constant.getOperation(), ofForm},
                                 Agreement(constant, form)})
                        .first;
      result = packConstant(b, constant, schedule, agreement->second, form,
                            values[constant]);
    }
    if (!result)
      return false;
    op.getWeightMutable().set(result);
    return true;
  }

  llvm::MapVector<Operation *, PackedValues> values;
  llvm::MapVector<std::pair<Operation *, Attribute>, Agreement> agreements;
  // One packed constant for all products that agree on columns and step.
  llvm::MapVector<std::pair<Operation *, Attribute>, ConstantOp> packed;
  llvm::SmallSetVector<Operation *, 4> erased;
};
} // namespace
