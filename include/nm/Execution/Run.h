//===- Run.h - The program nm-run -------------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nm-run as a function, for its own executable and for the multi-call binary.
//
//===----------------------------------------------------------------------===//

#ifndef NM_EXECUTION_RUN_H
#define NM_EXECUTION_RUN_H

namespace nm {

/// Compiles a module, runs one of its functions and checks what it gives.
/// Returns 0; 1 after an error, which was printed; 2 when a result differs from
/// what was expected by more than the tolerance.
int nmRunMain(int argc, char **argv);

} // namespace nm

#endif // NM_EXECUTION_RUN_H
