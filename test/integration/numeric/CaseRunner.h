//===- CaseRunner.h - Runs a case and compares its numbers ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_INTEGRATION_NUMERIC_CASERUNNER_H
#define NM_TEST_INTEGRATION_NUMERIC_CASERUNNER_H

#include "CompiledKernel.h"
#include "KernelCase.h"

namespace nm {
namespace numeric {

/// What came of a case. The first check that fails is named:
/// `compile`, `parse`, one of the emulator's (`bounds`, `alignment`,
/// `uninitialized`, `races`, `barriers`, `launch`) or `numbers`.
struct CaseResult {
  std::string failedCheck; ///< Empty when it passed.
  std::string message;
  double error = 0;   ///< Relative Frobenius error.
  std::string output; ///< The bytes of C.
  emulator::Counters counters;

  bool passed() const { return failedCheck.empty(); }
};

/// The name of an emulator check, or "numbers" for 0.
const char *nameOfCheck(uint32_t check);

/// Compiles the module of a case to PTX.
std::optional<CompiledKernel> compileCase(mlir::MLIRContext &context,
                                          const KernelCase &kernelCase,
                                          const CaseData &data,
                                          std::string &error);

/// How a kernel is launched.
struct RunOptions {
  uint64_t warpSeed = 0; ///< Decides the order of warps.
  uint32_t checks = emulator::CheckAll;
  bool withCounters = false;
};

/// Launches a compiled kernel in the emulator with C filled with NaN, and
/// compares C with the f64 reference.
CaseResult runKernel(const CompiledKernel &kernel, const KernelCase &kernelCase,
                     const CaseData &data, const RunOptions &options);

} // namespace numeric
} // namespace nm

#endif // NM_TEST_INTEGRATION_NUMERIC_CASERUNNER_H
