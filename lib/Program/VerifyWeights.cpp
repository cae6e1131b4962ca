//===- VerifyWeights.cpp - Arguments that are arrays of weights -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTables.h"
#include "nm/Numbers/Tensor.h"

using namespace nm;
using namespace nm::program;

/// The type of the indices in the condensed form, or packed of `bytes` bytes.
/// Positions have no sign.
static ElementType getIndexType(int64_t bytes) {
  switch (bytes) {
  case 1:
    return ElementType::U8;
  case 2:
    return ElementType::I16;
  case 4:
    return ElementType::I32;
  default:
    return ElementType::I64;
  }
}

/// The types of the arrays of `weight` in `layout`; false where there is no
/// such layout, with the reason in `error`.
static bool getArrayTypes(const WeightArgument &weight,
                          const layout::WeightLayout &layout, ValueType &values,
                          ValueType &indices, std::string &error) {
  const layout::Weight &of = weight.weight;
  auto shape = sparsity::getShape(of.k, of.n, of.pattern, error);
  if (!shape || !check(of, layout, error))
    return false;
  values.element = weight.element;
  if (!layout.isPacked()) {
    values.shape = {shape->valueRows, of.n};
    indices.shape = {shape->indexRows, shape->unitColumns};
    indices.element =
        getIndexType(sparsity::getPositionBytes(shape->windowUnits));
    return true;
  }
  auto geometry = layout::Geometry::get(of, layout.packing, error);
  values.shape = geometry->getValuesShape();
  indices.shape = geometry->getIndicesShape();
  indices.element = getIndexType(geometry->getIndexBytes());
  return true;
}

static bool verifyArrays(const Entry &entry, const WeightArgument &weight,
                         const WeightArrays &arrays, std::string &error) {
  ValueType types[2];
  if (!getArrayTypes(weight, arrays.layout, types[0], types[1], error))
    return false;
  uint32_t arguments[] = {arrays.values, arrays.indices};
  for (int i = 0; i < 2; ++i)
    if (arguments[i] >= entry.arguments.size() ||
        entry.arguments[arguments[i]] != types[i]) {
      error = "expected argument #" + std::to_string(arguments[i]) +
              " to be an array of a weight, " + types[i].str();
      return false;
    }
  return true;
}

bool nm::program::verifyWeights(const Entry &entry, std::string &error) {
  for (const WeightArgument &weight : entry.weights) {
    if (isComplex(weight.element) || sizeOf(weight.element) > 8) {
      error = "expected a weight of numbers of at most 8 bytes";
      return false;
    }
    for (const WeightArrays &arrays : weight.layouts)
      if (!verifyArrays(entry, weight, arrays, error))
        return false;
  }
  return true;
}
