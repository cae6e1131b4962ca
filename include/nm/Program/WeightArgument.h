//===- WeightArgument.h - Weights among the arguments -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_PROGRAM_WEIGHTARGUMENT_H
#define NM_PROGRAM_WEIGHTARGUMENT_H

#include "nm/Layout/PanelLayout.h"
#include "nm/Numbers/NumericTypes.h"

#include <cstdint>
#include <vector>

namespace nm {
namespace program {

/// A layout of a weight, and the arguments that are its arrays.
struct WeightArrays {
  layout::WeightLayout layout;
  uint32_t values = 0, indices = 0;
};

/// A weight among the arguments, which the caller lays out: in all layouts, as
/// a call may take any of them. Layouts may share the array of the values.
struct WeightArgument {
  ElementType element = ElementType::F32;
  layout::Weight weight;
  std::vector<WeightArrays> layouts;
};

} // namespace program
} // namespace nm

#endif // NM_PROGRAM_WEIGHTARGUMENT_H
