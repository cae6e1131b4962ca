//===- HostToProgram.cpp - Modules to programs ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/PlannedFunctions.h"
#include "nm/Target/TargetInfo.h"

using namespace mlir;
using namespace nm;

/// Adds `function` after the functions that it calls, none of which calls
/// itself.
static LogicalResult addFunction(func::FuncOp function, ModuleOp module,
                                 ProgramTables &tables) {
  if (tables.lookupFunction(function.getName()))
    return success();
  SmallVector<func::FuncOp> callees;
  function.walk([&](func::CallOp call) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (callee && !callee.isExternal())
      callees.push_back(callee);
  });
  for (func::FuncOp callee : callees)
    if (failed(addFunction(callee, module, tables)))
      return failure();
  FailureOr<program::Function> converted =
      FunctionEmitter(function, tables).run();
  if (failed(converted))
    return failure();
  tables.addFunction(std::move(*converted));
  return success();
}

static LogicalResult addEntry(const Signature &signature, ModuleOp module,
                              ProgramTables &tables) {
  auto function = module.lookupSymbol<func::FuncOp>(signature.name);
  auto planName = function
                      ? function->getAttrOfType<FlatSymbolRefAttr>(kPlanAttr)
                      : nullptr;
  auto plan = planName ? module.lookupSymbol<func::FuncOp>(planName.getValue())
                       : nullptr;
  if (!plan)
    return emitError(module.getLoc(), "expected `")
           << signature.name
           << "` with a plan of its memory; run nm-plan-memory first";
  if (failed(addFunction(plan, module, tables)) ||
      failed(addFunction(function, module, tables)))
    return failure();
  program::Entry entry;
  entry.name = signature.name;
  entry.arguments = signature.arguments;
  for (const ValueType &type : signature.results)
    entry.results.push_back({type, program::ResultPlace::Allocated});
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    if (auto number = function.getArgAttrOfType<IntegerAttr>(i, kResultAttr))
      entry.results[number.getInt()].place = program::ResultPlace::Given;
  entry.argumentNames = signature.argumentNames;
  entry.resultNames = signature.resultNames;
  entry.weights = signature.weights;
  for (auto [elements, name, type] :
       llvm::zip(signature.initialState, signature.argumentNames,
                 signature.arguments)) {
    auto index = tables.addInitialState(function.getLoc(), elements, name);
    if (failed(index))
      return failure();
    // The type of the elements does not say whether they have a sign.
    tables.program.constants[*index].element = type.element;
    entry.initialState.push_back(*index);
  }
  entry.plan = *tables.lookupFunction(plan.getName());
  entry.run = *tables.lookupFunction(function.getName());
  tables.program.entries.push_back(std::move(entry));
  return success();
}

LogicalResult nm::convertHostToProgram(ModuleOp module,
                                       ArrayRef<Signature> signatures,
                                       ConvertedProgram &result) {
  ProgramTables tables(module, result);
  for (const Signature &signature : signatures)
    if (failed(addEntry(signature, module, tables)))
      return failure();
  result.program.chip = getTarget(module).chip.str();
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (Attribute object : binary.getObjects()) {
      auto image = cast<gpu::ObjectAttr>(object);
      result.program.images.push_back({program::ImageKind::PTX,
                                       result.program.chip,
                                       image.getObject().getValue().str()});
    }
  return success();
}
