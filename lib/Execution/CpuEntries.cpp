//===- CpuEntries.cpp - The host ABI for CPU code -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's C interface returns one number by value, and one array or several
// results through a pointer before the arguments. Ours has a pointer for every
// result, so that a caller needs to know no struct layout.
//
//===----------------------------------------------------------------------===//

#include "CpuEntries.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

static constexpr llvm::StringLiteral kPrefix = "_mlir_ciface_";

/// Calls upstream's interface and stores its results through `results`.
static void forward(ImplicitLocOpBuilder &builder, LLVM::LLVMFuncOp callee,
                    Type resultType, unsigned resultCount, ValueRange results,
                    ValueRange arguments) {
  Type returned = callee.getFunctionType().getReturnType();
  bool isIndirect = isa<LLVM::LLVMVoidType>(returned) && resultCount != 0;
  SmallVector<Value> operands(arguments);
  Value space;
  if (isIndirect) {
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Value one = LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                         builder.getI64IntegerAttr(1));
    space = LLVM::AllocaOp::create(builder, pointer, resultType, one);
    operands.insert(operands.begin(), space);
  }
  auto call = LLVM::CallOp::create(builder, callee, operands);
  if (resultCount == 0)
    return;
  Value packed = isIndirect ? LLVM::LoadOp::create(builder, resultType, space)
                            : call.getResult();
  if (resultCount == 1) {
    LLVM::StoreOp::create(builder, packed, results.front());
    return;
  }
  for (auto [index, result] : llvm::enumerate(results)) {
    Value part = LLVM::ExtractValueOp::create(
        builder, packed, ArrayRef<int64_t>(static_cast<int64_t>(index)));
    LLVM::StoreOp::create(builder, part, result);
  }
}

/// Number of values in what the function returns. `isAggregate` tells the
/// struct of several results from that of one descriptor, whose first field is
/// a pointer.
static unsigned countResults(Type returned) {
  if (isa<LLVM::LLVMVoidType>(returned))
    return 0;
  auto aggregate = dyn_cast<LLVM::LLVMStructType>(returned);
  if (!aggregate || isa<LLVM::LLVMPointerType>(aggregate.getBody().front()))
    return 1;
  return aggregate.getBody().size();
}

static void addEntry(LLVM::LLVMFuncOp interface, LLVM::LLVMFuncOp function) {
  Type returned = function.getFunctionType().getReturnType();
  unsigned resultCount = countResults(returned);
  ArrayRef<Type> parameters = interface.getFunctionType().getParams();
  if (isa<LLVM::LLVMVoidType>(interface.getFunctionType().getReturnType()) &&
      resultCount != 0)
    parameters = parameters.drop_front();

  std::string name = interface.getName().str();
  interface.setName(name + "_packed");
  ImplicitLocOpBuilder builder(interface.getLoc(), interface);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  SmallVector<Type> types(1 + resultCount, pointer);
  llvm::append_range(types, parameters);
  auto entry = LLVM::LLVMFuncOp::create(
      builder, name, LLVM::LLVMFunctionType::get(builder.getI32Type(), types));
  builder.setInsertionPointToStart(entry.addEntryBlock(builder));
  ValueRange values = entry.getArguments();
  forward(builder, interface, returned, resultCount,
          values.slice(1, resultCount), values.drop_front(1 + resultCount));
  Value ok = LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                      builder.getI32IntegerAttr(0));
  LLVM::ReturnOp::create(builder, ok);
}

void nm::addCpuEntries(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto interface :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    StringRef name = interface.getName();
    if (interface.isExternal() || !name.consume_front(kPrefix))
      continue;
    if (auto function = symbols.lookup<LLVM::LLVMFuncOp>(name))
      addEntry(interface, function);
  }
}
