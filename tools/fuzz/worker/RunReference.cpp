//===- RunReference.cpp - Runs a module by MLIR's own passes --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A third opinion: nm's two devices share the passes on tensors, and a defect
// of those gives both the same wrong result. This lowers linalg to plain loops
// by MLIR's passes, nothing fused or raised; nm's are only those that make the
// entry and its results what HostProgram calls.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "../../../lib/Execution/InitialState.h"
#include "../../../lib/Execution/Lowering.h"
#include "../../../lib/Execution/RunData.h"
#include "nm/Execution/HostProgram.h"
#include "nm/Pipelines/InitAll.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace nm;

/// nm-correct-views is there as it says what a file of torch-mlir means.
static constexpr const char *kToBuffers =
    "nm-correct-views,convert-elementwise-to-linalg,"
    "one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map},"
    "nm-own-results";

static constexpr const char *kToLLVM =
    "convert-linalg-to-loops,nm-resolve-expand-shapes,expand-strided-metadata,"
    "lower-affine,convert-scf-to-cf,nm-host-to-runtime,arith-expand,"
    "convert-math-to-libm,convert-to-llvm,canonicalize,cse,"
    "reconcile-unrealized-casts";

static LogicalResult runPipeline(ModuleOp module, const char *pipeline) {
  PassManager passes(module->getContext(), ModuleOp::getOperationName(),
                     PassManager::Nesting::Implicit);
  if (failed(parsePassPipeline(pipeline, passes)))
    return failure();
  return passes.run(module);
}

static LogicalResult lower(ModuleOp module) {
  if (failed(runPipeline(module, kToBuffers)))
    return failure();
  // The host's own copies are of contiguous memory only.
  module.walk([](memref::CopyOp copy) {
    OpBuilder builder(copy);
    linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    copy.erase();
  });
  return runPipeline(module, kToLLVM);
}

static llvm::Error run(const RunOptions &options, ModuleOp module) {
  auto refuse = [] {
    return llvm::createStringError("the reference refuses the module");
  };
  auto entry = findEntry(module, options.entry);
  if (failed(entry))
    return refuse();
  auto signature = getSignature(*entry);
  if (failed(signature))
    return refuse();
  auto state = readInitialState(*signature);
  if (!state)
    return state.takeError();
  auto inputs = loadInputs(options, *signature, std::move(*state));
  if (!inputs)
    return inputs.takeError();
  if (failed(lower(module)))
    return refuse();
  auto program = HostProgram::create(module, *signature, /*optLevel=*/1);
  if (!program)
    return program.takeError();
  auto results = (*program)->call(*inputs);
  if (!results)
    return results.takeError();
  return writeOutputs(options, *signature, *results);
}

int nm::fuzz::runReference(int argc, char **argv) {
  RunOptions options = parseRunOptions(argc, argv);
  DialectRegistry registry;
  nm::registerAllDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceFile<ModuleOp>(options.module, &context);
  if (!module)
    return 1;
  if (llvm::Error error = run(options, *module)) {
    llvm::errs() << "reference: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
