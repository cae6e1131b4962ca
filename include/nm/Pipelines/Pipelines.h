//===- Pipelines.h - The stages as functions --------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function a stage and one options struct for all, so that a tool, a test
// and a pass pipeline mean the same thing. docs/Pipelines.md shows the IR that
// each stage expects and leaves.
//
//===----------------------------------------------------------------------===//

#ifndef NM_PIPELINES_PIPELINES_H
#define NM_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace nm {

/// Options of all stages.
struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip to compile for; the module's (`nm.target`), or the "
                     "default one, when not given")};
  Option<int64_t> keep{
      *this, "keep",
      llvm::cl::desc("Units kept of each window; 0: search for patterns"),
      llvm::cl::init(0)};
  Option<int64_t> window{
      *this, "window",
      llvm::cl::desc("Units of a window, with keep; 0: all of k"),
      llvm::cl::init(0)};
  Option<int64_t> unitK{*this, "unit-k",
                        llvm::cl::desc("Rows of k of a unit, with keep"),
                        llvm::cl::init(1)};
  Option<int64_t> unitN{*this, "unit-n",
                        llvm::cl::desc("Columns of a unit, with keep"),
                        llvm::cl::init(1)};
  Option<double> maxRatio{
      *this, "max-ratio",
      llvm::cl::desc("Largest share of the units of a window that may be kept"),
      llvm::cl::init(0.5)};
  Option<double> maxRatioWide{
      *this, "max-ratio-wide",
      llvm::cl::desc("The same for units of 8 or more columns"),
      llvm::cl::init(0.75)};
  Option<bool> fuse{*this, "fuse",
                    llvm::cl::desc("Let products do what follows them"),
                    llvm::cl::init(true)};
  Option<int64_t> stages{*this, "stages",
                         llvm::cl::desc("Buffers of the ring, at most"),
                         llvm::cl::init(2)};
  Option<double> packingThreshold{
      *this, "packing-threshold",
      llvm::cl::desc("Least share of pruned units from which A is packed"),
      llvm::cl::init(0.7)};
  Option<bool> promote{*this, "promote",
                       llvm::cl::desc("Bring tiles into shared memory"),
                       llvm::cl::init(true)};
  Option<bool> packTile{
      *this, "pack-tile",
      llvm::cl::desc("Gather only the rows of A that are read"),
      llvm::cl::init(true)};
  Option<bool> doubleBuffer{*this, "double-buffer",
                            llvm::cl::desc("Overlap copies and products"),
                            llvm::cl::init(true)};
  Option<bool> verifyStages{
      *this, "verify-stages",
      llvm::cl::desc("Check after each stage what it promises"),
      llvm::cl::init(true)};
  Option<int64_t> optLevel{*this, "opt-level",
                           llvm::cl::desc("LLVM's optimization level, 1 to 3"),
                           llvm::cl::init(3)};
};

/// Products with N:M-sparse constants, in linalg on tensors, to nm.
void buildImportPipeline(mlir::OpPassManager &pm,
                         const PipelineOptions &options);

/// Element-wise ops into the products that they follow; nothing without `fuse`.
/// Expects and leaves products on tensors.
void buildFusePipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Plan: schedules for products, constant weights laid out for them, and the
/// weights as plain tensors. Expects products on tensors.
void buildPlanPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Tensors to memrefs, functions included (identity layouts at boundaries).
/// Arguments are never written; results are allocations that the caller owns.
void buildBufferizePipeline(mlir::OpPassManager &pm);

/// Products on memrefs to gpu.launch of one thread's work: tile, promote, pack,
/// double-buffer (the last three as the options say) and map to threads.
void buildTilePipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Other linalg ops on memrefs to gpu.launch.
void buildMapLinalgPipeline(mlir::OpPassManager &pm);

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

/// Host code, after the kernels are a gpu.binary, to the LLVM dialect with
/// calls of nm-c/Runtime.h. A public function f becomes
///   int32_t _mlir_ciface_f(nmrtContext *, result pointers..., arguments...)
/// where arrays are pointers to strided memref descriptors of device memory,
/// and numbers are passed by value (as results, through their pointer). The
/// caller frees each array result through the descriptor's allocated pointer.
void buildHostPipeline(mlir::OpPassManager &pm);

/// All of the above: linalg on tensors to LLVM and PTX.
void buildToRuntimePipeline(mlir::OpPassManager &pm,
                            const PipelineOptions &options);

/// A module on tensors, products included, to the LLVM dialect for this machine
/// alone. Entries have the same signature, with host memory; the context only
/// receives the message of a failed assertion and may be null.
void buildCpuPipeline(mlir::OpPassManager &pm);

/// Registers the pipelines by name: nm-import-pipeline, ...,
/// nm-to-ptx-pipeline.
void registerPipelines();

} // namespace nm

#endif // NM_PIPELINES_PIPELINES_H
