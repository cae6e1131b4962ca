//===- FmaStore.cpp - Sums of kind fma to C -------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups of rows of neighbouring lanes are neighbours in a feature-major C. In
// a token-major one groups of columns are, and some tiles have few lanes beside
// each other, or one: an access of the warp would then touch sixteen bytes of
// each of 32 rows. So lanes exchange groups of columns for rows until an access
// has 16 columns of a row.
//
//===----------------------------------------------------------------------===//

#include "FmaThreadMap.h"
#include "LaneExchange.h"
#include "StoreEpilogue.h"
#include "ThreadWords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nm;

/// Of the widest access of a lane.
static constexpr int64_t kAccessBytes = 16;
/// Of a row that an access of a warp should have at least: two sectors of f32,
/// which are better than one (docs/performance.md), or one of f16.
static constexpr int64_t kRowColumns = 16;

namespace {
/// Stores a thread's sums.
class FmaSumStore {
public:
  FmaSumStore(TileStoreOp op, const FmaThreadMap &map, ValueRange acc)
      : map(map), acc(acc), epilogue(op), b(epilogue.builder()),
        lanes(b, map.lane) {}

  void run() {
    for (int64_t c = 0; c < countColumns(); ++c)
      columns.push_back(epilogue.loadColumn(getColumn(map.n0, c)));
    if (epilogue.isFeatureMajor())
      storeColumns();
    else
      storeRows();
  }

private:
  int64_t countColumns() const { return map.groupsN * map.vecN; }
  /// The `c`-th column of a lane whose first one is `n0`.
  Value getColumn(Value n0, int64_t c) {
    return addIndex(b, n0, c / map.vecN * map.strideN + c % map.vecN);
  }

  /// The thread's element in row `i` and column `c`, finished.
  Value finish(int64_t i, int64_t c) {
    Value sum = vector::ExtractOp::create(
        b, acc[i * map.groupsN + c / map.vecN], c % map.vecN);
    return epilogue.finish(moveFromLoop(b, sum), columns[c]);
  }

  void storeColumns() {
    for (int64_t c = 0; c < countColumns(); ++c)
      for (int64_t i = 0; i < map.tm; i += map.vecM) {
        SmallVector<Value> values;
        for (int64_t r = 0; r < map.vecM; ++r)
          values.push_back(finish(i + r, c));
        epilogue.store(values, map.row(b, i), getColumn(map.n0, c));
      }
  }

  void storeRows() {
    int64_t width = chooseWidth();
    for (int64_t i = 0; i < map.tm; ++i) {
      SmallVector<Value> values;
      for (int64_t c = 0; c < countColumns(); ++c)
        values.push_back(finish(i, c));
      if (i == 0)
        planSwaps(width, values.front().getType());
      for (const LaneSwap &swap : swaps)
        lanes.exchange(values, swap);
      storeRow(values, width, map.row(b, i));
    }
  }

  /// Neighbours that a lane stores at once: a group, or several groups where no
  /// other lane's are between them.
  int64_t chooseWidth() {
    int64_t width = map.vecN;
    auto canDouble = [&] {
      return 2 * width * epilogue.getElementBits() <= 8 * kAccessBytes &&
             countColumns() % (2 * width) == 0 &&
             epilogue.isOneAccess(2 * width);
    };
    while (map.strideN == map.vecN && canDouble())
      width *= 2;
    return width;
  }

  /// Plans the exchanges of groups of `width` columns, of values of `type`.
  void planSwaps(int64_t width, Type type) {
    int64_t lanesM = map.kind.getLanes()[0], lanesN = map.kind.getLanes()[1];
    int64_t neighbours = lanesN * width;
    // Others than those of 32 bits would be several shuffles.
    if (type.getIntOrFloatBitWidth() != 32 || !epilogue.isOneAccess(width))
      return;
    for (int64_t digit = 1;
         neighbours < kRowColumns && lanesM % (2 * digit) == 0 &&
         countColumns() % (2 * digit * width) == 0;
         digit *= 2, neighbours *= 2)
      swaps.push_back({digit * lanesN, digit * width, /*m=*/0,
                       digit * width / map.vecN * map.strideN});
  }

  /// Rows that a digit of the lane's number is worth without exchanges.
  int64_t getRows(const LaneSwap &swap) const {
    auto lanesMN = map.kind.getLanes();
    return swap.lane / lanesMN[1] * (map.strideM / lanesMN[0]);
  }

  /// Stores what the exchanges have left of `values`, the lane's of row `m`,
  /// `width` neighbours at a time.
  void storeRow(ArrayRef<Value> values, int64_t width, Value m) {
    Value n = map.n0;
    for (const LaneSwap &swap : swaps) {
      Value digit = lanes.getDigit(swap.lane);
      m = arith::SubIOp::create(b, m, mulIndex(b, digit, getRows(swap)));
      n = addIndex(b, n, mulIndex(b, digit, swap.n));
    }
    for (int64_t c = 0; c < countColumns(); c += width) {
      int64_t row = 0, column = c;
      for (const LaneSwap &swap : swaps)
        if (hasPlaceDigit(c, swap.place)) {
          row += getRows(swap);
          column -= swap.place;
        }
      epilogue.store(values.slice(c, width), addIndex(b, m, row),
                     getColumn(n, column));
    }
  }

  const FmaThreadMap &map;
  ValueRange acc;
  StoreEpilogue epilogue;
  ImplicitLocOpBuilder &b;
  LaneExchange lanes;
  SmallVector<StoreEpilogue::Column> columns; // the lane's
  SmallVector<LaneSwap> swaps;
};
} // namespace

void nm::lowerFmaStore(TileStoreOp op, const FmaThreadMap &map,
                       ValueRange acc) {
  FmaSumStore(op, map, acc).run();
}
