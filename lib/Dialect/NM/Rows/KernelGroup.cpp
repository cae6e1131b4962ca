//===- KernelGroup.cpp - Ops that become one kernel -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGroup.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;
using linalg::GenericOp;

/// A dimension of a group that no dimension of another is, yet.
static constexpr int64_t kUnknown = -2;
/// Arrays that a kernel reads. A kernel may have 4 KB of arguments, some
/// hundred pointers; so many are beyond what models have, a guess.
static constexpr size_t kMostReads = 64;
/// Instructions of an element that a kernel may have, by countWork. A thread
/// has up to 32 elements, whose instructions are all written out for ptxas. The
/// number is a guess, beyond what a norm or a softmax has.
static constexpr int64_t kMostWork = 512;
/// Instructions that an op of the math dialect is counted as: nm-expand-math
/// writes tens of them for one. The number is a guess.
static constexpr int64_t kWorkOfMath = 32;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static std::optional<arith::AtomicRMWKind> getKind(Operation *op) {
  using Kind = arith::AtomicRMWKind;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case([](arith::AddFOp) { return Kind::addf; })
      .Case([](arith::MulFOp) { return Kind::mulf; })
      .Case([](arith::MaximumFOp) { return Kind::maximumf; })
      .Case([](arith::MinimumFOp) { return Kind::minimumf; })
      .Case([](arith::MaxNumFOp) { return Kind::maxnumf; })
      .Case([](arith::MinNumFOp) { return Kind::minnumf; })
      .Case([](arith::AddIOp) { return Kind::addi; })
      .Case([](arith::MulIOp) { return Kind::muli; })
      .Case([](arith::MaxSIOp) { return Kind::maxs; })
      .Case([](arith::MaxUIOp) { return Kind::maxu; })
      .Case([](arith::MinSIOp) { return Kind::mins; })
      .Case([](arith::MinUIOp) { return Kind::minu; })
      .Case([](arith::AndIOp) { return Kind::andi; })
      .Case([](arith::OrIOp) { return Kind::ori; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Combiner> nm::findCombiner(GenericOp op, StringRef &reason) {
  if (op.getNumDpsInits() != 1) {
    reason = "it has several results";
    return std::nullopt;
  }
  Attribute init;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.getInputs()[0], m_Constant(&init))) {
    reason = "it begins with something else than a constant";
    return std::nullopt;
  }
  Block &body = *op.getBody();
  Operation *combine = body.getTerminator()->getOperand(0).getDefiningOp();
  BlockArgument sum = body.getArguments().back();
  auto kind = combine ? getKind(combine) : std::nullopt;
  if (!kind || !sum.hasOneUse() || *sum.user_begin() != combine ||
      !combine->hasOneUse()) {
    reason = "no kind of nm.reduce combines so";
    return std::nullopt;
  }
  Value element = combine->getOperand(combine->getOperand(0) == sum ? 1 : 0);
  return Combiner{*kind, combine, element, init};
}

/// Whether vectors of `type` lie in memory as their elements do, and lanes can
/// exchange it: no complex number, no index, no float of less than 16 bits.
static bool isRowElement(Type type) {
  if (!type.isIntOrFloat())
    return false;
  unsigned bits = type.getIntOrFloatBitWidth();
  bool isSmall = type.isInteger() && (bits == 1 || bits == 8);
  return isSmall || bits == 16 || bits == 32 || bits == 64;
}

/// Whether the results of a map of `type` are dimensions, each once, and zeros
/// where there is one element.
static bool hasOnlyDims(AffineMap map, RankedTensorType type) {
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  for (auto [e, extent] : llvm::zip_equal(map.getResults(), type.getShape()))
    if (isa<AffineConstantExpr>(e) && extent != 1)
      return false;
  return true;
}

bool nm::isRowOp(GenericOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() == 0 ||
      linalg::isaContractionOpInterface(op) ||
      linalg::isaConvolutionOpInterface(op))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type || !isRowElement(type.getElementType()) ||
        !hasOnlyDims(op.getMatchingIndexingMap(&operand), type))
      return false;
  }
  for (Operation &inner : op.getBody()->without_terminator())
    if (!isPure(&inner) || inner.getNumRegions() != 0 ||
        isa<linalg::IndexOp, tensor::ExtractOp>(inner))
      return false;
  // An element-wise op that reads what it is to write over begins with it.
  if (op.getNumReductionLoops() == 0)
    for (BlockArgument init : op.getRegionOutputArgs())
      if (!init.use_empty())
        return false;
  return true;
}

/// Whether a reshape only adds or drops dimensions of one element, from the
/// tensor with more dimensions.
static bool areOfUnits(ArrayRef<ReassociationIndices> groups,
                       RankedTensorType wide) {
  return llvm::all_of(groups, [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) {
             return wide.getDimSize(dim) != 1;
           }) <= 1;
  });
}

bool nm::movesUnitsAlone(tensor::ExpandShapeOp op) {
  return areOfUnits(op.getReassociationIndices(), op.getResultType());
}

bool nm::movesUnitsAlone(tensor::CollapseShapeOp op) {
  return areOfUnits(op.getReassociationIndices(), op.getSrcType());
}

/// Lets an access to the result of a reshape be one to its source, if the
/// reshape moves dimensions of one element alone.
static bool skipReshape(Access &access) {
  Operation *op = access.value.getDefiningOp();
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
    auto groups = expand.getReassociationIndices();
    if (!movesUnitsAlone(expand))
      return false;
    SmallVector<int64_t> dims;
    for (const ReassociationIndices &group : groups) {
      dims.push_back(kUnit);
      for (int64_t dim : group)
        if (access.dims[dim] != kUnit)
          dims.back() = access.dims[dim];
    }
    access = {expand.getSrc(), dims};
    return true;
  }
  auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op);
  if (!collapse)
    return false;
  RankedTensorType wide = collapse.getSrcType();
  auto groups = collapse.getReassociationIndices();
  if (!movesUnitsAlone(collapse))
    return false;
  SmallVector<int64_t> dims(wide.getRank(), kUnit);
  for (auto [narrow, group] : llvm::enumerate(groups))
    for (int64_t dim : group)
      if (wide.getDimSize(dim) != 1)
        dims[dim] = access.dims[narrow];
  access = {collapse.getSrc(), dims};
  return true;
}

static Access getAccess(GenericOp op, Value value, AffineMap map) {
  Access access{value, {}};
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (AffineExpr e : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(e);
    bool isUnit = !dim || extents[dim.getPosition()] == 1;
    access.dims.push_back(isUnit ? kUnit : int64_t(dim.getPosition()));
  }
  return access;
}

Access nm::getRead(GenericOp op, int64_t input) {
  OpOperand *operand = op.getDpsInputOperand(input);
  Access access =
      getAccess(op, operand->get(), op.getMatchingIndexingMap(operand));
  while (skipReshape(access)) {
  }
  return access;
}

Access nm::getWritten(GenericOp op, int64_t result) {
  OpOperand *init = op.getDpsInitOperand(result);
  return getAccess(op, op->getResult(result), op.getMatchingIndexingMap(init));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

KernelGroup::KernelGroup(GenericOp op) : ops{op} {
  SmallVector<int64_t> &own = places[op];
  SmallVector<bool> isReduced;
  for (auto [extent, type] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    own.push_back(extent == 1 ? kUnit : int64_t(extents.size()));
    if (extent == 1)
      continue;
    extents.push_back(extent);
    isReduced.push_back(type == utils::IteratorType::reduction);
  }
  if (op.getNumReductionLoops() == 0)
    return;
  columns.emplace(extents.size());
  for (auto [dim, reduced] : llvm::enumerate(isReduced))
    if (reduced)
      columns->set(dim);
}

Access KernelGroup::toGroup(Operation *op, Access access) const {
  const SmallVector<int64_t> &own = places.find(op)->second;
  for (int64_t &dim : access.dims)
    if (dim != kUnit)
      dim = own[dim];
  return access;
}

static llvm::MapVector<Value, Access> collectReads(const KernelGroup &group) {
  llvm::MapVector<Value, Access> reads;
  for (GenericOp op : group.getOps())
    for (int64_t i = 0; i < op.getNumDpsInputs(); ++i) {
      Access read = group.toGroup(op, getRead(op, i));
      reads.insert({read.value, read});
    }
  return reads;
}

namespace {
/// What an op of one group reads of another one, in the dimensions of each.
struct Edge {
  Access written, read;
};
} // namespace

static SmallVector<Edge> collectEdges(const KernelGroup &from,
                                      const KernelGroup &to) {
  SmallVector<Edge> edges;
  for (GenericOp op : to.getOps())
    for (int64_t i = 0; i < op.getNumDpsInputs(); ++i) {
      Access read = to.toGroup(op, getRead(op, i));
      auto producer = read.value.getDefiningOp<GenericOp>();
      if (!producer || !from.contains(producer))
        continue;
      int64_t number = cast<OpResult>(read.value).getResultNumber();
      Access written = from.toGroup(producer, getWritten(producer, number));
      edges.push_back({written, read});
    }
  return edges;
}

/// Sets `match` so that `there`, in the dimensions of the later group, is
/// `here`; false if it cannot be.
static bool match(const Access &here, const Access &there,
                  MutableArrayRef<int64_t> match) {
  for (auto [mine, its] : llvm::zip_equal(here.dims, there.dims)) {
    if (mine == kUnit && its == kUnit)
      continue;
    if (mine == kUnit || its == kUnit)
      return false;
    if (match[its] == kUnknown && llvm::is_contained(match, mine))
      return false;
    if (match[its] != kUnknown && match[its] != mine)
      return false;
    match[its] = mine;
  }
  return true;
}

std::optional<SmallVector<int64_t>>
KernelGroup::matchDims(const KernelGroup &later) const {
  SmallVector<int64_t> found(later.extents.size(), kUnknown);
  // Each may read what the other computes, as neither is all before the other.
  for (const Edge &edge : collectEdges(*this, later))
    if (!match(edge.written, edge.read, found))
      return std::nullopt;
  for (const Edge &edge : collectEdges(later, *this))
    if (!match(edge.read, edge.written, found))
      return std::nullopt;
  // Where both read an array, it is read once if they read it alike.
  auto reads = collectReads(*this);
  for (auto &[value, read] : collectReads(later)) {
    auto other = reads.find(value);
    SmallVector<int64_t> attempt = found;
    if (other != reads.end() && match(other->second, read, attempt))
      found = attempt;
  }
  // What is left are elements of rows that nothing says to be the same ones.
  int64_t next = 0, count = extents.size(), added = count;
  auto advance = [&] {
    while (next < count && llvm::is_contained(found, next))
      ++next;
  };
  for (auto [its, extent] : llvm::zip_equal(found, later.extents)) {
    if (its != kUnknown)
      continue;
    advance();
    if (next == count)
      its = added++;
    else if (extents[next] == extent && !ShapedType::isDynamic(extent))
      its = next;
    else
      return std::nullopt;
  }
  return found;
}

/// Whether each op computes whole rows, or numbers of rows, of the dimensions
/// that `columns` says.
bool KernelGroup::hasWholeRows(const KernelGroup &of) const {
  for (GenericOp op : of.ops) {
    llvm::SmallBitVector seen(extents.size());
    for (int64_t dim : of.places.find(op)->second)
      if (dim != kUnit)
        seen.set(dim);
    if (!columns) {
      if (!seen.all())
        return false;
      continue;
    }
    llvm::SmallBitVector elements = seen;
    elements &= *columns;
    llvm::SmallBitVector rows = *columns;
    rows.flip();
    rows.reset(seen);
    if (rows.any() || (elements.any() && elements != *columns))
      return false;
  }
  return true;
}

/// `columns` of a group in the dimensions that `match` gives.
static std::optional<llvm::SmallBitVector>
moveColumns(const std::optional<llvm::SmallBitVector> &columns,
            ArrayRef<int64_t> match, int64_t count) {
  if (!columns)
    return std::nullopt;
  llvm::SmallBitVector moved(count);
  for (int64_t dim : columns->set_bits())
    moved.set(match[dim]);
  return moved;
}

/// Roughly the instructions that the bodies are.
static int64_t countWork(const KernelGroup &group) {
  int64_t work = 0;
  for (GenericOp op : group.getOps())
    for (Operation &inner : op.getBody()->without_terminator()) {
      bool isMath = inner.getName().getDialectNamespace() == "math";
      work += isMath ? kWorkOfMath : 1;
    }
  return work;
}

bool KernelGroup::merge(const KernelGroup &later) {
  if (countWork(*this) + countWork(later) > kMostWork ||
      collectReads(*this).size() + collectReads(later).size() > kMostReads)
    return false;
  auto found = matchDims(later);
  if (!found)
    return false;
  KernelGroup merged = *this, moved = later;
  int64_t count = extents.size();
  for (auto [dim, extent] : llvm::zip_equal(*found, later.extents)) {
    if (dim >= count)
      merged.extents.push_back(extent);
  }
  int64_t all = merged.extents.size();
  if (merged.columns)
    merged.columns->resize(all);
  auto its = moveColumns(later.columns, *found, all);
  if (merged.columns && its && *merged.columns != *its)
    return false;
  if (its)
    merged.columns = its;
  for (auto &[op, own] : moved.places)
    for (int64_t &dim : own)
      if (dim != kUnit)
        dim = (*found)[dim];
  if (!merged.hasWholeRows(merged) || !merged.hasWholeRows(moved))
    return false;
  llvm::append_range(merged.ops, later.ops);
  llvm::sort(merged.ops,
             [](GenericOp a, GenericOp b) { return a->isBeforeInBlock(b); });
  if (!isConvex(merged.ops))
    return false;
  for (auto &[op, own] : moved.places)
    merged.places[op] = own;
  *this = merged;
  return true;
}

bool nm::isConvex(ArrayRef<GenericOp> ops) {
  SmallPtrSet<Operation *, 16> members;
  for (GenericOp op : ops)
    members.insert(op);
  // Ops that are no members, and depend on the result of one.
  SmallPtrSet<Operation *, 16> outside;
  Block *block = ops.front()->getBlock();
  auto isOutside = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && outside.contains(block->findAncestorOpInBlock(*op));
  };
  for (Operation *op = ops.front(); op != ops.back()->getNextNode();
       op = op->getNextNode()) {
    if (members.contains(op)) {
      auto generic = cast<GenericOp>(op);
      for (int64_t i = 0; i < generic.getNumDpsInputs(); ++i)
        if (isOutside(getRead(generic, i).value))
          return false;
      if (llvm::any_of(generic.getDpsInits(), isOutside))
        return false;
      continue;
    }
    auto reads = op->walk([&](Operation *inner) {
      for (Value value : inner->getOperands())
        if (Operation *from = value.getDefiningOp();
            from && (members.contains(from) || isOutside(value)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (reads.wasInterrupted())
      outside.insert(op);
  }
  return true;
}
