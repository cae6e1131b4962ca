//===- WeightCApi.cpp - Weights of nm-c/Program.h -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramHandles.h"

#include "ThreadLoop.h"
#include "nm/Layout/IndexCoding.h"
#include "nm/Layout/Positions.h"
#include "nm/Numbers/Tensor.h"

#include <cstring>
#include <numeric>

using namespace nm;
using namespace nm::vm;
using program::WeightArgument;
using program::WeightArrays;
using runtime::guarded;

/// Raised whenever lib/Layout lays out otherwise what has the same sizes.
static constexpr int kLayoutVersion = 1;

static std::string str(int64_t value) { return std::to_string(value); }

/// What the arrays of a layout depend on besides the weight's data.
static LayoutKeys makeKeys(const WeightArgument &weight,
                           const layout::WeightLayout &layout) {
  const layout::Weight &of = weight.weight;
  std::string head = "nm" + str(kLayoutVersion) + " " +
                     std::string(getNumericType(weight.element).name) + " " +
                     str(of.k) + "x" + str(of.n) + " " + toString(of.pattern);
  if (!layout.isPacked())
    return {head + " condensed values", head + " condensed positions"};
  std::string error;
  // The program was verified, so there is a geometry.
  layout::Geometry g = *layout::Geometry::get(of, layout.packing, error);
  int64_t rows = layout.order == layout::RowOrder::Ascending ? 0
                 : layout.orderedRows == 0 ? g.stepK
                                           : layout.orderedRows;
  std::string order = " " + toString(layout.order) + " of " + str(rows);
  return {head + " values " + str(g.valueRows) + "x" + str(g.valueColumns) +
              " panels of " + str(g.panelColumns) + " lanes of " +
              str(g.laneRows) + (g.fragments ? " fragments" : "") + order,
          head + " indices " + str(g.blockN) + "x" + str(g.stepK) +
              " lanes of " + str(g.areIndicesTogether() ? g.laneRows : 1) +
              " coding " + str(static_cast<int64_t>(g.coding)) + " of " +
              str(g.positionRows) + order};
}

void nm::vm::describeLayouts(nmProgram &program) {
  for (const program::Entry &entry : program.get().entries) {
    auto &ofEntry = program.keys.emplace_back();
    for (const WeightArgument &weight : entry.weights) {
      auto &ofWeight = ofEntry.emplace_back();
      for (const WeightArrays &arrays : weight.layouts)
        ofWeight.push_back(makeKeys(weight, arrays.layout));
    }
  }
}

static Status getWeight(const nmProgram *program, uint32_t function,
                        uint32_t index, const WeightArgument *&weight) {
  const program::Entry *entry = nullptr;
  Status status = getEntry(program, function, entry);
  if (!status.failed())
    status = checkIndex(index, entry->weights.size(), "weights");
  if (!status.failed())
    weight = &entry->weights[index];
  return status;
}

static Status getLayout(const nmProgram *program, uint32_t function,
                        uint32_t index, uint32_t layout,
                        const WeightArgument *&weight,
                        const WeightArrays *&arrays) {
  Status status = getWeight(program, function, index, weight);
  if (!status.failed())
    status = checkIndex(layout, weight->layouts.size(), "layouts");
  if (!status.failed())
    arrays = &weight->layouts[layout];
  return status;
}

nmrtStatus nmProgramGetWeight(const nmProgram *program, uint32_t function,
                              uint32_t weight, nmWeightInfo *info) {
  return guarded([&] {
    const WeightArgument *found = nullptr;
    Status status = getWeight(program, function, weight, found);
    if (!status.failed())
      status = checkPlace(info, "a place for what is known of it");
    if (status.failed())
      return status;
    const sparsity::Pattern &pattern = found->weight.pattern;
    // Views of literals end in 0.
    info->element = getNumericType(found->element).name.data();
    info->type = getElementType(found->element);
    info->k = found->weight.k;
    info->n = found->weight.n;
    info->keep = pattern.keep;
    info->window = pattern.window;
    info->unitK = pattern.unitK;
    info->unitN = pattern.unitN;
    info->layouts = static_cast<uint32_t>(found->layouts.size());
    return status;
  });
}

/// How the values of a layout lie.
static nmWeightLayout describeValues(const WeightArgument &weight,
                                     const layout::WeightLayout &layout) {
  const layout::Weight &of = weight.weight;
  std::string error;
  nmWeightLayout info = {};
  info.laneRows = 1;
  if (!layout.isPacked()) {
    // The program was verified, so there is a shape, and a geometry below.
    sparsity::CondensedShape shape =
        *sparsity::getShape(of.k, of.n, of.pattern, error);
    info.rows = shape.valueRows;
    info.columns = info.panelColumns = info.orderColumns = of.n;
    return info;
  }
  layout::Geometry g = *layout::Geometry::get(of, layout.packing, error);
  info.rows = g.valueRows;
  info.columns = g.valueColumns;
  info.panelColumns = g.panelColumns;
  info.laneRows = g.laneRows;
  info.isFragments = g.fragments;
  info.isOrdered = layout.order != layout::RowOrder::Ascending;
  info.orderColumns = g.unitColumnWidth;
  return info;
}

nmrtStatus nmProgramGetWeightLayout(const nmProgram *program, uint32_t function,
                                    uint32_t weight, uint32_t layout,
                                    nmWeightLayout *info) {
  return guarded([&] {
    const WeightArgument *found = nullptr;
    const WeightArrays *arrays = nullptr;
    Status status = getLayout(program, function, weight, layout, found, arrays);
    if (!status.failed())
      status = checkPlace(info, "a place for what is known of it");
    if (status.failed())
      return status;
    const LayoutKeys &keys = program->keys[function][weight][layout];
    *info = describeValues(*found, arrays->layout);
    info->values = arrays->values;
    info->indices = arrays->indices;
    info->valuesKey = keys.values.c_str();
    info->indicesKey = keys.indices.c_str();
    return status;
  });
}

/// Copies the condensed form, which is a layout too.
static void copyCondensed(const sparsity::CondensedShape &shape, int64_t n,
                          const layout::Elements &values,
                          const layout::Elements &positions, char *valuesOut,
                          char *positionsOut) {
  if (valuesOut)
    std::memcpy(valuesOut, values.data,
                shape.valueRows * n * values.elementBytes);
  if (positionsOut)
    std::memcpy(positionsOut, positions.data,
                shape.indexRows * shape.unitColumns * positions.elementBytes);
}

static Status pack(const WeightArgument &weight,
                   const layout::WeightLayout &layout, const char *values,
                   const char *positions, char *valuesOut, char *indicesOut) {
  const layout::Weight &of = weight.weight;
  std::string error;
  // The program was verified, so there is a shape, and a layout below.
  sparsity::CondensedShape shape =
      *sparsity::getShape(of.k, of.n, of.pattern, error);
  layout::Elements stored = {values, sizeOf(weight.element)};
  layout::Elements given = {positions,
                            sparsity::getPositionBytes(shape.windowUnits)};
  if (!layout::checkPositions(shape, of.pattern.keep, given, error))
    return invalid("the positions of the weight are not valid: " + error);
  if (!layout.isPacked()) {
    copyCondensed(shape, of.n, stored, given, valuesOut, indicesOut);
    return Status();
  }
  layout::PanelLayout panels =
      *layout::PanelLayout::get(of, layout.packing, stored.elementBytes, error);
  layout::PackedIndices packed =
      panels.packIndices(given, /*wantsColumns=*/false, layout.order,
                         layout.orderedRows, loopOnThreads);
  if (indicesOut)
    std::memcpy(indicesOut, packed.indices.data(), packed.indices.size());
  if (valuesOut)
    panels.packValues(stored, packed, valuesOut, loopOnThreads);
  return Status();
}

nmrtStatus nmProgramPackWeight(const nmProgram *program, uint32_t function,
                               uint32_t weight, uint32_t layout,
                               const void *values, const void *positions,
                               void *packedValues, void *packedIndices) {
  return guarded([&] {
    const WeightArgument *found = nullptr;
    const WeightArrays *arrays = nullptr;
    Status status = getLayout(program, function, weight, layout, found, arrays);
    if (!status.failed() && packedValues)
      status = checkPlace(values, "the values of the weight");
    if (!status.failed())
      status = checkPlace(positions, "the positions of the weight");
    return status.failed()
               ? status
               : pack(*found, arrays->layout, static_cast<const char *>(values),
                      static_cast<const char *>(positions),
                      static_cast<char *>(packedValues),
                      static_cast<char *>(packedIndices));
  });
}

/// Writes to `order` row by row what `packed` has by columns and steps.
static void writeOrder(const layout::Geometry &g,
                       const layout::PackedIndices &packed, int32_t *order) {
  int64_t runs = g.valueColumns / g.unitColumnWidth;
  int64_t runsOfBlocks = g.blocks * g.unitColumns;
  // Rows behind all steps stay, and so do those of columns behind all blocks.
  loopOnThreads(g.valueRows / g.unitK, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int64_t run = 0; run < runs; ++run) {
        int64_t step = row / g.unitRows, place = row % g.unitRows;
        order[row * runs + run] = static_cast<int32_t>(
            packed.order.empty() || step >= g.steps || run >= runsOfBlocks
                ? row
                : step * g.unitRows +
                      packed.order[layout::getRunPlace(g, run, step, place)]);
      }
  });
}

static Status findOrder(const WeightArgument &weight,
                        const layout::WeightLayout &layout,
                        const char *positions, int32_t *order) {
  const layout::Weight &of = weight.weight;
  std::string error;
  // The program was verified, so there is a shape, and a layout below.
  sparsity::CondensedShape shape =
      *sparsity::getShape(of.k, of.n, of.pattern, error);
  layout::Elements given = {positions,
                            sparsity::getPositionBytes(shape.windowUnits)};
  if (!layout::checkPositions(shape, of.pattern.keep, given, error))
    return invalid("the positions of the weight are not valid: " + error);
  if (!layout.isPacked()) {
    std::iota(order, order + shape.indexRows, 0);
    return Status();
  }
  layout::PanelLayout panels = *layout::PanelLayout::get(
      of, layout.packing, sizeOf(weight.element), error);
  writeOrder(panels.getGeometry(),
             panels.packIndices(given, /*wantsColumns=*/false, layout.order,
                                layout.orderedRows, loopOnThreads),
             order);
  return Status();
}

nmrtStatus nmProgramOrderWeight(const nmProgram *program, uint32_t function,
                                uint32_t weight, uint32_t layout,
                                const void *positions, int32_t *order) {
  return guarded([&] {
    const WeightArgument *found = nullptr;
    const WeightArrays *arrays = nullptr;
    Status status = getLayout(program, function, weight, layout, found, arrays);
    if (!status.failed())
      status = checkPlace(positions, "the positions of the weight");
    if (!status.failed())
      status = checkPlace(order, "a place for the order");
    return status.failed()
               ? status
               : findOrder(*found, arrays->layout,
                           static_cast<const char *>(positions), order);
  });
}
