//===- LaneExchange.h - Values of a warp change lanes -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row and column of a warp's value are binary digits. Five of them number its
// lane, the others its place among the lane's values. An exchange swaps one of
// those for one of these: of two lanes that differ in the one digit, each gives
// away the values whose other digit is not its own. So a store can give each
// access of a warp neighbours in memory.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_LANEEXCHANGE_H
#define NM_LIB_DIALECT_NM_MAP_LANEEXCHANGE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// A swap of a digit of the lane for one of the place.
struct LaneSwap {
  int64_t lane, place; // what the digits are worth there, powers of two
  int64_t m, n;        // rows and columns that the lane's digit is worth then
};

/// Whether `place` has the digit that is worth `worth`.
inline bool hasPlaceDigit(int64_t place, int64_t worth) {
  return place / worth % 2 != 0;
}

/// The values of one lane of a warp, all of whose lanes have to be there.
class LaneExchange {
public:
  LaneExchange(mlir::ImplicitLocOpBuilder &b, mlir::Value lane)
      : b(b), lane(lane) {}

  /// Whether this lane's number has the digit that is worth `worth`.
  mlir::Value hasDigit(int64_t worth);
  /// That digit of the lane's number, 0 or 1.
  mlir::Value getDigit(int64_t worth);

  /// `value` of the lane that differs in the digit.
  mlir::Value shuffle(mlir::Value value, int64_t worth);

  /// Swaps the digits for `values`, of 32 bits each. Their number is a multiple
  /// of twice what the place's digit is worth; those that are null, both of a
  /// pair, stay.
  void exchange(llvm::MutableArrayRef<mlir::Value> values,
                const LaneSwap &swap);

private:
  mlir::ImplicitLocOpBuilder &b;
  mlir::Value lane;
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_LANEEXCHANGE_H
