//===- StepTurns.cpp - What of a step is written out ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/KernelPlan/StepTurns.h"

int64_t nm::getTurn(int64_t count, int64_t unit, int64_t most) {
  for (int64_t turn = most / unit * unit; turn > unit; turn -= unit)
    if (count % turn == 0)
      return turn;
  return unit;
}
