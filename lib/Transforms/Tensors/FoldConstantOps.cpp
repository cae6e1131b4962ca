//===- FoldConstantOps.cpp - Constants from constants ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PermuteConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "nm/Dialect/NM/Utils/ConstantEvaluator.h"
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"
#include "nm/Support/Extents.h"
#include "nm/Support/Remarks.h"
#include "nm/Transforms/Tensors/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMFOLDCONSTANTOPSPASS
#include "nm/Transforms/Tensors/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// A fill is cheaper as a kernel than as a constant that is uploaded, so it is
/// only computed as a part of something else.
static bool isWorthFolding(Operation *op) {
  return isa<linalg::LinalgOp, tm_tensor::ScanOp>(op) &&
         !isa<linalg::FillOp>(op);
}

static bool isPartOfChain(Operation *op) {
  if (auto scan = dyn_cast<tm_tensor::ScanOp>(op))
    return scan.getResults()[1].use_empty();
  return op->getNumResults() == 1 &&
         isa<linalg::LinalgOp, tensor::CastOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::ExtractSliceOp,
             tensor::InsertSliceOp>(op);
}

/// Bytes of a tensor in memory; saturated, since a type may have any extents.
static uint64_t getBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  Type element = tensor.getElementType();
  uint64_t bytes = element.isIntOrFloat()
                       ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                       : 8;
  return getArrayBytes(tensor.getShape(), bytes);
}

/// Calls `visit` with what `op` uses from outside of it, in its body too: that
/// may extract from tensors around it.
static void forEachUsed(Operation *op, llvm::function_ref<void(Value)> visit) {
  llvm::for_each(op->getOperands(), visit);
  for (Region &region : op->getRegions())
    visitUsedValuesDefinedAbove(
        region, [&](OpOperand *operand) { visit(operand->get()); });
}

/// The ops of `root` whose results depend on constants only, as far as they are
/// of a kind that can be evaluated.
static DenseSet<Operation *> findConstantOps(Operation *root) {
  DenseSet<Operation *> found;
  root->walk([&](Operation *op) {
    bool isConstant = op->hasTrait<OpTrait::ConstantLike>() ||
                      isa<tensor::EmptyOp>(op) || isPartOfChain(op);
    forEachUsed(op, [&](Value used) {
      isConstant &= found.contains(used.getDefiningOp());
    });
    if (isConstant)
      found.insert(op);
  });
  return found;
}

/// Bytes of the constants that `root` is computed from. One that is the same
/// everywhere takes no place in a program.
static uint64_t getConstantBytes(Operation *root) {
  llvm::SetVector<Operation *> sources;
  sources.insert(root);
  uint64_t bytes = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    Operation *op = sources[i];
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (!isa<SplatElementsAttr>(constant.getValue()))
        bytes = llvm::SaturatingAdd(bytes, getBytes(constant.getType()));
      continue;
    }
    forEachUsed(op, [&](Value used) { sources.insert(used.getDefiningOp()); });
  }
  return bytes;
}

/// Whether `op` computes the same for each element of constants that are: such
/// a result takes no place in a program, whatever its extents.
static bool isEqualEverywhere(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() == 0 &&
         !generic.hasIndexSemantics();
}

namespace {
struct FoldConstantOps : nm::impl::NMFoldConstantOpsPassBase<FoldConstantOps> {
  using NMFoldConstantOpsPassBase::NMFoldConstantOpsPassBase;

  void runOnOperation() override {
    ConstantEvaluator evaluator(maxElements);
    DenseSet<Operation *> constantOps = findConstantOps(getOperation());
    SmallVector<Operation *> candidates;
    getOperation()->walk([&](Operation *op) {
      if (isPartOfChain(op) && constantOps.contains(op))
        candidates.push_back(op);
    });
    // From the end, so that only the last op of a chain becomes a constant. Ops
    // are erased when all is done: the evaluator remembers their results.
    llvm::SetVector<Operation *> dead;
    for (Operation *op : llvm::reverse(candidates)) {
      Value result = op->getResult(0);
      auto isDead = [&](Operation *user) { return dead.contains(user); };
      bool isUsed = !llvm::all_of(op->getUsers(), isDead);
      if (isUsed && (!isWorthFolding(op) || growsTooMuch(op)))
        continue;
      ElementsAttr moved = isUsed ? permuteConstant(op) : nullptr;
      std::shared_ptr<const KnownTensor> value =
          moved ? nullptr : evaluator.evaluate(result);
      if (!moved && !value)
        continue;
      dead.insert(op);
      if (!isUsed)
        continue;
      OpBuilder b(op);
      auto constant = arith::ConstantOp::create(
          b, op->getLoc(),
          moved ? moved : ConstantEvaluator::toAttribute(*value));
      result.replaceAllUsesWith(constant);
    }
    for (Operation *op : dead)
      op->erase();
  }

private:
  /// Whether the program would be larger with the elements of what `op`
  /// computes.
  bool growsTooMuch(Operation *op) {
    uint64_t bytes = getBytes(op->getResult(0).getType());
    uint64_t limit = std::max<int64_t>(maxGrowth, 0);
    if (bytes <= limit)
      return false;
    uint64_t sources = getConstantBytes(op);
    if (sources == 0 && isEqualEverywhere(op))
      return false;
    if (bytes <= llvm::SaturatingAdd(sources, limit))
      return false;
    emitRemark(op, RemarkId::ConstantNotFolded)
        << remarkKey(RemarkKey::Bytes, bytes)
        << remarkKey(RemarkKey::BytesOfConstants, sources);
    return true;
  }
};
} // namespace
