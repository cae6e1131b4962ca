//===- WeightForm.h - How lanes read a packed weight ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_WEIGHTFORM_H
#define NM_DIALECT_NM_IR_WEIGHTFORM_H

namespace nm {

/// What of a packed weight depends on the instruction kind that reads it: the
/// words `lane_rows`, `coding` and `fragments` of `#nm.packing`.
struct WeightForm {
  int64_t laneRows = 1;
  IndexCoding coding = IndexCoding::Rows;
  bool fragments = false;

  bool operator==(const WeightForm &other) const {
    return laneRows == other.laneRows && coding == other.coding &&
           fragments == other.fragments;
  }
};

} // namespace nm

#endif // NM_DIALECT_NM_IR_WEIGHTFORM_H
