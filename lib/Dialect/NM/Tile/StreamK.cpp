//===- StreamK.cpp - Steps of all tiles, dealt out to blocks --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamK.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/KernelPlan/BlockShares.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace nm;

// Operations on indices, none of which is negative.
static Value sub(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(x, y);
}
static Value mul(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(x, y);
}
static Value div(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::DivUIOp>(x, y);
}
static Value rem(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::RemUIOp>(x, y);
}
static Value min(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::MinUIOp>(x, y);
}
static Value max(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::MaxUIOp>(x, y);
}
static Value isLess(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, x, y);
}
static Value select(ImplicitLocOpBuilder &b, Value condition, Value x,
                    Value y) {
  return b.createOrFold<arith::SelectOp>(condition, x, y);
}

Value StreamK::createConstant(int64_t value) { return indexConstant(b, value); }

StreamK::StreamK(ImplicitLocOpBuilder &b, Value tiles, int64_t steps,
                 int64_t blocks)
    : b(b), steps(steps), blocks(blocks) {
  Value all = createConstant(blocks);
  share(tiles);
  Value sharedSteps = mul(b, shared, createConstant(steps));
  least = div(b, sharedSteps, all);
  more = rem(b, sharedSteps, all);
}

void StreamK::share(Value tiles) {
  if (std::optional<int64_t> known = getConstantIntValue(tiles)) {
    StreamShares shares = StreamShares::get(*known, blocks);
    rounds = createConstant(shares.rounds);
    shared = createConstant(shares.shared);
    return;
  }
  // StreamShares::get of a number that only the call knows.
  Value one = createConstant(1), all = createConstant(blocks);
  Value full = div(b, tiles, all), left = rem(b, tiles, all);
  Value fewer = sub(b, max(b, full, one), one);
  Value isFew = isLess(b, sub(b, left, one), createConstant(blocks / 2 - 1));
  rounds = select(b, isFew, fewer, full);
  shared = sub(b, tiles, mul(b, rounds, all));
}

int64_t StreamK::countSlots() const {
  // Segments of shared tiles are numbered by block and tile, as each is of the
  // next block or the next tile.
  int64_t most = getConstantIntValue(shared).value_or(getMostShared());
  return std::max<int64_t>(1, blocks + most - 1);
}

Value StreamK::getFirst(Value block) {
  return addIndex(b, mul(b, block, least), min(b, block, more));
}

Value StreamK::divideSteps(Value x, Value y) {
  // A division of 64 bits takes ptxas 73 instructions, one of 32 bits about 20
  // (counted in the machine code of sm_90a).
  int64_t most = 0;
  bool fits = !llvm::MulOverflow(getMostShared(), steps, most) &&
              most <= std::numeric_limits<int32_t>::max();
  if (!fits || getConstantIntValue(y))
    return div(b, x, y);
  Type i32 = b.getI32Type();
  Value quotient = div(b, b.createOrFold<arith::IndexCastUIOp>(i32, x),
                       b.createOrFold<arith::IndexCastUIOp>(i32, y));
  return b.createOrFold<arith::IndexCastUIOp>(b.getIndexType(), quotient);
}

Value StreamK::getBlock(Value step) {
  Value zero = createConstant(0), one = createConstant(1);
  Value longer = addIndex(b, least, one), ofLonger = mul(b, more, longer);
  // What is divided is selected first, so that one division serves blocks that
  // have one step more and those beyond them.
  Value isAmong = isLess(b, step, ofLonger);
  Value place = select(b, isAmong, step, sub(b, step, ofLonger));
  Value ofBlock = select(b, isAmong, longer, max(b, least, one));
  return addIndex(b, select(b, isAmong, zero, more),
                  divideSteps(place, ofBlock));
}

// Quotients are not subtracted from each other, here and for the rows: ptxas
// 13.0 takes a difference of two of them for negative where the second is 0.
Value StreamK::countSegments(Value block) {
  Value zero = createConstant(0), one = createConstant(1);
  Value first = getFirst(block);
  Value count =
      select(b, isLess(b, block, more), addIndex(b, least, one), least);
  // Tiles that the range touches, if there is any step in it.
  Value end = addIndex(b, rem(b, first, createConstant(steps)), count);
  Value touched = div(b, addIndex(b, end, steps - 1), createConstant(steps));
  touched = select(b, isLess(b, zero, count), touched, zero);
  return addIndex(b, rounds, touched);
}

Segment StreamK::getSegment(Value block, Value number) {
  Value zero = createConstant(0), one = createConstant(1);
  Value ofTile = createConstant(steps), all = createConstant(blocks);
  Value isWhole = isLess(b, number, rounds);
  Value first = getFirst(block), end = getFirst(addIndex(b, block, one));
  Value firstTile = div(b, first, ofTile);

  Segment segment;
  segment.isWhole = isWhole;
  Value further = select(b, isWhole, zero, sub(b, number, rounds));
  segment.shared = addIndex(b, firstTile, further);
  segment.tile = select(b, isWhole, addIndex(b, mul(b, number, all), block),
                        addIndex(b, mul(b, rounds, all), segment.shared));
  Value begin = mul(b, segment.shared, ofTile);
  Value isFirst = isLess(b, begin, first);
  segment.firstStep =
      select(b, isWhole, zero, select(b, isFirst, sub(b, first, begin), zero));
  Value stop = select(b, isWhole, ofTile, min(b, ofTile, sub(b, end, begin)));
  // That they are no more than a tile has is what getStepCount knows.
  segment.numSteps =
      arith::MinUIOp::create(b, sub(b, stop, segment.firstStep), ofTile);
  return segment;
}

SegmentRows StreamK::getRows(Value block, const Segment &segment) {
  Value zero = createConstant(0);
  Value begin = mul(b, segment.shared, createConstant(steps));
  auto getRow = [&](Value of) {
    Value row = addIndex(b, of, segment.shared);
    return select(b, segment.isWhole, zero, row);
  };
  return {getRow(block), getRow(getBlock(begin)),
          getRow(getBlock(addIndex(b, begin, steps - 1)))};
}

StreamBuffers nm::createStreamBuffers(ImplicitLocOpBuilder &b,
                                      const StreamK &streamK, Type type,
                                      int64_t elements, StringRef name) {
  StreamBuffers buffers;
  buffers.workspace = memref::AllocOp::create(
      b, MemRefType::get({streamK.countSlots(), elements}, type));
  // One that nobody counts in, where no tile is shared.
  Value count = max(b, streamK.getSharedTiles(), indexConstant(b, 1));
  std::optional<int64_t> known = getConstantIntValue(count);
  auto ofArrivals =
      MemRefType::get({known.value_or(ShapedType::kDynamic)}, b.getI32Type());
  buffers.arrivals = memref::AllocOp::create(
      b, ofArrivals, known ? ValueRange() : ValueRange(count));
  Value begin = indexConstant(b, 0), step = indexConstant(b, 1);
  auto loop = scf::ParallelOp::create(b, begin, count, step);
  loop->setAttr(kKernelNameAttr, b.getStringAttr(name));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value zero = arith::ConstantIntOp::create(b, 0, 32);
  memref::StoreOp::create(b, zero, buffers.arrivals, loop.getInductionVars());
  return buffers;
}
