//===- RunData.h - Inputs and outputs of nm-run -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From files to the arrays that a function takes, and from its results to files
// and verdicts. Errors say which input or result and what was expected.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_RUNDATA_H
#define NM_LIB_EXECUTION_RUNDATA_H

#include "RunOptions.h"
#include "nm/Entry/Signature.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace nm {

/// Checks that there are as many files as arguments, without or with the first
/// `states` of them, and as results.
llvm::Error checkFileCounts(const RunOptions &options,
                            const Signature &signature, size_t states);

/// Checks that no file is written twice, or read and written, and that what is
/// in the directory for results is of an earlier run.
llvm::Error checkFiles(const RunOptions &options, const Signature &signature);

/// One array per argument: from the files, or random when there are none. The
/// first ones, unless there are files for them, are `state`.
llvm::Expected<std::vector<Tensor>> loadInputs(const RunOptions &options,
                                               const Signature &signature,
                                               std::vector<Tensor> state);

/// Writes the results to the files or the directory of the options. In a
/// directory, results.json is an array with {"file", "type", "shape"} for each,
/// which tells bf16 (stored as f32) from f32, and its "name", if it has one.
llvm::Error writeOutputs(const RunOptions &options, const Signature &signature,
                         llvm::ArrayRef<Tensor> results);

/// Compares the results with the files and prints a line for each. Returns
/// whether all are within the tolerance.
llvm::Expected<bool> checkResults(const RunOptions &options,
                                  llvm::ArrayRef<Tensor> results,
                                  llvm::raw_ostream &os);

} // namespace nm

#endif // NM_LIB_EXECUTION_RUNDATA_H
