//===- GenerateSlices.cpp - Random slices, and ops of linalg --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nm::folds;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// A slice that lies within the tensor, unless arguments say otherwise.
Generator::Slice Generator::chooseSlice(RankedTensorType whole) {
  Slice slice;
  for (int64_t extent : whole.getShape()) {
    int64_t most = ShapedType::isDynamic(extent) ? 2 : extent;
    int64_t size = random.chance(40) ? 1 : 1 + random.below(most);
    if (random.chance(10))
      size = most;
    int64_t offset = random.below(most - size + 1);
    int64_t stride =
        offset + 2 * (size - 1) < most && random.chance(25) ? 2 : 1;
    slice.offsets.push_back(mixed(offset));
    slice.sizes.push_back(mixed(size));
    slice.strides.push_back(random.chance(80)
                                ? OpFoldResult(builder.getIndexAttr(stride))
                                : mixed(stride));
  }
  return slice;
}

/// Drops some of the ones.
RankedTensorType Generator::reduceRank(RankedTensorType type) {
  unsigned percent = random.pick(llvm::ArrayRef<unsigned>{0, 50, 100});
  llvm::SmallVector<int64_t> shape;
  for (int64_t extent : type.getShape())
    if (extent != 1 || !random.chance(percent))
      shape.push_back(extent);
  return RankedTensorType::get(shape, type.getElementType());
}

void Generator::addExtractSlice() {
  Value source = tensor();
  Slice slice = chooseSlice(typeOf(source));
  RankedTensorType type = reduceRank(
      tensor::ExtractSliceOp::inferResultType(typeOf(source), slice.sizes));
  offer(tensor::ExtractSliceOp::create(builder, type, source, slice.offsets,
                                       slice.sizes, slice.strides)
            .getResult());
}

void Generator::addInsertSlice() {
  Value destination = tensor();
  Slice slice = chooseSlice(typeOf(destination));
  RankedTensorType type = reduceRank(tensor::ExtractSliceOp::inferResultType(
      typeOf(destination), slice.sizes));
  Value source = operand(type);
  offer(tensor::InsertSliceOp::create(builder, source, destination,
                                      slice.offsets, slice.sizes, slice.strides)
            .getResult());
}

/// A permutation of the loops, or of some of them.
AffineMap Generator::chooseMap(unsigned loops) {
  llvm::SmallVector<AffineExpr> results;
  for (unsigned loop = 0; loop < loops; ++loop)
    if (random.chance(80))
      results.push_back(builder.getAffineDimExpr(loop));
  if (results.size() > 1 && random.chance(40))
    std::swap(results[0], results[1]);
  return AffineMap::get(loops, 0, results, builder.getContext());
}

/// A random tensor that `map` indexes within its bounds, where the loops have
/// the extents that are given.
Value Generator::tensorForMap(AffineMap map, llvm::ArrayRef<int64_t> loops) {
  llvm::SmallVector<int64_t> shape;
  for (AffineExpr result : map.getResults())
    shape.push_back(loops[cast<AffineDimExpr>(result).getPosition()]);
  Type element = random.chance(70) ? Type(builder.getI32Type()) : scalarType();
  return operand(RankedTensorType::get(shape, element));
}

void Generator::addGeneric() {
  constexpr int64_t extents[] = {1, 2, 3, ShapedType::kDynamic};
  llvm::SmallVector<int64_t> loops;
  for (size_t count = random.below(4); count-- > 0;)
    loops.push_back(random.pick(extents));
  llvm::SmallVector<AffineMap> maps;
  Values inputs, outputs;
  for (size_t count = random.below(3); count-- > 0;) {
    maps.push_back(chooseMap(loops.size()));
    inputs.push_back(tensorForMap(maps.back(), loops));
  }
  // Without an input of all loops, the output has to have them.
  bool isReduction = !inputs.empty() && loops.size() > 1 && random.chance(25) &&
                     maps[0].getNumResults() == loops.size();
  for (size_t count = 1 + random.below(2); count-- > 0;) {
    AffineMap map = builder.getMultiDimIdentityMap(loops.size());
    maps.push_back(isReduction ? map.getMajorSubMap(loops.size() - 1) : map);
    outputs.push_back(tensorForMap(maps.back(), loops));
  }
  llvm::SmallVector<utils::IteratorType> iterators(
      loops.size(), utils::IteratorType::parallel);
  if (isReduction)
    iterators.back() = utils::IteratorType::reduction;
  auto generic =
      linalg::GenericOp::create(builder, ValueRange(outputs).getTypes(), inputs,
                                outputs, maps, iterators);
  Block &block = generic.getRegion().emplaceBlock();
  for (Value value : llvm::concat<Value>(inputs, outputs))
    block.addArgument(typeOf(value).getElementType(), builder.getLoc());
  inRegion(generic.getRegion(), [&] {
    if (!loops.empty() && random.chance(25))
      offer(linalg::IndexOp::create(builder, random.below(loops.size()))
                .getResult());
    addSteps(random.below(4));
    Values yielded;
    for (Value output : outputs)
      yielded.push_back(operand(typeOf(output).getElementType()));
    linalg::YieldOp::create(builder, yielded);
  });
  offer(generic.getResults());
}

void Generator::addFill() {
  Value output = tensor();
  Value scalar = operand(typeOf(output).getElementType());
  offer(linalg::FillOp::create(builder, scalar, output).getResults());
}

void Generator::addTranspose() {
  Value input = tensor();
  // MLIR's verifier reads a null map of a transpose of no dimensions.
  if (typeOf(input).getRank() == 0)
    return;
  llvm::SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, typeOf(input).getRank()));
  for (size_t i = permutation.size(); i > 1; --i)
    std::swap(permutation[i - 1], permutation[random.below(i)]);
  llvm::SmallVector<int64_t> shape;
  for (int64_t axis : permutation)
    shape.push_back(typeOf(input).getDimSize(axis));
  Value output = operand(typeOf(input).clone(shape));
  offer(linalg::TransposeOp::create(builder, input, output, permutation)
            ->getResults());
}

void Generator::addBroadcast() {
  Value input = tensor();
  llvm::SmallVector<int64_t> shape(typeOf(input).getShape());
  int64_t axis = random.below(shape.size() + 1);
  shape.insert(shape.begin() + axis, 1 + random.below(3));
  Value output = operand(typeOf(input).clone(shape));
  offer(linalg::BroadcastOp::create(builder, input, output,
                                    llvm::ArrayRef<int64_t>(axis))
            ->getResults());
}
