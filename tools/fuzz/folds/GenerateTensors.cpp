//===- GenerateTensors.cpp - Random ops of tensor -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nm::folds;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

RankedTensorType Generator::tensorType() {
  constexpr int64_t extents[] = {
      1, 1, 1, 2, 3, 4, ShapedType::kDynamic, ShapedType::kDynamic};
  llvm::SmallVector<int64_t> shape;
  for (size_t rank = random.below(theme == Theme::Slice ? 5 : 4); rank-- > 0;)
    shape.push_back(random.pick(extents));
  Type element = builder.getI32Type();
  if (random.chance(40))
    element = scalarType();
  return RankedTensorType::get(shape, element);
}

Value Generator::tensor() {
  if (random.chance(75))
    if (Value found = find(llvm::IsaPred<RankedTensorType>))
      return found;
  return operand(tensorType());
}

Value Generator::indexBelow(int64_t extent) {
  if (random.chance(25))
    return operand(builder.getIndexType());
  // Of an unknown extent, the first ones mostly exist.
  return constantIndex(
      random.below(ShapedType::isDynamic(extent) ? 2 : extent));
}

OpFoldResult Generator::mixed(int64_t value) {
  if (random.chance(50))
    return builder.getIndexAttr(value);
  if (random.chance(50))
    return constantIndex(value);
  return argument(builder.getIndexType());
}

Generator::Values Generator::indicesOf(Value tensor) {
  Values indices;
  for (int64_t extent : typeOf(tensor).getShape())
    indices.push_back(indexBelow(extent));
  return indices;
}

Generator::Values Generator::dynamicSizesOf(RankedTensorType type) {
  Values sizes;
  for (size_t i = 0; i < type.getNumDynamicDims(); ++i)
    sizes.push_back(random.chance(40) ? constantIndex(1 + random.below(3))
                                      : operand(builder.getIndexType()));
  return sizes;
}

/// The type with each dynamic extent made static.
static RankedTensorType makeStatic(RankedTensorType type, Random &random) {
  llvm::SmallVector<int64_t> shape(type.getShape());
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = 1 + random.below(2);
  return type.clone(shape);
}

void Generator::addFromElements() {
  RankedTensorType type = makeStatic(tensorType(), random);
  if (type.getNumElements() > 6)
    type = type.clone({2});
  Values elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(operand(type.getElementType()));
  offer(tensor::FromElementsOp::create(builder, type, elements).getResult());
}

void Generator::addExtract() {
  Value source = tensor();
  Values indices = indicesOf(source);
  offer(tensor::ExtractOp::create(builder, source, indices).getResult());
}

void Generator::addInsert() {
  Value destination = tensor();
  Value scalar = operand(typeOf(destination).getElementType());
  Values indices = indicesOf(destination);
  offer(tensor::InsertOp::create(builder, scalar, destination, indices)
            .getResult());
}

void Generator::addDim() {
  Value source = tensor();
  int64_t rank = typeOf(source).getRank();
  if (rank == 0)
    return;
  Value axis = indexBelow(rank);
  offer(tensor::DimOp::create(builder, source, axis).getResult());
}

void Generator::addTensorCast() {
  Value source = tensor();
  llvm::SmallVector<int64_t> shape(typeOf(source).getShape());
  for (int64_t &extent : shape)
    if (random.chance(50))
      extent = ShapedType::isDynamic(extent) ? 1 + random.below(3)
                                             : ShapedType::kDynamic;
  add("tensor.cast", source, typeOf(source).clone(shape));
}

/// A tensor that nobody wrote is only of use to what follows at once.
void Generator::addEmpty() {
  RankedTensorType type = tensorType();
  Value empty =
      tensor::EmptyOp::create(builder, type, dynamicSizesOf(type)).getResult();
  offer(empty);
  if (random.chance(50))
    addDim();
  else
    addFill();
}

void Generator::addSplat() {
  RankedTensorType type = tensorType();
  Value scalar = operand(type.getElementType());
  Values sizes = dynamicSizesOf(type);
  offer(tensor::SplatOp::create(builder, type, scalar, sizes).getResult());
}

void Generator::addGenerate() {
  RankedTensorType type = tensorType();
  Values sizes = dynamicSizesOf(type);
  auto generate = tensor::GenerateOp::create(builder, type, sizes);
  Block &block = generate.getBody().emplaceBlock();
  for (int64_t i = 0; i < type.getRank(); ++i)
    block.addArgument(builder.getIndexType(), builder.getLoc());
  inRegion(generate.getBody(), [&] {
    addSteps(random.below(3));
    tensor::YieldOp::create(builder, operand(type.getElementType()));
  });
  offer(generate.getResult());
}

void Generator::addPad() {
  Value source = tensor();
  RankedTensorType type = typeOf(source);
  Mixed low, high;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    low.push_back(mixed(random.below(2)));
    high.push_back(mixed(random.below(3)));
  }
  auto staticSizes = [](llvm::ArrayRef<OpFoldResult> sizes) {
    return llvm::map_to_vector(sizes, [](OpFoldResult size) {
      auto attribute = dyn_cast<Attribute>(size);
      return attribute ? cast<IntegerAttr>(attribute).getInt()
                       : ShapedType::kDynamic;
    });
  };
  RankedTensorType padded =
      tensor::PadOp::inferResultType(type, staticSizes(low), staticSizes(high));
  auto pad = tensor::PadOp::create(builder, padded, source, low, high);
  Region &region = pad.getRegion();
  if (region.empty())
    region.emplaceBlock();
  while (region.front().getNumArguments() < padded.getRank())
    region.front().addArgument(builder.getIndexType(), builder.getLoc());
  // A padding that depends on the place is left to the op's description.
  inRegion(region, [&] {
    Value value = random.chance(50) ? constant(type.getElementType())
                                    : argument(type.getElementType());
    tensor::YieldOp::create(builder, value);
  });
  offer(pad.getResult());
}

void Generator::addConcat() {
  Value first = tensor();
  int64_t rank = typeOf(first).getRank();
  if (rank == 0)
    return;
  int64_t axis = random.below(rank);
  llvm::SmallVector<int64_t> shape(typeOf(first).getShape());
  shape[axis] = 1 + random.below(2);
  Values inputs = {first};
  for (size_t more = random.below(3); more-- > 0;)
    inputs.push_back(random.chance(50) ? operand(typeOf(first).clone(shape))
                                       : operand(first.getType()));
  offer(tensor::ConcatOp::create(builder, axis, inputs).getResult());
}

/// Gives each extent of the source one to two of the result.
void Generator::addExpand() {
  Value source = tensor();
  llvm::SmallVector<ReassociationIndices> groups;
  llvm::SmallVector<int64_t> shape;
  Mixed sizes;
  auto append = [&](int64_t extent, OpFoldResult size) {
    groups.back().push_back(shape.size());
    shape.push_back(extent);
    sizes.push_back(size);
  };
  for (auto [axis, extent] : llvm::enumerate(typeOf(source).getShape())) {
    groups.emplace_back();
    int64_t factor = extent % 2 == 0 && random.chance(60) ? 2 : 1;
    bool isDynamic = ShapedType::isDynamic(extent);
    bool onesFirst = random.chance(50);
    if (random.chance(50) && (onesFirst || factor == 2))
      append(isDynamic ? 1 : factor,
             builder.getIndexAttr(isDynamic ? 1 : factor));
    else
      factor = 1;
    if (isDynamic)
      append(extent, Value(tensor::DimOp::create(builder, source,
                                                 static_cast<int64_t>(axis))));
    else
      append(extent / factor, builder.getIndexAttr(extent / factor));
    if (!onesFirst && random.chance(50))
      append(1, builder.getIndexAttr(1));
  }
  if (groups.empty())
    return;
  Type type = typeOf(source).clone(shape);
  offer(tensor::ExpandShapeOp::create(builder, type, source, groups, sizes)
            .getResult());
}

void Generator::addCollapse() {
  Value source = tensor();
  llvm::SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 0; axis < typeOf(source).getRank(); ++axis) {
    if (groups.empty() || random.chance(50))
      groups.emplace_back();
    groups.back().push_back(axis);
  }
  if (groups.empty())
    return;
  offer(tensor::CollapseShapeOp::create(builder, source, groups).getResult());
}
