//===- Scatter.cpp - tm_tensor.scatter to loops ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nm::tm_tensor;

/// Up to so many updates, a thread looks at all later ones: cheaper than two
/// more kernels.
static constexpr int64_t kFewUpdates = 64;

/// The coordinates that the index with number `update` gives, in the order of
/// the dimension map.
static SmallVector<Value> loadIndex(ImplicitLocOpBuilder &b, ScatterOp op,
                                    Value update) {
  SmallVector<Value> coordinates;
  for (size_t place = 0, e = op.getDimensionMap().size(); place < e; ++place) {
    Value index = memref::LoadOp::create(
        b, op.getInputs()[1], ValueRange{update, constantIndex(b, place)});
    coordinates.push_back(
        arith::IndexCastOp::create(b, b.getIndexType(), index));
  }
  return coordinates;
}

static void assertInside(ImplicitLocOpBuilder &b, ScatterOp op,
                         int64_t dimension, Value coordinate) {
  // As unsigned, a negative coordinate is too large as well.
  Value isInside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, coordinate,
                            createExtent(b, op.getOutputs()[0], dimension));
  cf::AssertOp::create(
      b, isInside,
      ("tm_tensor.scatter: expected indices within dimension " +
       Twine(dimension) + " of the original")
          .str());
}

/// The element of the original that update element `update` belongs to, checked
/// against its extents.
static SmallVector<Value> createTarget(ImplicitLocOpBuilder &b, ScatterOp op,
                                       ValueRange update) {
  Value original = op.getOutputs()[0];
  SmallVector<Value> target(cast<MemRefType>(original.getType()).getRank() -
                                (update.size() - 1),
                            constantIndex(b, 0));
  llvm::append_range(target, update.drop_front());
  for (auto [dimension, index] :
       llvm::zip_equal(op.getDimensionMap(), loadIndex(b, op, update[0]))) {
    target[dimension] = arith::AddIOp::create(b, target[dimension], index);
    assertInside(b, op, dimension, target[dimension]);
  }
  return target;
}

/// Whether two updates may meet in one element although they differ in
/// coordinate `dimension` of the updates: where an index moves that coordinate.
static bool isMoved(ScatterOp op, int64_t dimension) {
  int64_t first = cast<MemRefType>(op.getOutputs()[0].getType()).getRank() -
                  cast<MemRefType>(op.getInputs()[0].getType()).getRank();
  return dimension == 0 ||
         llvm::is_contained(op.getDimensionMap(), first + dimension);
}

/// Whether each update replaces what was there, so that of those which meet in
/// an element only the last one counts.
static bool isOverwrite(ScatterOp op) {
  Block &body = op.getRegion().front();
  return body.getTerminator()->getOperand(0) == body.getArgument(0);
}

/// Whether all updates with one index have the same target, and others none of
/// its elements: no index moves a block of more than one element.
static bool areTargetsWhole(ScatterOp op) {
  auto type = cast<MemRefType>(op.getInputs()[0].getType());
  return llvm::none_of(llvm::seq<int64_t>(1, type.getRank()), [&](int64_t i) {
    return isMoved(op, i) && type.getDimSize(i) != 1;
  });
}

/// The buffer of the numbers of the last updates: one for each combination of
/// the coordinates that an index gives, -1 where there is none.
static Value createLastUpdates(ImplicitLocOpBuilder &b, ScatterOp op) {
  auto type = cast<MemRefType>(op.getOutputs()[0].getType());
  SmallVector<int64_t> shape;
  SmallVector<Value> extents, dynamicExtents;
  for (int64_t dimension : op.getDimensionMap()) {
    shape.push_back(type.getDimSize(dimension));
    extents.push_back(createExtent(b, op.getOutputs()[0], dimension));
    if (type.isDynamicDim(dimension))
      dynamicExtents.push_back(extents.back());
  }
  Value last = memref::AllocOp::create(
      b, MemRefType::get(shape, b.getI64Type()), dynamicExtents);
  createParallel(b, extents, "scatter_clear",
                 [&](ImplicitLocOpBuilder &b, ValueRange place) {
                   Value none =
                       arith::ConstantOp::create(b, b.getI64IntegerAttr(-1));
                   memref::StoreOp::create(b, none, last, place);
                 });
  createParallel(b, createExtent(b, op.getInputs()[1], 0), "scatter_last",
                 [&](ImplicitLocOpBuilder &b, ValueRange update) {
                   SmallVector<Value> place = loadIndex(b, op, update[0]);
                   for (auto [dimension, coordinate] :
                        llvm::zip_equal(op.getDimensionMap(), place))
                     assertInside(b, op, dimension, coordinate);
                   Value number =
                       arith::IndexCastOp::create(b, b.getI64Type(), update[0]);
                   memref::AtomicRMWOp::create(b, arith::AtomicRMWKind::maxs,
                                               number, last, place);
                 });
  return last;
}

/// Whether no later update has the index of `update`; looks at all of these.
static Value createHasNoLater(ImplicitLocOpBuilder &b, ScatterOp op,
                              Value update) {
  SmallVector<Value> own = loadIndex(b, op, update);
  Value first = arith::AddIOp::create(b, update, constantIndex(b, 1));
  Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
  auto visit = [&](ImplicitLocOpBuilder &b, Value later, ValueRange sofar) {
    Value differs = arith::ConstantOp::create(b, b.getBoolAttr(false));
    for (auto [mine, other] : llvm::zip_equal(own, loadIndex(b, op, later))) {
      Value differ =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ne, mine, other);
      differs = arith::OrIOp::create(b, differs, differ);
    }
    return SmallVector<Value>{arith::AndIOp::create(b, sofar[0], differs)};
  };
  return createLoop(b, first, createExtent(b, op.getInputs()[1], 0), yes,
                    visit)[0];
}

/// Whether `update` is the last one with its index, by what createLastUpdates
/// made.
static Value createIsLast(ImplicitLocOpBuilder &b, ScatterOp op, Value last,
                          Value update) {
  Value number = memref::LoadOp::create(b, last, loadIndex(b, op, update));
  number = arith::IndexCastOp::create(b, b.getIndexType(), number);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, number, update);
}

/// Every update in parallel, of which only the last ones write. The order is
/// that of PyTorch on the CPU; torch-mlir calls the indices of an index_put
/// unique without knowing it.
static void lowerOverwrites(ImplicitLocOpBuilder &b, ScatterOp op) {
  Value updates = op.getInputs()[0], original = op.getOutputs()[0];
  int64_t count = cast<MemRefType>(updates.getType()).getDimSize(0);
  bool isFew = !ShapedType::isDynamic(count) && count <= kFewUpdates;
  Value last = isFew ? Value() : createLastUpdates(b, op);
  createParallel(
      b, createExtents(b, updates), "scatter",
      [&](ImplicitLocOpBuilder &b, ValueRange coordinates) {
        SmallVector<Value> target = createTarget(b, op, coordinates);
        Value isLast = isFew ? createHasNoLater(b, op, coordinates[0])
                             : createIsLast(b, op, last, coordinates[0]);
        scf::IfOp::create(b, isLast, [&](OpBuilder &inner, Location loc) {
          Value update =
              memref::LoadOp::create(inner, loc, updates, coordinates);
          memref::StoreOp::create(inner, loc, update, original, target);
          scf::YieldOp::create(inner, loc);
        });
      });
}

void nm::tm_tensor::lowerScatter(ImplicitLocOpBuilder &b, ScatterOp op) {
  Value updates = op.getInputs()[0], original = op.getOutputs()[0];
  bool isSingle = cast<MemRefType>(updates.getType()).getDimSize(0) == 1;
  bool areWhole = areTargetsWhole(op);
  if (isOverwrite(op) && areWhole && !isSingle)
    return lowerOverwrites(b, op);
  // Blocks may overlap though their indices differ.
  bool areApart = op.getUniqueIndices() && areWhole;
  SmallVector<Value> extents = createExtents(b, updates);
  SmallVector<int64_t> inParallel, inOrder;
  for (int64_t i = 0, e = extents.size(); i < e; ++i)
    (areApart || !isMoved(op, i) ? inParallel : inOrder).push_back(i);

  SmallVector<Value> coordinates(extents.size());
  auto updateElement = [&](ImplicitLocOpBuilder &b) {
    Value update = memref::LoadOp::create(b, updates, coordinates);
    SmallVector<Value> target = createTarget(b, op, coordinates);
    Value current = memref::LoadOp::create(b, original, target);
    Value combined = inlineRegion(b, op.getRegion(), {update, current});
    memref::StoreOp::create(b, combined, original, target);
  };
  // The sequential loops, outermost first.
  std::function<void(ImplicitLocOpBuilder &, ArrayRef<int64_t>)> createLoops =
      [&](ImplicitLocOpBuilder &b, ArrayRef<int64_t> dimensions) {
        if (dimensions.empty())
          return updateElement(b);
        createLoop(b, constantIndex(b, 0), extents[dimensions.front()], {},
                   [&](ImplicitLocOpBuilder &b, Value i, ValueRange) {
                     coordinates[dimensions.front()] = i;
                     createLoops(b, dimensions.drop_front());
                     return SmallVector<Value>();
                   });
      };
  SmallVector<Value> parallelExtents = llvm::map_to_vector(
      inParallel, [&](int64_t dimension) { return extents[dimension]; });
  createParallel(b, parallelExtents, "scatter",
                 [&](ImplicitLocOpBuilder &b, ValueRange ivs) {
                   for (auto [dimension, iv] : llvm::zip_equal(inParallel, ivs))
                     coordinates[dimension] = iv;
                   createLoops(b, inOrder);
                 });
}
