//===- Library.cpp - libnm.so ---------------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library is made of the others' objects; CMake wants one of its own.
//
//===----------------------------------------------------------------------===//

#include "nm-c/Program.h"
