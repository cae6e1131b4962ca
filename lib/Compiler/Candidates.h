//===- Candidates.h - Schedules to choose from ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_CANDIDATES_H
#define NM_LIB_COMPILER_CANDIDATES_H

#include "mlir/IR/BuiltinOps.h"
#include "nm/Pipelines/PipelineOptions.h"
#include "llvm/Support/JSON.h"

namespace nm {

/// The candidates of the planner for the products of `module`, the fastest by
/// prediction first, as docs/Tuning.md describes them. Products for which they
/// are the same stand in one row, with the names of their layers.
llvm::json::Value listCandidates(mlir::ModuleOp module,
                                 const PipelineOptions &options);

} // namespace nm

#endif // NM_LIB_COMPILER_CANDIDATES_H
