//===- StridedView.cpp - Which elements of a constant ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/StridedView.h"
#include "nm/Base/Assert.h"

using namespace mlir;
using namespace nm;

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
        size <= StridedView::maxElements) {
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

std::optional<StridedView> StridedView::create(ArrayRef<int64_t> shape) {
  int64_t stride = 1;
  StridedView view;
  view.dims.resize(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    append(view.dims[i], {shape[i], stride});
    if (shape[i] < 1 || llvm::MulOverflow(stride, shape[i], stride) ||
        stride > maxElements)
      return std::nullopt;
  }
  return view;
}

bool StridedView::isBroadcast(unsigned dim) const {
  return isBroadcastDim(dims[dim]);
}

bool StridedView::hasNoBroadcast(unsigned dim) const {
  return llvm::all_of(dims[dim], [](StridedFactor f) { return f.stride != 0; });
}

bool StridedView::expandShape(ArrayRef<ReassociationIndices> groups,
                              ArrayRef<int64_t> shape) {
  SmallVector<StridedDimension, 4> result;
  // A reshape from rank 0 has no groups, and only extents of 1.
  if (groups.empty())
    result.resize(shape.size());
  for (auto [i, group] : llvm::enumerate(groups)) {
    ArrayRef<int64_t> sizes = shape.slice(group.front(), group.size());
    if (isBroadcastDim(dims[i])) {
      for (int64_t size : sizes)
        append(result.emplace_back(), {size, 0});
    } else if (!split(dims[i], sizes, result)) {
      return false;
    }
  }
  dims = std::move(result);
  return true;
}

void StridedView::collapseShape(ArrayRef<ReassociationIndices> groups) {
  SmallVector<StridedDimension, 4> result;
  for (const ReassociationIndices &group : groups) {
    StridedDimension &merged = result.emplace_back();
    for (int64_t dim : group)
      for (StridedFactor factor : dims[dim])
        append(merged, factor);
  }
  dims = std::move(result);
}

bool StridedView::extractSlice(tensor::ExtractSliceOp slice) {
  return extractSlice(slice.getStaticOffsets(), slice.getStaticSizes(),
                      slice.getStaticStrides(), slice.getDroppedDims());
}

bool StridedView::extractSlice(ArrayRef<int64_t> offsets,
                               ArrayRef<int64_t> sizes,
                               ArrayRef<int64_t> strides,
                               const llvm::SmallBitVector &dropped) {
  SmallVector<StridedDimension, 4> result;
  for (unsigned i = 0, e = dims.size(); i < e; ++i) {
    int64_t first = offsets[i], size = sizes[i], step = strides[i];
    StridedDimension dim;
    if (isBroadcastDim(dims[i])) {
      append(dim, {size, 0});
    } else if (ShapedType::isDynamic(first) && size == 1) {
      if (!leaveOpen(i))
        return false;
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

void StridedView::permute(ArrayRef<std::optional<unsigned>> from,
                          ArrayRef<int64_t> shape) {
  SmallVector<StridedDimension, 4> result(from.size());
  for (auto [i, source] : llvm::enumerate(from)) {
    if (source)
      result[i] = dims[*source];
    else
      append(result[i], {shape[i], 0});
  }
  dims = std::move(result);
}

void StridedView::setBroadcastSize(unsigned dim, int64_t size) {
  if (dims[dim].size() != 1 || !ShapedType::isDynamic(dims[dim][0].size))
    return;
  dims[dim].clear();
  append(dims[dim], {size, 0});
}

void StridedView::fix(unsigned dim, int64_t index) {
  for (StridedFactor factor : llvm::reverse(dims[dim])) {
    if (ShapedType::isDynamic(factor.size))
      break; // a broadcast
    offset += index % factor.size * factor.stride;
    index /= factor.size;
  }
  NM_ASSERT(index == 0 || isBroadcast(dim),
            "expected an index in the dimension");
  dims[dim].clear();
}

bool StridedView::leaveOpen(unsigned dim) {
  if (!open.empty())
    return false;
  open = std::move(dims[dim]);
  dims[dim].clear();
  return llvm::none_of(
      open, [](StridedFactor f) { return ShapedType::isDynamic(f.size); });
}

int64_t StridedView::countChoices() const {
  int64_t count = 1;
  for (StridedFactor factor : open)
    count *= factor.size;
  return count;
}

void StridedView::choose(int64_t index) {
  for (StridedFactor factor : llvm::reverse(open)) {
    offset += index % factor.size * factor.stride;
    index /= factor.size;
  }
  open.clear();
}

std::vector<int64_t> StridedView::getOffsets(ArrayRef<unsigned> of) const {
  std::vector<int64_t> offsets = {0};
  for (unsigned dim : of) {
    for (StridedFactor factor : dims[dim]) {
      NM_ASSERT(ShapedType::isStatic(factor.size),
                "expected a broadcast to have been given a size");
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
