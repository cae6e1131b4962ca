//===- CaseData.cpp - The numbers of a case -------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands that a seed decides, and the same as arguments of the module.
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

using namespace nm;
using namespace nm::numeric;
using reference::Layout;

namespace {
/// Seeded numbers that the element types of a case can hold.
class Numbers {
public:
  explicit Numbers(uint64_t seed) : rng(seed) {}

  /// A number that is never zero: of magnitude 0.5 to 1.5, or any i8, or a
  /// small i32 that keeps products with sums within 32 bits.
  double next(ElementType type) {
    const NumericType &row = getNumericType(type);
    if (row.isFloat()) {
      double value = std::uniform_real_distribution<double>(0.5, 1.5)(rng);
      alignas(8) char place[8];
      row.write(place, rng() & 1 ? value : -value);
      return row.read(place);
    }
    double value = 0;
    while (value == 0)
      value = double(rng() % 256) - 128;
    return value;
  }

  std::vector<double> next(int64_t count, ElementType type) {
    std::vector<double> values(count);
    for (double &value : values)
      value = next(type);
    return values;
  }

  /// `count` of the numbers from `first` below `last`, in no order.
  std::vector<int64_t> choose(int64_t first, int64_t last, int64_t count) {
    std::vector<int64_t> all(last - first);
    std::iota(all.begin(), all.end(), first);
    std::shuffle(all.begin(), all.end(), rng);
    all.resize(std::min<size_t>(all.size(), count));
    return all;
  }

private:
  std::mt19937_64 rng;
};
} // namespace

/// A dense weight with N non-zero units in each window of each unit column.
static std::vector<double> makeDense(const KernelCase &c, Numbers &numbers) {
  std::vector<double> dense(c.k * c.n, 0.0);
  const sparsity::Pattern &p = c.pattern;
  int64_t units = (c.k + p.unitK - 1) / p.unitK, window = c.windowUnits();
  for (int64_t first = 0; first < units; first += window)
    for (int64_t column = 0; column < c.n; column += p.unitN)
      for (int64_t unit :
           numbers.choose(first, std::min(units, first + window), p.keep))
        for (int64_t i = unit * p.unitK;
             i < std::min(c.k, (unit + 1) * p.unitK); ++i)
          for (int64_t j = column; j < std::min(c.n, column + p.unitN); ++j)
            dense[i * c.n + j] = numbers.next(c.types.weight);
  return dense;
}

/// Makes A's elements NaN where no column keeps them.
static void poisonPruned(const KernelCase &c, CaseData &data) {
  std::vector<bool> kept(c.k, false);
  int64_t rows = static_cast<int64_t>(data.weight.values.size()) / c.n;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t j = 0; j < c.n; ++j)
      if (int64_t i = data.weight.denseRow(row, j); i < c.k)
        kept[i] = true;
  for (int64_t i = 0; i < c.k; ++i)
    for (int64_t row = 0; row < c.m && !kept[i]; ++row)
      data.a[c.layoutA == Layout::TokenMajor ? row * c.k + i : i * c.m + row] =
          std::numeric_limits<double>::quiet_NaN();
}

CaseData nm::numeric::makeData(const KernelCase &c) {
  CaseData data;
  Numbers numbers(c.seed);
  std::vector<double> dense = makeDense(c, numbers);
  std::string error;
  // The dense weight is made to fit, so this cannot fail.
  data.weight = *sparsity::condense(dense.data(), c.k, c.n, c.pattern, error);
  data.a = numbers.next(c.m * c.k, c.types.a);
  if (c.hasScale)
    data.scale = numbers.next(c.n, c.types.c);
  // Sums of products of i8 are brought to where activations bend.
  for (double &scale : data.scale)
    scale *= getNumericType(c.types.weight).isFloat() ? 1 : 0x1p-12;
  if (c.hasBias)
    data.bias = numbers.next(c.n, c.types.c);
  if (c.hasResidual)
    data.residual = numbers.next(c.m * c.n, c.types.c);
  if (getNumericType(c.types.a).isFloat())
    poisonPruned(c, data);
  return data;
}

std::string nm::numeric::toBytes(const std::vector<double> &values,
                                 ElementType type) {
  const NumericType &row = getNumericType(type);
  std::string bytes(values.size() * row.bytes, '\0');
  for (size_t i = 0; i < values.size(); ++i)
    row.write(bytes.data() + i * row.bytes, values[i]);
  return bytes;
}

std::string nm::numeric::toIndexBytes(const sparsity::Condensed &weight,
                                      int64_t width) {
  std::string bytes;
  for (int32_t index : weight.indices)
    for (int64_t i = 0; i < width; ++i)
      bytes.push_back(static_cast<char>(static_cast<uint32_t>(index) >> 8 * i));
  return bytes;
}

static ElementType indexType(const KernelCase &c) {
  switch (c.indexBytes()) {
  case 1:
    return ElementType::I8;
  case 2:
    return ElementType::I16;
  default:
    return ElementType::I32;
  }
}

std::vector<Tensor> nm::numeric::makeArguments(const KernelCase &c,
                                               const CaseData &data) {
  std::vector<Tensor> arguments;
  auto add = [&](ElementType type, std::vector<int64_t> shape,
                 const std::string &bytes) {
    arguments.push_back({type, std::move(shape), {bytes.begin(), bytes.end()}});
  };
  auto addOfC = [&](std::vector<int64_t> shape,
                    const std::vector<double> &values) {
    add(c.types.c, std::move(shape), toBytes(values, c.types.c));
  };
  add(c.types.a, c.shapeOf(c.k, c.layoutA), toBytes(data.a, c.types.a));
  if (!c.constantWeight) {
    int64_t rows = static_cast<int64_t>(data.weight.values.size()) / c.n;
    int64_t columns = (c.n + c.pattern.unitN - 1) / c.pattern.unitN;
    add(c.types.weight, {rows, c.n},
        toBytes(data.weight.values, c.types.weight));
    add(indexType(c), {rows / c.pattern.unitK, columns},
        toIndexBytes(data.weight, c.indexBytes()));
  }
  if (c.hasScale)
    addOfC({c.n}, data.scale);
  if (c.hasBias)
    addOfC({c.n}, data.bias);
  if (c.hasResidual)
    addOfC(c.shapeOf(c.n, c.layoutC), data.residual);
  return arguments;
}
