//===- KernelNames.cpp - How kernels are named ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace nm;

StringRef nm::getLaunchName(gpu::LaunchFuncOp launch) {
  auto name = launch->getAttrOfType<StringAttr>(kLaunchNameAttr);
  return name ? name.getValue() : launch.getKernelName().getValue();
}

StringRef nm::describeBody(Block &body) {
  StringRef word = "copy";
  bool isMath = false;
  for (Operation &inner : body.without_terminator()) {
    StringRef dialect = inner.getName().getDialectNamespace();
    bool thisIsMath = dialect == "math";
    if (!thisIsMath &&
        (isMath || dialect != "arith" || isa<arith::ConstantOp>(inner)))
      continue;
    word = inner.getName().stripDialect();
    isMath |= thisIsMath;
  }
  return word;
}

KernelNames::KernelNames(Operation *root) {
  root->walk([&](gpu::LaunchOp launch) {
    if (auto name = launch.getFunctionAttr())
      used.insert(name.getValue());
  });
  root->walk([&](gpu::GPUFuncOp kernel) { used.insert(kernel.getName()); });
}

static std::string toPTXName(StringRef text) {
  std::string name = text.str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

void KernelNames::assign(gpu::LaunchOp launch, StringRef what) {
  auto function = launch->getParentOfType<FunctionOpInterface>();
  std::string prefix = toPTXName(function ? function.getName() : "kernel");
  if (llvm::isDigit(prefix.front()))
    prefix.insert(0, "_");
  unsigned &number = nextNumber[prefix];
  std::string name;
  do
    name = prefix + "_" + std::to_string(number++) + "_" + toPTXName(what);
  while (!used.insert(name).second);
  MLIRContext *context = launch.getContext();
  launch.setModuleAttr(FlatSymbolRefAttr::get(context, kKernelModuleName));
  launch.setFunctionAttr(FlatSymbolRefAttr::get(context, name));
}
