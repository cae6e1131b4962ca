//===- WeightSource.cpp - From an operand back to its constant ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/WeightSource.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cstring>

using namespace mlir;
using namespace nm;

/// Elements of a constant beyond which it is not looked at: keeps every product
/// of sizes and strides within 64 bits.
static constexpr int64_t maxElements = int64_t(1) << 40;

/// Elements of a splat beyond which it is not read: its few bytes could stand
/// for any amount of memory.
static constexpr int64_t maxSplatElements = int64_t(1) << 26;

/// Appends a part, merged with the last one where the two make one run.
static void append(StridedDimension &dim, StridedFactor factor) {
  if (factor.size == 1)
    return;
  if (!dim.empty()) {
    StridedFactor &last = dim.back();
    int64_t size;
    if (ShapedType::isStatic(last.size) && ShapedType::isStatic(factor.size) &&
        last.stride == factor.size * factor.stride &&
        !llvm::MulOverflow(last.size, factor.size, size) &&
        size <= maxElements) {
      last = {size, factor.stride};
      return;
    }
  }
  dim.push_back(factor);
}

/// Splits `dim` into dimensions of `sizes`. Fails where a size would cut a part
/// unevenly.
static bool split(StridedDimension dim, ArrayRef<int64_t> sizes,
                  SmallVectorImpl<StridedDimension> &out) {
  size_t first = out.size();
  out.resize(first + sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    SmallVector<StridedFactor> inner;
    int64_t needed = sizes[i];
    while (needed != 1) {
      if (dim.empty() || ShapedType::isDynamic(dim.back().size) ||
          ShapedType::isDynamic(needed))
        return false;
      StridedFactor &last = dim.back();
      if (last.size <= needed) {
        if (needed % last.size != 0)
          return false;
        needed /= last.size;
        inner.push_back(last);
        dim.pop_back();
        continue;
      }
      if (last.size % needed != 0)
        return false;
      inner.push_back({needed, last.stride});
      last = {last.size / needed, last.stride * needed};
      needed = 1;
    }
    for (StridedFactor factor : llvm::reverse(inner))
      append(out[first + i], factor);
  }
  return dim.empty();
}

static bool isBroadcastDim(ArrayRef<StridedFactor> dim) {
  return llvm::all_of(dim, [](StridedFactor f) { return f.stride == 0; });
}

WeightSource::WeightSource(arith::ConstantOp constant, ElementsAttr elements)
    : constant(constant), elements(elements) {
  int64_t stride = 1;
  ArrayRef<int64_t> shape = elements.getShapedType().getShape();
  dims.resize(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    append(dims[i], {shape[i], stride});
    stride *= shape[i];
  }
}

std::optional<WeightSource> WeightSource::trace(Value value) {
  SmallVector<Operation *> walk;
  while (Operation *op = value.getDefiningOp()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto elements = dyn_cast<ElementsAttr>(constant.getValue());
      int64_t count = 1;
      if (!elements)
        return std::nullopt;
      for (int64_t size : elements.getShapedType().getShape())
        if (size < 1 || llvm::MulOverflow(count, size, count) ||
            count > maxElements)
          return std::nullopt;
      WeightSource source(constant, elements);
      for (Operation *step : llvm::reverse(walk))
        if (!source.apply(step))
          return std::nullopt;
      return source;
    }
    // Each op that is looked through has the source as its first operand.
    if (op->getNumResults() != 1 || op->getNumOperands() == 0)
      return std::nullopt;
    walk.push_back(op);
    value = op->getOperand(0);
  }
  return std::nullopt;
}

bool WeightSource::apply(Operation *op) {
  // A cast only hides extents, and the view knows them.
  if (isa<tensor::CastOp>(op))
    return isa<RankedTensorType>(op->getResult(0).getType());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return applyReshape(expand.getReassociationIndices(),
                        expand.getResultType(), /*expand=*/true);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return applyReshape(collapse.getReassociationIndices(),
                        collapse.getSrcType(), /*expand=*/false);
  if (isa<tensor::ExtractSliceOp>(op))
    return applySlice(op);
  if (isa<linalg::LinalgOp>(op))
    return applyLinalg(op);
  return false;
}

bool WeightSource::applyReshape(ArrayRef<ReassociationIndices> groups,
                                RankedTensorType expandedType, bool expand) {
  SmallVector<StridedDimension, 4> result;
  // A reshape to or from rank 0 has no groups, and only extents of 1.
  if (groups.empty())
    result.resize(expand ? expandedType.getRank() : 0);
  for (auto [i, group] : llvm::enumerate(groups)) {
    if (!expand) {
      StridedDimension &merged = result.emplace_back();
      for (int64_t dim : group)
        for (StridedFactor factor : dims[dim])
          append(merged, factor);
      continue;
    }
    ArrayRef<int64_t> sizes =
        expandedType.getShape().slice(group.front(), group.size());
    if (!isBroadcastDim(dims[i])) {
      if (!split(dims[i], sizes, result))
        return false;
      continue;
    }
    for (int64_t size : sizes)
      append(result.emplace_back(), {size, 0});
  }
  dims = std::move(result);
  return true;
}

bool WeightSource::applySlice(Operation *op) {
  auto slice = cast<tensor::ExtractSliceOp>(op);
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<StridedDimension, 4> result;
  for (unsigned i = 0, e = dims.size(); i < e; ++i) {
    int64_t first = slice.getStaticOffset(i), size = slice.getStaticSize(i),
            step = slice.getStaticStride(i);
    StridedDimension dim;
    if (isBroadcastDim(dims[i])) {
      append(dim, {size, 0});
    } else {
      // Only a single run stays one when it is cut.
      if (dims[i].size() != 1 || ShapedType::isDynamic(first) ||
          ShapedType::isDynamic(size) || ShapedType::isDynamic(step) ||
          first < 0 || size < 1 || step < 1 || first >= dims[i][0].size ||
          (size - 1) > (dims[i][0].size - 1 - first) / step)
        return false;
      offset += first * dims[i][0].stride;
      append(dim, {size, dims[i][0].stride * step});
    }
    if (!dropped.test(i))
      result.push_back(std::move(dim));
  }
  dims = std::move(result);
  return true;
}

/// The casts between `argument` and `value`, first to last; fails when anything
/// else lies between them.
static bool collectCasts(Value value, BlockArgument argument,
                         SmallVectorImpl<Type> &casts) {
  size_t first = casts.size();
  while (value != argument) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(op))
      return false;
    casts.push_back(value.getType());
    value = op->getOperand(0);
  }
  std::reverse(casts.begin() + first, casts.end());
  return true;
}

bool WeightSource::applyLinalg(Operation *op) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  if (!linalgOp.hasPureTensorSemantics() || linalgOp.getNumDpsInputs() != 1 ||
      linalgOp.getNumDpsInits() != 1 ||
      linalgOp.getNumParallelLoops() != linalgOp.getNumLoops())
    return false;
  AffineMap in =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInputOperand(0));
  AffineMap out =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  if (!in.isProjectedPermutation(/*allowZeroInResults=*/true) ||
      !out.isPermutation())
    return false;
  Block *body = linalgOp.getBlock();
  if (!collectCasts(body->getTerminator()->getOperand(0), body->getArgument(0),
                    casts))
    return false;
  auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  SmallVector<StridedDimension, 4> result(shape.size());
  for (auto [i, expr] : llvm::enumerate(out.getResults())) {
    if (std::optional<unsigned> source = in.getResultPosition(expr))
      result[i] = dims[*source];
    else
      append(result[i], {shape[i], 0});
  }
  dims = std::move(result);
  return true;
}

Type WeightSource::getElementType() const {
  return casts.empty() ? getElements().getElementType() : casts.back();
}

int64_t WeightSource::getSize(unsigned dim) const {
  int64_t size = 1;
  for (StridedFactor factor : dims[dim]) {
    if (ShapedType::isDynamic(factor.size) ||
        llvm::MulOverflow(size, factor.size, size))
      return ShapedType::kDynamic;
  }
  return size;
}

bool WeightSource::isBroadcast(unsigned dim) const {
  return isBroadcastDim(dims[dim]);
}

bool WeightSource::hasNoBroadcast(unsigned dim) const {
  return llvm::all_of(dims[dim], [](StridedFactor f) { return f.stride != 0; });
}

std::vector<int64_t> WeightSource::getOffsets(ArrayRef<unsigned> of) const {
  std::vector<int64_t> offsets = {0};
  for (unsigned dim : of) {
    for (StridedFactor factor : dims[dim]) {
      std::vector<int64_t> next;
      next.reserve(offsets.size() * factor.size);
      for (int64_t base : offsets)
        for (int64_t i = 0; i < factor.size; ++i)
          next.push_back(base + i * factor.stride);
      offsets = std::move(next);
    }
  }
  return offsets;
}

/// All of `raw` after `casts`, element by element.
static std::vector<char> convert(const RawElements &raw, int64_t count,
                                 Type type, ArrayRef<Type> casts) {
  auto getSemantics = [](Type t) -> const llvm::fltSemantics & {
    return cast<FloatType>(t).getFloatSemantics();
  };
  int64_t bytes = casts.back().getIntOrFloatBitWidth() / 8;
  std::vector<char> result(count * bytes);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t word = 0;
    std::memcpy(&word, raw.getElement(i), raw.getElementBytes());
    APFloat value(getSemantics(type),
                  APInt(type.getIntOrFloatBitWidth(), word));
    bool losesInfo;
    for (Type cast : casts)
      value.convert(getSemantics(cast), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    word = value.bitcastToAPInt().getZExtValue();
    std::memcpy(result.data() + i * bytes, &word, bytes);
  }
  return result;
}

std::optional<DenseWeight> WeightSource::read(ArrayRef<unsigned> kDims,
                                              ArrayRef<unsigned> nDims,
                                              RawElements::Error &kind,
                                              std::string &error) const {
  std::optional<RawElements> raw = RawElements::get(getElements(), kind, error);
  if (!raw)
    return std::nullopt;
  kind = RawElements::Error::Unsupported;
  int64_t count = getElements().getShapedType().getNumElements();
  if (raw->getElementBytes() > 8 ||
      (raw->isSplat() && count > maxSplatElements)) {
    error = raw->isSplat() ? "the constant is one value, repeated"
                           : "expected elements of at most 8 bytes";
    return std::nullopt;
  }
  std::vector<int64_t> rows = getOffsets(kDims), columns = getOffsets(nDims);
  for (int64_t &row : rows)
    row += offset;
  if (raw->isSplat()) {
    count = 1;
    rows.assign(rows.size(), 0);
    columns.assign(columns.size(), 0);
  }
  if (casts.empty())
    return DenseWeight(raw->getData().data(), getElementType(), std::move(rows),
                       std::move(columns));
  return DenseWeight(
      convert(*raw, count, getElements().getElementType(), casts), casts.back(),
      std::move(rows), std::move(columns));
}
