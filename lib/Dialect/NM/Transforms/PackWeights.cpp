//===- PackWeights.cpp - Offline layout of constant weights ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NM-SpMM III-C: the indices that a block needs in a step lie together and
// count from the step's tile, and the column information lists the rows of A
// that the block reads. Values keep their order and are padded to whole tiles.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/Transforms/Passes.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/ParallelRanges.h"
#include "nm/Support/RawElements.h"
#include "nm/Support/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

namespace nm {
#define GEN_PASS_DEF_NMPACKWEIGHTSPASS
#include "nm/Dialect/NM/Transforms/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// The numbers of one packing, in the words of #nm.packing.
struct Geometry {
  Geometry(CondensedType type, int64_t blockN, int64_t stepK)
      : blockN(blockN), stepK(stepK) {
    PatternAttr pattern = type.getPattern();
    int64_t k = type.getK(), n = type.getN();
    keep = pattern.getKeep();
    unitK = pattern.getUnitK();
    unitN = pattern.getUnitN();
    blocks = llvm::divideCeil(n, blockN);
    steps = llvm::divideCeil(k, stepK);
    windowRows = pattern.getWindowRows(k);
    unitRows = pattern.getNumWindows(stepK) * keep;
    unitColumns = pattern.getUnitColumns(blockN);
    storedRows = pattern.getCondensedRows(k) / unitK;
    storedColumns = pattern.getUnitColumns(n);
  }

  /// Stored unit column of unit column `u` of block `q`.
  int64_t storedColumn(int64_t q, int64_t u) const {
    return blockN % unitN == 0 ? q * unitColumns + u : q * blockN / unitN;
  }

  int64_t blockN, stepK;
  int64_t keep, unitK, unitN; // of the pattern
  int64_t blocks, steps;
  int64_t windowRows;                // rows of k in a window
  int64_t unitRows, unitColumns;     // kept unit rows a step, columns a block
  int64_t storedRows, storedColumns; // of the unpacked indices
};

/// Packed indices and, when wanted, the column information.
struct PackedIndices {
  SmallVector<int32_t, 0> indices; // [blocks * steps, unitColumns, unitRows]
  std::vector<std::vector<int32_t>> columns; // one list a block and step
};
} // namespace

/// Copies `values` into the padded shape.
static SmallVector<char, 0> packValues(const RawElements &values,
                                       CondensedType from, CondensedType to) {
  std::vector<char> repeated;
  ArrayRef<char> data = values.getData();
  if (values.isSplat())
    data = repeated = values.copy();
  int64_t width = from.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t rows = from.getValuesShape()[0], paddedRows = to.getValuesShape()[0];
  int64_t bytes = from.getValuesShape()[1] * width;
  int64_t paddedBytes = to.getValuesShape()[1] * width;
  SmallVector<char, 0> packed;
  packed.resize_for_overwrite(paddedRows * paddedBytes);
  auto packRow = [&](int64_t row) {
    int64_t copied = row < rows ? bytes : 0;
    char *out = packed.data() + row * paddedBytes;
    if (copied != 0)
      std::memcpy(out, data.data() + row * bytes, copied);
    std::memset(out + copied, 0, paddedBytes - copied);
  };
  parallelRanges(from.getContext(), paddedRows, paddedBytes,
                 [&](int64_t begin, int64_t end) {
                   for (int64_t row = begin; row < end; ++row)
                     packRow(row);
                 });
  return packed;
}

/// The step's row of unit row `r` with position `position` in its window.
static int32_t tileRow(const Geometry &g, int64_t r, int64_t position) {
  return static_cast<int32_t>(r / g.keep * g.windowRows + position * g.unitK);
}

/// Re-bases the indices of one block and step to the step's tile. Rows of
/// padding are -1. Columns of padding, which are never stored, repeat the last
/// column, so that they make the block read no further rows.
static void packStep(const Geometry &g, const RawElements &stored, int64_t q,
                     int64_t s, MutableArrayRef<int32_t> packed) {
  llvm::fill(packed, -1);
  int64_t rows = std::min(g.unitRows, g.storedRows - s * g.unitRows);
  for (int64_t r = 0; r < rows; ++r) {
    int64_t first = (s * g.unitRows + r) * g.storedColumns;
    for (int64_t u = 0; u < g.unitColumns; ++u) {
      int64_t column = std::min(g.storedColumn(q, u), g.storedColumns - 1);
      packed[u * g.unitRows + r] =
          tileRow(g, r, stored.getUnsigned(first + column));
    }
  }
}

/// Renumbers the indices of one block and step to the list of the rows that
/// they name, which it returns. Padding names an entry of -1.
static std::vector<int32_t> listColumns(const Geometry &g,
                                        MutableArrayRef<int32_t> packed) {
  std::vector<int32_t> units(packed.begin(), packed.end());
  llvm::sort(units);
  units.erase(llvm::unique(units), units.end());
  bool padded = !units.empty() && units.front() == -1;
  if (padded)
    units.erase(units.begin());
  std::vector<int32_t> rows;
  for (int32_t unit : units)
    for (int64_t t = 0; t < g.unitK; ++t)
      rows.push_back(unit + t);
  int32_t none = rows.size();
  if (padded)
    rows.insert(rows.end(), g.unitK, -1);
  for (int32_t &index : packed) {
    auto place = llvm::lower_bound(units, index) - units.begin();
    index = index == -1 ? none : static_cast<int32_t>(place * g.unitK);
  }
  return rows;
}

/// Names a row of the step in place of -1. Values there are zero, so any row
/// that a zero fill covers will do; those of a missing window lie beyond k.
static void fillPadding(const Geometry &g, MutableArrayRef<int32_t> packed) {
  for (auto [i, index] : llvm::enumerate(packed))
    if (index == -1)
      index = tileRow(g, i % g.unitRows, i % g.unitRows % g.keep);
}

static PackedIndices packIndices(MLIRContext *context, const Geometry &g,
                                 const RawElements &stored, bool withColumns) {
  PackedIndices result;
  int64_t size = g.unitColumns * g.unitRows, tiles = g.blocks * g.steps;
  result.indices.resize_for_overwrite(tiles * size);
  result.columns.resize(withColumns ? tiles : 0);
  parallelRanges(context, tiles, size, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) {
      MutableArrayRef<int32_t> packed(result.indices.data() + tile * size,
                                      size);
      packStep(g, stored, tile / g.steps, tile % g.steps, packed);
      if (withColumns)
        result.columns[tile] = listColumns(g, packed);
      fillPadding(g, packed);
    }
  });
  return result;
}

/// The lists as one array of `width` entries a row, filled up with -1.
static std::vector<int32_t>
padLists(const std::vector<std::vector<int32_t>> &lists, int64_t width) {
  std::vector<int32_t> padded;
  for (const std::vector<int32_t> &list : lists) {
    padded.insert(padded.end(), list.begin(), list.end());
    padded.insert(padded.end(), width - list.size(), -1);
  }
  return padded;
}

/// The packed values of a constant by their type, on which alone they depend.
using PackedValues = llvm::MapVector<Attribute, ElementsAttr>;

/// Packs `constant` for `schedule`; null, with a remark, where that cannot be.
static ConstantOp packConstant(ImplicitLocOpBuilder &b, ConstantOp constant,
                               ScheduleAttr schedule,
                               PackedValues &packedValues) {
  auto type = cast<CondensedType>(constant.getType());
  auto values = RawElements::get(constant.getValues(), ignoreReason);
  auto indices = RawElements::get(constant.getIndices(), ignoreReason);
  if (failed(values) || failed(indices)) {
    constant.emitOpError("expected weight data, got elided elements; print the "
                         "module with its resources");
    return {};
  }
  Geometry g(type, schedule.getBlockN(), schedule.getStepRows(type.getK()));
  // A list names whole units; with a partial last one it would be longer than
  // the step, and packing such a step saves next to nothing.
  bool withColumns = schedule.getPacked() && g.stepK % g.unitK == 0;
  PackedIndices packed = packIndices(b.getContext(), g, *indices, withColumns);
  int64_t width = 0;
  for (const std::vector<int32_t> &list : packed.columns)
    width = std::max<int64_t>(width, list.size());
  // Whole 16-byte lines of column information, unless the step is smaller.
  width = std::min<int64_t>(llvm::alignTo(width, 4), g.stepK);
  auto packing = PackingAttr::get(b.getContext(), g.blockN, g.stepK, width);
  auto packedType =
      CondensedType::get(b.getContext(), type.getK(), type.getN(),
                         type.getElementType(), type.getPattern(), packing);
  StringRef name = getElementsName(constant.getValues(), "weight");
  ElementsAttr columns;
  if (width != 0) {
    columns = makeElements(
        RankedTensorType::get(packedType.getColumnsShape(), b.getI32Type()),
        padLists(packed.columns, width), (name + ".columns").str());
  }
  ElementsAttr &sharedValues =
      packedValues[TypeAttr::get(packedType.getValuesTensorType())];
  if (!sharedValues)
    sharedValues = makeElements(packedType.getValuesTensorType(),
                                packValues(*values, type, packedType),
                                (name + ".packed").str());
  auto result = ConstantOp::create(
      b, packedType, sharedValues,
      makeElements(packedType.getIndicesTensorType(), std::move(packed.indices),
                   (name + ".rows").str()),
      columns);
  emitRemark(constant, RemarkId::WeightPacked)
      << remarkKey(RemarkKey::Rows, width != 0 ? width : g.stepK)
      << remarkKey(RemarkKey::OfRows, g.stepK);
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
    Attribute key = builder.getArrayAttr(
        {builder.getI64ArrayAttr({schedule.getBlockN(), schedule.getStepK()}),
         builder.getBoolAttr(schedule.getPacked())});
    ConstantOp &result = packed[{constant.getOperation(), key}];
    if (!result) {
      ImplicitLocOpBuilder b(constant.getLoc(), constant);
      result = packConstant(b, constant, schedule, values[constant]);
    }
    if (!result)
      return false;
    op.getWeightMutable().set(result);
    return true;
  }

  llvm::MapVector<Operation *, PackedValues> values;
  // One packed constant for all products that agree on columns and step.
  llvm::MapVector<std::pair<Operation *, Attribute>, ConstantOp> packed;
  llvm::SmallSetVector<Operation *, 4> erased;
};
} // namespace
