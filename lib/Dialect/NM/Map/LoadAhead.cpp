//===- LoadAhead.cpp - Loads of operands among the products before --------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/MemRefs.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMLOADAHEADPASS
#include "nm/Dialect/NM/Map/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Products between a load and the first op that needs it. A load takes some 30
/// clocks, more where rows that are gathered share banks, and a tensor core 8
/// or so for a product of each of two warps. With more than 14, operands take
/// registers that a 64x64 tile of a warp does not leave.
static constexpr int64_t kProductsAhead = 12;

/// Products between two asynchronous copies. Where copies stand together, they
/// fill the queue of memory instructions, and loads wait behind them: ptxas
/// does not know that they touch other buffers.
static constexpr int64_t kProductsBetweenCopies = 2;

/// Whether `op` loads an operand, or the place of one, from shared memory.
static bool isLoad(Operation *op) {
  Value buffer = getLoadedBuffer(op);
  return buffer ? isWorkgroup(buffer) : isa<nvgpu::LdMatrixOp>(op);
}

static bool isCopy(Operation *op) {
  return op
      ->walk([](nvgpu::DeviceAsyncCopyOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static bool isCommit(Operation *op) {
  return isa<NVVM::CpAsyncCommitGroupOp, nvgpu::DeviceAsyncCreateGroupOp>(op);
}

/// Whether `op` stores to shared memory.
static bool isStore(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return isWorkgroup(store.getMemRef());
  auto store = dyn_cast<vector::StoreOp>(op);
  return store && isWorkgroup(store.getBase());
}

/// Whether loads from shared memory must stay on their side of `op`. What a
/// thread stores there, or an asynchronous copy writes, is for others: no
/// thread may read it before the next barrier.
static bool isFence(Operation *op) {
  if (isa<NVVM::MmaOp, nvgpu::DeviceAsyncCopyOp>(op) || isCommit(op) ||
      isLoad(op) || isStore(op) || isMemoryEffectFree(op))
    return false;
  if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return !hasSingleEffect<MemoryEffects::Read>(op);
  return op
      ->walk([](Operation *nested) {
        return nested->getNumRegions() == 0 && isFence(nested)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// Reorders the body of a loop that multiplies. Products keep their order, and
/// so does all that may not be moved.
class Reordering {
public:
  explicit Reordering(scf::ForOp loop) : loop(loop), block(*loop.getBody()) {
    for (Operation &op : block) {
      numBefore[&op] = numProducts;
      numProducts += isa<NVVM::MmaOp>(op);
    }
  }

  /// Reorders it; returns how many loads it has.
  int64_t run() {
    if (numProducts < 2 || hasOneSlice())
      return 0;
    spreadCopies();
    for (Operation &op : llvm::reverse(block.without_terminator()))
      if (!place.contains(&op))
        place[&op] = choosePlace(&op);
    SmallVector<Operation *> between;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (&op != block.getTerminator() && !isFence(&op)) {
        between.push_back(&op);
        continue;
      }
      sort(between, &op);
      between.clear();
    }
    auto isLoadOfBlock = [](Operation &op) { return isLoad(&op); };
    return llvm::count_if(block, isLoadOfBlock);
  }

private:
  /// Whether each sum is multiplied into once: of one slice, whose operands the
  /// loop carries, the next ones' are loaded behind a barrier near the end, and
  /// earlier they would only stand between the products (H200, 4096^3 of f16,
  /// 4:32, L = 32: .0950 ms for .0908).
  bool hasOneSlice() {
    auto isSum = [](Value value) {
      auto part = value.getDefiningOp<LLVM::ExtractValueOp>();
      return part && part.getContainer().getDefiningOp<NVVM::MmaOp>();
    };
    return llvm::none_of(block.getOps<NVVM::MmaOp>(), [&](NVVM::MmaOp op) {
      return llvm::any_of(op->getOperands(), isSum);
    });
  }

  /// Chooses the places of copies, and of the commits behind them.
  void spreadCopies() {
    int64_t next = 0, last = 0;
    for (Operation &op : block)
      if (isFence(&op)) {
        next = last = numBefore[&op];
      } else if (isCopy(&op)) {
        last = place[&op] = std::max(next, numBefore[&op]);
        next = last + kProductsBetweenCopies;
      } else if (isCommit(&op)) {
        place[&op] = std::max(last, numBefore[&op]);
      }
  }

  /// Before which product any other `op` should stand, by number.
  int64_t choosePlace(Operation *op) {
    bool moves = isLoad(op) || isMemoryEffectFree(op);
    if (isa<NVVM::MmaOp>(op) || !moves || op->use_empty())
      return numBefore[op];
    int64_t first = std::numeric_limits<int64_t>::max();
    for (OpOperand &use : op->getUses())
      first = std::min(first, getPlaceOfUse(use));
    return isLoad(op) ? first - kProductsAhead : first;
  }

  int64_t getPlaceOfUse(OpOperand &use) {
    Operation *user = block.findAncestorOpInBlock(*use.getOwner());
    if (user != block.getTerminator())
      return place[user];
    // The next turn of the loop needs it.
    BlockArgument argument = loop.getRegionIterArg(use.getOperandNumber());
    return numProducts + findFirstProduct(argument);
  }

  /// The first product that needs `value`; as many as there are where none
  /// does.
  int64_t findFirstProduct(Value value) {
    int64_t first = numProducts;
    for (Operation *user : value.getUsers()) {
      Operation *op = block.findAncestorOpInBlock(*user);
      if (isa<NVVM::MmaOp>(op))
        first = std::min(first, numBefore[op]);
      else if (op->getNumResults() == 1)
        first = std::min(first, findFirstProduct(op->getResult(0)));
    }
    return first;
  }

  /// Puts `ops`, all that stands between two fences, in the order of their
  /// places before `end`.
  void sort(MutableArrayRef<Operation *> ops, Operation *end) {
    if (ops.empty())
      return;
    int64_t least = numBefore[ops.front()], most = numBefore[end];
    for (Operation *op : ops)
      place[op] = std::clamp(place[op], getLeast(op, least), most);
    llvm::stable_sort(ops, [&](Operation *a, Operation *b) {
      return std::pair(place[a], isa<NVVM::MmaOp>(a)) <
             std::pair(place[b], isa<NVVM::MmaOp>(b));
    });
    for (Operation *op : ops)
      op->moveBefore(end);
  }

  /// The first place at which the operands of `op` are there, `least` at least.
  int64_t getLeast(Operation *op, int64_t least) {
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        if (producer->getBlock() == &block)
          least = std::max(least, place[producer] + isa<NVVM::MmaOp>(producer));
    return least;
  }

  scf::ForOp loop;
  Block &block;
  int64_t numProducts = 0;
  DenseMap<Operation *, int64_t> numBefore; // products that stand before it
  DenseMap<Operation *, int64_t> place;     // before which product it should
};

struct LoadAhead : nm::impl::NMLoadAheadPassBase<LoadAhead> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::LaunchOp launch) {
      launch.walk([&](scf::ForOp loop) {
        if (int64_t loads = Reordering(loop).run())
          emitRemark(launch, RemarkId::LoadsAhead)
              << remarkKey(RemarkKey::Loads, loads);
      });
    });
  }
};
} // namespace
