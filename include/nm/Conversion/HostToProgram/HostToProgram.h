//===- HostToProgram.h - Modules to programs --------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last step of `--emit=program` and `--emit=lib`: host code becomes
// instructions, what the module holds becomes the program's tables.
//
//===----------------------------------------------------------------------===//

#ifndef NM_CONVERSION_HOSTTOPROGRAM_HOSTTOPROGRAM_H
#define NM_CONVERSION_HOSTTOPROGRAM_HOSTTOPROGRAM_H

#include "nm/Entry/Signature.h"
#include "nm/Program/Program.h"

#include "mlir/IR/BuiltinOps.h"

#include <deque>

namespace nm {

/// A program, and data of its constants that the module does not hold as it is.
struct ConvertedProgram {
  program::Program program;
  std::deque<std::vector<char>> data;
};

/// Converts `module`, which has been through `buildProgramPipeline` and holds
/// its kernels as one gpu.binary. `signatures` are those of its public
/// functions before any lowering, which says more of their types. The program
/// points into the module's attributes and into `data` of the result. Emits an
/// error at the first op that no instruction does.
mlir::LogicalResult convertHostToProgram(mlir::ModuleOp module,
                                         llvm::ArrayRef<Signature> signatures,
                                         ConvertedProgram &result);

} // namespace nm

#endif // NM_CONVERSION_HOSTTOPROGRAM_HOSTTOPROGRAM_H
