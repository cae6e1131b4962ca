//===- OptMain.cpp - Runs passes on .mlir files ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "nm/InitAll.h"

int nm::nmOptMain(int argc, char **argv) {
  nm::registerAllPasses();
  mlir::DialectRegistry registry;
  nm::registerAllDialects(registry);
  return mlir::failed(
      mlir::MlirOptMain(argc, argv, "nm optimizer driver\n", registry));
}
