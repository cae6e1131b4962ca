//===- BlockMemory.cpp - What the threads of a launch access --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/MemRefs.h"
#include "nm/Support/NumberOps.h"
#include <limits>

using namespace mlir;
using namespace nm;

/// Adds the elements that `indices` of `type` are from its first. False where
/// that is not known.
static bool addIndices(ElementPlace &place, MemRefType type,
                       ArrayRef<OpFoldResult> indices) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  for (auto [index, stride, size] :
       llvm::zip_equal(indices, strides, type.getShape())) {
    // The only index of a dimension of one element is 0.
    if (size == 1)
      continue;
    if (ShapedType::isDynamic(stride))
      return false;
    if (auto constant = getConstantIntValue(index)) {
      place.constant += *constant * stride;
      continue;
    }
    // The elements of a vector begin at sums of such.
    auto value = cast<Value>(index);
    auto sum = value.getDefiningOp<arith::AddIOp>();
    auto more = sum ? getConstantIntValue(sum.getRhs()) : std::nullopt;
    place.constant += more.value_or(0) * stride;
    place.terms.push_back({more ? sum.getLhs() : value, stride});
  }
  return true;
}

std::optional<ElementPlace> MemoryAccess::getPlace() const {
  ElementPlace place;
  if (!addIndices(place, cast<MemRefType>(buffer.getType()),
                  getAsOpFoldResult(indices)))
    return std::nullopt;
  Value view = buffer;
  while (Operation *op = view.getDefiningOp()) {
    if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
      bool hasUnitStrides =
          llvm::all_of(subview.getMixedStrides(), [](OpFoldResult stride) {
            return isConstantIntValue(stride, 1);
          });
      if (!hasUnitStrides || !addIndices(place, subview.getSourceType(),
                                         subview.getMixedOffsets()))
        return std::nullopt;
      view = subview.getSource();
    } else if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp,
                   memref::CastOp>(op)) {
      view = cast<ViewLikeOpInterface>(op).getViewSource();
    } else if (isa<ViewLikeOpInterface>(op)) {
      return std::nullopt;
    } else {
      break;
    }
  }
  return place;
}

/// The bytes of shared memory that `buffer` is a view of; all where nobody
/// knows.
static SharedRange getSharedRange(Value buffer) {
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    if (auto bytes = dyn_cast<memref::ViewOp>(view.getOperation())) {
      auto begin = getConstantIntValue(bytes.getByteShift());
      auto size = getElementBytes(bytes.getType().getElementType());
      if (begin && size && bytes.getType().hasStaticShape())
        return {*begin,
                *begin + bytes.getType().getNumElements() * int64_t(*size)};
      break;
    }
    buffer = view.getViewSource();
  }
  return {0, kAll};
}

/// Whether `op` orders accesses and makes none of its own.
static bool isOrder(Operation *op) {
  return isa<gpu::BarrierOp, gpu::TerminatorOp, scf::YieldOp, scf::IfOp,
             scf::ForOp, NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncWaitGroupOp,
             nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp>(op);
}

/// Whether `op` accesses no memory.
static bool isOfRegisters(Operation *op) {
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return !assembly.getHasSideEffects();
  return isa<NVVM::MmaOp>(op) || isMemoryEffectFree(op);
}

BlockMemory::BlockMemory(gpu::LaunchOp launch)
    : body(&launch.getBody().front()) {
  launch.getBody().walk([&](Operation *op) { add(op); });
}

void BlockMemory::add(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return addBuffer(op, load.getMemRef(), load.getIndices(), load.getType(),
                     /*isWrite=*/false);
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return addBuffer(op, load.getBase(), load.getIndices(),
                     load.getVectorType(), /*isWrite=*/false);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return addBuffer(op, store.getMemRef(), store.getIndices(),
                     store.getValue().getType(), /*isWrite=*/true);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return addBuffer(op, store.getBase(), store.getIndices(),
                     store.getVectorType(), /*isWrite=*/true);
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    addBuffer(op, copy.getSrc(), copy.getSrcIndices(), Type(),
              /*isWrite=*/false);
    return addBuffer(op, copy.getDst(), copy.getDstIndices(), Type(),
                     /*isWrite=*/true);
  }
  isUnknown |= !isOfRegisters(op) && !isOrder(op);
}

void BlockMemory::addBuffer(Operation *op, Value buffer, ValueRange indices,
                            Type type, bool isWrite) {
  if (isWorkgroup(buffer)) {
    shared.push_back({op, getSharedRange(buffer), isWrite});
    return;
  }
  BufferAccesses &accesses = global[getViewRoot(buffer)];
  (isWrite ? accesses.stores : accesses.loads)
      .push_back({op, buffer, indices, type});
}

const BufferAccesses &BlockMemory::getGlobal(Value root) const {
  static const BufferAccesses none;
  const auto *found = global.find(root);
  return found == global.end() ? none : found->second;
}

SmallVector<SharedRange> BlockMemory::getWrittenRanges() const {
  SmallVector<SharedRange> ranges;
  for (const SharedAccess &access : shared)
    if (access.isWrite && !llvm::is_contained(ranges, access.range))
      ranges.push_back(access.range);
  return ranges;
}

std::optional<SmallVector<Operation *>>
BlockMemory::getWriters(const SharedRange &range) const {
  llvm::SetVector<Operation *> writers;
  for (const SharedAccess &access : shared)
    if (access.isWrite && access.range.overlaps(range)) {
      if (!(access.range == range))
        return std::nullopt;
      writers.insert(body->findAncestorOpInBlock(*access.op));
    }
  for (const SharedAccess &access : shared)
    if (writers.contains(body->findAncestorOpInBlock(*access.op)) &&
        !(access.isWrite && access.range == range))
      return std::nullopt;
  return SmallVector<Operation *>(writers.begin(), writers.end());
}
