//===- Pipelines.h - The stages as functions --------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function a stage and one set of options for all, so that a tool, a test
// and a pass pipeline mean the same thing. docs/Pipelines.md shows the IR that
// each stage expects and leaves.
//
//===----------------------------------------------------------------------===//

#ifndef NM_PIPELINES_PIPELINES_H
#define NM_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "nm/Pipelines/PipelineOptions.h"

namespace nm {

/// Products with N:M-sparse constants, in linalg on tensors, to nm.
void buildImportPipeline(mlir::OpPassManager &pm,
                         const PipelineOptions &options);

/// Element-wise ops into the products that they follow; nothing without `fuse`.
/// Expects and leaves products on tensors.
void buildFusePipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// The beginning of plan: the layouts that products read and write, for the
/// chip of `options`. The planner's candidates are for these.
void buildLayoutsPipeline(mlir::OpPassManager &pm,
                          const PipelineOptions &options);

/// Plan: layouts and schedules for products, constant weights laid out for
/// them, and the weights as plain tensors. Expects products on tensors.
void buildPlanPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Tensors to memrefs, functions included (identity layouts at boundaries).
/// Arguments are never written; results are allocations that the caller owns.
/// With `formKernels` reductions become nm.rows before, which GPUs compute.
void buildBufferizePipeline(mlir::OpPassManager &pm, bool formKernels);

/// Products on memrefs to gpu.launch of one thread's work: tile, promote, pack,
/// double-buffer (the last three as the options say) and map to threads.
void buildTilePipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Other linalg ops on memrefs to gpu.launch.
void buildMapLinalgPipeline(mlir::OpPassManager &pm,
                            const PipelineOptions &options);

/// gpu.launch to gpu.func with flat arguments in one gpu.module, where no two
/// kernels are equal. Buffers are freed after their last use; host code that
/// touches device memory is an error.
void buildOutlinePipeline(mlir::OpPassManager &pm);

/// gpu.func to NVVM.
void buildLowerToNVVMPipeline(mlir::OpPassManager &pm,
                              const PipelineOptions &options);

/// NVVM to PTX: gpu.module to gpu.binary with the text.
void buildEmitPTXPipeline(mlir::OpPassManager &pm);

/// The canned whole, all rows of Stages.h: linalg on tensors to PTX, host code
/// left as it is after outlining.
void buildToPTXPipeline(mlir::OpPassManager &pm,
                        const PipelineOptions &options);

/// Host code, after the kernels are a gpu.binary, to what the instructions of a
/// program do (nm/Program/Program.h), with the memory of calls planned.
void buildProgramPipeline(mlir::OpPassManager &pm);

/// A module on tensors, products included, to the LLVM dialect for this machine
/// alone. A public function f becomes
///   int32_t _mlir_ciface_f(nmrtContext *, result pointers..., arguments...)
/// where arrays are pointers to strided memref descriptors of host memory, and
/// numbers are passed by value (as results, through their pointer). The context
/// is not used. The caller frees each array result by free of the descriptor's
/// allocated pointer.
void buildCpuPipeline(mlir::OpPassManager &pm);

/// Registers the pipelines by name: nm-import-pipeline, ...,
/// nm-to-ptx-pipeline.
void registerPipelines();

} // namespace nm

#endif // NM_PIPELINES_PIPELINES_H
