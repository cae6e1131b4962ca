//===- nm-opt.cpp - The executable nm-opt ---------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptMain.h"

int main(int argc, char **argv) { return nm::nmOptMain(argc, argv); }
