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
#include "nm/Pipelines/InitAll.h"
#include "nm/Tool/Tool.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::extrahelp examples(R"(
EXAMPLE:

  A smaller module of which nm-compile says the same (the script exits with 1
  for a module that still shows it, and 0 otherwise):
    printf '#!/bin/sh\n! nm-compile "$1" -o /dev/null 2>&1 | grep -q "not bufferized"\n' > test.sh
    chmod +x test.sh
    nm-reduce model.mlir --reduction-tree='traversal-mode=0 test=./test.sh'
)");

int main(int argc, char **argv) {
  nm::startTool("nm-reduce");
  nm::registerAllPasses();
  mlir::DialectRegistry registry;
  nm::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
