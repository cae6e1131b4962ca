//===- nm-run.cpp - Run and check a function of a module ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Execution/Run.h"

int main(int argc, char **argv) { return nm::nmRunMain(argc, argv); }
