//===- ProductBuilder.cpp - One product of a contraction ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "nm/Base/Assert.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/RawElements.h"

using namespace mlir;
using namespace nm;

ProductBuilder::ProductBuilder(ImplicitLocOpBuilder &builder,
                               const Contraction &contraction)
    : b(builder), contraction(contraction) {
  linalg::LinalgOp op = contraction.op;
  extents = op.getStaticLoopRanges();
  // What the constant knows of its extents, the types may hide.
  for (auto [loop, extent] : llvm::enumerate(extents))
    if (ShapedType::isDynamic(extent))
      extent = contraction.weight.getSize(loop);
  auto isNoBatch = [&](unsigned loop) {
    return !llvm::is_contained(contraction.batch, loop);
  };
  llvm::copy_if(contraction.aLoops, std::back_inserter(aLoops), isNoBatch);
  llvm::copy_if(contraction.cLoops, std::back_inserter(cLoops), isNoBatch);
  elementType = contraction.productType;
  isVector =
      llvm::all_of(contraction.m, [&](unsigned loop) { return isUnit(loop); });
}

/// Token-major when m comes before the other dimensions, feature-major when it
/// comes after; nothing when they are interleaved. Extents of 1 along m may lie
/// anywhere.
std::optional<Layout>
ProductBuilder::getLayout(ArrayRef<unsigned> loops) const {
  SmallVector<bool> sequence;
  for (unsigned loop : loops)
    if (!isM(loop) || !isUnit(loop))
      if (sequence.empty() || sequence.back() != isM(loop))
        sequence.push_back(isM(loop));
  if (sequence.size() > 2)
    return std::nullopt;
  return sequence.size() == 2 && !sequence.front() ? Layout::FeatureMajor
                                                   : Layout::TokenMajor;
}

/// The m loops of more than one iteration, in the order of `loops`.
ProductBuilder::Loops ProductBuilder::getWideM(ArrayRef<unsigned> loops) const {
  return Loops(llvm::make_filter_range(
      loops, [&](unsigned loop) { return isM(loop) && !isUnit(loop); }));
}

/// Groups dimensions along `loops`, which have a layout, into two, or into one
/// when m is 1. Extents of 1 along m join the group that they lie in.
SmallVector<ReassociationIndices>
ProductBuilder::getGroups(ArrayRef<unsigned> loops) const {
  SmallVector<ReassociationIndices> groups(1);
  std::optional<bool> current;
  for (auto [i, loop] : llvm::enumerate(loops)) {
    if (!isM(loop) || !isUnit(loop)) {
      if (current && *current != isM(loop))
        groups.emplace_back();
      current = isM(loop);
    }
    groups.back().push_back(i);
  }
  return groups;
}

/// The extent of a loop of C: n is known, and m is that of A.
OpFoldResult ProductBuilder::getSize(unsigned loop) {
  if (ShapedType::isStatic(extents[loop]))
    return b.getIndexAttr(extents[loop]);
  int64_t dim =
      llvm::find(contraction.aLoops, loop) - contraction.aLoops.begin();
  return tensor::getMixedSize(b, b.getLoc(), contraction.a, dim);
}

Value ProductBuilder::createEmpty(ArrayRef<unsigned> loops, Type element) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : loops)
    sizes.push_back(getSize(loop));
  return tensor::EmptyOp::create(b, sizes, element);
}

Value ProductBuilder::transpose(Value matrix, ArrayRef<unsigned> from,
                                ArrayRef<unsigned> to) {
  SmallVector<int64_t> permutation;
  for (unsigned loop : to)
    permutation.push_back(llvm::find(from, loop) - from.begin());
  Value init = createEmpty(to, getElementTypeOrSelf(matrix));
  return linalg::TransposeOp::create(b, matrix, init, permutation)
      ->getResult(0);
}

/// A as a vector [k] or a matrix in `layout`, which this decides.
Value ProductBuilder::collapseA(Value a, Layout &layout) {
  Loops loops = aLoops, wideM = getWideM(cLoops);
  std::optional<Layout> own = getLayout(loops);
  if (!own || getWideM(loops) != wideM) {
    Loops wanted(contraction.m);
    wanted.append(contraction.k.begin(), contraction.k.end());
    a = transpose(a, loops, wanted);
    loops = wanted;
    own = Layout::TokenMajor;
  }
  layout = *own;
  SmallVector<ReassociationIndices> groups = getGroups(loops);
  if (groups.size() != loops.size())
    a = tensor::CollapseShapeOp::create(b, a, groups);
  return a;
}

/// C in its own shape of a product whose dimensions run along `loops`.
Value ProductBuilder::expandC(Value c, ArrayRef<unsigned> loops) {
  SmallVector<ReassociationIndices> groups = getGroups(loops);
  if (contraction.n.empty()) {
    // The one column of a vector weight is no dimension of C.
    SmallVector<ReassociationIndices> column;
    if (isVector)
      groups.clear();
    else
      column.push_back({0, 1});
    c = tensor::CollapseShapeOp::create(b, c, column);
  }
  if (groups.size() != loops.size()) {
    SmallVector<OpFoldResult> sizes;
    SmallVector<int64_t> shape;
    for (unsigned loop : loops) {
      sizes.push_back(getSize(loop));
      shape.push_back(extents[loop]);
    }
    c = tensor::ExpandShapeOp::create(
        b, RankedTensorType::get(shape, elementType), c, groups, sizes);
  }
  return loops == ArrayRef<unsigned>(cLoops) ? c : transpose(c, loops, cLoops);
}

/// The bias that subtracting `zeroPoint` from all of A is, as sums distribute:
/// each column's sum of weights, of i8, times it. Null for 0.
static Value createShift(ImplicitLocOpBuilder &b, ConstantOp weight,
                         int64_t zeroPoint) {
  if (zeroPoint == 0)
    return nullptr;
  auto type = cast<CondensedType>(weight.getType());
  FailureOr<RawElements> values =
      RawElements::get(weight.getValues(), ignoreReason);
  NM_ASSERT(succeeded(values) && values->getElementBytes() == 1,
            "only products of i8 have a zero point");
  SmallVector<uint32_t> shift(type.getN(), 0); // Wraps, as sums of i32 do.
  for (int64_t i = 0, end = weight.getValues().getNumElements(); i < end; ++i)
    shift[i % type.getN()] -=
        uint32_t(zeroPoint) *
        uint32_t(int32_t(static_cast<int8_t>(*values->getElement(i))));
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             RankedTensorType::get({type.getN()}, b.getI32Type()),
             ArrayRef(reinterpret_cast<const int32_t *>(shift.data()),
                      shift.size())));
}

Value ProductBuilder::build(Value a, Value init, ConstantOp weight,
                            Operation *&product) {
  Layout aLayout, cLayout;
  a = collapseA(a, aLayout);
  Loops loops = cLoops;
  if (std::optional<Layout> own = getLayout(loops)) {
    cLayout = *own;
  } else {
    loops = Loops(contraction.m);
    loops.append(contraction.n.begin(), contraction.n.end());
    cLayout = Layout::TokenMajor;
    init = nullptr;
  }
  SmallVector<ReassociationIndices> groups = getGroups(loops);
  if (contraction.n.empty() || groups.size() != (isVector ? 1 : 2))
    init = nullptr;
  else if (init && groups.size() != loops.size())
    init = tensor::CollapseShapeOp::create(b, init, groups);
  SmallVector<OpFoldResult, 2> sizes = {
      b.getIndexAttr(cast<CondensedType>(weight.getType()).getN())};
  if (!isVector) {
    OpFoldResult m = tensor::getMixedSize(
        b, b.getLoc(), a, aLayout == Layout::TokenMajor ? 0 : 1);
    sizes.insert(cLayout == Layout::TokenMajor ? sizes.begin() : sizes.end(),
                 m);
  }
  if (!init)
    init = tensor::EmptyOp::create(b, sizes, elementType);
  Type accumulator = getAccumulatorType(
      getElementTypeOrSelf(a),
      cast<CondensedType>(weight.getType()).getElementType());
  Value bias = createShift(b, weight, contraction.zeroPoint);
  if (isVector)
    product = SpmvOp::create(b, init.getType(), a, weight, /*scale=*/Value(),
                             bias, /*residual=*/Value(), init, Epilogue::None,
                             Combine::Add, accumulator, ScheduleAttr());
  else
    product =
        SpmmOp::create(b, init.getType(), a, weight, /*scale=*/Value(), bias,
                       /*residual=*/Value(), init, Epilogue::None, Combine::Add,
                       aLayout, cLayout, accumulator, ScheduleAttr());
  return expandC(product->getResult(0), loops);
}
