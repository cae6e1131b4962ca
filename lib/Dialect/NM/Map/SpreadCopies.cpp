//===- SpreadCopies.cpp - Copies between the products of a step -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepLoop.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMSPREADCOPIESPASS
#include "nm/Dialect/NM/Map/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Bytes that a thread copies at once.
static constexpr int64_t kChunkBytes = 16;

/// Sums of a thread from which on it pays: with fewer, more warps fit an SM, of
/// which others compute while one waits to issue copies, and copies that come
/// late are waited for (H200: 128 sums 0.5 to 6 % faster, 32 and 64 sums 14 %
/// faster to 16 % slower).
static constexpr int64_t kLeastSums = 128;

/// Places `first`, `first` + 1, ... of dimension `dim` of `memref`, `count` of
/// them.
static Value createPart(OpBuilder &b, Value memref, int dim, int64_t first,
                        int64_t count) {
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(b, memref.getLoc(), memref);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[dim] = b.getIndexAttr(first);
  sizes[dim] = b.getIndexAttr(count);
  return memref::SubViewOp::create(b, memref.getLoc(), memref, offsets, sizes,
                                   strides);
}

/// Rows of a part of a copy to `destination`: one chunk for each of `threads`,
/// or all rows where they cannot be parted so.
static int64_t getPartRows(Value destination, int64_t threads) {
  auto type = cast<MemRefType>(destination.getType());
  int64_t rows = type.getDimSize(0);
  int64_t rowBytes = type.getDimSize(1) * type.getElementTypeBitWidth() / 8;
  int64_t part = threads * kChunkBytes / std::max<int64_t>(rowBytes, 1);
  return part == 0 || rows % part != 0 ? rows : part;
}

namespace {
/// Moves the copies of a step.
class Spreading {
public:
  Spreading(StepLoop step, int64_t threads) : step(step), threads(threads) {}

  /// Moves them; returns why they stay, nothing where they do not.
  StringRef run() {
    if (step.mmas.size() < 2)
      return "the slices of a step are not written out";
    FragmentType sums = step.mmas.front().getType();
    if (sums.getM() * sums.getN() < kLeastSums * threads)
      return "a thread has few sums";
    for (Operation &op : llvm::make_early_inc_range(*step.loop.getBody())) {
      if (auto copy = dyn_cast<TileCopyOp>(op))
        split(copy);
      else if (auto gather = dyn_cast<TileGatherOp>(op))
        split(gather);
      else if (isa<TileFetchOp>(op))
        parts.push_back(&op);
      else if (auto found = dyn_cast<CommitOp>(op))
        commit = found;
    }
    if (parts.empty() || !commit)
      return "no copy is asynchronous";
    // Those go through registers, which products need.
    auto isTransposed = [](Operation *op) { return op->hasAttr("transpose"); };
    llvm::erase_if(parts, isTransposed);
    if (parts.empty())
      return "every asynchronous copy is transposed";
    // In the first half: they take a while to arrive.
    size_t places = (step.mmas.size() + 1) / 2;
    for (auto [i, part] : llvm::enumerate(parts))
      part->moveBefore(step.mmas[i * places / parts.size()]);
    commit->moveAfter(parts.back());
    spreadTransposes();
    return "";
  }

  size_t getNumParts() const { return parts.size(); }

private:
  /// Puts the transposes of the next step's tile into the second half of the
  /// slices, where no copies are, so that products hide what they wait for.
  void spreadTransposes() {
    for (TileTransposeOp op : step.transposes)
      op->moveBefore(step.mmas[(step.mmas.size() + 1) / 2]);
  }

  template <typename CopyOp> void split(CopyOp op) {
    if (!op.getAsync())
      return;
    Value destination = op.getDestination();
    int64_t rows = cast<MemRefType>(destination.getType()).getDimSize(0);
    int64_t partRows = getPartRows(destination, threads);
    Value source = getRows(op);
    int dim = isa<TileGatherOp>(op)
                  ? 1
                  : getRowDim(cast<MemRefType>(source.getType()));
    if (op.getTranspose() || partRows == rows ||
        cast<MemRefType>(source.getType()).getDimSize(dim) != rows) {
      parts.push_back(op);
      return;
    }
    OpBuilder b(op);
    for (int64_t row = 0; row < rows; row += partRows) {
      Value to = createPart(b, destination, 0, row, partRows);
      Value from = createPart(b, source, dim, row, partRows);
      auto part = cast<CopyOp>(b.clone(*op));
      part.getDestinationMutable().assign(to);
      getRowsMutable(part).assign(from);
      parts.push_back(part);
    }
    op.erase();
  }

  /// What names the rows that are copied.
  static Value getRows(TileCopyOp op) { return op.getSource(); }
  static Value getRows(TileGatherOp op) { return op.getColumns(); }
  static OpOperand &getRowsMutable(TileCopyOp op) {
    return op.getSourceMutable();
  }
  static OpOperand &getRowsMutable(TileGatherOp op) {
    return op.getColumnsMutable();
  }

  StepLoop step;
  int64_t threads;
  SmallVector<Operation *> parts;
  CommitOp commit;
};

struct SpreadCopies : nm::impl::NMSpreadCopiesPassBase<SpreadCopies> {
  void runOnOperation() override {
    auto spread = [](LoadedKernel kernel) -> LogicalResult {
      StepLoop step = findStepLoop(kernel.launch);
      Spreading spreading(step,
                          getSchedule(kernel.launch).getKind().getNumThreads());
      StringRef why =
          step.loop ? spreading.run() : "no loop over steps copies ahead";
      if (why.empty())
        emitRemark(kernel.launch, RemarkId::CopiesSpread)
            << remarkKey(RemarkKey::Parts, spreading.getNumParts());
      else
        emitRemark(kernel.launch, RemarkId::CopiesNotSpread)
            << remarkReason("{0}", why);
      return success();
    };
    if (failed(forEachLoadedKernel(getOperation(), spread)))
      signalPassFailure();
  }
};
} // namespace
