//===- Regions.cpp - Executes slices and ops of linalg --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nm::folds;

namespace {

/// A slice: which elements of a tensor.
struct Slice {
  llvm::SmallVector<int64_t> offsets, sizes, strides;

  bool isInBounds(llvm::ArrayRef<int64_t> extents) const {
    for (size_t axis = 0; axis < extents.size(); ++axis) {
      int64_t offset = offsets[axis], size = sizes[axis];
      int64_t stride = strides[axis], extent = extents[axis];
      if (offset < 0 || size < 0 || offset > extent || size > extent)
        return false;
      if (size == 0)
        continue;
      // Strides are numbers of any size.
      if (stride <= 0 || stride > 64 || offset + (size - 1) * stride >= extent)
        return false;
    }
    return true;
  }

  int64_t getPlace(llvm::ArrayRef<int64_t> position,
                   llvm::ArrayRef<int64_t> extents) const {
    llvm::SmallVector<int64_t> place;
    for (size_t axis = 0; axis < extents.size(); ++axis)
      place.push_back(offsets[axis] + position[axis] * strides[axis]);
    return linearize(place, extents);
  }
};

} // namespace

/// A slice's extents without those that its type drops.
static Extents dropOnes(llvm::ArrayRef<int64_t> sizes,
                        const llvm::SmallBitVector &dropped) {
  Extents extents;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (!dropped.test(axis))
      extents.push_back(size);
  return extents;
}

bool Interpreter::executeSlice(Operation *op) {
  auto view = cast<OffsetSizeAndStrideOpInterface>(op);
  Slice slice;
  if (!getMixed(op, view.getMixedOffsets(), slice.offsets) ||
      !getMixed(op, view.getMixedSizes(), slice.sizes) ||
      !getMixed(op, view.getMixedStrides(), slice.strides))
    return false;
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  Value whole = insert ? insert.getDest() : op->getOperand(0);
  Datum large = get(whole);
  if (!slice.isInBounds(large.extents))
    return undefined(op, "out of bounds");
  Datum part;
  part.extents = dropOnes(
      slice.sizes, insert ? insert.getDroppedDims()
                          : cast<tensor::ExtractSliceOp>(op).getDroppedDims());
  if (insert && get(insert.getSource()).extents != part.extents)
    return undefined(op, "a source of other extents");
  int64_t count = countElements(slice.sizes);
  llvm::SmallVector<int64_t> position(slice.sizes.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    Scalar &place = large.elements[slice.getPlace(position, large.extents)];
    if (insert)
      place = get(insert.getSource()).elements[i];
    else
      part.elements.push_back(place);
    advance(position, slice.sizes);
  }
  return setResults(op, {insert ? std::move(large) : std::move(part)});
}

/// The extents of the loops, from the operands that a loop's number indexes by
/// itself; false where two disagree, or there is none.
static bool getLoopExtents(linalg::LinalgOp op, llvm::ArrayRef<Datum> operands,
                           Extents &loops) {
  loops.assign(op.getNumLoops(), -1);
  for (auto [map, datum] : llvm::zip_equal(op.getIndexingMapsArray(), operands))
    for (auto [expression, extent] :
         llvm::zip_equal(map.getResults(), datum.extents))
      if (auto dimension = dyn_cast<AffineDimExpr>(expression)) {
        int64_t &loop = loops[dimension.getPosition()];
        if (loop >= 0 && loop != extent)
          return false;
        loop = extent;
      }
  return !llvm::is_contained(loops, -1);
}

bool Interpreter::executeLinalg(Operation *op) {
  auto generic = cast<linalg::LinalgOp>(op);
  if (op->getNumRegions() != 1 || !generic.hasPureTensorSemantics())
    return stop(Status::Unknown, op, "no region");
  Data operands = getAll(op->getOperands());
  for (auto [map, datum] :
       llvm::zip_equal(generic.getIndexingMapsArray(), operands))
    if (map.getNumResults() != datum.extents.size())
      return stop(Status::Unknown, op, "a map of another rank");
  Extents loops;
  if (!getLoopExtents(generic, operands, loops))
    return undefined(op, "operands of other extents");
  Block &body = op->getRegion(0).front();
  int64_t turns = countElements(loops);
  llvm::SmallVector<int64_t> position(loops.size(), 0);
  auto maps = generic.getIndexingMapsArray();
  size_t inputs = op->getNumOperands() - generic.getNumDpsInits();
  for (int64_t turn = 0; turn < turns; ++turn) {
    if (opsLeft-- == 0)
      return stop(Status::TooLong, op, "too many turns");
    Data arguments, yielded;
    llvm::SmallVector<int64_t> places;
    for (auto [map, datum] : llvm::zip_equal(maps, operands)) {
      llvm::SmallVector<int64_t> place = map.compose(position);
      if (!checkPosition(op, place, datum.extents))
        return false;
      places.push_back(linearize(place, datum.extents));
      arguments.push_back(Datum(datum.elements[places.back()]));
    }
    body.walk([&](linalg::IndexOp index) {
      set(index.getResult(),
          Datum({llvm::APInt(64, position[index.getDim()])}));
    });
    if (!executeBlock(body, std::move(arguments), yielded))
      return false;
    for (auto [output, datum] : llvm::enumerate(yielded))
      operands[inputs + output].elements[places[inputs + output]] =
          datum.scalar();
    advance(position, loops);
  }
  operands.erase(operands.begin(), operands.begin() + inputs);
  return setResults(op, std::move(operands));
}
