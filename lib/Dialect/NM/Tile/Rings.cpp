//===- Rings.cpp - Rings of slots in the place of buffers -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rings.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "nm/Dialect/NM/KernelPlan/SharedTiles.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;

Value nm::getFilledBuffer(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<TileCopyOp, TileGatherOp>(
          [](auto copy) { return copy.getDestination(); })
      .Case([](TileFetchOp fetch) { return fetch.getStaging(); })
      .Default(Value());
}

/// Checks that `op` of the loop can be issued ahead, or left where it is.
static LogicalResult verifyLoopOp(Operation &op, TileMmaOp mma) {
  if (&op == mma || isa<gpu::BarrierOp>(op))
    return success();
  for (Value operand : op.getOperands()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (argument && argument.getOwner() == op.getBlock() &&
        argument.getArgNumber() != 0)
      return op.emitOpError("unsupported: use of what the loop over steps "
                            "carries, of which other steps have another value");
  }
  auto transpose = dyn_cast<TileTransposeOp>(op);
  Value buffer = transpose ? transpose.getDestination() : getFilledBuffer(&op);
  if (!buffer) {
    if (isMemoryEffectFree(&op))
      return success();
    return op.emitOpError("unsupported in a loop over steps whose copies are "
                          "issued ahead: it would be executed twice");
  }
  if (op.hasAttr("async"))
    return op.emitOpError("expected a synchronous copy, as nm-promote-shared "
                          "makes it; the loop is rotated already");
  auto isFetch = [&](Operation *user) {
    return isa<TileFetchOp>(user) && user->getBlock() == op.getBlock() &&
           user->isBeforeInBlock(&op);
  };
  if (transpose && llvm::none_of(transpose.getStaging().getUsers(), isFetch))
    return op.emitOpError("expected a staging buffer that an nm.tile_fetch "
                          "before it fills");
  auto isReader = [&](Operation *user) {
    return isa<TileFetchOp>(op) ? isa<TileTransposeOp>(user) : user == mma;
  };
  for (Operation *user : buffer.getUsers())
    if (user != &op && !isReader(user))
      return op.emitOpError("expected a buffer that only ")
                 .append(isa<TileFetchOp>(op) ? "nm.tile_transpose"
                                              : "nm.tile_mma")
                 .append(" reads")
                 .attachNote(user->getLoc())
             << "it is also used here";
  return success();
}

LogicalResult nm::verifyStepsAhead(scf::ForOp loop, TileMmaOp mma) {
  if (getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1)
    return loop.emitOpError("expected a loop over steps from 0 by 1");
  for (Operation &op : loop.getBody()->without_terminator())
    if (failed(verifyLoopOp(op, mma)))
      return failure();
  return success();
}

void Rings::create(ImplicitLocOpBuilder &b, Value buffer, int64_t slots) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&launch.getBody().front());
  Value storage = buffer;
  if (auto view = buffer.getDefiningOp<memref::SubViewOp>())
    storage = view.getSource();
  auto type = cast<MemRefType>(storage.getType());
  SmallVector<int64_t> shape = {slots};
  llvm::append_range(shape, type.getShape());
  int64_t ofRow = ShapedType::getNumElements(ArrayRef(shape).drop_front(2));
  int64_t rowBytes = ofRow * type.getElementTypeBitWidth() / 8;
  shape[1] = getSlotRows(shape[1], rowBytes);
  Ring ring = {allocateWorkgroup(b, shape, type.getElementType(), 0), slots};
  if (isSwizzled(storage))
    setSwizzled(ring.memory);
  rings[buffer] = ring;
  bytes +=
      ShapedType::getNumElements(shape) * (type.getElementTypeBitWidth() / 8);
}

SmallVector<int64_t> Rings::listNumSlots() const {
  return llvm::map_to_vector(
      rings, [](const auto &entry) { return entry.second.slots; });
}

Value Rings::createSlot(ImplicitLocOpBuilder &b, Value buffer,
                        Value slot) const {
  auto shape = cast<MemRefType>(buffer.getType()).getShape();
  Value memory = rings.lookup(buffer).memory;
  auto ring = cast<MemRefType>(memory.getType());
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(ring.getRank(), zero), sizes = {one},
                                                           strides;
  offsets[0] = getAsOpFoldResult(slot);
  for (int64_t extent : shape)
    sizes.push_back(b.getIndexAttr(extent));
  strides.assign(ring.getRank(), one);
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      shape, ring, offsets, sizes, strides);
  return memref::SubViewOp::create(b, type, memory, offsets, sizes, strides);
}

void Rings::issueCopies(ImplicitLocOpBuilder &b,
                        ArrayRef<Operation *> producers, IRMapping mapping,
                        GetSlot getSlot, Value predicate) const {
  for (Operation *op : producers)
    if (Value buffer = getFilledBuffer(op))
      mapping.map(buffer, createSlot(b, buffer, getSlot(getNumSlots(buffer))));
  for (Operation *op : producers) {
    Operation *clone = b.clone(*op, mapping);
    auto issue = [&](auto copy) {
      copy.setAsync(true);
      if (predicate)
        copy.getPredicateMutable().assign(predicate);
    };
    TypeSwitch<Operation *>(clone).Case<TileCopyOp, TileGatherOp, TileFetchOp>(
        issue);
  }
}

void Rings::useSlots(ImplicitLocOpBuilder &b, TileMmaOp mma,
                     GetSlot getSlot) const {
  for (OpOperand &operand : mma->getOpOperands())
    if (contains(operand.get())) {
      Value slot = getSlot(getNumSlots(operand.get()));
      operand.set(createSlot(b, operand.get(), slot));
    }
}

void Rings::eraseBuffers() {
  for (auto &[buffer, ring] : rings)
    eraseUnused(buffer);
}

std::pair<Value, Value> nm::createNextSlot(ImplicitLocOpBuilder &b, Value slot,
                                           int64_t count) {
  Value next = addIndex(b, slot, 1);
  Value wraps = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next,
                                      indexConstant(b, count));
  return {arith::SelectOp::create(b, wraps, indexConstant(b, 0), next), wraps};
}
