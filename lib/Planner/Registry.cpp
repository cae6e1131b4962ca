//===- Registry.cpp - The strategies of the planner ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaCore.h"
#include "Gemv.h"
#include "TensorCore.h"

llvm::ArrayRef<const nm::Strategy *> nm::getStrategies() {
  // Of equally fast candidates the first is chosen.
  static const Strategy *const strategies[] = {
      &getGemvStrategy(), &getCudaCoreStrategy(), &getTensorCoreStrategy()};
  return strategies;
}
