//===- Product.h - N:M products in f64 --------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle of every numeric test, in f64:
//   C = combine(activation(scale * (A x B) + bias), residual)
// No part of the compiler links it.
//
//===----------------------------------------------------------------------===//

#ifndef NM_REFERENCE_PRODUCT_H
#define NM_REFERENCE_PRODUCT_H

#include "nm/Sparsity/Condensed.h"

#include <cstdint>
#include <vector>

namespace nm {
namespace reference {

using sparsity::Condensed;

/// TokenMajor: [m, k] and [m, n], torch's. FeatureMajor: [k, m] and [n, m], the
/// m extent contiguous.
enum class Layout { TokenMajor, FeatureMajor };

enum class Epilogue { None, Relu, GeluErf, GeluTanh, Silu };

/// What is done with the residual.
enum class Combine { Add, Mul };

/// The activation alone. NaN gives NaN.
double applyEpilogue(Epilogue epilogue, double value);

struct ProductOptions {
  Layout layoutA = Layout::TokenMajor;
  /// Also the layout of the residual.
  Layout layoutC = Layout::TokenMajor;
  /// [n], or null; the bias is added to the scaled product.
  const double *scale = nullptr;
  const double *bias = nullptr;
  Epilogue epilogue = Epilogue::None;
  /// Laid out as C, or null; combined after the activation.
  const double *residual = nullptr;
  Combine combine = Combine::Add;
};

/// C[m, n] = A[m, k] x B. Only kept places contribute: Inf or NaN in an
/// activation does not reach the result through a pruned place, but does
/// through a kept one that holds zero. `b` must be valid; m >= 0.
std::vector<double> spmm(const double *a, int64_t m, const Condensed &b,
                         const ProductOptions &options = {});

/// y[n] = x[k] x B: the product with m = 1, where the layouts coincide.
std::vector<double> spmv(const double *x, const Condensed &b,
                         const ProductOptions &options = {});

} // namespace reference
} // namespace nm

#endif // NM_REFERENCE_PRODUCT_H
