//===- BlockExtents.cpp - What a block computes and reads -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/KernelPlan/BlockExtents.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

BlockExtents BlockExtents::get(ScheduleAttr schedule, CondensedType weight) {
  PatternAttr pattern = weight.getPattern();
  BlockExtents e;
  e.blockM = schedule.getBlockM();
  e.blockN = schedule.getBlockN();
  e.stepK = schedule.getStepRows(weight.getK(), pattern);
  e.steps = schedule.getSteps(weight.getK(), pattern);
  // A single step has the rows of k alone, where they are whole slices; what is
  // packed has those of whole steps.
  int64_t rows = pattern.getCondensedRows(weight.getK());
  bool isWhole = rows % schedule.getKind().getSliceRows() == 0;
  e.rows = e.steps == 1 && isWhole && !weight.getPacking()
               ? rows
               : pattern.getCondensedRows(e.stepK);
  e.unitColumns = pattern.getUnitColumns(e.blockN);
  return e;
}

int64_t BlockExtents::getMostSteps(int64_t splitK) const {
  return llvm::divideCeil(steps, splitK);
}
