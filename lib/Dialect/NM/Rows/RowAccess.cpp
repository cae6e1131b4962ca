//===- RowAccess.cpp - What a thread reads and writes of a row ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"
#include "RowDigits.h"
#include "RowShift.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace nm;

/// A line of memory, of 128 bytes on every chip, has so many vectors of 16
/// bytes.
static constexpr int64_t kVectorsOfLine = 8;
/// Bytes that a thread reads by one instruction: the most that PTX has.
static constexpr int64_t kAccessBytes = 16;
/// Bytes of the widest asynchronous copy (cp.async) of a thread.
static constexpr int64_t kMostCopyBytes = 16;

bool nm::isPacked(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isInteger() && element.getIntOrFloatBitWidth() < 8;
}

/// The last dimension of an operand's map, if it is one; -1 else.
static int64_t getLastDim(RowsOp op, int64_t number) {
  AffineMap map = op.getIndexingMap(number);
  if (map.getNumResults() == 0)
    return -1;
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim ? int64_t(dim.getPosition()) : -1;
}

int64_t nm::getElementsDivisor(RowsOp op) {
  if (op.getNumDims() == int64_t(op.getRows()))
    return 1;
  auto [operand, dim] = op.getExtentOf(op.getNumDims() - 1);
  return extentDivisor(operand, dim);
}

int64_t nm::getAccessWidth(RowsOp op, int64_t number, int64_t vector) {
  if (isPacked(op->getOperand(number).getType()) ||
      getLastDim(op, number) != op.getNumDims() - 1)
    return 1;
  return std::min(vector, maxVectorWidth(op->getOperand(number)));
}

int64_t nm::chooseWidest(RowsOp op) {
  int64_t bytes = 1;
  for (auto [number, operand] : llvm::enumerate(op.getOperands()))
    if (op.isOfElements(number))
      bytes = std::max(
          bytes, int64_t(*getElementBytes(getElementTypeOrSelf(operand))));
  return std::max<int64_t>(1, kAccessBytes / bytes);
}

bool nm::isOfElementsAlone(RowsOp op) {
  return llvm::all_of(
      op.getBody().front().without_terminator(),
      [](Operation &inner) { return isPure(&inner) && !isa<ReduceOp>(inner); });
}

bool nm::followRows(RowsOp op) {
  int64_t rows = 0, elements = 0;
  for (int64_t i = 0, e = op.getInputs().size(); i < e; ++i) {
    if (!op.isOfElements(i))
      continue;
    auto dim =
        dyn_cast<AffineDimExpr>(op.getIndexingMap(i).getResults().back());
    bool isOfRows = dim && dim.getPosition() < op.getRows();
    (isOfRows ? rows : elements) += 1;
  }
  return rows > elements;
}

Value nm::getExtent(ImplicitLocOpBuilder &b, RowsOp op, int64_t dim) {
  if (int64_t known = op.getStaticExtent(dim); !ShapedType::isDynamic(known))
    return indexConstant(b, known);
  auto [operand, i] = op.getExtentOf(dim);
  return memref::DimOp::create(b, operand, i);
}

Value nm::countPoints(ImplicitLocOpBuilder &b, RowsOp op, int64_t begin,
                      int64_t end) {
  if (auto known = getStaticPoints(op, begin, end))
    return indexConstant(b, *known);
  Value count;
  for (int64_t dim = begin; dim < end; ++dim) {
    Value extent = getExtent(b, op, dim);
    count =
        count ? arith::MulIOp::create(b, count, extent).getResult() : extent;
  }
  return count;
}

std::optional<int64_t> nm::getStaticPoints(RowsOp op, int64_t begin,
                                           int64_t end) {
  int64_t count = 1;
  for (int64_t dim = begin; dim < end; ++dim) {
    int64_t extent = op.getStaticExtent(dim);
    if (ShapedType::isDynamic(extent) ||
        llvm::MulOverflow(count, extent, count))
      return std::nullopt;
  }
  return count;
}

SmallVector<Value> nm::boundIndices(ImplicitLocOpBuilder &b, Value memref,
                                    ValueRange indices) {
  SmallVector<Value> place;
  auto type = cast<MemRefType>(memref.getType());
  for (auto [index, extent] : llvm::zip_first(indices, type.getShape()))
    place.push_back(
        arith::MinUIOp::create(b, index, indexConstant(b, extent - 1)));
  return place;
}

/// Writes the places of element number `linear` of dimensions from `begin` to
/// before `end` to their indices.
void RowAccess::delinearize(Value linear, int64_t begin, int64_t end) {
  indices.resize(op.getNumDims());
  llvm::copy(computeDigits(b, op, linear, begin, end, reciprocals, numbers),
             indices.begin() + begin);
}

void RowAccess::setRow(Value row) { delinearize(row, 0, op.getRows()); }

void RowAccess::setElement(Value element) {
  delinearize(element, op.getRows(), op.getNumDims());
  if (areSpans())
    span.emplace(b, op, element, indices, inSpan, numbers);
}

SmallVector<Value> RowAccess::getPlace(int64_t number, int64_t offset) {
  SmallVector<Value> place;
  for (AffineExpr e : op.getIndexingMap(number).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(e);
    place.push_back(dim ? getIndex(dim.getPosition(), offset)
                        : indexConstant(b, 0));
  }
  return place;
}

namespace {
/// Where rows of an operand begin, in elements: the sum of `offset` and of the
/// indices of dimensions times `strides`, as far as it moves them between the
/// places of a vector.
struct RowStart {
  int64_t offset;
  SmallVector<std::pair<int64_t, int64_t>> strides;

  bool operator==(const RowStart &other) const {
    return offset == other.offset && strides == other.strides;
  }
};
} // namespace

/// Where rows of an operand begin, if they lie in memory element by element.
static std::optional<RowStart> findRowStart(RowsOp op, int64_t number,
                                            int64_t vector) {
  auto type = cast<MemRefType>(op->getOperand(number).getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (isPacked(type) || getLastDim(op, number) != op.getNumDims() - 1 ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides) ||
      strides.back() != 1)
    return std::nullopt;
  RowStart start{offset % vector, {}};
  AffineMap map = op.getIndexingMap(number);
  for (auto [e, stride] : llvm::zip_equal(map.getResults(), strides)) {
    auto dim = dyn_cast<AffineDimExpr>(e);
    if (dim && dim.getPosition() < op.getRows() && stride % vector != 0)
      start.strides.push_back({dim.getPosition(), stride % vector});
  }
  llvm::sort(start.strides);
  return start;
}

/// Elements that the first whole vector of a row begins at a multiple of: as
/// many vectors as a line of memory has, so that warps write whole sectors, if
/// `threads` have one of the elements before and behind each.
static int64_t chooseUnit(RowsOp op, int64_t vector, int64_t threads) {
  int64_t unit = vector;
  int64_t most = std::min(threads, op.getStaticExtent(op.getNumDims() - 1));
  while (unit < kVectorsOfLine * vector && 2 * unit + vector <= most)
    unit *= 2;
  return unit;
}

Value RowAccess::alignVectors(int64_t vector, int64_t threads) {
  isShifted = true;
  // The first operand that has one says where rows begin, and for which others
  // they do so, too.
  std::optional<RowStart> first;
  for (int64_t i = 0, e = op->getNumOperands(); i < e; ++i) {
    auto start = findRowStart(op, i, vector);
    if (!first)
      first = start;
    if (first && start == first)
      aligned.push_back(i);
  }
  if (!first)
    return indexConstant(b, 0);
  int64_t unit = chooseUnit(op, vector, threads);
  auto of = findRowStart(op, aligned.front(), unit);
  Value begin = indexConstant(b, of->offset);
  for (auto [dim, stride] : of->strides)
    begin = addIndex(b, begin, mulIndex(b, indices[dim], stride));
  Value beyond = remIndex(b, begin, unit);
  head = remIndex(b, arith::SubIOp::create(b, indexConstant(b, unit), beyond),
                  unit);
  return head;
}

Value nm::createAreWhole(ImplicitLocOpBuilder &b, RowsOp op, int64_t vector) {
  if (vector == 1 || getElementsDivisor(op) % vector == 0)
    return {};
  Value rest = remIndex(b, getExtent(b, op, op.getNumDims() - 1), vector);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest,
                               indexConstant(b, 0));
}

void RowAccess::assumeVectors() {
  int64_t dims = op.getNumDims();
  for (int64_t i = 0, e = op->getNumOperands(); i < e; ++i) {
    auto type = cast<MemRefType>(op->getOperand(i).getType());
    if (type.getLayout().isIdentity() && !isPacked(type) &&
        getLastDim(op, i) == dims - 1)
      aligned.push_back(i);
  }
}

/// Elements of an operand that one of the accesses to `count` of them moves.
int64_t RowAccess::getWidth(int64_t number, int64_t count) {
  if (llvm::is_contained(aligned, number))
    return count;
  return isShifted ? 1 : getAccessWidth(op, number, count);
}

/// Whether rows' vectors lie as far behind those of an operand as the row's
/// head is long: of a weight, which begins with one.
bool RowAccess::isAtVectors(int64_t number, int64_t count) {
  auto start = findRowStart(op, number, count);
  return head && start && start->offset == 0 && start->strides.empty() &&
         canLoadShifted(op->getOperand(number), count);
}

/// Whether an operand has an element for each along the innermost dimension.
static bool isAlongElements(RowsOp op, int64_t number) {
  AffineExpr innermost = getAffineDimExpr(op.getNumDims() - 1, op.getContext());
  return llvm::is_contained(op.getIndexingMap(number).getResults(), innermost);
}

bool nm::isOfRows(RowsOp op, int64_t number) {
  return llvm::any_of(op.getIndexingMap(number).getResults(),
                      [&](AffineExpr e) {
                        auto dim = dyn_cast<AffineDimExpr>(e);
                        return dim && dim.getPosition() < op.getRows();
                      });
}

bool nm::hasOwnElements(RowsOp op, int64_t number) {
  return getLastDim(op, number) == op.getNumDims() - 1 &&
         (op.getRows() == 0 || isOfRows(op, number));
}

SmallVector<Value> nm::loadElements(ImplicitLocOpBuilder &b, Value memref,
                                    ArrayRef<Value> place, int64_t count,
                                    int64_t width) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  SmallVector<Value> values;
  for (int64_t offset = 0; offset < count; offset += width) {
    SmallVector<Value> at(place);
    at.back() = addIndex(b, at.back(), offset);
    if (width == 1) {
      values.push_back(memref::LoadOp::create(b, memref, at));
      continue;
    }
    auto type = VectorType::get({width}, element);
    Value vector = vector::LoadOp::create(
        b, type, memref, at, /*nontemporal=*/false,
        llvm::MaybeAlign(width * *getElementBytes(element)));
    for (int64_t i = 0; i < width; ++i)
      values.push_back(vector::ExtractOp::create(b, vector, i));
  }
  return values;
}

void nm::storeElements(ImplicitLocOpBuilder &b, Value memref,
                       ArrayRef<Value> place, ArrayRef<Value> values,
                       int64_t width) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  for (int64_t offset = 0, e = values.size(); offset < e; offset += width) {
    SmallVector<Value> at(place);
    at.back() = addIndex(b, at.back(), offset);
    if (width == 1) {
      memref::StoreOp::create(b, values[offset], memref, at);
      continue;
    }
    auto type = VectorType::get({width}, element);
    Value vector =
        vector::FromElementsOp::create(b, type, values.slice(offset, width));
    vector::StoreOp::create(
        b, vector, memref, at, /*nontemporal=*/false,
        llvm::MaybeAlign(width * *getElementBytes(element)));
  }
}

SmallVector<Value> RowAccess::load(int64_t number, int64_t count) {
  if (span)
    return span->load(number);
  Value memref = op->getOperand(number);
  if (!isAlongElements(op, number)) {
    Value one = memref::LoadOp::create(b, memref, getPlace(number, 0));
    return SmallVector<Value>(count, one);
  }
  if (int64_t width = getWidth(number, count); width > 1)
    return loadElements(b, memref, getPlace(number, 0), count, width);
  SmallVector<Value> place = getPlace(number, 0);
  if (isAtVectors(number, count))
    return loadShifted(b, memref, place.front(), count,
                       remIndex(b, head, count));
  SmallVector<Value> values;
  for (int64_t offset = 0; offset < count; ++offset)
    values.push_back(
        memref::LoadOp::create(b, memref, getPlace(number, offset)));
  return values;
}

SmallVector<Value> RowAccess::loadAt(Value memref, ArrayRef<Value> place,
                                     int64_t count) {
  int64_t width = isShifted ? 1 : std::gcd(count, maxVectorWidth(memref));
  return loadElements(b, memref, place, count, width);
}

Value RowAccess::getIndex(int64_t dim, int64_t offset) {
  if (span)
    return span->getIndex(dim, offset);
  return dim + 1 == op.getNumDims() ? addIndex(b, indices[dim], offset)
                                    : indices[dim];
}

void RowAccess::store(int64_t number, ArrayRef<Value> values) {
  if (span)
    return span->store(number, values);
  Value memref = op->getOperand(number);
  if (int64_t width = getWidth(number, values.size()); width > 1)
    return storeElements(b, memref, getPlace(number, 0), values, width);
  for (auto [offset, value] : llvm::enumerate(values))
    memref::StoreOp::create(b, value, memref, getPlace(number, offset));
}

bool RowAccess::canCopy(int64_t number, int64_t count) {
  Type type = op->getOperand(number).getType();
  int64_t bytes = count * *getElementBytes(getElementTypeOrSelf(type));
  return getWidth(number, count) == count &&
         (bytes == 4 || bytes == 8 || bytes == kMostCopyBytes);
}

void RowAccess::copy(int64_t number, int64_t count, Value memory, Value place) {
  Value memref = op->getOperand(number);
  int64_t bytes =
      count * *getElementBytes(getElementTypeOrSelf(memref.getType()));
  // What is copied past L1 is copied by 16 bytes.
  nvgpu::DeviceAsyncCopyOp::create(
      b, nvgpu::DeviceAsyncTokenType::get(b.getContext()), memory, place,
      memref, getPlace(number, 0), b.getIndexAttr(count),
      /*srcElements=*/Value(),
      bytes == kMostCopyBytes ? b.getUnitAttr() : UnitAttr());
}

Value RowAccess::loadOfRow(int64_t number) {
  return memref::LoadOp::create(b, op->getOperand(number), getPlace(number, 0));
}

void RowAccess::storeOfRow(int64_t number, Value value) {
  memref::StoreOp::create(b, value, op->getOperand(number),
                          getPlace(number, 0));
}
