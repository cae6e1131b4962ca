//===- Host.cpp - Host code of programs, and code for the CPU -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommonPasses.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "nm/Conversion/ExpandMath/Passes.h"
#include "nm/Conversion/HostToRuntime/Passes.h"
#include "nm/Conversion/LinalgToGPU/Passes.h"
#include "nm/Conversion/NMToLinalg/Passes.h"
#include "nm/Conversion/TMTensorToLoops/Passes.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Pipelines/Pipelines.h"
#include "nm/Transforms/Buffers/Passes.h"
#include "nm/Transforms/Checks/Passes.h"
#include "nm/Transforms/Tensors/Passes.h"

using namespace mlir;
using namespace nm;

/// Structured host code on buffers to branches, with views as numbers.
static void addControlFlowPasses(OpPassManager &pm) {
  pm.addPass(createNMResolveExpandShapesPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createNMAssertDivisorsPass());
  pm.addPass(createSCFToControlFlowPass());
}

void nm::buildProgramPipeline(OpPassManager &pm) {
  // What a function that is called allocates is planned with its caller.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createNMPlanMemoryPass());
  addCleanup(pm);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createConvertComplexToStandardPass());
  functions.addPass(createNMExpandMathPass());
  addControlFlowPasses(pm);
  pm.addPass(createNMExpandSmallFloatsPass());
  pm.addPass(arith::createArithExpandOpsPass());
  addCleanup(pm);
}

void nm::buildCpuPipeline(OpPassManager &pm) {
  pm.addPass(createNMVerifyInputPass());
  pm.addPass(createNMSplitArgumentsPass());
  pm.addPass(createNMPrepareTensorsPass());
  pm.addPass(createNMAssertAccessesPass());
  pm.addPass(createNMToLinalgPass());
  buildBufferizePipeline(pm, /*formKernels=*/false);
  pm.addPass(createNMTMTensorToLoopsPass());
  pm.addPass(createNMPlaceDeallocsPass());
  pm.addPass(createNMLinalgToParallelLoopsPass());
  pm.addPass(createConvertComplexToStandardPass());
  pm.addPass(createNMExpandMathPass());
  addCleanup(pm);
  pm.addPass(createNMLocateAssertsPass());
  pm.addPass(createNMOutlineLoopsPass());
  addControlFlowPasses(pm);
  pm.addPass(createNMHostToRuntimePass());
  pm.addPass(createNMExpandSmallFloatsPass());
  pm.addPass(arith::createArithExpandOpsPass());
  pm.addPass(createConvertToLLVMPass());
  addCleanup(pm);
  pm.addPass(createReconcileUnrealizedCastsPass());
}
