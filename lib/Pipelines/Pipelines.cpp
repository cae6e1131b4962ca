//===- Pipelines.cpp - The stages as functions ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Pipelines/Pipelines.h"
#include "CommonPasses.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "nm/Base/Assert.h"
#include "nm/Conversion/ExpandMath/Passes.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"
#include "nm/Conversion/LinalgToGPU/Passes.h"
#include "nm/Conversion/LinalgToNM/Passes.h"
#include "nm/Conversion/TMTensorToLoops/Passes.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Dialect/NM/Rows/Passes.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Verify/Passes.h"
#include "nm/Transforms/Buffers/Passes.h"
#include "nm/Transforms/Checks/Passes.h"
#include "nm/Transforms/FuseEpilogue/Passes.h"
#include "nm/Transforms/Kernels/Passes.h"
#include "nm/Transforms/Normalize/Passes.h"
#include "nm/Transforms/Tensors/Passes.h"

using namespace mlir;
using namespace nm;

void nm::addCleanup(OpPassManager &pm) {
  pm.addPass(createNMCanonicalizePass());
  pm.addPass(createCSEPass());
}

void nm::addPass(OpPassManager &pm, std::unique_ptr<Pass> pass,
                 const PipelineOptions &options) {
  LogicalResult known =
      pass->initializeOptions(options.getTextFor(pass->getArgument()),
                              [](const Twine &) { return failure(); });
  NM_ASSERT(succeeded(known), "expected a pass with the options of its rows");
  (void)known;
  pm.addPass(std::move(pass));
}

void nm::addVerifier(OpPassManager &pm, std::unique_ptr<Pass> verifier,
                     const PipelineOptions &options) {
  if (options.get<bool>(OptionId::VerifyStages))
    pm.addPass(std::move(verifier));
}

void nm::addSetTarget(OpPassManager &pm, const PipelineOptions &options) {
  NMSetTargetPassOptions target;
  target.chip = options.get<std::string>(OptionId::Chip);
  pm.addPass(createNMSetTargetPass(target));
}

void nm::buildImportPipeline(OpPassManager &pm,
                             const PipelineOptions &options) {
  pm.addPass(createNMVerifyTypesPass());
  pm.addPass(createNMVerifyConstantsPass());
  pm.addPass(createNMIndexToArithPass());
  pm.addPass(createNMDynamicElementwiseToLinalgPass());
  pm.addPass(createNMFullRankSlicesPass());
  pm.addPass(createNMInlineCallsPass());
  pm.addPass(createNMCorrectViewsPass());
  pm.addPass(createNMCorrectGeluPass());
  pm.addPass(createNMAssertShapesPass());
  pm.addPass(createNMImportSparseEncodingsPass());
  addPass(pm, createNMImportLinalgPass(), options);
  // A module may also say nm.condense of a constant itself.
  pm.addPass(createNMCondenseWeightsPass());
  addVerifier(pm, createNMVerifyImportedPass(), options);
}

void nm::buildFusePipeline(OpPassManager &pm, const PipelineOptions &options) {
  if (!options.get<bool>(OptionId::Fuse))
    return;
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createNMSinkReshapesPass());
  addCleanup(pm);
  // A product may only have one user.
  NMFuseElementwisePassOptions elementwise;
  elementwise.recompute = false;
  pm.addPass(createNMFuseElementwisePass(elementwise));
  // A body has an op once for each operand that the op was merged for.
  pm.addPass(createCSEPass());
  pm.addPass(createNMFuseEpiloguePass());
  // Of f16 the epilogue takes a bias in f32: products are merged by constants.
  pm.addPass(createNMFoldConstantOpsPass());
  addCleanup(pm);
}

static void addSelectSchedule(OpPassManager &pm,
                              const PipelineOptions &options) {
  NMSelectSchedulePassOptions schedule;
  schedule.tuningDatabase = options.get<std::string>(OptionId::TuningDatabase);
  addPass(pm, createNMSelectSchedulePass(schedule), options);
}

/// What a pass that asks the planner hands on to it.
template <typename PassOptions>
static PassOptions getPlannerOptions(const PipelineOptions &options) {
  PassOptions planner;
  planner.stages = options.get<int64_t>(OptionId::Stages);
  planner.packingThreshold = options.get<double>(OptionId::PackingThreshold);
  return planner;
}

void nm::buildLayoutsPipeline(OpPassManager &pm,
                              const PipelineOptions &options) {
  addSetTarget(pm, options);
  if (options.get<bool>(OptionId::MergeProducts))
    pm.addPass(createNMMergeProductsPass(
        getPlannerOptions<NMMergeProductsPassOptions>(options)));
  if (options.get<bool>(OptionId::PropagateLayouts))
    pm.addPass(createNMPropagateLayoutsPass(
        getPlannerOptions<NMPropagateLayoutsPassOptions>(options)));
}

void nm::buildPlanPipeline(OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(createNMVerifyInputPass());
  buildLayoutsPipeline(pm, options);
  addSelectSchedule(pm, options);
  pm.addPass(createNMPackWeightsPass());
  pm.addPass(createNMSplitArgumentsPass());
  pm.addPass(createNMSplitConstantsPass());
  addVerifier(pm, createNMVerifyPlannedPass(), options);
}

/// Element-wise ops in one shape and order with those that they can be a kernel
/// with.
static void addGatherRowOps(OpPassManager &pm) {
  pm.addPass(createNMExpandReshapesPass());
  pm.addPass(createNMSinkTransposesPass());
  addCleanup(pm);
}

void nm::buildBufferizePipeline(OpPassManager &pm, bool formKernels) {
  pm.addPass(createNMDecomposeAttentionPass());
  if (formKernels) {
    addGatherRowOps(pm);
    pm.addPass(createNMSinkConcatsPass());
    addCleanup(pm);
  }
  pm.addPass(createNMPrepareTensorsPass());
  pm.addPass(createConvertElementwiseToLinalgPass());
  addCleanup(pm);
  pm.addPass(createNMFuseBroadcastsPass());
  pm.addPass(createNMFoldConstantOpsPass());
  if (formKernels) {
    addGatherRowOps(pm);
    pm.addPass(createNMGathersToSumsPass());
    pm.addPass(createNMFormKernelsPass());
  }
  pm.addPass(createNMFuseElementwisePass());
  addCleanup(pm);
  pm.addPass(createNMSplitFillsPass());
  pm.addPass(createNMSplitEmptiesPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  // Loops for which nm-prepare-tensors found no buffer to copy into.
  options.allowReturnAllocsFromLoops = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  addCleanup(pm);
  if (formKernels)
    pm.addPass(createNMWriteInPlacePass());
  pm.addPass(createNMOwnResultsPass());
}

void nm::buildMapLinalgPipeline(OpPassManager &pm,
                                const PipelineOptions &options) {
  addSetTarget(pm, options);
  pm.addPass(createNMTMTensorToLoopsPass());
  pm.addPass(createNMCollapseRowsPass());
  pm.addPass(createNMVersionRowsPass());
  if (!options.get<bool>(OptionId::KeepRoundings))
    pm.addPass(createNMDropRoundingsPass());
  pm.addPass(createNMRelaxRowsPass());
  pm.addPass(createNMScheduleRowsPass());
  pm.addPass(createNMMapRowsPass());
  if (options.get<bool>(OptionId::TileTransposes))
    pm.addPass(createNMTileTransposesPass());
  pm.addPass(createNMAllocateSharedPass());
  pm.addPass(createNMLinalgToParallelLoopsPass());
  pm.addPass(createNMMapLoopsToGPUPass());
  pm.addPass(createNMLocalBuffersPass());
  addCleanup(pm);
}

void nm::buildOutlinePipeline(OpPassManager &pm) {
  // Kernels that only differ in the layer that an assertion names stay two.
  pm.addPass(createNMLocateAssertsPass());
  pm.addPass(createNMPlaceDeallocsPass());
  pm.addPass(createNMVerifyHostPass());
  pm.addPass(createNMSinkConstantsPass());
  pm.addPass(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createNMOutlineKernelsPass());
  pm.addPass(createNMFlattenKernelArgsPass());
  pm.addPass(createNMWidenKernelArgsPass());
  pm.addPass(createNMMergeKernelsPass());
  addCleanup(pm);
}

void nm::buildLowerToNVVMPipeline(OpPassManager &pm,
                                  const PipelineOptions &options) {
  addSetTarget(pm, options);
  addPass(pm, createNMAttachTargetPass(), options);
  if (options.get<bool>(OptionId::OverlapLaunches)) {
    // Asks what launches claim for themselves.
    pm.addPass(createNMOverlapLaunchesPass());
    if (options.get<bool>(OptionId::LimitOccupancy))
      pm.addPass(createNMLimitOccupancyPass());
  }
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  // Into ops on the parts, whose math is expanded as that of other floats.
  kernels.addPass(createConvertComplexToStandardPass());
  kernels.addPass(createNMApproximateMathPass());
  kernels.addPass(createNMExpandMathPass());
  kernels.addPass(createNMExpandSmallFloatsPass());
  // bf16 is computed in f32, as PyTorch does, whatever the chip could do.
  arith::ArithEmulateUnsupportedFloatsOptions narrow;
  narrow.sourceTypeStrs = {"bf16"};
  narrow.targetTypeStr = "f32";
  kernels.addPass(arith::createArithEmulateUnsupportedFloats(narrow));
  kernels.addPass(createNMWidenBFloat16Pass());
  kernels.addPass(createNMLowerExtremesPass());
  kernels.addPass(arith::createArithExpandOpsPass());
  kernels.addPass(createNMResolveExpandShapesPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createConvertNVGPUToNVVMPass());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createNMLowerKernelAssertsPass());
  kernels.addPass(createNMLowerTensorMapsPass());
  kernels.addPass(createConvertComplexToLLVMPass());
  ConvertGpuOpsToNVVMOpsOptions convert;
  convert.indexBitwidth = 64;
  convert.useBarePtrCallConv = true;
  kernels.addPass(createConvertGpuOpsToNVVMOps(convert));
  addCleanup(kernels);
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createNMMarkInvariantLoadsPass());
  if (options.get<bool>(OptionId::BypassL1))
    kernels.addPass(createNMBypassL1Pass());
  kernels.addPass(createNMPassTensorMapsPass());
  kernels.addPass(createNMExportSharedMemoryPass());
  if (options.get<bool>(OptionId::FitRegisters))
    pm.addPass(createNMFitRegistersPass());
  addVerifier(pm, createNMVerifyLoweredPass(), options);
}

void nm::buildEmitPTXPipeline(OpPassManager &pm) {
  GpuModuleToBinaryPassOptions options;
  options.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(options));
}

namespace {

struct NoOptions : PassPipelineOptions<NoOptions> {};

/// A pipeline without options. An option that it is given is an error that
/// names it; MLIR's own registration of such pipelines would fail without a
/// word.
struct PlainRegistration : PassPipelineRegistration<NoOptions> {
  PlainRegistration(StringRef name, StringRef description,
                    void (*build)(OpPassManager &))
      : PassPipelineRegistration(
            name, description,
            [build](OpPassManager &manager, const NoOptions &) {
              build(manager);
            }) {}
};

} // namespace

void nm::registerPipelines() {
  using Registration = PassPipelineRegistration<PipelineOptions>;
  static Registration import("nm-import-pipeline",
                             "linalg products with constants to nm",
                             buildImportPipeline);
  static Registration fuse("nm-fuse-pipeline",
                           "element-wise ops into the products before them",
                           buildFusePipeline);
  static Registration plan("nm-plan-pipeline",
                           "schedules for products, weights packed for them",
                           buildPlanPipeline);
  static Registration bufferize(
      "nm-bufferize-pipeline", "tensors to memrefs",
      [](OpPassManager &pm, const PipelineOptions &options) {
        buildBufferizePipeline(pm, options.get<bool>(OptionId::FormKernels));
      });
  static Registration tile("nm-tile-pipeline",
                           "products on memrefs to gpu.launch",
                           buildTilePipeline);
  static Registration map("nm-map-linalg-pipeline",
                          "other linalg ops to gpu.launch",
                          buildMapLinalgPipeline);
  static PlainRegistration outline(
      "nm-outline-pipeline", "gpu.launch to gpu.func", buildOutlinePipeline);
  static Registration lower("nm-lower-to-nvvm-pipeline", "gpu.func to NVVM",
                            buildLowerToNVVMPipeline);
  static PlainRegistration emit("nm-emit-ptx-pipeline", "NVVM to PTX",
                                buildEmitPTXPipeline);
  static Registration whole("nm-to-ptx-pipeline", "linalg on tensors to PTX",
                            buildToPTXPipeline);
  static PlainRegistration program(
      "nm-program-pipeline", "host code to what instructions of programs do",
      buildProgramPipeline);
  static PlainRegistration cpu("nm-cpu-pipeline",
                               "a module on tensors to LLVM for this machine",
                               buildCpuPipeline);
}
