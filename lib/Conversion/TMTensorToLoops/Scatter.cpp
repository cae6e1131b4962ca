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

using namespace mlir;
using namespace nm::tm_tensor;

/// The element of the original that update element `update` belongs to, checked
/// against its extents.
static SmallVector<Value> createTarget(ImplicitLocOpBuilder &b, ScatterOp op,
                                       ValueRange update) {
  Value indices = op.getInputs()[1], original = op.getOutputs()[0];
  SmallVector<Value> target(cast<MemRefType>(original.getType()).getRank() -
                                (update.size() - 1),
                            constantIndex(b, 0));
  llvm::append_range(target, update.drop_front());
  for (auto [place, dimension] : llvm::enumerate(op.getDimensionMap())) {
    Value index = memref::LoadOp::create(
        b, indices, ValueRange{update[0], constantIndex(b, place)});
    index = arith::IndexCastOp::create(b, b.getIndexType(), index);
    target[dimension] = arith::AddIOp::create(b, target[dimension], index);
    // As unsigned, a negative coordinate is too large as well.
    Value isInside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, target[dimension],
                              createExtent(b, original, dimension));
    cf::AssertOp::create(
        b, isInside,
        ("tm_tensor.scatter: expected indices within dimension " +
         Twine(dimension) + " of the original")
            .str());
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

void nm::tm_tensor::lowerScatter(ImplicitLocOpBuilder &b, ScatterOp op) {
  Value updates = op.getInputs()[0], original = op.getOutputs()[0];
  SmallVector<Value> extents = createExtents(b, updates);
  SmallVector<int64_t> inParallel, inOrder;
  for (int64_t i = 0, e = extents.size(); i < e; ++i)
    (op.getUniqueIndices() || !isMoved(op, i) ? inParallel : inOrder)
        .push_back(i);

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
