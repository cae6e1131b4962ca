//===- Lowering.cpp - From a module to host code --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "nm/Dialect/NM/IR/BufferizableOpInterfaceImpl.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"
#include "nm/Pipelines/Stages.h"

using namespace mlir;
using namespace nm;

void nm::registerInputDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<NMDialect, tm_tensor::TMTensorDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
  tm_tensor::registerBufferizableOpInterfaceExternalModels(registry);
}

static LogicalResult runStage(ModuleOp module, const Stage &stage,
                              const PipelineOptions &options,
                              ReportCollector &collector) {
  PassManager pm(module->getContext());
  if (!isDone(stage, module))
    stage.build(pm, options);
  if (!pm.empty() && failed(pm.run(module)))
    return failure();
  if (!pm.empty())
    setDone(stage, module);
  collector.afterStage(stage.name, module);
  return success();
}

LogicalResult nm::lowerForCpu(ModuleOp module, const PipelineOptions &options,
                              ReportCollector &collector) {
  for (StringRef name : {"import", "fuse"})
    if (failed(runStage(module, *lookupStage(name), options, collector)))
      return failure();
  PassManager pm(module->getContext());
  buildCpuPipeline(pm);
  return pm.run(module);
}

LogicalResult nm::lowerForGpu(ModuleOp module, const PipelineOptions &options,
                              ReportCollector &collector) {
  for (const Stage &stage : getStages())
    if (failed(runStage(module, stage, options, collector)))
      return failure();
  PassManager pm(module->getContext());
  buildHostPipeline(pm);
  return pm.run(module);
}
