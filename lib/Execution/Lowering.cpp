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
#include "nm/Conversion/Passes.h"
#include "nm/Dialect/NM/IR/BufferizableOpInterfaceImpl.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"

using namespace mlir;

void nm::registerInputDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<NMDialect, tm_tensor::TMTensorDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
  tm_tensor::registerBufferizableOpInterfaceExternalModels(registry);
}

LogicalResult nm::lowerForCpu(ModuleOp module) {
  PassManager pm(module->getContext());
  pm.addPass(createNMImportLinalgPass());
  buildCpuPipeline(pm);
  return pm.run(module);
}

LogicalResult nm::lowerForGpu(ModuleOp module, const PipelineOptions &options) {
  PassManager pm(module->getContext());
  buildToRuntimePipeline(pm, options);
  return pm.run(module);
}
