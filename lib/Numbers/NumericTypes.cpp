//===- NumericTypes.cpp - The table of types of numbers -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Numbers/NumericTypes.h"
#include "nm/Numbers/Float16.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

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

static constexpr std::nullopt_t none = std::nullopt;

static constexpr std::array<NumericType, kNumericTypes> kRows = {{
#define NM_NUMERIC_TYPE(id, mlirType, name, kind, bits, bytes, precision, npy, \
                        dtype, safetensors, dlpack, tolerance, accumulator,    \
                        isResult, part, read, write)                           \
  {ElementType::id,                                                            \
   name,                                                                       \
   NumberKind::kind,                                                           \
   bits,                                                                       \
   bytes,                                                                      \
   precision,                                                                  \
   npy,                                                                        \
   dtype,                                                                      \
   safetensors,                                                                \
   dlpack,                                                                     \
   tolerance,                                                                  \
   accumulator,                                                                \
   isResult,                                                                   \
   part,                                                                       \
   read,                                                                       \
   write},
#include "nm/Numbers/NumericTypes.def"
}};

const std::array<NumericType, kNumericTypes> &nm::getNumericTypes() {
  return kRows;
}

double NumericType::unitRoundoff() const {
  return isFloat() ? std::ldexp(1.0, -static_cast<int>(precision)) : 0;
}

const NumericType &nm::getNumericType(ElementType type) {
  return kRows[static_cast<size_t>(type)];
}

const NumericType *nm::lookupNpyType(std::string_view descr,
                                     std::optional<ElementType> opaque) {
  std::string name(descr);
  // The byte order of opaque bytes means nothing, and both are written.
  if (name.substr(0, 2) == "|V")
    name[0] = '<';
  if (opaque && getNumericType(*opaque).npy == name)
    return &getNumericType(*opaque);
  for (const NumericType &row : kRows)
    if (row.npy == name)
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
  for (const NumericType &row : kRows)
    if (row.accumulator == type)
      return true;
  return false;
}

bool nm::isProductResult(ElementType accumulator, ElementType result) {
  const NumericType &type = getNumericType(result);
  return result == accumulator ||
         (type.isResult && type.accumulator == accumulator);
}

std::string nm::joinWithOr(const std::vector<std::string> &words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i != 0)
      text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

/// The names of the rows for which `isListed(row)` holds.
template <typename Predicate> static std::string listTypes(Predicate isListed) {
  std::vector<std::string> names;
  for (const NumericType &row : kRows)
    if (isListed(row))
      names.emplace_back(row.name);
  return joinWithOr(names);
}

std::string nm::listOperandTypes() {
  return listTypes(
      [](const NumericType &row) { return bool(row.accumulator); });
}

std::string nm::listProductResults(ElementType accumulator) {
  return listTypes([=](const NumericType &row) {
    return isProductResult(accumulator, row.id);
  });
}

std::string nm::listNpyTypes() {
  std::vector<std::string> names;
  for (const NumericType &row : kRows) {
    names.emplace_back(row.npy.substr(1));
    if (row.isOpaque())
      names.back() += " (" + std::string(row.name) + ")";
  }
  return joinWithOr(names);
}

std::string nm::listTolerances() {
  // Floats of one tolerance together, in the order of the table.
  std::vector<std::pair<double, std::string>> groups;
  for (const NumericType &row : kRows) {
    if (!row.isFloat())
      continue;
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto &other) {
          return other.first == row.tolerance;
        });
    if (group == groups.end())
      groups.emplace_back(row.tolerance, row.name);
    else
      group->second += " and " + std::string(row.name);
  }
  std::string text;
  for (const auto &[tolerance, names] : groups) {
    char number[32];
    std::snprintf(number, sizeof(number), "%g", tolerance);
    text += number + (" for " + names) + ", ";
  }
  return text + "0 for integers";
}
