//===- Tensor.h - An array in host memory -----------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs and outputs of programs as the tools read, make up, convert and
// compare them.
//
//===----------------------------------------------------------------------===//

#ifndef NM_NUMBERS_TENSOR_H
#define NM_NUMBERS_TENSOR_H

#include "nm/Numbers/NumericTypes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nm {

/// Bytes of an element; a Bool takes one.
int64_t sizeOf(ElementType type);
bool isFloat(ElementType type);
bool isComplex(ElementType type);
/// "f16", "bf16", "i64", "u8", "bool", ...
std::string toString(ElementType type);

/// "2x3xf32".
std::string toString(const std::vector<int64_t> &shape, ElementType type);

/// Number of elements, or of bytes when `elementBytes` is given; nothing when
/// an extent is negative or the product does not fit int64_t.
std::optional<int64_t> countElements(const std::vector<int64_t> &shape,
                                     int64_t elementBytes = 1);

/// A row-major array.
struct Tensor {
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  /// Little-endian elements, without gaps.
  std::vector<uint8_t> data;

  int64_t size() const {
    return static_cast<int64_t>(data.size()) / sizeOf(type);
  }
  /// How many real numbers the elements are: a complex one is two.
  int64_t countParts() const { return size() * (isComplex(type) ? 2 : 1); }
  /// Element at a flat index, and of complex elements a part: the real ones are
  /// at even indices. i64 values above 2^53 are rounded.
  double at(int64_t index) const;
  /// Element of an integer type at a flat index.
  int64_t integerAt(int64_t index) const;
  /// As `at`. Rounds to nearest even for floats; `value` must be in range for
  /// integers.
  void set(int64_t index, double value);
};

/// Zeros. `shape` must be countable.
Tensor makeTensor(ElementType type, std::vector<int64_t> shape);

/// The same values as another floating-point or complex type, rounded to
/// nearest even; a copy when the type is the same already; or the same bits of
/// u8 as i8, which MLIR does not tell apart (`nm.unsigned` is u8). Other
/// conversions fail.
std::optional<Tensor> convert(const Tensor &tensor, ElementType type,
                              std::string &error);

/// Fills with numbers that depend on `seed` only: floats uniform in [-1, 1),
/// integers 0 or 1 (safe as indices).
void fillRandom(Tensor &tensor, uint64_t seed);

/// How far two arrays of one shape are from each other.
struct ErrorNorms {
  /// |actual - expected| / |expected| in the Frobenius norm; infinite when a
  /// place is NaN or infinite in only one.
  double relativeFrobenius = 0;
  /// Largest absolute difference; infinite as above.
  double maxAbsolute = 0;
  /// Places that are NaN or infinite in only one.
  int64_t invalid = 0;
};

/// Compares element by element; the sizes must be equal. Integers are compared
/// as such: those that differ never count as equal.
ErrorNorms compare(const Tensor &actual, const Tensor &expected);

} // namespace nm

#endif // NM_NUMBERS_TENSOR_H
