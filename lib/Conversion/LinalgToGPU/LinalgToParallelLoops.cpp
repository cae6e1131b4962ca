//===- LinalgToParallelLoops.cpp - Buffers: linalg to scf.parallel --------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings every linalg op on buffers into the one form that the mapping to GPU
// takes: an scf.parallel over all parallel dimensions with the reductions as
// sequential loops inside. Upstream's conversion alone leaves a host loop
// around the parallel one when a reduction comes first, and no parallel loop at
// all for a reduction to a scalar.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Conversion/LinalgToGPU/Passes.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"

namespace nm {
#define GEN_PASS_DEF_NMLINALGTOPARALLELLOOPSPASS
#include "nm/Conversion/LinalgToGPU/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The readable part of a kernel's name: the named op's own name, or what the
/// generic computes.
static std::string describeOp(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return op->getName().stripDialect().str();
  return (Twine("generic_") + (op.getNumReductionLoops() ? "reduce_" : "") +
          describeBody(*generic.getBody()))
      .str();
}

/// `op` itself, or the generic that it is rewritten to; fails if there is none.
static FailureOr<linalg::GenericOp> toGeneric(RewriterBase &rewriter,
                                              linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return generic;
  return linalg::generalizeNamedOp(rewriter, op);
}

/// Calls the loops reductions that are called parallel although they do not
/// choose an element of every output: their iterations write one element, which
/// has to be done in order, as loops on the host do it. Fails if `op` has such
/// loops, and is neither a generic nor can become one.
static FailureOr<linalg::LinalgOp> orderSharedWrites(RewriterBase &rewriter,
                                                     linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  bool isChanged = false;
  for (auto [position, type] : llvm::enumerate(types)) {
    AffineExpr loop = getAffineDimExpr(position, op.getContext());
    auto isChosenBy = [&](OpOperand &init) {
      return llvm::is_contained(op.getMatchingIndexingMap(&init).getResults(),
                                loop);
    };
    if (!linalg::isParallelIterator(type) || extents[position] == 1 ||
        llvm::all_of(op.getDpsInitsMutable(), isChosenBy))
      continue;
    type = utils::IteratorType::reduction;
    isChanged = true;
  }
  if (!isChanged)
    return op;

  FailureOr<linalg::GenericOp> generic = toGeneric(rewriter, op);
  if (failed(generic))
    return failure();
  SmallVector<Attribute> attributes;
  for (utils::IteratorType type : types)
    attributes.push_back(
        linalg::IteratorTypeAttr::get(rewriter.getContext(), type));
  generic->setIteratorTypesAttr(rewriter.getArrayAttr(attributes));
  return cast<linalg::LinalgOp>(generic->getOperation());
}

/// Puts the parallel dimensions first (keeping their order). Fails if `op` is
/// neither a generic nor can become one.
static FailureOr<linalg::LinalgOp> sortDimensions(RewriterBase &rewriter,
                                                  linalg::LinalgOp op) {
  SmallVector<unsigned> order, reductions;
  for (auto [i, type] : llvm::enumerate(op.getIteratorTypesArray()))
    (linalg::isParallelIterator(type) ? order : reductions).push_back(i);
  llvm::append_range(order, reductions);
  if (llvm::is_sorted(order))
    return op;

  FailureOr<linalg::GenericOp> generic = toGeneric(rewriter, op);
  if (failed(generic))
    return failure();
  FailureOr<linalg::GenericOp> sorted =
      linalg::interchangeGenericOp(rewriter, *generic, order);
  if (failed(sorted))
    return failure();
  return cast<linalg::LinalgOp>(sorted->getOperation());
}

/// The fill of the whole buffer `init`, an init of `op` and of nothing else
/// that `op` touches, when no op between them touches it.
static linalg::FillOp findFill(linalg::LinalgOp op, OpOperand *init) {
  Value root = memref::skipViewLikeOps(cast<MemrefValue>(init->get()));
  auto isPart = [&](Value value) {
    return isa<BaseMemRefType>(value.getType()) &&
           memref::skipViewLikeOps(cast<MemrefValue>(value)) == root;
  };
  auto touches = [&](Operation *other) {
    return other
        ->walk([&](Operation *inner) {
          return llvm::any_of(inner->getOperands(), isPart)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  };
  for (OpOperand &operand : op->getOpOperands())
    if (&operand != init && isPart(operand.get()))
      return nullptr;
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::FillOp>(before))
      if (fill.getOutputs()[0] == init->get())
        return fill;
    if (!isa<ViewLikeOpInterface>(before) && touches(before))
      return nullptr;
  }
  return nullptr;
}

/// Whether every element of a buffer of `type`, which `map` indexes, belongs to
/// one iteration of the parallel loops.
static bool isCoveredByLoops(MemRefType type, AffineMap map,
                             unsigned numParallel) {
  llvm::SmallBitVector seen(map.getNumDims());
  for (auto [i, result] : llvm::enumerate(map.getResults())) {
    if (auto constant = dyn_cast<AffineConstantExpr>(result)) {
      // One index is all of a dimension only where that has one element.
      if (constant.getValue() != 0 || type.getDimSize(i) != 1)
        return false;
      continue;
    }
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim || dim.getPosition() >= numParallel ||
        seen.test(dim.getPosition()))
      return false;
    seen.set(dim.getPosition());
  }
  return seen.count() == numParallel;
}

/// The fills before `op`, whose parallel dimensions come first, that its loop
/// can do: with the map of what they fill.
static SmallVector<std::pair<linalg::FillOp, AffineMap>>
findFills(linalg::LinalgOp op) {
  SmallVector<std::pair<linalg::FillOp, AffineMap>> fills;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    auto type = dyn_cast<MemRefType>(init.get().getType());
    if (op.getNumReductionLoops() == 0 || !type ||
        !isCoveredByLoops(type, map, op.getNumParallelLoops()))
      continue;
    if (linalg::FillOp fill = findFill(op, &init))
      fills.emplace_back(fill, map);
  }
  return fills;
}

/// Stores what `fill` does at the start of each iteration of `loop`, which
/// accumulates into it.
static void createFillStore(RewriterBase &rewriter, scf::ParallelOp loop,
                            ValueRange ivs, linalg::FillOp fill,
                            AffineMap map) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> indices;
  for (AffineExpr result : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      indices.push_back(ivs[dim.getPosition()]);
    else
      indices.push_back(
          arith::ConstantIndexOp::create(rewriter, fill.getLoc(), 0));
  }
  memref::StoreOp::create(rewriter, fill.getLoc(), fill.getInputs()[0],
                          fill.getOutputs()[0], indices);
}

static bool isFill(Operation *op) { return isa<linalg::FillOp>(op); }

/// Lowers one op, marking its parallel loop with the kernel's name. The fills
/// that the loop does are added to `taken`.
static LogicalResult lowerOp(RewriterBase &rewriter, linalg::LinalgOp op,
                             DenseSet<Operation *> &taken) {
  if (!op.hasPureBufferSemantics())
    return op.emitOpError("expected operands that are buffers, got tensors; "
                          "run one-shot-bufferize first");
  StringAttr name = rewriter.getStringAttr(describeOp(op));
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::LinalgOp> sorted = orderSharedWrites(rewriter, op);
  if (succeeded(sorted))
    sorted = sortDimensions(rewriter, *sorted);
  if (failed(sorted))
    return op.emitOpError("unsupported: reduction dimension before a parallel "
                          "one in an op without a generic form");
  op = *sorted;
  auto fills = findFills(op);

  scf::ParallelOp wrapper;
  if (op.getNumParallelLoops() == 0) {
    // A reduction to a scalar (or an op without dimensions) is one iteration.
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    wrapper = scf::ParallelOp::create(rewriter, loc, zero, one, one);
    rewriter.moveOpBefore(op, wrapper.getBody()->getTerminator());
    rewriter.setInsertionPoint(op);
  }
  FailureOr<linalg::LinalgLoops> loops =
      linalg::linalgOpToParallelLoops(rewriter, op);
  if (failed(loops))
    return op.emitOpError("unsupported: no loop form of this op is known");
  auto outer = wrapper ? wrapper : cast<scf::ParallelOp>(loops->front());
  outer->setAttr(kKernelNameAttr, name);
  SmallVector<Value> ivs;
  if (!wrapper)
    llvm::append_range(ivs, outer.getInductionVars());
  for (auto [fill, map] : fills) {
    createFillStore(rewriter, outer, ivs, fill, map);
    taken.insert(fill);
  }
  rewriter.eraseOp(op);
  return success();
}

/// Source and target of `copy`, in one dimension where both are row-major: a
/// loop over that computes no indices of others.
static std::pair<Value, Value> flatten(OpBuilder &b, memref::CopyOp copy) {
  Value source = copy.getSource(), target = copy.getTarget();
  auto isRowMajor = [](Value buffer) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    return type && type.getLayout().isIdentity();
  };
  auto type = cast<ShapedType>(target.getType());
  if (!isRowMajor(source) || !isRowMajor(target) || type.getRank() < 2)
    return {source, target};
  SmallVector<ReassociationIndices> all = {
      llvm::to_vector<2>(llvm::seq(type.getRank()))};
  auto collapse = [&](Value buffer) -> Value {
    return memref::CollapseShapeOp::create(b, copy.getLoc(), buffer, all);
  };
  return {collapse(source), collapse(target)};
}

/// Writes an op in the body of another as loops that each iteration of that one
/// runs: what is lowered later is a copy of the body.
static LogicalResult lowerNested(RewriterBase &rewriter, linalg::LinalgOp op) {
  rewriter.setInsertionPoint(op);
  if (!op.hasPureBufferSemantics() ||
      failed(linalg::linalgOpToLoops(rewriter, op)))
    return op.emitOpError("unsupported: in the body of another op; expected an "
                          "op on buffers that has a loop form");
  rewriter.eraseOp(op);
  return success();
}

static bool isNested(Operation *op) {
  return static_cast<bool>(op->getParentOfType<linalg::LinalgOp>());
}

namespace {
struct LinalgToParallelLoops
    : nm::impl::NMLinalgToParallelLoopsPassBase<LinalgToParallelLoops> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What is already a kernel is its author's business.
      if (isa<gpu::LaunchOp, gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (auto copy = dyn_cast<memref::CopyOp>(op))
        copies.push_back(copy);
      else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        ops.push_back(linalgOp);
      // The body of a named op is made where nobody knows its location.
      else if (isa<UnknownLoc>(op->getLoc()) &&
               isa_and_nonnull<linalg::LinalgOp>(op->getParentOp()))
        op->setLoc(op->getParentOp()->getLoc());
      return WalkResult::advance();
    });
    for (memref::CopyOp copy : copies) {
      rewriter.setInsertionPoint(copy);
      auto [source, target] = flatten(rewriter, copy);
      ops.push_back(
          rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, source, target));
    }
    SmallVector<linalg::LinalgOp> nested;
    llvm::copy_if(ops, std::back_inserter(nested), isNested);
    llvm::erase_if(ops, isNested);
    // From the innermost on, which a walk meets last.
    for (linalg::LinalgOp op : llvm::reverse(nested))
      if (failed(lowerNested(rewriter, op)))
        return signalPassFailure();
    // Fills last: ops that accumulate take theirs along.
    SmallVector<linalg::LinalgOp> fills;
    llvm::copy_if(ops, std::back_inserter(fills), isFill);
    llvm::erase_if(ops, isFill);
    DenseSet<Operation *> taken;
    for (linalg::LinalgOp op : ops)
      if (failed(lowerOp(rewriter, op, taken)))
        return signalPassFailure();
    for (linalg::LinalgOp fill : fills)
      if (taken.contains(fill))
        rewriter.eraseOp(fill);
      else if (failed(lowerOp(rewriter, fill, taken)))
        return signalPassFailure();
  }
};
} // namespace
