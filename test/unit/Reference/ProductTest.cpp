//===- ProductTest.cpp - N:M products in f64 ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Reference/Product.h"
#include "../Sparsity/RandomWeight.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace nm::reference;
using namespace nm::sparsity;

static std::vector<double> randomArray(int64_t size, std::mt19937_64 &rng) {
  std::vector<double> array(size);
  for (double &value : array)
    value = randomValue(rng);
  return array;
}

TEST(ProductTest, AgreesWithDenseProductInAllLayouts) {
  std::mt19937_64 rng(kSeed);
  int64_t m = 5, k = 45, n = 19;
  Pattern pattern{2, 3, 4, 8};
  auto dense = randomWeight(k, n, pattern, rng);
  std::string error;
  auto b = condense(dense.data(), k, n, pattern, error);
  ASSERT_TRUE(b) << error;
  auto a = randomArray(m * k, rng), bias = randomArray(n, rng);
  auto residual = randomArray(m * n, rng), scale = randomArray(n, rng);

  for (Layout layoutA : {Layout::TokenMajor, Layout::FeatureMajor}) {
    for (Layout layoutC : {Layout::TokenMajor, Layout::FeatureMajor}) {
      for (Epilogue epilogue :
           {Epilogue::None, Epilogue::Relu, Epilogue::GeluErf,
            Epilogue::GeluTanh, Epilogue::Silu}) {
        ProductOptions options;
        options.layoutA = layoutA;
        options.layoutC = layoutC;
        options.scale = scale.data();
        options.bias = bias.data();
        options.epilogue = epilogue;
        options.residual = residual.data();
        if (epilogue == Epilogue::Silu)
          options.combine = Combine::Mul;
        auto c = spmm(a.data(), m, *b, options);
        ASSERT_EQ(c.size(), size_t(m * n));
        for (int64_t i = 0; i < m; ++i) {
          for (int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (int64_t r = 0; r < k; ++r)
              sum += a[layoutA == Layout::TokenMajor ? i * k + r : r * m + i] *
                     dense[r * n + j];
            int64_t place =
                layoutC == Layout::TokenMajor ? i * n + j : j * m + i;
            double value = applyEpilogue(epilogue, sum * scale[j] + bias[j]);
            EXPECT_NEAR(c[place],
                        options.combine == Combine::Mul
                            ? value * residual[place]
                            : value + residual[place],
                        1e-12);
          }
        }
      }
    }
  }
}

TEST(ProductTest, EpiloguesAtKnownPoints) {
  EXPECT_EQ(applyEpilogue(Epilogue::Relu, -2), 0);
  EXPECT_EQ(applyEpilogue(Epilogue::Relu, 3), 3);
  EXPECT_TRUE(std::isnan(applyEpilogue(Epilogue::Relu, std::nan(""))));
  // Values of PyTorch's gelu and silu in f64.
  EXPECT_NEAR(applyEpilogue(Epilogue::GeluErf, 1), 0.8413447460685429, 1e-15);
  EXPECT_NEAR(applyEpilogue(Epilogue::GeluTanh, 1), 0.8411919906082768, 1e-15);
  EXPECT_NEAR(applyEpilogue(Epilogue::Silu, 1), 0.7310585786300049, 1e-15);
}

TEST(ProductTest, OnlyKeptPlacesContribute) {
  double inf = std::numeric_limits<double>::infinity();
  // Rows 0 and 2 are kept (2 for want of others: it holds zero).
  Condensed b{4, 1, {2, 4, 1, 1}, {3, 0}, {0, 2}};
  std::vector<double> pruned = {2, inf, 1, std::nan("")};
  EXPECT_EQ(spmv(pruned.data(), b), std::vector<double>{6});
  std::vector<double> kept = {2, 1, inf, 1};
  EXPECT_TRUE(std::isnan(spmv(kept.data(), b)[0]));
}

TEST(ProductTest, EmptyM) {
  Condensed b{4, 1, {1, 4, 1, 1}, {3}, {0}};
  EXPECT_TRUE(spmm(nullptr, 0, b).empty());
}
