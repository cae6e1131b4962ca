//===- FormKernels.cpp - Reductions and what is around them to nm.rows ----===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combiners.h"
#include "RowsBuilder.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "nm/Dialect/NM/Rows/Passes.h"
#include "nm/Support/Extents.h"
#include "nm/Support/Remarks.h"
#include <deque>

namespace nm {
#define GEN_PASS_DEF_NMFORMKERNELSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;
using linalg::GenericOp;

/// A kernel of so many elements, of 4 bytes, takes about as long as a launch:
/// an H200's memory moves 4 MB in 1 us.
static constexpr int64_t kFewElements = 1 << 20;
/// Kernels that may become one although neither reads what the other does are
/// at most so far from each other. The number is a guess, which bounds what is
/// tried.
static constexpr size_t kNear = 4;

/// Why a reduction is no part of a kernel of rows; empty if it is.
static StringRef findObstacle(GenericOp op) {
  if (linalg::isaContractionOpInterface(op) ||
      linalg::isaConvolutionOpInterface(op))
    return "it is a product or a convolution";
  if (!isRowOp(op))
    return "its body or its maps are no row's";
  StringRef reason;
  (void)findCombiners(op, reason);
  return reason;
}

namespace {
/// The groups of a block.
class Grouping {
public:
  explicit Grouping(Block &block) {
    for (GenericOp op : block.getOps<GenericOp>()) {
      if (op.getNumReductionLoops() != 0) {
        if (StringRef reason = findObstacle(op); !reason.empty()) {
          emitRemark(op, RemarkId::KernelNotFormed)
              << remarkReason("{0}", reason);
          continue;
        }
      } else if (!isRowOp(op)) {
        continue;
      }
      groups.push_back(KernelGroup(op));
      of[op] = &groups.back();
    }
  }

  /// Merges groups until none can be: around reductions first, as the others
  /// may be of any rows.
  void merge() {
    for (bool isElementwise : {false, true})
      for (bool isChanged = true; isChanged;) {
        isChanged = mergeUsers(isElementwise);
        isChanged |= mergeReaders(isElementwise);
      }
    mergeAlike();
  }

  /// Says why kernels of which one reads the other's results are two, once for
  /// each op that does.
  void explain() {
    for (GenericOp op : collectOps())
      for (int64_t i = 0; i < op.getNumDpsInputs(); ++i) {
        auto producer = getRead(op, i).value.getDefiningOp<GenericOp>();
        KernelGroup *from = of.lookup(op), *into = of.lookup(producer);
        if (!into || into == from || !isKernel(*into) || !isKernel(*from))
          continue;
        emitRemark(op, RemarkId::KernelsNotMerged)
            << remarkReason("{0}", KernelGroup(*into).merge(*from));
        break;
      }
  }

  SmallVector<KernelGroup *> collectKernels() {
    SmallVector<KernelGroup *> found;
    for (KernelGroup &group : groups)
      if (isOwn(group) && isKernel(group))
        found.push_back(&group);
    return found;
  }

private:
  /// Whether a group is not a part of another now.
  bool isOwn(KernelGroup &group) const {
    return of.lookup(group.getOps().front()) == &group;
  }

  /// Whether a group is to be a kernel of rows. Of arrays without elements
  /// nothing is, nor of one element without a reduction. Transpositions alone
  /// are moved in tiles (nm-tile-transposes), and so is one of short units that
  /// has a group of its own.
  static bool isKernel(const KernelGroup &group) {
    if (llvm::is_contained(group.getExtents(), 0) || !group.hasExtents() ||
        !group.canAssert() || llvm::all_of(group.getOps(), isTransposition) ||
        (group.getOps().size() == 1 &&
         isUnitTransposition(group.getOps().front())))
      return false;
    return group.isReduction() || !group.getExtents().empty();
  }

  SmallVector<GenericOp> collectOps() {
    SmallVector<GenericOp> ops;
    for (KernelGroup &group : groups)
      if (isOwn(group))
        llvm::append_range(ops, group.getOps());
    llvm::sort(ops,
               [](GenericOp a, GenericOp b) { return a->isBeforeInBlock(b); });
    return ops;
  }

  /// Whether the group of `later` is one with that of `earlier` now, and was
  /// not before.
  bool join(GenericOp earlier, GenericOp later, bool isElementwise) {
    KernelGroup *into = of.lookup(earlier), *from = of.lookup(later);
    bool isReduction = into->isReduction() || from->isReduction();
    if (into == from || isReduction == isElementwise ||
        !into->merge(*from).empty())
      return false;
    for (GenericOp op : from->getOps())
      of[op] = into;
    return true;
  }

  bool mergeUsers(bool isElementwise) {
    bool isChanged = false;
    for (GenericOp op : collectOps())
      for (int64_t i = 0; i < op.getNumDpsInputs(); ++i) {
        auto producer = getRead(op, i).value.getDefiningOp<GenericOp>();
        if (producer && of.contains(producer))
          isChanged |= join(producer, op, isElementwise);
      }
    return isChanged;
  }

  /// Merges groups that read one array, or, of element-wise ones, parts of one:
  /// Q, K and V of the product of all three are one launch then.
  bool mergeReaders(bool isElementwise) {
    bool isChanged = false;
    // `readers` has, for each array, one op of each group that reads it.
    llvm::DenseMap<Value, SmallVector<GenericOp>> readers;
    for (GenericOp op : collectOps())
      for (int64_t i = 0; i < op.getNumDpsInputs(); ++i) {
        Access read = getRead(op, i);
        if (of.lookup(op)->isReduction() == isElementwise || !isWhole(read, op))
          continue;
        Value array = isElementwise ? getWholeArray(read.value) : read.value;
        SmallVector<GenericOp> &known = readers[array];
        bool isKnown = false;
        for (GenericOp other : known) {
          isChanged |= join(other, op, isElementwise);
          isKnown |= of.lookup(other) == of.lookup(op);
          if (isKnown)
            break;
        }
        if (!isKnown)
          known.push_back(op);
      }
    return isChanged;
  }

  /// Merges groups of one shape that have nothing in common, where a launch is
  /// what takes long.
  void mergeAlike() {
    SmallVector<KernelGroup *> kernels = collectKernels();
    for (size_t i = 0; i < kernels.size(); ++i)
      for (size_t j = i + 1; j < kernels.size() && j <= i + kNear; ++j) {
        GenericOp earlier = kernels[i]->getOps().front(),
                  later = kernels[j]->getOps().front();
        if (!isAlike(*kernels[i], *kernels[j]))
          continue;
        bool isElementwise = !kernels[i]->isReduction();
        if (join(earlier, later, isElementwise))
          kernels.erase(kernels.begin() + j--);
      }
  }

  /// Whether two kernels are of the same few elements.
  static bool isAlike(const KernelGroup &a, const KernelGroup &b) {
    std::optional<int64_t> elements = getProduct(a.getExtents(), kFewElements);
    return elements && a.getExtents() == b.getExtents() &&
           a.isReduction() == b.isReduction();
  }

  /// Whether an op reads an element for each of its iterations.
  static bool isWhole(const Access &read, GenericOp op) {
    int64_t dims = 0, all = 0;
    for (int64_t dim : read.dims)
      dims += dim != kUnit;
    for (int64_t extent : op.getStaticLoopRanges())
      all += extent != 1;
    return dims == all;
  }

  std::deque<KernelGroup> groups;
  llvm::DenseMap<Operation *, KernelGroup *> of;
};

/// Lets broadcasts and transpositions be parts of kernels as other element-wise
/// ops are: those that leave the last dimension where it is are copies of whole
/// pieces of rows, and others a way to store what a kernel computes.
void generalizeMoves(Block *block) {
  IRRewriter rewriter(block->getParentOp()->getContext());
  for (auto op :
       llvm::make_early_inc_range(block->getOps<linalg::LinalgOp>())) {
    if (!isa<linalg::BroadcastOp, linalg::TransposeOp>(op) ||
        op.getNumLoops() == 0 || !op.hasPureTensorSemantics())
      continue;
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

/// Gives transpositions that are no part of a kernel to nm-tile-transposes.
void specializeTransposes(Block *block) {
  IRRewriter rewriter(block->getParentOp()->getContext());
  for (auto op : llvm::make_early_inc_range(block->getOps<GenericOp>())) {
    if (!isTransposition(op) && !isUnitTransposition(op))
      continue;
    rewriter.setInsertionPoint(op);
    (void)linalg::specializeGenericOp(rewriter, op);
  }
}

struct FormKernels : nm::impl::NMFormKernelsPassBase<FormKernels> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](func::FuncOp func) {
      func.walk([&](Block *block) {
        if (!isa<linalg::LinalgOp>(block->getParentOp()))
          blocks.push_back(block);
      });
    });
    for (Block *block : blocks) {
      generalizeMoves(block);
      Grouping grouping(*block);
      grouping.merge();
      grouping.explain();
      SmallVector<KernelGroup *> kernels = grouping.collectKernels();
      for (KernelGroup *group : kernels) {
        int64_t count = group->getOps().size();
        RowsOp op = buildRows(*group);
        int64_t sums = llvm::range_size(op.getBody().getOps<ReduceOp>());
        emitRemark(op, RemarkId::KernelFormed)
            << remarkKey(RemarkKey::Members, count)
            << remarkKey(RemarkKey::Reductions, sums);
        // Users of results may stand before what they use.
        sortTopologically(block);
      }
      specializeTransposes(block);
    }
  }
};
} // namespace
