//===- RandomWeights.cpp - Weights of callers without files ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomWeights.h"

#include <algorithm>
#include <random>

using namespace nm;
using program::WeightArgument;
using program::WeightArrays;

/// Positions of the condensed form of `shape`: of each window `keep` units, any
/// as likely as any other.
static std::vector<char> makePositions(const sparsity::CondensedShape &shape,
                                       int64_t keep, uint64_t seed) {
  int64_t bytes = sparsity::getPositionBytes(shape.windowUnits);
  std::vector<char> positions(shape.indexRows * shape.unitColumns * bytes);
  std::mt19937_64 random(seed);
  for (int64_t window = 0; window < shape.windows; ++window)
    for (int64_t column = 0; column < shape.unitColumns; ++column) {
      int64_t slot = 0;
      for (int64_t unit = 0; slot < keep; ++unit) {
        uint64_t left = shape.windowUnits - unit;
        if (random() % left >= uint64_t(keep - slot))
          continue;
        int64_t row = window * keep + slot++;
        std::memcpy(&positions[(row * shape.unitColumns + column) * bytes],
                    &unit, bytes); // little-endian, as hosts are
      }
    }
  return positions;
}

/// Copies `bytes` to an input of as many.
static void setData(Tensor &input, const std::vector<char> &bytes) {
  assert(input.data.size() == bytes.size() && "expected an array of its type");
  std::copy(bytes.begin(), bytes.end(), input.data.begin());
}

static void fill(const WeightArgument &weight, const WeightArrays &arrays,
                 const std::vector<char> &positions, const Tensor &values,
                 std::vector<Tensor> &inputs) {
  int64_t bytes = sizeOf(weight.element);
  std::string error;
  layout::Elements stored = {reinterpret_cast<const char *>(values.data.data()),
                             bytes};
  if (!arrays.layout.isPacked()) {
    inputs[arrays.values] = values;
    return setData(inputs[arrays.indices], positions);
  }
  // The layout was verified with its type, or with the program.
  auto panels = *layout::PanelLayout::get(weight.weight, arrays.layout.packing,
                                          bytes, error);
  auto shape = *sparsity::getShape(weight.weight.k, weight.weight.n,
                                   weight.weight.pattern, error);
  layout::Elements given = {positions.data(),
                            sparsity::getPositionBytes(shape.windowUnits)};
  layout::PackedIndices packed =
      panels.packIndices(given, /*wantsColumns=*/false, arrays.layout.order,
                         arrays.layout.orderedRows, sparsity::loopOnce);
  setData(inputs[arrays.indices], packed.indices);
  panels.packValues(stored, packed,
                    reinterpret_cast<char *>(inputs[arrays.values].data.data()),
                    sparsity::loopOnce);
}

void nm::fillRandomWeights(const Signature &signature, uint64_t seed,
                           std::vector<Tensor> &inputs) {
  for (const WeightArgument &weight : signature.weights) {
    std::string error;
    const layout::Weight &of = weight.weight;
    auto shape = *sparsity::getShape(of.k, of.n, of.pattern, error);
    // Each weight begins with a number of its own.
    ++seed;
    std::vector<char> positions = makePositions(shape, of.pattern.keep, seed);
    Tensor values = makeTensor(weight.element, {shape.valueRows, of.n});
    fillRandom(values, seed);
    for (const WeightArrays &arrays : weight.layouts)
      fill(weight, arrays, positions, values, inputs);
  }
}
