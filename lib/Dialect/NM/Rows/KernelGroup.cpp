//===- KernelGroup.cpp - Ops that become one kernel -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGroup.h"
#include "RowSum.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/Extents.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;
using linalg::GenericOp;

/// Elements of a row that is reduced and stored transposed: 128 threads of 32
/// elements (nm-schedule-rows) have a row, and a block has eight rows. A block
/// with less rows would store less than 16 bytes of 16-bit elements at once.
static constexpr int64_t kMostTransposed = 4096;
/// Rows of more elements than a warp keeps that are reduced and stored
/// transposed without clusters: eight for each of 128 blocks, as an H200 has
/// 132 SMs. With fewer some SMs would have no block, and others eight rows.
static constexpr int64_t kFewestTransposed = 1024;
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

/// Whether `op` reads a result of `other`, also by way of a reshape of units.
static bool readsResultOf(GenericOp op, GenericOp other) {
  return llvm::any_of(llvm::seq(op.getNumDpsInputs()), [&](int64_t i) {
    return getRead(op, i).value.getDefiningOp() == other.getOperation();
  });
}

KernelGroup::KernelGroup(GenericOp op) : ops{op} {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<int64_t> &own = places[op];
  own.assign(ranges.size(), kUnit);
  // Elements of a row are those that follow each other before a transposition.
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(ranges.size()));
  if (isTransposition(op))
    order = getInputOrder(op);
  SmallVector<bool> isReduced;
  for (int64_t dim : order) {
    if (ranges[dim] == 1)
      continue;
    own[dim] = extents.size();
    extents.push_back(ranges[dim]);
    isReduced.push_back(op.getIteratorTypesArray()[dim] ==
                        utils::IteratorType::reduction);
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

int64_t KernelGroup::getTransposedDim() const {
  for (GenericOp op : ops)
    if (isTransposition(op))
      return getLastDim(toGroup(op, getWritten(op, 0)));
  return kUnit;
}

/// Whether rows of so many elements are stored transposed where they are
/// reduced: a warp keeps them, blocks of a cluster share them, or there are
/// enough of them.
static bool canTransposeRows(int64_t elements, ArrayRef<int64_t> extents,
                             const TargetInfo &target) {
  if (elements <= kWarpLanes * kMostElementsOfLane)
    return true;
  std::optional<int64_t> all = getProduct(extents);
  return elements <= kMostTransposed &&
         (target.hasClusters || !all || *all / elements >= kFewestTransposed);
}

/// Whether the transpositions of the group, if it has any, can be stored by way
/// of shared memory: a row that is reduced has few elements, so that a block
/// has several rows; the elements of rows follow each other before, and rows
/// along one dimension behind; and no member reads what is transposed.
bool KernelGroup::canTranspose() const {
  const TargetInfo &target =
      getTarget(ops.front()->getParentOfType<ModuleOp>());
  int64_t along = getTransposedDim(), elements = 1;
  if (along == kUnit)
    return true;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (ShapedType::isDynamic(extent) ||
        (isElement(dim) && llvm::MulOverflow(elements, extent, elements)))
      return false;
  }
  if (isElement(along) ||
      (columns && !canTransposeRows(elements, extents, target)))
    return false;
  return llvm::all_of(ops, [&](GenericOp op) {
    if (!isTransposition(op))
      return true;
    int64_t from = getLastDim(toGroup(op, getRead(op, 0)));
    int64_t to = getLastDim(toGroup(op, getWritten(op, 0)));
    return isElement(from) && to == along &&
           llvm::none_of(
               ops, [&](GenericOp other) { return readsResultOf(other, op); });
  });
}

bool KernelGroup::isUsedOutside(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (contains(user))
      return false;
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
      return user->use_empty() || isUsedOutside(user->getResult(0));
    return true;
  });
}

bool KernelGroup::hasExtents() const {
  llvm::SmallBitVector seen(extents.size());
  auto add = [&](const Access &access) {
    for (int64_t dim : access.dims)
      if (dim != kUnit)
        seen.set(dim);
  };
  for (GenericOp op : ops) {
    for (int64_t i = 0; i < op.getNumDpsInputs(); ++i)
      if (Access read = getRead(op, i);
          !contains(read.value.getDefiningOp()) && !getSplat(read.value))
        add(toGroup(op, read));
    for (OpResult result : op->getResults())
      if (isUsedOutside(result))
        add(toGroup(op, getWritten(op, result.getResultNumber())));
  }
  return seen.all();
}

bool KernelGroup::canAssert() const {
  return llvm::all_of(ops, [&](GenericOp op) {
    auto asserts = op.getBody()->getOps<cf::AssertOp>();
    if (asserts.empty())
      return true;
    DenseSet<Value> varying = collectVarying(op, [&](int64_t dim) {
      int64_t place = getPlace(op, dim);
      return place != kUnit && isElement(place);
    });
    return llvm::none_of(asserts, [&](cf::AssertOp inner) {
      return varying.contains(inner.getArg());
    });
  });
}

StringRef KernelGroup::merge(const KernelGroup &later) {
  if (countWork(*this) + countWork(later) > kMostWork ||
      collectReads(*this).size() + collectReads(later).size() > kMostReads)
    return "it would compute or read too much";
  auto found = matchDims(later);
  constexpr StringRef kOtherRows = "they have other rows, or elements";
  if (!found)
    return kOtherRows;
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
    return kOtherRows;
  if (its)
    merged.columns = its;
  for (auto &[op, own] : moved.places)
    for (int64_t &dim : own)
      if (dim != kUnit)
        dim = (*found)[dim];
  if (!merged.hasWholeRows(merged) || !merged.hasWholeRows(moved))
    return kOtherRows;
  llvm::append_range(merged.ops, later.ops);
  for (auto &[op, own] : moved.places)
    merged.places[op] = own;
  if (!merged.canTranspose())
    return "its rows are not stored transposed so";
  if (!merged.canAssert())
    return "an assertion would be one of elements";
  llvm::sort(merged.ops,
             [](GenericOp a, GenericOp b) { return a->isBeforeInBlock(b); });
  if (!isConvex(merged.ops))
    return "another op reads the one and is read by the other";
  *this = merged;
  return "";
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
      // What a body reads at any place is all there before the kernel begins.
      for (Operation &inner : *generic.getBody())
        for (Value value : inner.getOperands())
          if (members.contains(value.getDefiningOp()) || isOutside(value))
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
