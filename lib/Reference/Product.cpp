//===- Product.cpp - N:M products in f64 ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Reference/Product.h"

#include <cmath>

using namespace nm::reference;

double nm::reference::applyEpilogue(Epilogue epilogue, double value) {
  switch (epilogue) {
  case Epilogue::None:
    return value;
  case Epilogue::Relu:
    return value < 0 ? 0 : value;
  case Epilogue::GeluErf:
    return 0.5 * value * (1 + std::erf(value / std::sqrt(2.0)));
  case Epilogue::GeluTanh: {
    double scale = std::sqrt(2.0 / std::acos(-1.0));
    double cubic = value + 0.044715 * value * value * value;
    return 0.5 * value * (1 + std::tanh(scale * cubic));
  }
  case Epilogue::Silu:
    return value / (1 + std::exp(-value));
  }
  return value;
}

std::vector<double> nm::reference::spmm(const double *a, int64_t m,
                                        const Condensed &b,
                                        const ProductOptions &options) {
  int64_t k = b.k, n = b.n;
  bool tokenA = options.layoutA == Layout::TokenMajor;
  bool tokenC = options.layoutC == Layout::TokenMajor;
  // Accumulated as [n, m], so that the rows of A and C of one weight element
  // are walked with fixed strides.
  std::vector<double> acc(static_cast<size_t>(m * n), 0.0);
  int64_t valueRows = static_cast<int64_t>(b.values.size()) / n;
  for (int64_t row = 0; row < valueRows; ++row) {
    for (int64_t col = 0; col < n; ++col) {
      int64_t source = b.denseRow(row, col);
      if (source >= k)
        continue;
      double value = b.values[row * n + col];
      const double *in = a + (tokenA ? source : source * m);
      double *out = acc.data() + col * m;
      for (int64_t i = 0; i < m; ++i)
        out[i] += in[tokenA ? i * k : i] * value;
    }
  }
  std::vector<double> c(acc.size());
  for (int64_t col = 0; col < n; ++col) {
    for (int64_t i = 0; i < m; ++i) {
      double value = acc[col * m + i];
      if (options.scale)
        value *= options.scale[col];
      if (options.bias)
        value += options.bias[col];
      value = applyEpilogue(options.epilogue, value);
      int64_t place = tokenC ? i * n + col : col * m + i;
      if (options.residual)
        value = options.combine == Combine::Add
                    ? value + options.residual[place]
                    : value * options.residual[place];
      c[place] = value;
    }
  }
  return c;
}

std::vector<double> nm::reference::spmv(const double *x, const Condensed &b,
                                        const ProductOptions &options) {
  return spmm(x, /*m=*/1, b, options);
}
