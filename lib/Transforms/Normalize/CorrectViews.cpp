//===- CorrectViews.cpp - torch-mlir's views of several dynamic sizes -----===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeGrowth.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Support/Reassociation.h"
#include "nm/Support/Remarks.h"
#include "nm/Support/SizeOrigin.h"
#include "nm/Transforms/Normalize/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMCORRECTVIEWSPASS
#include "nm/Transforms/Normalize/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// `type` with dynamic sizes where `dims` says so.
static RankedTensorType makeDynamic(RankedTensorType type,
                                    const llvm::SmallBitVector &dims) {
  SmallVector<int64_t> shape(type.getShape());
  for (unsigned dim : dims.set_bits())
    shape[dim] = ShapedType::kDynamic;
  return type.clone(shape);
}

/// The size of each grown loop of `op`, from an operand that it walks. (The
/// types of operands are the new ones.)
static SmallVector<Value> getLoopSizes(OpBuilder &b, linalg::LinalgOp op,
                                       const llvm::SmallBitVector &grown) {
  SmallVector<Value> sizes(op.getNumLoops());
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    for (auto [i, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr);
          loop && grown[loop.getPosition()] && !sizes[loop.getPosition()])
        sizes[loop.getPosition()] =
            tensor::DimOp::create(b, op.getLoc(), input->get(), i);
  }
  return sizes;
}

/// A tensor like `init`, which is empty or a fill, of other sizes.
static Value makeInit(OpBuilder &b, Value init, ArrayRef<OpFoldResult> sizes) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  Value empty = tensor::EmptyOp::create(b, init.getLoc(), sizes,
                                        getElementTypeOrSelf(init));
  if (!fill)
    return empty;
  return linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(), empty)
      .getResult(0);
}

static tensor::EmptyOp getEmpty(Value init) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getOutputs()[0];
  return init.getDefiningOp<tensor::EmptyOp>();
}

/// Gives the inits of `op` the sizes of its loops.
static void growInits(linalg::LinalgOp op, const llvm::SmallBitVector &grown) {
  OpBuilder b(op);
  SmallVector<Value> loopSizes = getLoopSizes(b, op, grown);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    tensor::EmptyOp empty = getEmpty(init.get());
    if (!empty)
      continue; // It grows itself.
    SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
    AffineMap map = op.getMatchingIndexingMap(&init);
    for (auto [i, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr);
          loop && grown[loop.getPosition()])
        sizes[i] = loopSizes[loop.getPosition()];
    init.set(makeInit(b, init.get(), sizes));
  }
}

/// Adds dimensions of size 1 to `value` where `groups`, one for each dimension
/// of `type`, are empty.
static Value addUnitDims(OpBuilder &b, Value value, RankedTensorType type,
                         ArrayRef<ReassociationIndices> groups) {
  SmallVector<ReassociationIndices> split;
  SmallVector<OpFoldResult> sizes;
  ReassociationIndices units;
  for (auto [i, group] : llvm::enumerate(groups)) {
    units.push_back(i);
    if (group.empty()) {
      sizes.push_back(b.getIndexAttr(1));
      continue;
    }
    sizes.push_back(
        tensor::getMixedSize(b, value.getLoc(), value, split.size()));
    split.push_back(std::exchange(units, {}));
  }
  split.back().append(units);
  return tensor::ExpandShapeOp::create(b, value.getLoc(), type, value, split,
                                       sizes);
}

static void replaceCollapse(tensor::CollapseShapeOp op,
                            ArrayRef<ReassociationIndices> groups) {
  OpBuilder b(op);
  emitRemark(op, RemarkId::ViewCorrected) << remarkKey(
      RemarkKey::Text,
      llvm::formatv("{0} to {1}", op.getSrcType(), op.getResultType()).str());
  SmallVector<ReassociationIndices> merged;
  SmallVector<int64_t> shape;
  for (auto [group, size] : llvm::zip(groups, op.getResultType().getShape()))
    if (!group.empty()) {
      merged.push_back(group);
      shape.push_back(size);
    }
  Value made = tensor::CollapseShapeOp::create(
      b, op.getLoc(), op.getResultType().clone(shape), op.getSrc(), merged);
  if (merged.size() != groups.size())
    made = addUnitDims(b, made, op.getResultType(), groups);
  op.replaceAllUsesWith(made);
  op.erase();
}

static void growExpand(tensor::ExpandShapeOp op,
                       const llvm::SmallBitVector &grown) {
  OpBuilder b(op);
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices()))
    if (group.size() == 1 && grown[group.front()])
      sizes[group.front()] =
          tensor::DimOp::create(b, op.getLoc(), op.getSrc(), i).getResult();
  auto made =
      tensor::ExpandShapeOp::create(b, op.getLoc(), op.getType(), op.getSrc(),
                                    op.getReassociationIndices(), sizes);
  op.replaceAllUsesWith(made.getResult());
  op.erase();
}

/// Where the sizes come from that `narrowed` takes for 1.
static SmallVector<SizeOrigin> getOrigins(ArrayRef<NarrowedSize> narrowed) {
  SmallVector<SizeOrigin> origins;
  for (auto &[op, dims] : narrowed) {
    if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      for (unsigned dim : dims.set_bits())
        origins.push_back(getSizeOrigin(cast.getSource(), dim));
      continue;
    }
    auto linalgOp = cast<linalg::LinalgOp>(op);
    for (OpOperand *input : linalgOp.getDpsInputOperands()) {
      AffineMap map = linalgOp.getMatchingIndexingMap(input);
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        if (auto loop = dyn_cast<AffineDimExpr>(expr);
            loop && dims[loop.getPosition()])
          origins.push_back(getSizeOrigin(input->get(), i));
    }
  }
  return origins;
}

/// Erases the asserts of `function` that one of `origins` is 1: what made the
/// module checked its operands so. (nm-assert-shapes checks them as they are.)
static void eraseAsserts(FunctionOpInterface function,
                         ArrayRef<SizeOrigin> origins) {
  function->walk([&](cf::AssertOp op) {
    auto compare = op.getArg().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
      return;
    SizeOrigin lhs = getSizeOrigin(OpFoldResult(compare.getLhs()));
    SizeOrigin rhs = getSizeOrigin(OpFoldResult(compare.getRhs()));
    SizeOrigin one{{}, 1};
    if ((lhs == one && llvm::is_contained(origins, rhs)) ||
        (rhs == one && llvm::is_contained(origins, lhs)))
      op.erase();
  });
}

static void apply(const SizeGrowth &growth) {
  SmallVector<std::pair<tensor::ExpandShapeOp, llvm::SmallBitVector>> expands;
  for (auto [value, dims] : growth.values) {
    value.setType(makeDynamic(cast<RankedTensorType>(value.getType()), dims));
    if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
      expands.emplace_back(expand, dims);
  }
  for (auto &[op, loops] : growth.loops)
    growInits(cast<linalg::LinalgOp>(op), loops);
  for (auto [expand, dims] : expands)
    growExpand(expand, dims);
  for (auto &[op, groups] : growth.regrouped)
    replaceCollapse(cast<tensor::CollapseShapeOp>(op), groups);
}

/// Those of `narrowed` that reach a view, and those whose ops grow with them.
static SmallVector<NarrowedSize> findViewed(ArrayRef<NarrowedSize> narrowed) {
  SmallVector<NarrowedSize> viewed, others;
  for (const NarrowedSize &size : narrowed)
    (SizeGrowth(size).regrouped.empty() ? others : viewed).push_back(size);
  for (bool changed = !viewed.empty(); changed;) {
    SizeGrowth growth(viewed);
    auto *joined = llvm::partition(others, [&](const NarrowedSize &other) {
      return llvm::none_of(SizeGrowth(other).loops, [&](const auto &entry) {
        return growth.loops.contains(entry.first);
      });
    });
    changed = joined != others.end();
    viewed.append(joined, others.end());
    others.erase(joined, others.end());
  }
  return viewed;
}

static void reportRefusal(const SizeGrowth &growth) {
  Operation *op = growth.refused;
  emitRemark(op, RemarkId::ViewNotCorrected)
      << remarkReason("{0}", growth.reason)
      << remarkKey(RemarkKey::Op, op->getName().getStringRef());
  op->emitWarning() << "a dynamic size is taken for 1 by what leads here, and "
                       "others will fail at run time: "
                    << growth.reason
                    << "; export the model with nm.export, or with fewer "
                       "dynamic dimensions";
}

/// Takes the sizes of `function` as they are, where one that is taken for 1
/// reaches a view. All or none: one that remains fails at run time.
static void correct(FunctionOpInterface function) {
  SmallVector<NarrowedSize> viewed = findViewed(findNarrowedSizes(function));
  if (viewed.empty())
    return;
  SizeGrowth growth(viewed);
  if (growth.refused)
    return reportRefusal(growth);
  eraseAsserts(function, getOrigins(viewed));
  apply(growth);
}

namespace {
struct CorrectViews : nm::impl::NMCorrectViewsPassBase<CorrectViews> {
  void runOnOperation() override {
    if (failed(nm::verifyReassociations(getOperation())))
      return signalPassFailure();
    getOperation()->walk([](FunctionOpInterface function) {
      if (!function.isExternal())
        correct(function);
    });
  }
};
} // namespace
