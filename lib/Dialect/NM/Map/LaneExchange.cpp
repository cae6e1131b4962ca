//===- LaneExchange.cpp - Values of a warp change lanes -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneExchange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"

using namespace mlir;
using namespace nm;

Value LaneExchange::getDigit(int64_t worth) {
  return remIndex(b, divIndex(b, lane, worth), 2);
}

Value LaneExchange::hasDigit(int64_t worth) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, getDigit(worth),
                               indexConstant(b, 0));
}

Value LaneExchange::shuffle(Value value, int64_t worth) {
  return gpu::ShuffleOp::create(b, value, worth, /*width=*/32,
                                gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

void LaneExchange::exchange(MutableArrayRef<Value> values,
                            const LaneSwap &swap) {
  // With the digit a lane keeps and gets the values with the place's digit,
  // without it those without.
  Value has = hasDigit(swap.lane);
  auto choose = [&](Value with, Value without) -> Value {
    return arith::SelectOp::create(b, has, with, without);
  };
  for (int64_t place = 0, size = values.size(); place < size; ++place) {
    if (hasPlaceDigit(place, swap.place) || !values[place])
      continue;
    Value &without = values[place], &with = values[place + swap.place];
    Value other = shuffle(choose(without, with), swap.lane);
    without = choose(other, without);
    with = choose(with, other);
  }
}
