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

/// Sixteen bytes each, as many as a load gathers at once, of which eight rows
/// of a tile that follow each other lie on all: their pitch is an odd multiple
/// of it (getRowPadding).
static constexpr int64_t kBankGroups = 8;

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
    unitColumnWidth = std::min(unitN, blockN);
  }

  /// Stored unit column of unit column `u` of block `q`.
  int64_t storedColumn(int64_t q, int64_t u) const {
    return blockN % unitN == 0 ? q * unitColumns + u : q * blockN / unitN;
  }

  /// Where the index of unit row `r` of step `s` stands, for the `u`-th run of
  /// columns of all blocks that share one.
  int64_t getPlace(int64_t u, int64_t s, int64_t r) const {
    int64_t tile = u / unitColumns * steps + s;
    return (tile * unitColumns + u % unitColumns) * unitRows + r;
  }

  int64_t blockN, stepK;
  int64_t keep, unitK, unitN; // of the pattern
  int64_t blocks, steps;
  int64_t windowRows;                // rows of k in a window
  int64_t unitRows, unitColumns;     // kept unit rows a step, columns a block
  int64_t unitColumnWidth;           // columns of a block that share an index
  int64_t storedRows, storedColumns; // of the unpacked indices
};

/// Packed indices and, when wanted, the column information.
struct PackedIndices {
  SmallVector<int32_t, 0> indices; // [blocks * steps, unitColumns, unitRows]
  std::vector<std::vector<int32_t>> columns; // one list a block and step
  /// For each index, which unit row of the step it was; empty where all are in
  /// their order.
  SmallVector<int32_t, 0> order;
};
} // namespace

/// Copies `values` into the padded shape, rows in the order of `indices`.
static SmallVector<char, 0> packValues(const RawElements &values,
                                       CondensedType from, CondensedType to,
                                       const Geometry &g,
                                       const PackedIndices &indices) {
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
  // Bytes from `begin` to `end` of row `row`, which were those of row `source`.
  auto packPart = [&](int64_t row, int64_t source, int64_t begin, int64_t end) {
    int64_t copied =
        source < rows ? std::clamp<int64_t>(bytes, begin, end) - begin : 0;
    char *out = packed.data() + row * paddedBytes + begin;
    if (copied != 0)
      std::memcpy(out, data.data() + source * bytes + begin, copied);
    std::memset(out + copied, 0, end - begin - copied);
  };
  auto packRow = [&](int64_t row) {
    if (indices.order.empty())
      return packPart(row, row, 0, paddedBytes);
    int64_t step = row / g.unitRows, r = row % g.unitRows;
    int64_t part = g.unitColumnWidth * width;
    for (int64_t u = 0; u < paddedBytes / part; ++u) {
      int64_t source =
          step * g.unitRows + indices.order[g.getPlace(u, step, r)];
      packPart(row, source, u * part, (u + 1) * part);
    }
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

/// Orders the indices of one unit column and step so that each `kBankGroups`
/// that follow each other name rows on other banks as far as there are such,
/// and says which unit row each was.
static void spreadOverBanks(MutableArrayRef<int32_t> indices,
                            MutableArrayRef<int32_t> order) {
  SmallVector<SmallVector<int32_t>> ofBanks(kBankGroups);
  for (int64_t r = indices.size(); r-- != 0;)
    ofBanks[indices[r] % kBankGroups].push_back(r);
  auto isFuller = [&](int64_t a, int64_t b) {
    return ofBanks[a].size() > ofBanks[b].size();
  };
  auto banks = llvm::to_vector(llvm::seq<int64_t>(0, kBankGroups));
  for (size_t i = 0; i < order.size();) {
    // One of each, of those with most first, as they fill up a group.
    llvm::stable_sort(banks, isFuller);
    for (int64_t bank : banks) {
      if (ofBanks[bank].empty() || i == order.size())
        break;
      order[i++] = ofBanks[bank].pop_back_val();
      if (i % kBankGroups == 0)
        break;
    }
  }
  SmallVector<int32_t> unordered(indices);
  for (auto [index, r] : llvm::zip(indices, order))
    index = unordered[r];
}

static PackedIndices packIndices(MLIRContext *context, const Geometry &g,
                                 const RawElements &stored, bool withColumns,
                                 bool spread) {
  PackedIndices result;
  int64_t size = g.unitColumns * g.unitRows, tiles = g.blocks * g.steps;
  result.indices.resize_for_overwrite(tiles * size);
  result.columns.resize(withColumns ? tiles : 0);
  result.order.resize(spread ? tiles * size : 0);
  parallelRanges(context, tiles, size, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) {
      MutableArrayRef<int32_t> packed(result.indices.data() + tile * size,
                                      size);
      packStep(g, stored, tile / g.steps, tile % g.steps, packed);
      if (withColumns)
        result.columns[tile] = listColumns(g, packed);
      fillPadding(g, packed);
      for (int64_t i = 0; spread && i < size; i += g.unitRows)
        spreadOverBanks(
            packed.slice(i, g.unitRows),
            MutableArrayRef(result.order).slice(tile * size + i, g.unitRows));
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

/// Whether the rows of a step of `constant` are ordered for the banks: for
/// kinds whose lanes each read a row of their own, and where all products agree
/// on the order, so that they share the values.
static bool wantsSpread(ConstantOp constant) {
  ScheduleAttr first;
  for (Operation *user : constant->getUsers()) {
    auto product = dyn_cast<ProductOpInterface>(user);
    ScheduleAttr schedule = product ? product.getScheduleAttr() : nullptr;
    if (!schedule)
      continue;
    if (!first)
      first = schedule;
    // Places in a list of rows are those of a block.
    bool agrees =
        schedule.getStepK() == first.getStepK() &&
        schedule.getPacked() == first.getPacked() &&
        (!schedule.getPacked() || schedule.getBlockN() == first.getBlockN());
    if (!agrees || schedule.getKind().getSliceRows() == 1)
      return false;
  }
  return first != nullptr;
}

/// The packed values of a constant by their type, on which alone they depend.
using PackedValues = llvm::MapVector<Attribute, ElementsAttr>;

/// Packs `constant` for `schedule`; null, with a remark, where that cannot be.
static ConstantOp packConstant(ImplicitLocOpBuilder &b, ConstantOp constant,
                               ScheduleAttr schedule, bool spread,
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
  PackedIndices packed = packIndices(b.getContext(), g, *indices, withColumns,
                                     spread && g.unitK == 1);
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
    sharedValues =
        makeElements(packedType.getValuesTensorType(),
                     packValues(*values, type, packedType, g, packed),
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
      // As long as no product has another weight.
      auto [order, isFirst] = spread.try_emplace(constant);
      if (isFirst)
        order->second = wantsSpread(constant);
      result =
          packConstant(b, constant, schedule, order->second, values[constant]);
    }
    if (!result)
      return false;
    op.getWeightMutable().set(result);
    return true;
  }

  llvm::MapVector<Operation *, PackedValues> values;
  llvm::DenseMap<Operation *, bool> spread; // see wantsSpread
  // One packed constant for all products that agree on columns and step.
  llvm::MapVector<std::pair<Operation *, Attribute>, ConstantOp> packed;
  llvm::SmallSetVector<Operation *, 4> erased;
};
} // namespace
