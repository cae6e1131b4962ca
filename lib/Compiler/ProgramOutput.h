//===- ProgramOutput.h - Modules to the bytes of programs -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `--emit=program` writes to a file, and `--emit=lib` into an object.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_PROGRAMOUTPUT_H
#define NM_LIB_COMPILER_PROGRAMOUTPUT_H

#include "nm/Conversion/HostToProgram/HostToProgram.h"
#include "nm/Report/Report.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace nm {

/// Converts `module`, which has been through all stages; `signatures` are those
/// of its functions before. Machine code for each of `chips` is made by `ptxas`
/// of the module's PTX. `report`, to which the conversion adds, goes into the
/// program. The result points into the module.
llvm::Expected<ConvertedProgram>
makeProgram(mlir::ModuleOp module, llvm::ArrayRef<Signature> signatures,
            const Report &report, llvm::StringRef ptxas,
            llvm::ArrayRef<std::string> chips);

/// Writes the bytes of the file of `program`.
void printProgram(const program::Program &program, llvm::raw_ostream &os);

} // namespace nm

#endif // NM_LIB_COMPILER_PROGRAMOUTPUT_H
