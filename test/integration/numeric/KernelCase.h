//===- KernelCase.h - One kernel of the numeric suite -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a case of the suite is made of: the factors, one concrete product, and
// the module that holds it.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_INTEGRATION_NUMERIC_KERNELCASE_H
#define NM_TEST_INTEGRATION_NUMERIC_KERNELCASE_H

#include "nm/Numbers/Tensor.h"
#include "nm/Reference/Product.h"
#include "nm/Target/TargetInfo.h"

#include <cstdint>
#include <optional>
#include <string>

namespace nm {
namespace numeric {

/// Of scale, bias and residual, C's type as well.
struct CaseTypes {
  ElementType a = ElementType::F32, weight = ElementType::F32,
              c = ElementType::F32;

  /// "i8 x i8 -> i32".
  std::string str() const;
};

/// One product, how it is compiled, and the seed of its data.
struct KernelCase {
  int64_t number = 0; ///< In the list of the suite.
  uint64_t seed = 0;

  sparsity::Pattern pattern;
  int64_t m = 1, n = 1, k = 1;
  bool isVector = false; ///< nm.spmv; m is 1.
  CaseTypes types;
  reference::Layout layoutA = reference::Layout::TokenMajor;
  reference::Layout layoutC = reference::Layout::TokenMajor;
  reference::Epilogue epilogue = reference::Epilogue::None;
  bool hasScale = false, hasBias = false, hasResidual = false;
  reference::Combine combine = reference::Combine::Add;
  /// The weight is an nm.constant, else nm.assemble of two arguments.
  bool constantWeight = true;

  /// That is compiled for.
  std::string chip = kDefaultChip;
  /// Text of #nm.schedule; empty leaves the choice to nm-select-schedule.
  std::string schedule;
  bool promote = true, packTile = true; ///< Passes run.
  bool stageTransposes = true, doubleBuffer = true, prefetch = true;
  /// For nm-select-schedule, where they are not its defaults.
  std::optional<int64_t> stages;
  std::optional<double> packingThreshold;

  /// Units of a window; of all of k where that is one.
  int64_t windowUnits() const;

  /// The shape of A or C, which has `columns` and is stored in `layout`.
  std::vector<int64_t> shapeOf(int64_t columns, reference::Layout layout) const;

  /// Bytes of an index of the unpacked condensed form.
  int64_t indexBytes() const;

  /// All parameters in one line.
  std::string describe() const;
};

/// The operands of a case, rounded to its element types.
struct CaseData {
  sparsity::Condensed weight;
  std::vector<double> a, scale, bias, residual;
};

/// Makes the operands from the case's seed. Windows have exactly N non-zero
/// units as far as k reaches. Elements of A that no column keeps are NaN where
/// A has one: a pruned place contributes nothing, whatever the activation
/// holds.
CaseData makeData(const KernelCase &kernelCase);

/// `values` as elements of `type` lie in memory.
std::string toBytes(const std::vector<double> &values, ElementType type);

/// The indices of `weight` as unsigned integers of `bytes` bytes.
std::string toIndexBytes(const sparsity::Condensed &weight, int64_t bytes);

/// The arguments of the module's function, in its order.
std::vector<Tensor> makeArguments(const KernelCase &kernelCase,
                                  const CaseData &data);

/// What the case says of its compilation, as --pipeline-options takes it.
std::string makeOptions(const KernelCase &kernelCase);

/// The module of a case: one function `f` of A, values and indices where the
/// weight is no constant, scale, bias and residual where there are any.
std::string makeModule(const KernelCase &kernelCase, const CaseData &data);

} // namespace numeric
} // namespace nm

#endif // NM_TEST_INTEGRATION_NUMERIC_KERNELCASE_H
