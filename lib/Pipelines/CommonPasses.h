//===- CommonPasses.h - Passes of several pipelines -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PIPELINES_COMMONPASSES_H
#define NM_LIB_PIPELINES_COMMONPASSES_H

#include "nm/Pipelines/Pipelines.h"

namespace nm {

void addCleanup(mlir::OpPassManager &pm);

/// Adds `pass` with the numbers and switches of `options` that it reads.
void addPass(mlir::OpPassManager &pm, std::unique_ptr<mlir::Pass> pass,
             const PipelineOptions &options);

/// The check of what a stage promises, where the options want it.
void addVerifier(mlir::OpPassManager &pm, std::unique_ptr<mlir::Pass> verifier,
                 const PipelineOptions &options);

/// In front of passes that ask for the chip. What the module says stays where
/// the options name no chip.
void addSetTarget(mlir::OpPassManager &pm, const PipelineOptions &options);

} // namespace nm

#endif // NM_LIB_PIPELINES_COMMONPASSES_H
