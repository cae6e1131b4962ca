//===- MmaSyncStore.cpp - Sums of kind mma_sync to C ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma.sync leaves a lane with two neighbours along one dimension of C, and with
// none along the other. Stored like that, each access of a warp would touch
// sixteen bytes here and there. So lanes exchange sums until each has sixteen
// bytes of C, and a warp 64 bytes of each of eight rows (columns, where C is
// feature-major).
//
//===----------------------------------------------------------------------===//

#include "ByteNumbers.h"
#include "LaneExchange.h"
#include "MmaSyncWarpMap.h"
#include "StoreEpilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace nm;

/// Of the widest access.
static constexpr int64_t kAccessBits = 128;

namespace {
/// Rows and columns that a digit is worth, of a lane's number or of a place.
struct Distance {
  int64_t m, n;
};

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

  //===--------------------------------------------------------------------===//
  // What mma.sync leaves
  //===--------------------------------------------------------------------===//

  /// Where place 1 is, seen from place 0.
  Distance getNeighbour() const {
    return map.isWeightFirst ? Distance{1, 0} : Distance{0, 1};
  }

  /// What the lane's digit is worth that is worth `digit` in its number.
  Distance getDistance(int64_t digit) const {
    bool isColumn = (digit >= 4) == map.isWeightFirst;
    int64_t elements = digit < 4 ? 2 * digit : digit / 4;
    return isColumn ? Distance{0, elements} : Distance{elements, 0};
  }

  /// Row and column of the value at `place`, seen from place 0.
  Distance locate(int64_t place) const {
    auto [m, n] = getNeighbour();
    int64_t half = place / 2 % 2, group = place / 4 % map.groups;
    int64_t strip = place / 4 / map.groups;
    return {place % 2 * m + 8 * group, place % 2 * n + 8 * half + 16 * strip};
  }

  /// Whether a lane's two neighbours are neighbours in memory.
  bool hasNeighbours() const {
    return map.isWeightFirst == epilogue.isFeatureMajor();
  }

  /// Scale, bias and activation: a lane knows those of its columns.
  void finish() {
    Value n = map.isWeightFirst ? divIndex(b, map.lane, 4)
                                : mulIndex(b, remIndex(b, map.lane, 4), 2);
    n = addIndex(b, map.n0, n);
    values.resize(acc.size());
    llvm::MapVector<int64_t, StoreEpilogue::Column> columns;
    for (int64_t place = 0, size = acc.size(); place < size; ++place) {
      int64_t column = locate(place).n;
      if (!columns.contains(column))
        columns[column] = epilogue.loadColumn(addIndex(b, n, column));
      values[place] = epilogue.finish(acc[place], columns[column]);
    }
  }

  //===--------------------------------------------------------------------===//
  // Which digits are swapped
  //===--------------------------------------------------------------------===//

  /// The places that have one digit alone, of those that may be swapped: first
  /// the digits of the dimension along which C lies in memory.
  SmallVector<int64_t> listPlaces() const {
    SmallVector<int64_t> ofRows, ofColumns = {2};
    for (int64_t group = 1; map.groups % (2 * group) == 0; group *= 2)
      ofRows.push_back(getPlace(0, group));
    for (int64_t strip = 1; map.strips % (2 * strip) == 0; strip *= 2)
      ofColumns.push_back(getPlace(strip, 0));
    SmallVector<int64_t> places;
    if (!hasNeighbours())
      places.push_back(1);
    bool isFeatureMajor = epilogue.isFeatureMajor();
    llvm::append_range(places, isFeatureMajor ? ofRows : ofColumns);
    llvm::append_range(places, isFeatureMajor ? ofColumns : ofRows);
    return places;
  }

  /// What makes neighbours of C of a lane's values; nothing where C is not
  /// written by wide accesses, or the tile is too small.
  std::optional<SmallVector<LaneSwap>> planSwaps() {
    int64_t width = kAccessBits / epilogue.getElementBits();
    if (!values.front().getType().isF32() || !epilogue.isOneAccess(width))
      return std::nullopt;
    // The lane's digits that are neighbours in memory, from the last.
    auto digits = hasNeighbours() ? SmallVector<int64_t>{1, 2}
                                  : SmallVector<int64_t>{4, 8, 16};
    SmallVector<int64_t> places = listPlaces();
    SmallVector<LaneSwap> swaps;
    for (int64_t elements = hasNeighbours() ? 2 : 1; elements < width;
         elements *= 2) {
      size_t i = swaps.size();
      if (i == places.size())
        return std::nullopt;
      auto [m, n] = locate(places[i]);
      swaps.push_back({digits[i], places[i], m, n});
    }
    return swaps;
  }

  //===--------------------------------------------------------------------===//
  // Exchanged
  //===--------------------------------------------------------------------===//

  void storeExchanged(ArrayRef<LaneSwap> swaps) {
    // Digits of the place that number neighbours of C, from the last.
    SmallVector<int64_t> neighbours;
    if (hasNeighbours())
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
        word = permuteBytes(b, word, lanes.shuffle(word, ofLane), bytes);
  }

  /// Row and column of a lane's value of place 0, after `swaps`.
  std::pair<Value, Value> locateLane(ArrayRef<LaneSwap> swaps) {
    Value m = map.m0, n = map.n0;
    for (int64_t digit : {1, 2, 4, 8, 16}) {
      auto [ofM, ofN] = getDistance(digit);
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
    auto [ofM, ofN] = locate(place);
    Value row = addIndex(b, m, ofM), column = addIndex(b, n, ofN);
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
    auto [ofM, ofN] = locate(place);
    Value row = addIndex(b, m, ofM), column = addIndex(b, n, ofN);
    ArrayRef<Value> pair = ArrayRef(values).slice(place, 2);
    if (hasNeighbours()) {
      epilogue.store(pair, row, column);
      return;
    }
    auto [nextM, nextN] = getNeighbour();
    epilogue.store(pair[0], row, column);
    epilogue.store(pair[1], addIndex(b, row, nextM),
                   addIndex(b, column, nextN));
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
