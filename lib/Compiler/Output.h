//===- Output.h - Files that nm-compile writes ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_OUTPUT_H
#define NM_LIB_COMPILER_OUTPUT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace nm {

/// Whether `file` ("-" for standard output) could be written now.
llvm::Error checkWritable(llvm::StringRef file);

/// Makes `directory` and those above it.
llvm::Error makeDirectory(llvm::StringRef directory);

/// Writes `file` ("-" for standard output) whole or not at all.
llvm::Error writeOutput(llvm::StringRef file,
                        llvm::function_ref<void(llvm::raw_ostream &)> print);

/// Names of files in a directory of dumps: of the module after stage `number`,
/// and of its kernels.
std::string getDumpName(size_t number, llvm::StringRef stage);
inline constexpr char kDumpedKernels[] = "kernels.ptx";

/// Writes `module` to `directory`/NN-`stage`.mlir, with large constants elided.
llvm::Error dumpStage(llvm::StringRef directory, size_t number,
                      llvm::StringRef stage, mlir::ModuleOp module);

/// Writes `text` to `directory`/`name`.
llvm::Error dumpText(llvm::StringRef directory, llvm::StringRef name,
                     llvm::StringRef text);

} // namespace nm

#endif // NM_LIB_COMPILER_OUTPUT_H
