//===- CountNew.h - How often a thread asks for memory ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_UNIT_RUNTIME_COUNTNEW_H
#define NM_TEST_UNIT_RUNTIME_COUNTNEW_H

#include <cstdint>

/// Calls of operator new in this thread.
extern thread_local uint64_t newCalls;

#endif // NM_TEST_UNIT_RUNTIME_COUNTNEW_H
