//===- Datum.h - What an interpreted value is -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_FOLDS_DATUM_H
#define NM_FUZZ_FOLDS_DATUM_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace nm {
namespace folds {

using Extents = llvm::SmallVector<int64_t, 4>;

/// One number: the bits of an integer, an index or a float.
struct Scalar {
  llvm::APInt bits;
  /// Of poison, and of a tensor's element that nobody wrote, the bits say
  /// nothing.
  bool isPoison = false;

  static Scalar poison(unsigned width) { return {llvm::APInt(width, 0), true}; }
};

/// A number (without extents, with one element) or a tensor in row-major order.
struct Datum {
  Extents extents;
  llvm::SmallVector<Scalar, 1> elements;

  Datum() = default;
  explicit Datum(Scalar scalar) { elements.push_back(std::move(scalar)); }

  const Scalar &scalar() const { return elements.front(); }
};

int64_t countElements(llvm::ArrayRef<int64_t> extents);

/// The place of an element in row-major order.
int64_t linearize(llvm::ArrayRef<int64_t> position,
                  llvm::ArrayRef<int64_t> extents);

/// The next position in row-major order; false after the last.
bool advance(llvm::MutableArrayRef<int64_t> position,
             llvm::ArrayRef<int64_t> extents);

/// The width of a number of this type; index has 64 bits.
unsigned getWidth(mlir::Type type);

/// Whether what a changed function gave may stand for what the function gave:
/// the same extents and the same bits, where those are not poison. All NaNs are
/// equal.
bool isRefinement(const Datum &expected, const Datum &got, mlir::Type type);

/// As text, for reports.
std::string toString(const Datum &datum, mlir::Type type);

} // namespace folds
} // namespace nm

#endif // NM_FUZZ_FOLDS_DATUM_H
