//===- RaiseProduct.cpp - Contractions to nm.spmm and nm.spmv -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaiseProduct.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace nm;

namespace {
using Loops = SmallVector<unsigned, 4>;

/// Builds one product. A *matrix* here is A or C with its dimensions in some
/// order of loops, before they are collapsed to [m, k], [k, m], [m, n] or
/// [n, m].
class ProductBuilder {
public:
  ProductBuilder(OpBuilder &builder, const Contraction &contraction,
                 ConstantOp weight);

  /// Makes the product; `product` is its op, the result C in its own shape.
  Value build(Operation *&product);

private:
  bool isUnit(unsigned loop) const { return extents[loop] == 1; }
  bool isM(unsigned loop) const {
    return llvm::is_contained(contraction.m, loop);
  }
  std::optional<Layout> getLayout(ArrayRef<unsigned> loops) const;
  Loops getWideM(ArrayRef<unsigned> loops) const;
  SmallVector<ReassociationIndices> getGroups(ArrayRef<unsigned> loops) const;
  OpFoldResult getSize(unsigned loop);
  Value transpose(Value matrix, ArrayRef<unsigned> from, ArrayRef<unsigned> to);
  Value collapseA(Layout &layout);
  Value expandC(Value c, ArrayRef<unsigned> loops);

  ImplicitLocOpBuilder b;
  const Contraction &contraction;
  ConstantOp weight;
  SmallVector<int64_t> extents;
  Loops aLoops, cLoops;
  RankedTensorType resultType;
  /// Whether all m loops have one iteration.
  bool isVector;
};
} // namespace

ProductBuilder::ProductBuilder(OpBuilder &builder,
                               const Contraction &contraction,
                               ConstantOp weight)
    : b(contraction.op->getLoc(), builder), contraction(contraction),
      weight(weight) {
  linalg::LinalgOp op = contraction.op;
  extents = op.getStaticLoopRanges();
  aLoops = contraction.getLoops(contraction.activation);
  cLoops = contraction.getLoops(op.getDpsInitOperand(0));
  resultType = cast<RankedTensorType>(op->getResult(0).getType());
  // What the constant knows of n and k, the types may hide.
  auto learn = [&](ArrayRef<unsigned> loops) {
    for (auto [loop, dim] :
         llvm::zip_equal(loops, contraction.getWeightDims(loops)))
      extents[loop] = contraction.source.getSize(dim);
  };
  learn(contraction.n);
  learn(contraction.k);
  isVector = llvm::all_of(contraction.m, [&](unsigned l) { return isUnit(l); });
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
Loops ProductBuilder::getWideM(ArrayRef<unsigned> loops) const {
  return Loops(llvm::make_filter_range(
      loops, [&](unsigned l) { return isM(l) && !isUnit(l); }));
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
  int64_t dim = llvm::find(aLoops, loop) - aLoops.begin();
  return tensor::getMixedSize(b, b.getLoc(), contraction.activation->get(),
                              dim);
}

Value ProductBuilder::transpose(Value matrix, ArrayRef<unsigned> from,
                                ArrayRef<unsigned> to) {
  SmallVector<int64_t> permutation;
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : to) {
    permutation.push_back(llvm::find(from, loop) - from.begin());
    sizes.push_back(getSize(loop));
  }
  Value init = tensor::EmptyOp::create(b, sizes, getElementTypeOrSelf(matrix));
  return linalg::TransposeOp::create(b, matrix, init, permutation)
      ->getResult(0);
}

/// A as a vector [k] or a matrix in `layout`, which this decides.
Value ProductBuilder::collapseA(Layout &layout) {
  Value a = contraction.activation->get();
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
    auto type = RankedTensorType::get(shape, getElementTypeOrSelf(c));
    c = tensor::ExpandShapeOp::create(b, type, c, groups, sizes);
  }
  if (loops != ArrayRef<unsigned>(cLoops))
    c = transpose(c, loops, cLoops);
  if (c.getType() != resultType)
    c = tensor::CastOp::create(b, resultType, c);
  return c;
}

Value ProductBuilder::build(Operation *&product) {
  Layout aLayout, cLayout;
  Value a = collapseA(aLayout);
  Loops loops = cLoops;
  if (std::optional<Layout> own = getLayout(loops)) {
    cLayout = *own;
  } else {
    loops = Loops(contraction.m);
    loops.append(contraction.n.begin(), contraction.n.end());
    cLayout = Layout::TokenMajor;
  }
  OpFoldResult n = b.getIndexAttr(cast<CondensedType>(weight.getType()).getN());
  Type element = resultType.getElementType();
  if (isVector) {
    Value init = tensor::EmptyOp::create(b, ArrayRef<OpFoldResult>{n}, element);
    auto spmv = SpmvOp::create(b, init.getType(), a, weight, /*scale=*/Value(),
                               /*bias=*/Value(), /*residual=*/Value(), init,
                               Epilogue::None, Combine::Add, b.getF32Type(),
                               ScheduleAttr());
    product = spmv;
    return expandC(spmv.getResult(), loops);
  }
  OpFoldResult m = tensor::getMixedSize(b, b.getLoc(), a,
                                        aLayout == Layout::TokenMajor ? 0 : 1);
  SmallVector<OpFoldResult, 2> sizes = {m, n};
  if (cLayout == Layout::FeatureMajor)
    std::swap(sizes[0], sizes[1]);
  Value init = tensor::EmptyOp::create(b, sizes, element);
  auto spmm = SpmmOp::create(b, init.getType(), a, weight, /*scale=*/Value(),
                             /*bias=*/Value(), /*residual=*/Value(), init,
                             Epilogue::None, Combine::Add, aLayout, cLayout,
                             b.getF32Type(), ScheduleAttr());
  product = spmm;
  return expandC(spmm.getResult(), loops);
}

/// Erases `op` and what it is made of, as far as nothing else uses it.
static void eraseDead(RewriterBase &rewriter, Operation *op) {
  SmallVector<Operation *> work = {op};
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    if (!isOpTriviallyDead(next))
      continue;
    llvm::SetVector<Operation *> producers;
    for (Value operand : next->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        producers.insert(producer);
    rewriter.eraseOp(next);
    work.append(producers.begin(), producers.end());
  }
}

Operation *nm::raiseProduct(RewriterBase &rewriter,
                            const Contraction &contraction, ConstantOp weight) {
  linalg::LinalgOp op = contraction.op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Operation *product;
  Value c = ProductBuilder(rewriter, contraction, weight).build(product);
  Operation *weightChain = contraction.weight->get().getDefiningOp();
  Operation *init = op.getDpsInitOperand(0)->get().getDefiningOp();
  rewriter.replaceOp(op, c);
  eraseDead(rewriter, weightChain);
  if (init != weightChain)
    eraseDead(rewriter, init);
  return product;
}
