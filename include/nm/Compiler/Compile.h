//===- Compile.h - The program nm-compile -----------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nm-compile as a function, for its own executable and for the multi-call
// binary.
//
//===----------------------------------------------------------------------===//

#ifndef NM_COMPILER_COMPILE_H
#define NM_COMPILER_COMPILE_H

namespace nm {

/// Compiles a module to MLIR, NVVM, PTX or a cubin and reports on it. Returns
/// 0; 1 after an error, which was printed.
int nmCompileMain(int argc, char **argv);

} // namespace nm

#endif // NM_COMPILER_COMPILE_H
