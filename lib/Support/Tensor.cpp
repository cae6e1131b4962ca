//===- Tensor.cpp - An array in host memory -------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/Tensor.h"

#include "nm/Support/Float16.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace nm;

int64_t nm::sizeOf(ElementType type) {
  switch (type) {
  case ElementType::I8:
  case ElementType::U8:
  case ElementType::Bool:
    return 1;
  case ElementType::F16:
  case ElementType::BF16:
  case ElementType::I16:
    return 2;
  case ElementType::F32:
  case ElementType::I32:
    return 4;
  case ElementType::F64:
  case ElementType::I64:
    return 8;
  }
  return 1;
}

bool nm::isFloat(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16 ||
         type == ElementType::F32 || type == ElementType::F64;
}

const char *nm::toString(ElementType type) {
  static const char *const names[] = {"f16", "bf16", "f32", "f64", "i8",
                                      "i16", "i32",  "i64", "u8",  "bool"};
  return names[static_cast<int>(type)];
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

template <typename T> static T load(const uint8_t *place) {
  T value;
  std::memcpy(&value, place, sizeof(T));
  return value;
}

template <typename T> static void store(uint8_t *place, T value) {
  std::memcpy(place, &value, sizeof(T));
}

double Tensor::at(int64_t index) const {
  const uint8_t *place = data.data() + index * sizeOf(type);
  switch (type) {
  case ElementType::F16:
    return halfToFloat(load<uint16_t>(place));
  case ElementType::BF16:
    return bfloat16ToFloat(load<uint16_t>(place));
  case ElementType::F32:
    return load<float>(place);
  case ElementType::F64:
    return load<double>(place);
  case ElementType::I8:
    return load<int8_t>(place);
  case ElementType::I16:
    return load<int16_t>(place);
  case ElementType::I32:
    return load<int32_t>(place);
  case ElementType::I64:
    return static_cast<double>(load<int64_t>(place));
  case ElementType::U8:
  case ElementType::Bool:
    return load<uint8_t>(place);
  }
  return 0;
}

void Tensor::set(int64_t index, double value) {
  uint8_t *place = data.data() + index * sizeOf(type);
  switch (type) {
  case ElementType::F16:
    return store(place, doubleToHalf(value));
  case ElementType::BF16:
    return store(place, doubleToBFloat16(value));
  case ElementType::F32:
    return store(place, static_cast<float>(value));
  case ElementType::F64:
    return store(place, value);
  case ElementType::I8:
    return store(place, static_cast<int8_t>(value));
  case ElementType::I16:
    return store(place, static_cast<int16_t>(value));
  case ElementType::I32:
    return store(place, static_cast<int32_t>(value));
  case ElementType::I64:
    return store(place, static_cast<int64_t>(value));
  case ElementType::U8:
    return store(place, static_cast<uint8_t>(value));
  case ElementType::Bool:
    return store(place, static_cast<uint8_t>(value != 0));
  }
}

Tensor nm::makeTensor(ElementType type, std::vector<int64_t> shape) {
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
  if (!isFloat(tensor.type) || !isFloat(type)) {
    error = std::string("expected elements of type ") + toString(type) +
            ", got " + toString(tensor.type);
    return std::nullopt;
  }
  if (!countElements(tensor.shape, sizeOf(type))) {
    error = "expected a size that fits 64 bits, got " +
            toString(tensor.shape, type);
    return std::nullopt;
  }
  Tensor result = makeTensor(type, tensor.shape);
  for (int64_t i = 0, e = result.size(); i < e; ++i)
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
  for (int64_t i = 0, e = tensor.size(); i < e; ++i) {
    uint64_t bits = nextRandom(state);
    // 24 bits are exact in f32.
    double uniform = static_cast<double>(bits >> 40) * 0x1p-23 - 1;
    tensor.set(i, isFloat(tensor.type) ? uniform
                                       : static_cast<double>(bits >> 63));
  }
}

ErrorNorms nm::compare(const Tensor &actual, const Tensor &expected) {
  ErrorNorms norms;
  double differences = 0, squares = 0;
  for (int64_t i = 0, e = expected.size(); i < e; ++i) {
    double a = actual.at(i), b = expected.at(i);
    if (a == b && std::isinf(a))
      continue;
    double difference = std::abs(a - b);
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
