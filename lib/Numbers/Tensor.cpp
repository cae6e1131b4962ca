//===- Tensor.cpp - An array in host memory -------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Numbers/Tensor.h"
#include "nm/Base/Assert.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace nm;

int64_t nm::sizeOf(ElementType type) { return getNumericType(type).bytes; }

bool nm::isFloat(ElementType type) { return getNumericType(type).isFloat(); }

bool nm::isComplex(ElementType type) {
  return getNumericType(type).isComplex();
}

std::string nm::toString(ElementType type) {
  return std::string(getNumericType(type).name);
}

std::string nm::toString(const std::vector<int64_t> &shape, ElementType type) {
  std::string text;
  for (int64_t extent : shape)
    text += (extent < 0 ? "?" : std::to_string(extent)) + "x";
  return text + toString(type);
}

std::optional<int64_t> nm::countElements(const std::vector<int64_t> &shape,
                                         int64_t elementBytes) {
  // Zero extents must not hide an overflow of the others: strides use them.
  int64_t count = elementBytes;
  bool isEmpty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return std::nullopt;
    isEmpty |= extent == 0;
    if (__builtin_mul_overflow(count, std::max<int64_t>(extent, 1), &count))
      return std::nullopt;
  }
  return isEmpty ? 0 : count;
}

/// The row of what `at` and `set` read and write.
static const NumericType &getPart(ElementType type) {
  return getNumericType(getNumericType(type).part.value_or(type));
}

double Tensor::at(int64_t index) const {
  NM_ASSERT(index >= 0 && index < countParts(),
            "expected an element of the array");
  const NumericType &row = getPart(type);
  return row.read(data.data() + index * row.bytes);
}

int64_t Tensor::integerAt(int64_t index) const {
  NM_ASSERT(index >= 0 && index < size(), "expected an element of the array");
  const NumericType &row = getNumericType(type);
  uint64_t bits = 0;
  std::memcpy(&bits, data.data() + index * row.bytes, row.bytes);
  unsigned unused = 64 - 8 * row.bytes;
  if (row.kind == NumberKind::Unsigned)
    return static_cast<int64_t>(bits);
  return static_cast<int64_t>(bits << unused) >> unused;
}

void Tensor::set(int64_t index, double value) {
  NM_ASSERT(index >= 0 && index < countParts(),
            "expected an element of the array");
  const NumericType &row = getPart(type);
  row.write(data.data() + index * row.bytes, value);
}

Tensor nm::makeTensor(ElementType type, std::vector<int64_t> shape) {
  NM_ASSERT(countElements(shape, sizeOf(type)), "expected a countable shape");
  Tensor tensor;
  tensor.type = type;
  tensor.data.resize(countElements(shape, sizeOf(type)).value_or(0));
  tensor.shape = std::move(shape);
  return tensor;
}

std::optional<Tensor> nm::convert(const Tensor &tensor, ElementType type,
                                  std::string &error) {
  if (tensor.type == type)
    return tensor;
  if (tensor.type == ElementType::U8 && type == ElementType::I8) {
    Tensor result = tensor;
    result.type = type;
    return result;
  }
  if (!(isFloat(tensor.type) && isFloat(type)) &&
      !(isComplex(tensor.type) && isComplex(type))) {
    error = "expected elements of type " + toString(type) + ", got " +
            toString(tensor.type);
    return std::nullopt;
  }
  if (!countElements(tensor.shape, sizeOf(type))) {
    error = "expected a size that fits 64 bits, got " +
            toString(tensor.shape, type);
    return std::nullopt;
  }
  Tensor result = makeTensor(type, tensor.shape);
  for (int64_t i = 0, e = result.countParts(); i < e; ++i)
    result.set(i, tensor.at(i));
  return result;
}

/// The next number of the splitmix64 sequence, which needs no warm-up and,
/// other than the standard library's distributions, is the same everywhere.
static uint64_t nextRandom(uint64_t &state) {
  uint64_t mixed = state += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

void nm::fillRandom(Tensor &tensor, uint64_t seed) {
  uint64_t state = seed;
  bool isReal = isFloat(getPart(tensor.type).id);
  for (int64_t i = 0, e = tensor.countParts(); i < e; ++i) {
    uint64_t bits = nextRandom(state);
    // 24 bits are exact in f32.
    double uniform = static_cast<double>(bits >> 40) * 0x1p-23 - 1;
    tensor.set(i, isReal ? uniform : static_cast<double>(bits >> 63));
  }
}

/// |a - b|, which may need 64 bits without a sign.
static double distance(int64_t a, int64_t b) {
  uint64_t difference = static_cast<uint64_t>(a) - static_cast<uint64_t>(b);
  return static_cast<double>(a < b ? 0 - difference : difference);
}

ErrorNorms nm::compare(const Tensor &actual, const Tensor &expected) {
  ErrorNorms norms;
  double differences = 0, squares = 0;
  bool areIntegers =
      !isFloat(getPart(actual.type).id) && !isFloat(getPart(expected.type).id);
  for (int64_t i = 0, e = expected.countParts(); i < e; ++i) {
    double a = actual.at(i), b = expected.at(i);
    if ((a == b && std::isinf(a)) || (std::isnan(a) && std::isnan(b)))
      continue;
    double difference =
        areIntegers ? distance(actual.integerAt(i), expected.integerAt(i))
                    : std::abs(a - b);
    if (!std::isfinite(difference)) {
      ++norms.invalid;
      continue;
    }
    norms.maxAbsolute = std::max(norms.maxAbsolute, difference);
    differences += difference * difference;
    squares += b * b;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  if (norms.invalid != 0)
    norms.relativeFrobenius = norms.maxAbsolute = infinity;
  else if (differences != 0)
    norms.relativeFrobenius =
        squares == 0 ? infinity : std::sqrt(differences / squares);
  return norms;
}
