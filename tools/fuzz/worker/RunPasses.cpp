//===- RunPasses.cpp - Runs a pass pipeline on a module -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "nm/Pipelines/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace nm::fuzz;

Reply nm::fuzz::runPasses(Parts parts) {
  DialectRegistry registry;
  nm::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errorStream << diagnostic << "\n";
    return success();
  });

  PassManager passes(&context, ModuleOp::getOperationName(),
                     PassManager::Nesting::Implicit);
  if (failed(parsePassPipeline(parts[0], passes, errorStream)))
    return {false, errors};
  auto module = parseSourceString<ModuleOp>(parts[1], &context);
  if (!module)
    return {false, errors};
  obeySeededDefects(parts[1]);
  if (failed(passes.run(*module)))
    return {false, errors};
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return {true, text};
}
