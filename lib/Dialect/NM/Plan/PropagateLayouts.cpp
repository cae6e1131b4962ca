//===- PropagateLayouts.cpp - nm-propagate-layouts ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"
#include "PaddedRows.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Planner/Planner.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMPROPAGATELAYOUTSPASS
#include "nm/Dialect/NM/Plan/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Bytes that rows of A should begin at multiples of, to be copied as fast as
/// the planner thinks.
static constexpr int64_t kChunkBytes = 16;

/// Erases transpositions that nothing reads any more, and what they write to.
static void eraseDead(Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isa<linalg::TransposeOp, tensor::EmptyOp>(op) && isOpTriviallyDead(op))
      op->erase();
  });
}

namespace {
/// A product with a token-major A, and its predicted seconds.
struct TokenProduct {
  SpmmOp op;
  double before, after; // with a token-major and with a feature-major A
  bool copiesA;         // in chunks, where that is feature-major

  double getGain() const { return before - after; }
};

struct PropagateLayouts
    : nm::impl::NMPropagateLayoutsPassBase<PropagateLayouts> {
  using NMPropagateLayoutsPassBase::NMPropagateLayoutsPassBase;

  void runOnOperation() override {
    target = &getTarget(getOperation());
    auto emitError = [&] { return getOperation()->emitError(); };
    if (failed(checkOptions({stages, packingThreshold}, emitError)))
      return signalPassFailure();
    llvm::DenseSet<Operation *> erased;
    propagateFromProducts(erased);
    foldTransposes(erased);
    eraseDead(getOperation());
  }

private:
  void propagateFromProducts(llvm::DenseSet<Operation *> &erased);
  void foldTransposes(llvm::DenseSet<Operation *> &erased);
  void propagate(Value a, ArrayRef<TokenProduct> products,
                 llvm::DenseSet<Operation *> &erased);
  std::optional<TokenProduct> predict(SpmmOp op) const;

  const TargetInfo *target = nullptr;
};
} // namespace

/// The fastest schedule for `product`. Those that were measured do not count:
/// who has measured one layout has rarely measured both.
static std::optional<Choice> chooseByModel(const ProductInfo &product,
                                           const TargetInfo &target,
                                           const ScheduleOptions &options) {
  SmallVector<Choice, 0> choices = rankSchedules(product, target, options);
  if (choices.empty())
    return std::nullopt;
  return choices.front();
}

/// `op` where its A is token-major, may be another, and should be.
std::optional<TokenProduct> PropagateLayouts::predict(SpmmOp op) const {
  if (!op.getResult() || op.getScheduleAttr() ||
      op.getALayout() == Layout::FeatureMajor)
    return std::nullopt;
  ProductInfo product(op);
  ScheduleOptions options = {stages, packingThreshold};
  std::optional<Choice> before = chooseByModel(product, *target, options);
  product.isAFeatureMajor = true;
  // padRows lets rows of whole chunks begin with lines.
  if (product.rowAlignment >= kChunkBytes)
    product.rowAlignment = kSectorBytes;
  std::optional<Choice> after = chooseByModel(product, *target, options);
  if (!before || !after || after->cost.seconds >= before->cost.seconds)
    return std::nullopt;
  return TokenProduct{op, before->cost.seconds, after->cost.seconds,
                      after->candidate.schedule.getPromoteA()};
}

/// Whether rows of k of `a`, [m, k], are known to be whole chunks.
static bool hasWholeChunks(Value a) {
  auto type = cast<RankedTensorType>(a.getType());
  int64_t m = type.getDimSize(0);
  return !ShapedType::isDynamic(m) &&
         m % kChunkBytes * (type.getElementTypeBitWidth() / 8) % kChunkBytes ==
             0;
}

/// Lets `a`, [k, m], where it is transposed for products alone, be written to
/// rows that are whole lines of L2.
static void padRows(Value a) {
  auto transpose = a.getDefiningOp<linalg::TransposeOp>();
  auto type = cast<RankedTensorType>(a.getType());
  if (!transpose || !transpose.getInit().getDefiningOp<tensor::EmptyOp>() ||
      areWholeLines(type.getDimSize(1), type.getElementType()))
    return;
  auto isOfProduct = [](OpOperand &use) {
    auto product = dyn_cast<SpmmOp>(use.getOwner());
    return product && &use == &product.getAMutable();
  };
  if (!llvm::all_of(a.getUses(), isOfProduct))
    return;
  ImplicitLocOpBuilder b(transpose.getLoc(), transpose);
  transpose.getInitMutable().assign(
      createPaddedRows(b, type, b.getIndexAttr(type.getDimSize(1))));
}

/// Takes microseconds, as people do.
static std::string describe(const TokenProduct &product) {
  return llvm::formatv("{0:f1} us become {1:f1} us, predicted",
                       product.before * 1e6, product.after * 1e6);
}

/// Lets `products`, which are faster so, read `a` feature-major, if they gain
/// more than that takes.
void PropagateLayouts::propagate(Value a, ArrayRef<TokenProduct> products,
                                 llvm::DenseSet<Operation *> &erased) {
  auto reportMissed = [&](const Twine &why) {
    for (const TokenProduct &product : products)
      emitRemark(product.op, RemarkId::LayoutNotPropagated)
          << remarkReason("{0}: {1}", why.str(), describe(product));
  };
  auto copiesA = [](const TokenProduct &product) { return product.copiesA; };
  if (!canTranspose(a) ||
      (!hasWholeChunks(a) && llvm::any_of(products, copiesA)))
    return reportMissed("the rows of a feature-major A may begin at other than "
                        "multiples of 16 bytes");
  double gain = 0;
  SmallVector<OpOperand *> uses;
  for (const TokenProduct &product : products) {
    gain += product.getGain();
    uses.push_back(&SpmmOp(product.op).getAMutable());
  }
  LayoutPlan plan(a, {1, 0}, uses, *target);
  double seconds = plan.getSeconds();
  std::string others = llvm::formatv(
      "{0:f1} us of transpositions for {1} product{2}", seconds * 1e6,
      products.size(), products.size() == 1 ? "" : "s");
  if (gain <= seconds)
    return reportMissed("too little for " + others);
  bool isComputed = plan.isComputed();
  plan.apply(erased);
  padRows(SpmmOp(products.front().op).getA());
  for (const TokenProduct &product : products) {
    SpmmOp op = product.op;
    op.setALayout(Layout::FeatureMajor);
    emitRemark(op, RemarkId::LayoutPropagated) << remarkReason(
        "{0}, with {1}: {2}",
        isComputed ? "A is computed feature-major" : "A is transposed", others,
        describe(product));
  }
}

void PropagateLayouts::propagateFromProducts(
    llvm::DenseSet<Operation *> &erased) {
  // What one product reads is decided for all that read it.
  llvm::DenseSet<Operation *> decided;
  SmallVector<SpmmOp> ops;
  getOperation()->walk([&](SpmmOp op) { ops.push_back(op); });
  for (SpmmOp op : ops) {
    if (decided.contains(op))
      continue;
    Value a = op.getA();
    SmallVector<TokenProduct> products;
    for (SpmmOp other : ops) {
      if (other.getA() != a)
        continue;
      decided.insert(other);
      if (std::optional<TokenProduct> product = predict(other))
        products.push_back(*product);
    }
    if (!products.empty())
      propagate(a, products, erased);
  }
}

/// Lets what is transposed be computed in that order, where that takes fewer
/// transpositions.
void PropagateLayouts::foldTransposes(llvm::DenseSet<Operation *> &erased) {
  SmallVector<linalg::TransposeOp> ops;
  getOperation()->walk([&](linalg::TransposeOp op) { ops.push_back(op); });
  for (linalg::TransposeOp op : ops) {
    if (erased.contains(op) || !op.hasPureTensorSemantics() || op->use_empty())
      continue;
    Value input = op.getInput();
    if (!canTranspose(input))
      continue;
    LayoutPlan plan(input, op.getPermutation(), {}, *target);
    double before =
        predictTranspose(cast<RankedTensorType>(input.getType()), *target);
    double after = plan.getSeconds();
    if (!plan.isComputed() || after >= before)
      continue;
    emitRemark(op, RemarkId::TransposeFolded) << remarkReason(
        "{0:f1} us of transpositions become {1:f1} us, predicted", before * 1e6,
        after * 1e6);
    plan.apply(erased);
  }
}
