//===- Random.h - The numbers that decide a function ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_FOLDS_RANDOM_H
#define NM_FUZZ_FOLDS_RANDOM_H

#include "Datum.h"

#include <random>

namespace nm {
namespace folds {

/// The same numbers for the same seed on every machine: the distributions of
/// the standard library are not used, as they differ.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  uint64_t next() { return engine(); }
  /// A number below `count`.
  size_t below(size_t count) { return engine() % count; }
  bool chance(unsigned percent) { return below(100) < percent; }

  template <typename Range> auto pick(const Range &range) {
    return *(std::begin(range) + below(std::size(range)));
  }

  /// The bits of a number of this type, most often at a boundary.
  llvm::APInt number(mlir::Type type);

  /// Arguments for a function. Dynamic extents are mostly the same, and so are
  /// many of the small indices: else slices would hardly ever fit.
  llvm::SmallVector<Datum> arguments(mlir::TypeRange types);

private:
  llvm::APInt integer(unsigned width);
  llvm::APInt floatingPoint(mlir::FloatType type);

  std::mt19937_64 engine;
};

} // namespace folds
} // namespace nm

#endif // NM_FUZZ_FOLDS_RANDOM_H
