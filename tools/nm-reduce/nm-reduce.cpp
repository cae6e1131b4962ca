//===- nm-reduce.cpp - The executable nm-reduce ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a module smaller as long as a script says that it still shows an error.
// MLIR's reducer, with nm's dialects and passes.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "nm/InitAll.h"

int main(int argc, char **argv) {
  nm::registerAllPasses();
  mlir::DialectRegistry registry;
  nm::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
