//===- Lowering.h - From a module to host code ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_LOWERING_H
#define NM_LIB_EXECUTION_LOWERING_H

#include "nm/Pipelines/Pipelines.h"
#include "nm/Report/ReportCollector.h"

#include "mlir/IR/BuiltinOps.h"

namespace nm {

/// Both lower stage by stage, so that `collector` sees the module after each.

/// Raises and fuses the products of a module and lowers all of it to the LLVM
/// dialect for this CPU. Each public function gets an entry of the host ABI
/// (docs/Runtime.md) in host memory.
mlir::LogicalResult lowerForCpu(mlir::ModuleOp module,
                                const PipelineOptions &options,
                                ReportCollector &collector);

/// For a GPU or the emulator: kernels as PTX, and host code that
/// convertHostToProgram takes.
mlir::LogicalResult lowerForGpu(mlir::ModuleOp module,
                                const PipelineOptions &options,
                                ReportCollector &collector);

} // namespace nm

#endif // NM_LIB_EXECUTION_LOWERING_H
