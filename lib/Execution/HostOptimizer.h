//===- HostOptimizer.h - LLVM's passes for host code ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_HOSTOPTIMIZER_H
#define NM_LIB_EXECUTION_HOSTOPTIMIZER_H

#include "llvm/Support/Error.h"
#include <functional>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace nm {

/// What the CPU path runs on its LLVM module: a reference is compiled once and
/// called once, so that the passes that copy loops to make them faster
/// (vectorizers, unroller) would cost more than they gain.
std::function<llvm::Error(llvm::Module *)>
makeHostOptimizer(llvm::TargetMachine *machine);

} // namespace nm

#endif // NM_LIB_EXECUTION_HOSTOPTIMIZER_H
