//===- SizeGrowth.cpp - Sizes that were taken for 1 -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeGrowth.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace nm;

/// The loop that walks dimension `dim` of `operand`, where there is just one.
static std::optional<unsigned> getLoop(linalg::LinalgOp op, OpOperand &operand,
                                       unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (auto expr = dyn_cast<AffineDimExpr>(map.getResult(dim)))
    return expr.getPosition();
  return std::nullopt;
}

static RankedTensorType getTensorType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// The loops of `op` that are dynamic in an input and 1 in a result.
static llvm::SmallBitVector getNarrowedLoops(linalg::LinalgOp op) {
  llvm::SmallBitVector dynamic(op.getNumLoops()), one(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = getTensorType(operand.get());
    for (int64_t i = 0; type && i < type.getRank(); ++i) {
      std::optional<unsigned> loop = getLoop(op, operand, i);
      if (!loop)
        continue;
      if (type.isDynamicDim(i) && op.isDpsInput(&operand))
        dynamic.set(*loop);
      else if (type.getDimSize(i) == 1 && op.isDpsInit(&operand))
        one.set(*loop);
    }
  }
  return dynamic &= one;
}

static llvm::SmallBitVector getNarrowedDims(tensor::CastOp op) {
  RankedTensorType from = getTensorType(op.getSource());
  RankedTensorType to = getTensorType(op.getDest());
  llvm::SmallBitVector dims(from && to ? to.getRank() : 0);
  for (unsigned i = 0; i < dims.size(); ++i)
    dims[i] = from.isDynamicDim(i) && to.getDimSize(i) == 1;
  return dims;
}

SmallVector<NarrowedSize> nm::findNarrowedSizes(Operation *root) {
  SmallVector<NarrowedSize> found;
  root->walk([&](Operation *op) {
    llvm::SmallBitVector dims;
    if (auto cast = dyn_cast<tensor::CastOp>(op))
      dims = getNarrowedDims(cast);
    else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      dims = getNarrowedLoops(linalgOp);
    if (dims.any())
      found.push_back({op, dims});
  });
  return found;
}

SizeGrowth::SizeGrowth(ArrayRef<NarrowedSize> roots) {
  for (const NarrowedSize &root : roots)
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(root.op))
      growLoops(linalgOp, root.dims);
    else
      grow(root.op->getResult(0), root.dims);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    llvm::SmallBitVector dims = values[value];
    for (OpOperand &use : value.getUses())
      followUse(use, dims);
  }
  checkStaticOperands();
}

void SizeGrowth::refuse(Operation *op, StringRef why) {
  if (refused)
    return;
  refused = op;
  reason = why;
}

void SizeGrowth::grow(Value value, const llvm::SmallBitVector &dims) {
  llvm::SmallBitVector &known = values[value];
  known.resize(dims.size());
  if (!dims.test(known))
    return;
  known |= dims;
  worklist.push_back(value);
}

void SizeGrowth::followUse(OpOperand &use, const llvm::SmallBitVector &dims) {
  Operation *user = use.getOwner();
  RankedTensorType type = getTensorType(use.get());
  if (auto op = dyn_cast<linalg::LinalgOp>(user))
    return followLinalg(op, use, dims);
  if (auto op = dyn_cast<tensor::CollapseShapeOp>(user))
    return followCollapse(op, dims);
  if (auto op = dyn_cast<tensor::ExpandShapeOp>(user))
    return followExpand(op, dims);
  if (isa<tensor::CastOp>(user))
    return grow(user->getResult(0), dims);
  // These say their sizes themselves.
  if (isa<tensor::ReshapeOp, tensor::DimOp>(user))
    return;
  if (isa<func::ReturnOp>(user) && llvm::all_of(dims.set_bits(), [&](int i) {
        return type.isDynamicDim(i);
      }))
    return;
  // A size of 1 may have been folded into anything else, as an offset or a
  // divisor.
  refuse(user, "what a larger size means for it is not known");
}

void SizeGrowth::followLinalg(linalg::LinalgOp op, OpOperand &use,
                              const llvm::SmallBitVector &dims) {
  llvm::SmallBitVector grown(op.getNumLoops());
  for (unsigned dim : dims.set_bits()) {
    std::optional<unsigned> loop = getLoop(op, use, dim);
    if (!loop)
      return refuse(op, "its index is not that of one loop");
    grown.set(*loop);
  }
  growLoops(op, grown);
}

/// Whether sizes of `init` can be given anew: its elements are not read, or all
/// the same.
static bool canBeMadeAnew(Value init) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getOutputs()[0];
  return init.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

void SizeGrowth::growLoops(linalg::LinalgOp op,
                           const llvm::SmallBitVector &grown) {
  llvm::SmallBitVector &known = loops[op];
  known.resize(grown.size());
  known |= grown;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (unsigned loop : grown.set_bits())
    if (iterators[loop] != utils::IteratorType::parallel)
      // A mean divides by a size, which may have been folded.
      refuse(op, "it reduces what grows");
  WalkResult read = op->walk([&](linalg::IndexOp index) {
    return grown[index.getDim()] ? WalkResult::interrupt()
                                 : WalkResult::advance();
  });
  if (read.wasInterrupted())
    // It may index a tensor whose size has been folded.
    refuse(op, "its body reads the index of what grows");
  for (OpOperand &init : op.getDpsInitsMutable()) {
    RankedTensorType type = getTensorType(init.get());
    llvm::SmallBitVector dims(type ? type.getRank() : 0);
    for (unsigned i = 0; i < dims.size(); ++i)
      if (std::optional<unsigned> loop = getLoop(op, init, i))
        dims[i] = grown[*loop];
    if (dims.none())
      continue;
    if (!canBeMadeAnew(init.get()) && !values.contains(init.get()))
      refuse(op, "it accumulates into another value");
    grow(op->getResult(init.getOperandNumber() - op.getNumDpsInputs()), dims);
  }
}

/// Moves `dims`, which were 1, out of groups whose size is static into the
/// dynamic group beside: the one before for those in front of a group, the one
/// before or after for a group of theirs only. False if that is not one group.
static bool regroup(tensor::CollapseShapeOp op,
                    const llvm::SmallBitVector &dims,
                    SmallVectorImpl<ReassociationIndices> &groups) {
  RankedTensorType from = op.getSrcType(), to = op.getResultType();
  auto wasOne = [&](int64_t dim) {
    return dims[dim] && from.getDimSize(dim) == 1;
  };
  auto isDynamic = [&](size_t i) {
    return i < groups.size() && to.isDynamicDim(i);
  };
  for (auto [i, group] : llvm::enumerate(groups)) {
    if (to.isDynamicDim(i) || llvm::none_of(group, wasOne))
      continue;
    bool before = isDynamic(i - 1), after = isDynamic(i + 1);
    auto *end = llvm::find_if_not(group, wasOne);
    bool isWhole = end == group.end();
    if (isWhole && before == after)
      return false;
    if (before)
      groups[i - 1].append(group.begin(), end);
    else if (isWhole)
      groups[i + 1].insert(groups[i + 1].begin(), group.begin(), end);
    else
      return false;
    group.erase(group.begin(), end);
  }
  return true;
}

void SizeGrowth::followCollapse(tensor::CollapseShapeOp op,
                                const llvm::SmallBitVector &dims) {
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  bool isClear = regroup(op, dims, groups);
  llvm::SmallBitVector grown(groups.size());
  for (auto [i, group] : llvm::enumerate(groups)) {
    grown[i] = llvm::any_of(group, [&](int64_t dim) { return dims[dim]; });
    isClear &= !grown[i] || op.getResultType().isDynamicDim(i);
  }
  if (!isClear)
    return refuse(op, "it merges what grows with a static size");
  if (groups != op.getReassociationIndices())
    regrouped[op] = groups;
  grow(op.getResult(), grown);
}

void SizeGrowth::followExpand(tensor::ExpandShapeOp op,
                              const llvm::SmallBitVector &dims) {
  llvm::SmallBitVector grown(op.getResultType().getRank());
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices())) {
    if (!dims[i])
      continue;
    if (group.size() != 1)
      return refuse(op, "it splits what grows");
    grown.set(group.front());
  }
  grow(op.getResult(), grown);
}

/// A loop that grows cannot walk an operand that stays at a static size.
void SizeGrowth::checkStaticOperands() {
  for (auto &[operation, grown] : loops) {
    auto op = cast<linalg::LinalgOp>(operation);
    for (OpOperand *input : op.getDpsInputOperands()) {
      RankedTensorType type = getTensorType(input->get());
      auto *entry = values.find(input->get());
      for (int64_t i = 0; type && i < type.getRank(); ++i) {
        bool grows = entry != values.end() && entry->second[i];
        std::optional<unsigned> loop = getLoop(op, *input, i);
        if (loop && grown[*loop] && !type.isDynamicDim(i) && !grows)
          refuse(op, "another operand does not grow");
      }
    }
  }
}
