//===- Stages.h - The stages of compilation as a table ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the stages, once: the canned pipeline runs the table through,
// nm-compile runs it row by row and can look at the module in between.
//
//===----------------------------------------------------------------------===//

#ifndef NM_PIPELINES_STAGES_H
#define NM_PIPELINES_STAGES_H

#include "mlir/IR/BuiltinOps.h"
#include "nm/Pipelines/Pipelines.h"

namespace nm {

/// One row: a stage from linalg on tensors to PTX.
struct Stage {
  /// In lower case with hyphens, as in docs/Pipelines.md.
  llvm::StringLiteral name;
  /// Adds the stage's passes, and with `verify-stages` the check of what it
  /// promises; nothing when the options leave the stage out.
  void (*build)(mlir::OpPassManager &pm, const PipelineOptions &options);
};

/// All stages in order.
llvm::ArrayRef<Stage> getStages();

/// The stage called `name`; null if there is none.
const Stage *lookupStage(llvm::StringRef name);

/// Runs the passes of `stage`; true if there were any. There are none where the
/// options leave the stage out, and where the module has been through `fuse`
/// already, which says so in the module: what it has merged it would merge
/// further.
mlir::FailureOr<bool> runStage(const Stage &stage, mlir::ModuleOp module,
                               const PipelineOptions &options);

/// The names of all stages, separated by commas, for diagnostics.
std::string listStages();

} // namespace nm

#endif // NM_PIPELINES_STAGES_H
