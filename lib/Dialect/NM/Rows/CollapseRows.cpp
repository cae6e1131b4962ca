//===- CollapseRows.cpp - Dimensions that lie as one in memory ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"
#include "nm/Dialect/NM/Rows/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMCOLLAPSEROWSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Dimensions of an operand from one to another.
using DimRange = std::optional<std::pair<int64_t, int64_t>>;

/// All `rank` dimensions, with those of `range` as one.
static SmallVector<ReassociationIndices> getGroups(int64_t rank,
                                                   DimRange range) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < rank; ++i) {
    if (i <= range->first || i > range->second)
      groups.emplace_back();
    groups.back().push_back(i);
  }
  return groups;
}

/// The dimensions of an operand from that which dimension `dim` of the space is
/// to that of the next one; nothing where it has none of both. Fails where
/// others lie between them, or memory between their elements.
static FailureOr<DimRange> findRange(RowsOp op, int64_t number, int64_t dim) {
  ArrayRef<AffineExpr> results = op.getIndexingMap(number).getResults();
  auto find = [&](int64_t of) {
    AffineExpr e = getAffineDimExpr(of, op.getContext());
    return llvm::find(results, e) - results.begin();
  };
  int64_t none = results.size(), first = find(dim), last = find(dim + 1);
  if (first == none && last == none)
    return DimRange();
  if (first == none || last == none || last < first ||
      llvm::any_of(
          results.slice(first + 1, last - first - 1),
          [](AffineExpr e) { return !isa<AffineConstantExpr>(e); }))
    return failure();
  auto type = cast<MemRefType>(op->getOperand(number).getType());
  DimRange range = std::pair(first, last);
  if (!memref::CollapseShapeOp::isGuaranteedCollapsible(
          type, getGroups(type.getRank(), range)))
    return failure();
  return range;
}

/// Whether dimension `dim` of the space and the next one can be one.
static bool canCollapse(RowsOp op, int64_t dim) {
  if (dim + 1 == int64_t(op.getRows()) && !isOfElementsAlone(op))
    return false;
  for (auto index : op.getBody().getOps<IndexOp>())
    if (int64_t(index.getDim()) == dim || int64_t(index.getDim()) == dim + 1)
      return false;
  return llvm::all_of(llvm::seq(op->getNumOperands()), [&](int64_t number) {
    return succeeded(findRange(op, number, dim));
  });
}

/// The map of an operand whose dimensions of `range` are one, of a space whose
/// dimension `dim` and the next one are.
static AffineMap collapseMap(AffineMap map, int64_t dim, DimRange range) {
  SmallVector<AffineExpr> results;
  for (auto [i, e] : llvm::enumerate(map.getResults())) {
    if (range && int64_t(i) > range->first && int64_t(i) <= range->second)
      continue;
    auto of = dyn_cast<AffineDimExpr>(e);
    bool isBehind = of && int64_t(of.getPosition()) > dim;
    results.push_back(
        isBehind ? getAffineDimExpr(of.getPosition() - 1, map.getContext())
                 : e);
  }
  return AffineMap::get(map.getNumDims() - 1, 0, results, map.getContext());
}

/// Makes dimension `dim` of the space and the next one one.
static void collapseDims(RowsOp op, int64_t dim) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<AffineMap> maps;
  for (int64_t number = 0, e = op->getNumOperands(); number < e; ++number) {
    DimRange range = *findRange(op, number, dim);
    maps.push_back(collapseMap(op.getIndexingMap(number), dim, range));
    if (!range)
      continue;
    Value operand = op->getOperand(number);
    int64_t rank = cast<MemRefType>(operand.getType()).getRank();
    op->setOperand(number, memref::CollapseShapeOp::create(
                               b, operand, getGroups(rank, range)));
  }
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
  if (dim < int64_t(op.getRows()))
    op.setRows(op.getRows() - 1);
  for (auto index : op.getBody().getOps<IndexOp>())
    if (int64_t(index.getDim()) > dim)
      index.setDim(index.getDim() - 1);
}

namespace {
struct CollapseRows : nm::impl::NMCollapseRowsPassBase<CollapseRows> {
  void runOnOperation() override {
    getOperation()->walk([](RowsOp op) {
      if (op.getSchedule() || op->getNumResults() != 0)
        return;
      for (int64_t dim = op.getNumDims() - 2; dim >= 0; --dim)
        if (canCollapse(op, dim))
          collapseDims(op, dim);
    });
  }
};
} // namespace
