//===- Stages.cpp - The stages of compilation as a table ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Pipelines/Stages.h"
#include "CommonPasses.h"
#include "mlir/Transforms/Passes.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Verify/Passes.h"
#include "nm/Support/ElementsData.h"

using namespace mlir;
using namespace nm;

static void buildTileStage(OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(createNMTilePass());
  addVerifier(pm, createNMVerifyTiledPass(), options);
}

/// A stage of one pass, without which the kernel is right but slower.
template <OptionId kSwitch, std::unique_ptr<Pass> (*create)(),
          std::unique_ptr<Pass> (*createVerifier)()>
static void buildOptionalStage(OpPassManager &pm,
                               const PipelineOptions &options) {
  if (!options.get<bool>(kSwitch))
    return;
  pm.addPass(create());
  addVerifier(pm, createVerifier(), options);
}

static void buildDoubleBufferStage(OpPassManager &pm,
                                   const PipelineOptions &options) {
  if (!options.get<bool>(OptionId::DoubleBuffer))
    return;
  if (options.get<bool>(OptionId::StageTransposes))
    pm.addPass(createNMStageTransposesPass());
  if (options.get<bool>(OptionId::AssignRoles))
    pm.addPass(createNMAssignRolesPass());
  pm.addPass(createNMDoubleBufferPass());
  if (options.get<bool>(OptionId::OverlapTiles))
    pm.addPass(createNMOverlapTilesPass());
  if (options.get<bool>(OptionId::BulkCopies))
    pm.addPass(createNMBulkCopiesPass());
  if (options.get<bool>(OptionId::TensorCopies))
    pm.addPass(createNMTensorCopiesPass());
  if (options.get<bool>(OptionId::AsyncCopies))
    pm.addPass(createNMAsyncCopiesPass());
  addVerifier(pm, createNMVerifyBufferedPass(), options);
}

static void buildLoadFragmentsStage(OpPassManager &pm,
                                    const PipelineOptions &options) {
  pm.addPass(createNMLoadFragmentsPass());
  if (options.get<bool>(OptionId::SpreadCopies))
    pm.addPass(createNMSpreadCopiesPass());
  if (options.get<bool>(OptionId::PrefetchFragments))
    pm.addPass(createNMPrefetchFragmentsPass());
  addVerifier(pm, createNMVerifyLoadedPass(), options);
}

static void buildMapToThreadsStage(OpPassManager &pm,
                                   const PipelineOptions &options) {
  pm.addPass(createNMMapToThreadsPass());
  addSetTarget(pm, options);
  pm.addPass(createNMAllocateSharedPass());
  addCleanup(pm);
  if (options.get<bool>(OptionId::FuseLaunches)) {
    pm.addPass(createNMFuseLaunchesPass());
    addCleanup(pm);
  }
  if (options.get<bool>(OptionId::LoadColumnsAhead)) {
    pm.addPass(createNMLoadColumnsAheadPass());
    addCleanup(pm);
  }
  if (options.get<bool>(OptionId::LoadWeightsAhead)) {
    pm.addPass(createNMLoadWeightsAheadPass());
    addCleanup(pm);
  }
  if (options.get<bool>(OptionId::LoadAhead))
    pm.addPass(createNMLoadAheadPass());
  addVerifier(pm, createNMVerifyMappedPass(), options);
}

static constexpr Stage kStages[] = {
    {"import", buildImportPipeline},
    {"fuse", buildFusePipeline},
    {"plan", buildPlanPipeline},
    {"bufferize",
     [](OpPassManager &pm, const PipelineOptions &options) {
       buildBufferizePipeline(pm, options.get<bool>(OptionId::FormKernels));
     }},
    {"tile", buildTileStage},
    {"promote-shared",
     buildOptionalStage<OptionId::Promote, createNMPromoteSharedPass,
                        createNMVerifyPromotedPass>},
    {"pack-tile", buildOptionalStage<OptionId::PackTile, createNMPackTilePass,
                                     createNMVerifyPackedPass>},
    {"double-buffer", buildDoubleBufferStage},
    {"load-fragments", buildLoadFragmentsStage},
    {"map-to-threads", buildMapToThreadsStage},
    {"map-linalg", buildMapLinalgPipeline},
    {"outline", [](OpPassManager &pm,
                   const PipelineOptions &) { buildOutlinePipeline(pm); }},
    {"lower-to-nvvm", buildLowerToNVVMPipeline},
    {"emit-ptx", [](OpPassManager &pm,
                    const PipelineOptions &) { buildEmitPTXPipeline(pm); }},
};

llvm::ArrayRef<Stage> nm::getStages() { return kStages; }

const Stage *nm::lookupStage(StringRef name) {
  const Stage *stage = llvm::find_if(
      kStages, [&](const Stage &row) { return row.name == name; });
  return stage == std::end(kStages) ? nullptr : stage;
}

/// Discardable unit attribute of a module that has been through `fuse`.
static constexpr llvm::StringLiteral kFusedAttr = "nm.fused";

FailureOr<bool> nm::runStage(const Stage &stage, ModuleOp module,
                             const PipelineOptions &options) {
  bool isFuse = stage.name == StringRef("fuse");
  if (isFuse && module->hasAttr(kFusedAttr))
    return false;
  PassManager pm(module.getContext());
  stage.build(pm, options);
  if (pm.empty())
    return false;
  if (failed(pm.run(module)))
    return failure();
  releaseUnusedResources(module);
  if (isFuse)
    module->setAttr(kFusedAttr, UnitAttr::get(module.getContext()));
  return true;
}

std::string nm::listStages() {
  std::string names;
  for (const Stage &stage : kStages)
    names += (names.empty() ? "" : ", ") + stage.name.str();
  return names;
}

void nm::buildTilePipeline(OpPassManager &pm, const PipelineOptions &options) {
  for (const Stage *stage = lookupStage("tile");
       stage->name != StringRef("map-linalg"); ++stage)
    stage->build(pm, options);
}

void nm::buildToPTXPipeline(OpPassManager &pm, const PipelineOptions &options) {
  for (const Stage &stage : getStages())
    stage.build(pm, options);
}
