//===- nm-compile.cpp - The executable nm-compile -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Compiler/Compile.h"

int main(int argc, char **argv) { return nm::nmCompileMain(argc, argv); }
