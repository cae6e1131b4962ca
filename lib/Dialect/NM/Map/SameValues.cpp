//===- SameValues.cpp - What two launches agree on ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SameValues.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/MemRefs.h"

using namespace mlir;
using namespace nm;

bool SameValues::areSame(Value x, Value y) {
  if (x == y)
    return true;
  if (auto found = known.find({x, y}); found != known.end())
    return found->second;
  bool isSame = compare(x, y);
  known[{x, y}] = isSame;
  return isSame;
}

bool SameValues::compare(BlockArgument x, BlockArgument y) {
  if (x.getArgNumber() != y.getArgNumber())
    return false;
  Operation *ofX = x.getOwner()->getParentOp();
  Operation *ofY = y.getOwner()->getParentOp();
  // Numbers and sizes of blocks and threads; the number of a turn.
  if (ofX == first && ofY == second)
    return true;
  return x.getArgNumber() == 0 && isa<scf::ForOp>(ofX) &&
         loops.lookup(ofX) == ofY;
}

bool SameValues::compare(Value x, Value y) {
  auto argumentX = dyn_cast<BlockArgument>(x);
  auto argumentY = dyn_cast<BlockArgument>(y);
  if (argumentX && argumentY)
    return compare(argumentX, argumentY);
  if (argumentX || argumentY)
    return false;
  Operation *a = x.getDefiningOp(), *b = y.getDefiningOp();
  Value loaded = getLoadedBuffer(a);
  bool isPure =
      loaded ? isUnchanged(getViewRoot(loaded)) : isMemoryEffectFree(a);
  return isPure && a->getName() == b->getName() && a->getNumRegions() == 0 &&
         x.getType() == y.getType() &&
         cast<OpResult>(x).getResultNumber() ==
             cast<OpResult>(y).getResultNumber() &&
         a->getAttrDictionary() == b->getAttrDictionary() &&
         llvm::equal(a->getOperands(), b->getOperands(),
                     [&](Value v, Value w) { return areSame(v, w); });
}

/// The loops or conditions around `op` in `launch`, outermost first, with what
/// is around `op` in each.
template <typename Op>
static SmallVector<std::pair<Op, Region *>> getAround(Operation *op,
                                                      gpu::LaunchOp launch) {
  SmallVector<std::pair<Op, Region *>> around;
  for (Region *region = op->getParentRegion(); region->getParentOp() != launch;
       region = region->getParentOp()->getParentRegion())
    if (auto parent = dyn_cast<Op>(region->getParentOp()))
      around.push_back({parent, region});
  std::reverse(around.begin(), around.end());
  return around;
}

bool SameValues::isReached(Operation *x, Operation *y) {
  loops.clear();
  known.clear();
  auto forX = getAround<scf::ForOp>(x, first);
  auto forY = getAround<scf::ForOp>(y, second);
  if (forX.size() > forY.size())
    return false;
  for (auto [a, b] : llvm::zip(forX, forY)) {
    if (!areSame(a.first.getLowerBound(), b.first.getLowerBound()) ||
        !areSame(a.first.getUpperBound(), b.first.getUpperBound()) ||
        !areSame(a.first.getStep(), b.first.getStep()))
      return false;
    loops[a.first] = b.first;
  }
  auto ifX = getAround<scf::IfOp>(x, first);
  auto ifY = getAround<scf::IfOp>(y, second);
  // Nothing else than these two may be around the first.
  size_t depth = 0;
  for (Operation *op = x->getParentOp(); op != first; op = op->getParentOp())
    ++depth;
  if (depth != forX.size() + ifX.size())
    return false;
  return llvm::all_of(ifX, [&](auto a) {
    return llvm::any_of(ifY, [&](auto b) {
      return a.second->getRegionNumber() == b.second->getRegionNumber() &&
             areSame(a.first.getCondition(), b.first.getCondition());
    });
  });
}

bool SameValues::readsChanged(Operation *op) const {
  WalkResult found = op->walk([&](Operation *inner) {
    auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(inner);
    Value buffer = copy ? copy.getSrc() : getLoadedBuffer(inner);
    return buffer && !isWorkgroup(buffer) && !isUnchanged(getViewRoot(buffer))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

bool SameValues::areSame(Operation *x, Operation *y) {
  if (readsChanged(x))
    return false;
  llvm::DenseMap<Value, Value> inside;
  auto check = [&](Value v, Value w) {
    auto found = inside.find(v);
    return success(found != inside.end() ? found->second == w : areSame(v, w));
  };
  auto mark = [&](Value v, Value w) { inside[v] = w; };
  return OperationEquivalence::isEquivalentTo(
      x, y, check, mark, OperationEquivalence::IgnoreLocations);
}
