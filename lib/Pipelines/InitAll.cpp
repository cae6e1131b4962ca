//===- InitAll.cpp - Everything a module of nm may need -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Pipelines/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "nm/Conversion/ExpandMath/Passes.h"
#include "nm/Conversion/HostToRuntime/Passes.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"
#include "nm/Conversion/LinalgToGPU/Passes.h"
#include "nm/Conversion/LinalgToNM/Passes.h"
#include "nm/Conversion/NMToLinalg/Passes.h"
#include "nm/Conversion/TMTensorToLoops/Passes.h"
#include "nm/Dialect/NM/IR/BufferizableOpInterfaceImpl.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/Map/KindLowering.h"
#include "nm/Dialect/NM/Map/Passes.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Dialect/NM/Rows/Passes.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Verify/Passes.h"
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"
#include "nm/Pipelines/Pipelines.h"
#include "nm/Transforms/Buffers/Passes.h"
#include "nm/Transforms/Checks/Passes.h"
#include "nm/Transforms/FuseEpilogue/Passes.h"
#include "nm/Transforms/Kernels/Passes.h"
#include "nm/Transforms/Normalize/Passes.h"
#include "nm/Transforms/Tensors/Passes.h"

void nm::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<nm::NMDialect, nm::tm_tensor::TMTensorDialect>();
  nm::registerBufferizableOpInterfaceExternalModels(registry);
  nm::registerKindLowerings(registry);
  nm::tm_tensor::registerBufferizableOpInterfaceExternalModels(registry);
}

void nm::registerAllPasses() {
  mlir::registerAllPasses();
  nm::registerNMExpandMathPasses();
  nm::registerNMHostToRuntimePasses();
  nm::registerNMKernelToNVVMPasses();
  nm::registerNMLinalgToGPUPasses();
  nm::registerNMLinalgToNMPasses();
  nm::registerNMNMToLinalgPasses();
  nm::registerNMTMTensorToLoopsPasses();
  nm::registerNMMapPasses();
  nm::registerNMPlanPasses();
  nm::registerNMRowsPasses();
  nm::registerNMTilePasses();
  nm::registerNMVerifyPasses();
  nm::registerNMBuffersPasses();
  nm::registerNMChecksPasses();
  nm::registerNMFuseEpiloguePasses();
  nm::registerNMKernelsPasses();
  nm::registerNMNormalizePasses();
  nm::registerNMTensorsPasses();
  nm::registerPipelines();
}
