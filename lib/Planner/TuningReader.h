//===- TuningReader.h - Reads a tuning database -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PLANNER_TUNINGREADER_H
#define NM_LIB_PLANNER_TUNINGREADER_H

#include "nm/Planner/TuningDatabase.h"

namespace nm {

/// The entries of `text`, which is called `source`. Emits an error at the place
/// in it that is wrong.
llvm::FailureOr<std::vector<TuningEntry>>
readTuningEntries(mlir::MLIRContext *context, llvm::StringRef source,
                  llvm::StringRef text);

/// Whether `text` can only be an attribute of nm: MLIR's parser, which a text
/// of a database reaches, ends the process at some of others' ("array<index:
/// 1>"), and calls itself for each bracket.
bool isAttributeOfNM(llvm::StringRef text);

} // namespace nm

#endif // NM_LIB_PLANNER_TUNINGREADER_H
