//===- RowTile.cpp - Results stored transposed ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"
#include <numeric>

using namespace mlir;
using namespace nm;

/// Bytes that rows of the tile are apart beyond their elements: an access of a
/// thread, so that rows begin at places that such an access can have, and the
/// elements of a column lie on different banks.
static constexpr int64_t kPaddingBytes = 16;
/// Shared memory of a kernel's tiles, in bytes: what every chip leaves a block
/// without being asked for more.
static constexpr int64_t kTileBytes = 48 * 1024;

SmallVector<int64_t> nm::collectTransposed(RowsOp op) {
  SmallVector<int64_t> found;
  if (!getStaticPoints(op, 0, op.getNumDims()))
    return found;
  int64_t inputs = op.getInputs().size();
  for (int64_t number = inputs; number < op->getNumOperands(); ++number) {
    if (!op.isOfElements(number))
      continue;
    auto dim =
        dyn_cast<AffineDimExpr>(op.getIndexingMap(number).getResults().back());
    if (dim && dim.getPosition() < op.getRows())
      found.push_back(number);
  }
  return found;
}

static MemRefType getOutputType(RowsOp op, int64_t output) {
  return cast<MemRefType>(op->getOperand(output).getType());
}

RowTile::RowTile(ImplicitLocOpBuilder &b, RowsOp op, int64_t output,
                 const Place &place)
    : b(b), op(op), output(output), place(place), access(b, op) {
  RowScheduleAttr schedule = *op.getSchedule();
  rows = schedule.getRows();
  Type element = getOutputType(op, output).getElementType();
  int64_t ofChunk = schedule.getThreads() * schedule.getVector();
  int64_t bytes = rows * ofChunk * *getElementBytes(element);
  int64_t tiles = collectTransposed(op).size();
  chunks = std::min(schedule.getChunks(),
                    std::max<int64_t>(1, kTileBytes / (bytes * tiles)));
  elements = ofChunk * chunks;
  run = findRun();
  chooseWidth();
  tile = allocateWorkgroup(b, {rows, elements}, element,
                           kPaddingBytes / *getElementBytes(element));
}

RowTile::Run RowTile::findRun() {
  AffineMap map = op.getIndexingMap(output);
  MemRefType type = getOutputType(op, output);
  int64_t rank = type.getRank(), dims = 0, count = 1;
  target = op->getOperand(output);
  while (dims < rank) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(rank - 1 - dims));
    if (!dim || dim.getPosition() != op.getRows() - 1 - dims)
      break;
    count *= type.getDimSize(rank - 1 - dims++);
    if (count <= 0)
      return {0, 1};
  }
  // What is several dimensions is one, if memory has it so.
  for (; dims > 1; --dims) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i <= rank - dims; ++i)
      groups.push_back({i});
    groups.back() = llvm::to_vector<2>(llvm::seq(rank - dims, rank));
    if (memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups)) {
      target = memref::CollapseShapeOp::create(b, target, groups);
      break;
    }
    count /= type.getDimSize(rank - dims);
  }
  return {dims, count};
}

/// As many rows as follow each other where whole runs are divided so.
void RowTile::chooseWidth() {
  Type element = getOutputType(op, output).getElementType();
  // A vector of bits packs them, and an array has bytes.
  if (element.isInteger() && element.getIntOrFloatBitWidth() < 8)
    return;
  width = maxVectorWidth(target);
  while (run.count % width != 0 || rows % width != 0)
    width /= 2;
}

void RowTile::store(ArrayRef<Vector> vectors) {
  for (; !vectors.empty();
       vectors = vectors.drop_front(std::min<size_t>(chunks, vectors.size()))) {
    // What was in the tile before has been read by all.
    if (base != 0)
      gpu::BarrierOp::create(b);
    for (const Vector &vector : vectors.take_front(chunks))
      put(vector);
    gpu::BarrierOp::create(b);
    storeTile();
    base += elements;
  }
}

void RowTile::put(const Vector &vector) {
  auto type = cast<MemRefType>(tile.getType());
  Type scalar = type.getElementType();
  ArrayRef<Value> values = vector.values;
  OpBuilder::InsertionGuard guard(b);
  if (vector.inside) {
    auto some = scf::IfOp::create(b, vector.inside, /*withElseRegion=*/false);
    b.setInsertionPointToStart(some.thenBlock());
  }
  Value first = vector.first;
  if (place.firstElement)
    first = arith::SubIOp::create(b, first, place.firstElement);
  if (base != 0)
    first = arith::SubIOp::create(b, first, indexConstant(b, base));
  // Of a vector: so many elements at once as 16 bytes are.
  int64_t most = kPaddingBytes / *getElementBytes(scalar);
  int64_t count = values.size();
  int64_t each = scalar.isInteger(1) ? 1 : std::gcd(count, most);
  for (int64_t i = 0; i < count; i += each) {
    SmallVector<Value> at = {place.row, addIndex(b, first, i)};
    if (each == 1) {
      memref::StoreOp::create(b, values[i], tile, at);
      continue;
    }
    Value moved = vector::FromElementsOp::create(
        b, VectorType::get({each}, scalar), values.slice(i, each));
    vector::StoreOp::create(b, moved, tile, at, /*nontemporal=*/false,
                            llvm::MaybeAlign(each * *getElementBytes(scalar)));
  }
}

/// The place in the target of one element of one row. The element of each next
/// row of the run lies behind it.
SmallVector<Value> RowTile::getPlace(Value row, Value element) {
  access.setRow(row);
  access.setElement(element);
  SmallVector<Value> found = access.getPlace(output, 0);
  if (run.dims == 0)
    return found;
  found.truncate(found.size() - run.dims);
  bool isWhole = run.dims == int64_t(op.getRows());
  found.push_back(isWhole ? row : remIndex(b, row, run.count));
  return found;
}

/// Stores an element of the `width` rows of the tile from `row` on.
void RowTile::storeRows(Value row, Value element) {
  Value ofSpace = addIndex(b, place.firstRow, row);
  Value ofRow = addIndex(b, element, base);
  if (place.firstElement)
    ofRow = addIndex(b, place.firstElement, ofRow);
  Value inside;
  int64_t known = *getStaticPoints(op, 0, op.getRows());
  if (known % rows != 0)
    inside = isBelow(b, ofSpace, indexConstant(b, known));
  known = *getStaticPoints(op, op.getRows(), op.getNumDims());
  if (place.firstElement ? known % countOfPart() != 0 : known < base + elements)
    inside = andIfSet(b, inside, isBelow(b, ofRow, indexConstant(b, known)));
  OpBuilder::InsertionGuard guard(b);
  if (inside) {
    auto some = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
    b.setInsertionPointToStart(some.thenBlock());
  }
  SmallVector<Value> values;
  for (int64_t i = 0; i < width; ++i)
    values.push_back(memref::LoadOp::create(
        b, tile, ValueRange{addIndex(b, row, i), element}));
  SmallVector<Value> at = getPlace(ofSpace, ofRow);
  if (width == 1) {
    memref::StoreOp::create(b, values[0], target, at);
    return;
  }
  Type scalar = getOutputType(op, output).getElementType();
  Value vector = vector::FromElementsOp::create(
      b, VectorType::get({width}, scalar), values);
  vector::StoreOp::create(b, vector, target, at, /*nontemporal=*/false,
                          llvm::MaybeAlign(width * *getElementBytes(scalar)));
}

/// Elements of a row that a block has.
int64_t RowTile::countOfPart() {
  RowScheduleAttr schedule = *op.getSchedule();
  return schedule.getThreads() * schedule.getVector() * schedule.getChunks();
}

void RowTile::storeTile() {
  // Neighbouring threads store to neighbouring places of one column.
  int64_t ofColumn = rows / width, columns = elements;
  if (!place.firstElement)
    columns = std::min(
        elements, *getStaticPoints(op, op.getRows(), op.getNumDims()) - base);
  int64_t all = ofColumn * columns;
  int64_t threads = rows * op.getSchedule()->getThreads();
  for (int64_t begin = 0; begin < all; begin += threads) {
    Value item = addIndex(b, place.thread, begin);
    OpBuilder::InsertionGuard guard(b);
    if (begin + threads > all) {
      auto some = scf::IfOp::create(b, isBelow(b, item, indexConstant(b, all)),
                                    /*withElseRegion=*/false);
      b.setInsertionPointToStart(some.thenBlock());
    }
    storeRows(mulIndex(b, remIndex(b, item, ofColumn), width),
              divIndex(b, item, ofColumn));
  }
}
