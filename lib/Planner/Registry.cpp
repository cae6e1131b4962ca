//===- Registry.cpp - The strategies of the planner ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaCore.h"
#include "TensorCore.h"

llvm::ArrayRef<const nm::Strategy *> nm::getStrategies() {
  static const Strategy *const strategies[] = {&getCudaCoreStrategy(),
                                               &getTensorCoreStrategy()};
  return strategies;
}
