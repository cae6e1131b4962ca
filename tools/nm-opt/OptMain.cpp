//===- OptMain.cpp - Runs passes on .mlir files ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "nm/Pipelines/InitAll.h"
#include "nm/Tool/Tool.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::extrahelp examples(R"(
EXAMPLES:

  The products that nm finds in a model, with a remark for each candidate:
    nm-opt model.mlir --nm-import-linalg --remarks-filter='nm-.*' \
        --remark-format=emitRemark
  All passes of the import stage, and the module after each:
    nm-opt model.mlir --nm-import-pipeline --mlir-print-ir-after-all
  A kernel that a product becomes, up to its tiles:
    nm-opt product.mlir --nm-tile-pipeline=chip=sm_90
  Bytecode, and back:
    nm-opt model.mlir --emit-bytecode -o model.mlirbc
)");

int nm::nmOptMain(int argc, char **argv) {
  startTool("nm-opt");
  nm::registerAllPasses();
  mlir::DialectRegistry registry;
  nm::registerAllDialects(registry);
  return mlir::failed(
      mlir::MlirOptMain(argc, argv, "nm optimizer driver\n", registry));
}
