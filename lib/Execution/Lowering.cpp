//===- Lowering.cpp - From a module to host code --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Pass/PassManager.h"
#include "nm/Pipelines/Stages.h"

using namespace mlir;
using namespace nm;

static LogicalResult runAndReport(const Stage &stage, ModuleOp module,
                                  const PipelineOptions &options,
                                  ReportCollector &collector) {
  if (failed(runStage(stage, module, options)))
    return failure();
  collector.afterStage(stage.name, module);
  return success();
}

LogicalResult nm::lowerForCpu(ModuleOp module, const PipelineOptions &options,
                              ReportCollector &collector) {
  for (StringRef name : {"import", "fuse"})
    if (failed(runAndReport(*lookupStage(name), module, options, collector)))
      return failure();
  PassManager pm(module->getContext());
  buildCpuPipeline(pm);
  return pm.run(module);
}

LogicalResult nm::lowerForGpu(ModuleOp module, const PipelineOptions &options,
                              ReportCollector &collector) {
  for (const Stage &stage : getStages())
    if (failed(runAndReport(stage, module, options, collector)))
      return failure();
  PassManager pm(module->getContext());
  buildProgramPipeline(pm);
  return pm.run(module);
}
