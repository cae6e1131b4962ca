//===- Assembler.h - From PTX to machine code by ptxas ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVIDIA's assembler is a program of its own: from CUDA's toolkit, or from
// PyPI's nvidia-cuda-nvcc.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_ASSEMBLER_H
#define NM_LIB_COMPILER_ASSEMBLER_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace nm {

/// What ptxas says of one kernel.
struct KernelResources {
  int64_t registers = 0;  // a thread
  int64_t stackBytes = 0; // a thread
  int64_t spillBytes = 0; // stores and loads, a thread
};

struct Assembly {
  std::string cubin;
  /// By the name of the kernel.
  llvm::StringMap<KernelResources> kernels;
};

/// The path of ptxas: $NM_PTXAS, on PATH, in the .venv of $VIRTUAL_ENV or of a
/// directory above this executable, or below /usr/local. An error that says how
/// to get one if there is none.
llvm::Expected<std::string> findPtxas();

/// Assembles `ptx` for `chip` with the program `ptxas`. An error has what it
/// printed, and the name of the kernel that it stumbled over.
llvm::Expected<Assembly> assemble(llvm::StringRef ptxas, llvm::StringRef ptx,
                                  llvm::StringRef chip);

} // namespace nm

#endif // NM_LIB_COMPILER_ASSEMBLER_H
