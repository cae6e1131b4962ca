//===- NumericTypes.cpp - The table of types of numbers -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Target/NumericTypes.h"
#include "nm/Support/Float16.h"

#include <cmath>
#include <cstring>
#include <iterator>

using namespace nm;

template <typename T> static T load(const void *place) {
  T value;
  std::memcpy(&value, place, sizeof(T));
  return value;
}

template <typename T> static double read(const void *place) {
  return static_cast<double>(load<T>(place));
}

template <typename T> static void write(void *place, double value) {
  T rounded = static_cast<T>(value);
  std::memcpy(place, &rounded, sizeof(T));
}

static double readHalf(const void *place) {
  return halfToFloat(load<uint16_t>(place));
}

static double readBFloat16(const void *place) {
  return bfloat16ToFloat(load<uint16_t>(place));
}

static void writeHalf(void *place, double value) {
  uint16_t bits = doubleToHalf(value);
  std::memcpy(place, &bits, sizeof(bits));
}

static void writeBFloat16(void *place, double value) {
  uint16_t bits = doubleToBFloat16(value);
  std::memcpy(place, &bits, sizeof(bits));
}

static void writeBool(void *place, double value) {
  write<uint8_t>(place, value != 0);
}

// The columns of the table. NOLINTBEGIN(readability-identifier-naming)
static constexpr NumberKind Float = NumberKind::Float,
                            Signed = NumberKind::Signed,
                            Unsigned = NumberKind::Unsigned,
                            Complex = NumberKind::Complex;
// NOLINTEND(readability-identifier-naming)
static constexpr std::nullopt_t none = std::nullopt;

// clang-format off
static constexpr NumericType kTypes[] = {
    // id               name            kind      bits bytes precision npy    tolerance accumulator       part              read            write
    {ElementType::F16,  "f16",          Float,    16,  2,    11,       "<f2", 3e-3,     ElementType::F32, none,             readHalf,       writeHalf},
    {ElementType::BF16, "bf16",         Float,    16,  2,    8,        "<V2", 2e-2,     ElementType::F32, none,             readBFloat16,   writeBFloat16},
    {ElementType::F32,  "f32",          Float,    32,  4,    24,       "<f4", 1e-5,     ElementType::F32, none,             read<float>,    write<float>},
    {ElementType::F64,  "f64",          Float,    64,  8,    53,       "<f8", 1e-5,     ElementType::F64, none,             read<double>,   write<double>},
    {ElementType::I8,   "i8",           Signed,   8,   1,    0,        "|i1", 0,        ElementType::I32, none,             read<int8_t>,   write<int8_t>},
    {ElementType::I16,  "i16",          Signed,   16,  2,    0,        "<i2", 0,        none,             none,             read<int16_t>,  write<int16_t>},
    {ElementType::I32,  "i32",          Signed,   32,  4,    0,        "<i4", 0,        none,             none,             read<int32_t>,  write<int32_t>},
    {ElementType::I64,  "i64",          Signed,   64,  8,    0,        "<i8", 0,        none,             none,             read<int64_t>,  write<int64_t>},
    {ElementType::U8,   "u8",           Unsigned, 8,   1,    0,        "|u1", 0,        none,             none,             read<uint8_t>,  write<uint8_t>},
    {ElementType::Bool, "bool",         Signed,   1,   1,    0,        "|b1", 0,        none,             none,             read<uint8_t>,  writeBool},
    {ElementType::C64,  "complex<f32>", Complex,  64,  8,    24,       "<c8", 1e-5,     none,             ElementType::F32, nullptr,        nullptr},
    {ElementType::C128, "complex<f64>", Complex,  128, 16,   53,       "<c16", 1e-5,    none,             ElementType::F64, nullptr,        nullptr},
};
// clang-format on

static constexpr bool isInOrder() {
  for (size_t i = 0; i < std::size(kTypes); ++i)
    if (kTypes[i].id != static_cast<ElementType>(i))
      return false;
  return std::size(kTypes) == static_cast<size_t>(kElementTypes);
}
static_assert(isInOrder(), "the rows follow the enumeration");

double NumericType::unitRoundoff() const {
  return isFloat() ? std::ldexp(1.0, -static_cast<int>(precision)) : 0;
}

const NumericType &nm::getNumericType(ElementType type) {
  return kTypes[static_cast<size_t>(type)];
}

const NumericType *nm::lookupNpyType(std::string_view descr) {
  // The byte order of opaque bytes means nothing, and both are written.
  if (descr == "|V2")
    descr = "<V2";
  for (const NumericType &row : kTypes)
    if (row.npy == descr)
      return &row;
  return nullptr;
}

std::optional<ElementType> nm::getAccumulator(ElementType a,
                                              ElementType weight) {
  const NumericType &typeA = getNumericType(a);
  const NumericType &typeWeight = getNumericType(weight);
  if (!typeWeight.accumulator || (typeWeight.isFloat() && !typeA.isFloat()))
    return std::nullopt;
  // Sums that are narrower than the weight would round it.
  if (typeWeight.isFloat() && typeA.accumulator &&
      getNumericType(*typeA.accumulator).precision < typeWeight.precision)
    return std::nullopt;
  return typeA.accumulator;
}

bool nm::isAccumulator(ElementType type) {
  for (const NumericType &row : kTypes)
    if (row.accumulator == type)
      return true;
  return false;
}

std::string nm::listOperandTypes() {
  std::string text, last;
  for (const NumericType &row : kTypes) {
    if (!row.accumulator)
      continue;
    if (!last.empty())
      text += (text.empty() ? "" : ", ") + last;
    last = row.name;
  }
  return text + " or " + last;
}

bool nm::isProductResult(ElementType accumulator, ElementType result) {
  const NumericType &type = getNumericType(result);
  return result == accumulator ||
         (type.isFloat() && type.accumulator == accumulator);
}
