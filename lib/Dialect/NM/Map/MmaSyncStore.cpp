//===- MmaSyncStore.cpp - Sums of kind mma_sync to C ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma.sync leaves a lane with two neighbours along m of each column, and with
// none along n. Stored like that, each access of a warp would touch sixteen
// bytes here and there. So lanes exchange sums until each has sixteen bytes of
// C, and a warp 64 bytes of each of eight rows (columns, where C is
// feature-major).
//
//===----------------------------------------------------------------------===//

#include "LaneExchange.h"
#include "MmaSyncWarpMap.h"
#include "StoreEpilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nm;

/// Of the widest access.
static constexpr int64_t kAccessBits = 128;

namespace {
/// Stores a thread's sums.
class SumStore {
public:
  SumStore(TileStoreOp op, const MmaSyncWarpMap &map, ValueRange acc)
      : map(map), acc(acc), epilogue(op), b(epilogue.builder()),
        lanes(b, map.lane) {}

  void run() {
    finish();
    if (std::optional<SmallVector<LaneSwap>> swaps = planSwaps())
      storeExchanged(*swaps);
    else
      storeOwn();
  }

private:
  /// Of the values of `strip` and `group`, the place of the first.
  int64_t getPlace(int64_t strip, int64_t group) const {
    return (strip * map.groups + group) * 4;
  }

  /// Scale, bias and activation: a lane knows those of its columns.
  void finish() {
    Value n = addIndex(b, map.n0, divIndex(b, map.lane, 4));
    values.resize(acc.size());
    for (int64_t strip = 0; strip < map.strips; ++strip)
      for (int64_t half : {0, 1}) {
        Value column = addIndex(b, n, 16 * strip + 8 * half);
        StoreEpilogue::Column data = epilogue.loadColumn(column);
        for (int64_t group = 0; group < map.groups; ++group)
          for (int64_t row : {0, 1}) {
            int64_t place = getPlace(strip, group) + 2 * half + row;
            values[place] = epilogue.finish(acc[place], data);
          }
      }
  }

  /// What makes neighbours of C of a lane's values; nothing where C is not
  /// written by wide accesses, or the tile is too small.
  std::optional<SmallVector<LaneSwap>> planSwaps() {
    int64_t width = kAccessBits / epilogue.getElementBits();
    if (!values.front().getType().isF32() || !epilogue.isOneAccess(width))
      return std::nullopt;
    // Digits of the place, from the last: row, half, group, strip.
    SmallVector<LaneSwap> swaps;
    if (epilogue.isFeatureMajor()) {
      swaps = {{1, getPlace(0, 1), 8, 0}, {2, getPlace(0, 2), 16, 0}};
      swaps.truncate(width == 8 ? 2 : 1);
      if (map.groups % (width / 2) != 0)
        return std::nullopt;
      return swaps;
    }
    swaps = {{4, 1, 1, 0}, {8, 2, 0, 8}};
    if (width == 8 && map.strips % 2 == 0)
      swaps.push_back({16, getPlace(1, 0), 0, 16});
    else if (width == 8 && map.groups % 2 == 0)
      swaps.push_back({16, getPlace(0, 1), 8, 0});
    else if (width == 8)
      return std::nullopt;
    return swaps;
  }

  //===--------------------------------------------------------------------===//
  // Exchanged
  //===--------------------------------------------------------------------===//

  void storeExchanged(ArrayRef<LaneSwap> swaps) {
    // Digits of the place that number neighbours of C, from the last.
    SmallVector<int64_t> neighbours;
    if (epilogue.isFeatureMajor())
      neighbours.push_back(1);
    // What is added to it is not rounded before.
    bool packs = epilogue.getElementBits() == 16 && !epilogue.hasResidual();
    if (packs)
      packPairs();
    for (const LaneSwap &swap : swaps) {
      if (packs && swap.place == 1)
        exchangeHalves(swap.lane);
      else
        lanes.exchange(values, swap);
      neighbours.push_back(swap.place);
    }
    auto [m, n] = locateLane(swaps);
    for (int64_t place = 0, size = values.size(); place < size; ++place)
      if (llvm::none_of(neighbours, [&](int64_t worth) {
            return hasPlaceDigit(place, worth);
          }))
        storeAt(place, neighbours, m, n);
  }

  /// Rounds neighbours and makes one word of both, at the place of the first.
  void packPairs() {
    auto bits = VectorType::get({1}, b.getI32Type());
    for (size_t place = 0; place < values.size(); place += 2) {
      Value pair = epilogue.round({values[place], values[place + 1]});
      Value word = vector::BitCastOp::create(b, bits, pair);
      values[place] = vector::ExtractOp::create(b, word, 0);
      values[place + 1] = Value();
    }
  }

  /// An exchange of the rows that are halves of a word, of whole words and by
  /// one permutation of their bytes.
  void exchangeHalves(int64_t ofLane) {
    auto order = [&](int64_t bytes) -> Value {
      return arith::ConstantIntOp::create(b, bytes, 32);
    };
    // Of the other lane's word, which is the second, the half that this lane
    // keeps of its own.
    Value bytes = arith::SelectOp::create(b, lanes.hasDigit(ofLane),
                                          order(0x3276), order(0x5410));
    for (Value &word : values)
      if (word)
        word = LLVM::CallIntrinsicOp::create(
                   b, b.getI32Type(), b.getStringAttr("llvm.nvvm.prmt"),
                   ValueRange{word, lanes.shuffle(word, ofLane), bytes})
                   .getResult(0);
  }

  /// Row and column of a lane's value of place 0, after `swaps`.
  std::pair<Value, Value> locateLane(ArrayRef<LaneSwap> swaps) {
    Value m = map.m0, n = map.n0;
    // As mma.sync has it: rows 2 t, columns g.
    for (int64_t digit : {1, 2, 4, 8, 16}) {
      int64_t ofM = digit < 4 ? 2 * digit : 0, ofN = digit < 4 ? 0 : digit / 4;
      for (const LaneSwap &swap : swaps)
        if (swap.lane == digit)
          ofM = swap.m, ofN = swap.n;
      Value value = lanes.getDigit(digit);
      if (ofM != 0)
        m = addIndex(b, m, mulIndex(b, value, ofM));
      if (ofN != 0)
        n = addIndex(b, n, mulIndex(b, value, ofN));
    }
    return {m, n};
  }

  /// Stores the neighbours from `place` on; (m, n) is the lane's place 0.
  void storeAt(int64_t place, ArrayRef<int64_t> neighbours, Value m, Value n) {
    SmallVector<Value> run;
    for (int64_t i = 0; i < int64_t(1) << neighbours.size(); ++i) {
      int64_t offset = 0;
      for (auto [digit, worth] : llvm::enumerate(neighbours))
        offset += hasPlaceDigit(i, int64_t(1) << digit) ? worth : 0;
      if (Value value = values[place + offset])
        run.push_back(value);
    }
    int64_t half = place / 2 % 2, group = place / 4 % map.groups;
    int64_t strip = place / 4 / map.groups;
    Value row = addIndex(b, m, 8 * group);
    Value column = addIndex(b, n, 16 * strip + 8 * half);
    if (run.front().getType().isF32())
      epilogue.store(run, row, column);
    else
      epilogue.storeBits(run, row, column);
  }

  //===--------------------------------------------------------------------===//
  // Where they are
  //===--------------------------------------------------------------------===//

  /// Stores each lane's values as mma.sync leaves them.
  void storeOwn() {
    auto [m, n] = locateLane({});
    for (int64_t place = 0, size = values.size(); place < size; place += 2)
      storePair(place, m, n);
  }

  void storePair(int64_t place, Value m, Value n) {
    int64_t half = place / 2 % 2, group = place / 4 % map.groups;
    int64_t strip = place / 4 / map.groups;
    Value row = addIndex(b, m, 8 * group);
    Value column = addIndex(b, n, 16 * strip + 8 * half);
    ArrayRef<Value> pair = ArrayRef(values).slice(place, 2);
    if (epilogue.isFeatureMajor()) {
      epilogue.store(pair, row, column);
      return;
    }
    epilogue.store(pair[0], row, column);
    epilogue.store(pair[1], addIndex(b, row, 1), column);
  }

  const MmaSyncWarpMap &map;
  ValueRange acc;
  StoreEpilogue epilogue;
  ImplicitLocOpBuilder &b;
  LaneExchange lanes;
  /// Finished sums in the order of `acc`, or words of two; null where the word
  /// at the place before has both.
  SmallVector<Value> values;
};
} // namespace

void nm::lowerMmaSyncStore(TileStoreOp op, const MmaSyncWarpMap &map,
                           ValueRange acc) {
  SumStore(op, map, acc).run();
}
