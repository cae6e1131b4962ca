//===- nm-lsp-server.cpp - The executable nm-lsp-server -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an editor asks about .mlir files: diagnostics while typing, definitions,
// documentation of ops. MLIR's server, with nm's dialects.
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "nm/Pipelines/InitAll.h"
#include "nm/Tool/Tool.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::extrahelp examples(R"(
EXAMPLE:

  In the settings of VS Code's MLIR extension:
    "mlir.server_path": "/path/to/nm-lsp-server"
)");

int main(int argc, char **argv) {
  nm::startTool("nm-lsp-server");
  mlir::DialectRegistry registry;
  nm::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
