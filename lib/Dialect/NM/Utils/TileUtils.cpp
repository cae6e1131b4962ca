//===- TileUtils.cpp - What the tile-level passes share -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "nm/Dialect/NM/IR/TensorMaps.h"
#include <numeric>

using namespace mlir;
using namespace nm;

ScheduleAttr nm::getSchedule(gpu::LaunchOp launch) {
  return launch->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
}

Value nm::indexConstant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

scf::ForOp nm::createCountedLoop(ImplicitLocOpBuilder &b, int64_t count,
                                 int64_t step, ValueRange init) {
  Value lower = indexConstant(b, 0);
  Value upper = indexConstant(b, count);
  Value stride = indexConstant(b, step);
  return scf::ForOp::create(b, lower, upper, stride, init);
}

Value nm::mulIndex(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  if (auto constant = getConstantIntValue(lhs))
    return indexConstant(b, *constant * rhs);
  return arith::MulIOp::create(b, lhs, indexConstant(b, rhs));
}

Value nm::addIndex(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  auto left = getConstantIntValue(lhs), right = getConstantIntValue(rhs);
  if (left && right)
    return indexConstant(b, *left + *right);
  if (left && *left == 0)
    return rhs;
  if (right && *right == 0)
    return lhs;
  return arith::AddIOp::create(b, lhs, rhs);
}

Value nm::addIndex(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  if (rhs == 0)
    return lhs;
  return addIndex(b, lhs, indexConstant(b, rhs));
}

Value nm::isBelow(ImplicitLocOpBuilder &b, Value index, Value extent) {
  auto sum = index.getDefiningOp<arith::AddIOp>();
  std::optional<int64_t> constant;
  if (sum)
    constant = getConstantIntValue(sum.getRhs());
  if (!constant)
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, extent);
  // This is negative where the number alone is not below `extent`.
  Value left = arith::SubIOp::create(b, extent, sum.getLhs());
  return arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, left,
                               indexConstant(b, *constant));
}

Value nm::andIfSet(ImplicitLocOpBuilder &b, Value x, Value y) {
  return x && y ? arith::AndIOp::create(b, x, y).getResult() : x ? x : y;
}

Value nm::divIndex(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  if (auto constant = getConstantIntValue(lhs))
    return indexConstant(b, *constant / rhs);
  return arith::DivUIOp::create(b, lhs, indexConstant(b, rhs));
}

Value nm::remIndex(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  if (rhs == 1)
    return indexConstant(b, 0);
  if (auto constant = getConstantIntValue(lhs))
    return indexConstant(b, *constant % rhs);
  return arith::RemUIOp::create(b, lhs, indexConstant(b, rhs));
}

std::pair<Value, Value> nm::splitBlock(ImplicitLocOpBuilder &b, Value block,
                                       Value count) {
  Type narrow = b.getI32Type(), wide = b.getIndexType();
  Value dividend = arith::IndexCastUIOp::create(b, narrow, block);
  Value divisor = arith::IndexCastUIOp::create(b, narrow, count);
  Value rest = arith::RemUIOp::create(b, dividend, divisor);
  Value quotient = arith::DivUIOp::create(b, dividend, divisor);
  return {arith::IndexCastUIOp::create(b, wide, rest),
          arith::IndexCastUIOp::create(b, wide, quotient)};
}

/// The loop whose induction `value` is, if its bounds and step are constants
/// and it begins at 0 or later.
static scf::ForOp getConstantLoop(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop || argument.getArgNumber() != 0)
    return {};
  auto lower = getConstantIntValue(loop.getLowerBound());
  auto step = getConstantIntValue(loop.getStep());
  if (!lower || *lower < 0 || !step || *step < 1 ||
      !getConstantIntValue(loop.getUpperBound()))
    return {};
  return loop;
}

std::optional<int64_t> nm::knownUpperBound(Value value) {
  if (auto constant = getConstantIntValue(value))
    return constant;
  if (scf::ForOp loop = getConstantLoop(value)) {
    int64_t lower = *getConstantIntValue(loop.getLowerBound());
    int64_t upper = *getConstantIntValue(loop.getUpperBound());
    int64_t step = *getConstantIntValue(loop.getStep());
    return upper <= lower ? lower : lower + (upper - 1 - lower) / step * step;
  }
  Operation *op = value.getDefiningOp();
  if (!op || !isa<arith::AddIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<int64_t> bounds[] = {knownUpperBound(op->getOperand(0)),
                                     knownUpperBound(op->getOperand(1))};
  int64_t result = 0;
  if (!bounds[0] || !bounds[1] || *bounds[0] < 0 || *bounds[1] < 0 ||
      (isa<arith::AddIOp>(op)
           ? llvm::AddOverflow(*bounds[0], *bounds[1], result)
           : llvm::MulOverflow(*bounds[0], *bounds[1], result)))
    return std::nullopt;
  return result;
}

int64_t nm::knownDivisor(Value value) {
  if (auto constant = getConstantIntValue(value))
    return *constant < 0 ? 1 : *constant;
  if (scf::ForOp loop = getConstantLoop(value))
    return std::gcd(*getConstantIntValue(loop.getLowerBound()),
                    *getConstantIntValue(loop.getStep()));
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return 1;
  // Computed only where it is asked for: the walk follows both operands.
  auto divisor = [&](unsigned i) { return knownDivisor(op->getOperand(i)); };
  if (isa<arith::MulIOp>(op)) {
    int64_t product;
    if (llvm::MulOverflow(divisor(0), divisor(1), product))
      return 1;
    return product;
  }
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp>(op))
    return std::gcd(divisor(0), divisor(1));
  return 1;
}

/// What `memref` was before casts, which may hide what its type says.
static Value skipCasts(Value memref) {
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  return memref;
}

/// The dimension of the source of `subview` that is its dimension `dim`.
static int64_t dimOfSource(memref::SubViewOp subview, int64_t dim) {
  llvm::SmallBitVector dropped = subview.getDroppedDims();
  int64_t ofSource = 0;
  for (int64_t kept = 0; kept < dim || dropped[ofSource]; ++ofSource)
    kept += dropped[ofSource] ? 0 : 1;
  return ofSource;
}

int64_t nm::strideDivisor(Value memref, int64_t dim) {
  memref = skipCasts(memref);
  auto type = cast<MemRefType>(memref.getType());
  int64_t stride = type.getStridesAndOffset().first[dim];
  if (!ShapedType::isDynamic(stride))
    return stride;
  if (auto subview = memref.getDefiningOp<memref::SubViewOp>();
      subview && subview.hasUnitStride())
    return strideDivisor(subview.getSource(), dimOfSource(subview, dim));
  if (!type.getLayout().isIdentity())
    return 1;
  int64_t divisor = 1;
  for (int64_t inner = dim + 1; inner < type.getRank(); ++inner)
    if (llvm::MulOverflow(divisor, extentDivisor(memref, inner), divisor))
      return 1;
  return divisor;
}

/// The divisor of the linear offset of `memref`, seen through subviews whose
/// offsets are known multiples, and through collapsed dimensions.
static int64_t offsetDivisor(Value memref) {
  memref = skipCasts(memref);
  if (auto collapse = memref.getDefiningOp<memref::CollapseShapeOp>())
    return offsetDivisor(collapse.getSrc());
  auto subview = memref.getDefiningOp<memref::SubViewOp>();
  if (!subview) {
    int64_t offset =
        cast<MemRefType>(memref.getType()).getStridesAndOffset().second;
    return ShapedType::isDynamic(offset) ? 1 : offset;
  }
  int64_t divisor = offsetDivisor(subview.getSource());
  for (auto [dim, place] : llvm::enumerate(subview.getMixedOffsets())) {
    auto value = dyn_cast<Value>(place);
    int64_t known = value ? knownDivisor(value) : *getConstantIntValue(place);
    int64_t distance;
    if (llvm::MulOverflow(known, strideDivisor(subview.getSource(), dim),
                          distance))
      return 1;
    divisor = std::gcd(divisor, distance);
  }
  return divisor;
}

/// The divisor of the linear offset and the outer strides of `memref`.
static int64_t accessDivisor(Value memref) {
  int64_t divisor = offsetDivisor(memref);
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  for (int64_t dim = 0; dim < rank - 1; ++dim)
    divisor = std::gcd(divisor, strideDivisor(memref, dim));
  return divisor;
}

int64_t nm::maxVectorWidth(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  if (strides.empty() || strides.back() != 1)
    return 1;
  int64_t widest = 16 * 8 / type.getElementTypeBitWidth();
  // gcd(0, x) = x: a buffer at offset 0 with one row is as aligned as can be.
  return std::gcd(widest, accessDivisor(memref));
}

Value nm::allocateWorkgroup(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                            Type elementType, int64_t rowPadding) {
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  SmallVector<int64_t> padded(shape);
  padded.back() += rowPadding;
  auto type =
      MemRefType::get(padded, elementType, MemRefLayoutAttrInterface(), space);
  Value buffer = memref::AllocOp::create(b, type);
  if (rowPadding == 0)
    return buffer;
  SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0)), sizes,
      strides(shape.size(), b.getIndexAttr(1));
  for (int64_t extent : shape)
    sizes.push_back(b.getIndexAttr(extent));
  return memref::SubViewOp::create(b, buffer, offsets, sizes, strides);
}

Value nm::dimOf(ImplicitLocOpBuilder &b, Value memref, int64_t dim) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(dim))
    return indexConstant(b, type.getDimSize(dim));
  return memref::DimOp::create(b, memref, dim);
}

int64_t nm::extentDivisor(Value memref, int64_t dim) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  if (auto cast = memref.getDefiningOp<memref::CastOp>())
    return extentDivisor(cast.getSource(), dim);
  if (auto alloc = memref.getDefiningOp<memref::AllocOp>())
    return knownDivisor(alloc.getDynamicSizes()[type.getDynamicDimIndex(dim)]);
  auto subview = memref.getDefiningOp<memref::SubViewOp>();
  if (!subview || subview.getSourceType().getRank() != type.getRank())
    return 1;
  auto size = dyn_cast<Value>(subview.getMixedSizes()[dim]);
  return size ? knownDivisor(size) : 1;
}

/// Whether `user`, an op that takes `memref`, leaves all elements of its memory
/// as they are, also those that it makes a view of.
static bool onlyReads(Operation *user, Value memref) {
  if (isa<memref::DeallocOp, memref::DimOp, TensorMapOp>(user))
    return true;
  if (isa<ViewLikeOpInterface>(user)) {
    Value part = user->getResult(0);
    return llvm::all_of(part.getUsers(), [&](Operation *ofPart) {
      return onlyReads(ofPart, part);
    });
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(user);
  SmallVector<MemoryEffects::EffectInstance> found;
  if (effects)
    effects.getEffectsOnValue(memref, found);
  // Without an effect it may be an address or another name of the memory.
  return !found.empty() && llvm::all_of(found, [](const auto &effect) {
    return isa<MemoryEffects::Read>(effect.getEffect());
  });
}

bool nm::isOnlyWritten(memref::SubViewOp subview) {
  auto alloc = subview.getSource().getDefiningOp<memref::AllocOp>();
  return alloc && llvm::all_of(alloc->getUsers(), [&](Operation *user) {
           return user == subview || onlyReads(user, alloc);
         });
}

/// What divides the place in its source at which dimension `dim` of `subview`,
/// the source's `ofSource`, begins, and `whole`.
static int64_t divisorFrom(memref::SubViewOp subview, int64_t ofSource,
                           int64_t whole) {
  OpFoldResult offset = subview.getMixedOffsets()[ofSource];
  auto value = dyn_cast<Value>(offset);
  return std::gcd(whole,
                  value ? knownDivisor(value) : *getConstantIntValue(offset));
}

int64_t nm::paddedDivisor(Value memref, int64_t dim) {
  int64_t divisor = extentDivisor(memref, dim);
  auto subview = memref.getDefiningOp<memref::SubViewOp>();
  if (!subview || !subview.hasUnitStride() || !isOnlyWritten(subview))
    return divisor;
  int64_t ofSource = dimOfSource(subview, dim);
  int64_t whole = extentDivisor(subview.getSource(), ofSource);
  return std::max(divisor, divisorFrom(subview, ofSource, whole));
}

/// As paddedDivisor, of memory that may be read: what lies behind a part of a
/// buffer is another part.
static int64_t readableDivisor(Value memref, int64_t dim) {
  int64_t divisor = paddedDivisor(memref, dim);
  auto subview = memref.getDefiningOp<memref::SubViewOp>();
  if (!subview || !subview.hasUnitStride())
    return divisor;
  int64_t ofSource = dimOfSource(subview, dim);
  int64_t whole = readableDivisor(subview.getSource(), ofSource);
  return std::max(divisor, divisorFrom(subview, ofSource, whole));
}

int64_t nm::getChunkWidth(Value source, Value destination) {
  int64_t columns = cast<MemRefType>(destination.getType()).getDimSize(1);
  int64_t last = cast<MemRefType>(source.getType()).getRank() - 1;
  int64_t width = std::gcd(columns, maxVectorWidth(source));
  width = std::gcd(width, maxVectorWidth(destination));
  return std::gcd(width, readableDivisor(source, last));
}

static bool hasContiguousRows(Value memref) {
  auto [strides, offset] =
      cast<MemRefType>(memref.getType()).getStridesAndOffset();
  return strides.empty() || strides.back() == 1;
}

bool nm::isAsyncChunk(Value source, Value destination, int64_t width) {
  if (!hasContiguousRows(source) || !hasContiguousRows(destination))
    return false;
  auto type = cast<MemRefType>(destination.getType());
  int64_t bytes = width * type.getElementTypeBitWidth() / 8;
  return bytes == 4 || bytes == 8 || bytes == 16;
}

Value nm::getPanel(ImplicitLocOpBuilder &b, Value tile, OpFoldResult panel) {
  auto type = cast<MemRefType>(tile.getType());
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets = {panel, zero, zero};
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), tile);
  sizes[0] = one;
  SmallVector<OpFoldResult> strides(3, one);
  MemRefType matrix = memref::SubViewOp::inferRankReducedResultType(
      type.getShape().drop_front(), type, offsets, sizes, strides);
  return memref::SubViewOp::create(b, matrix, tile, offsets, sizes, strides);
}

bool nm::isWorkgroup(Value memref) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
      cast<MemRefType>(memref.getType()));
}

void nm::eraseUnused(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (!isa<memref::AllocOp, memref::SubViewOp>(op) || !op->use_empty())
      return;
    Value source = isa<memref::SubViewOp>(op) ? op->getOperand(0) : Value();
    op->erase();
    if (!source)
      return;
    buffer = source;
  }
}
