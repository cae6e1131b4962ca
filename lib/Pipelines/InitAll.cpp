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
#include "nm/Conversion/Passes.h"
#include "nm/Dialect/NM/IR/BufferizableOpInterfaceImpl.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/Transforms/Passes.h"
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"
#include "nm/Pipelines/Pipelines.h"

void nm::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<nm::NMDialect, nm::tm_tensor::TMTensorDialect>();
  nm::registerBufferizableOpInterfaceExternalModels(registry);
  nm::tm_tensor::registerBufferizableOpInterfaceExternalModels(registry);
}

void nm::registerAllPasses() {
  mlir::registerAllPasses();
  nm::registerNMConversionPasses();
  nm::registerNMTransformsPasses();
  nm::registerPipelines();
}
