//===- Assert.h - nm's own invariants, checked at run time ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// assert() depends on NDEBUG, which also changes what LLVM's headers check and
// how some of its classes lie in memory, while the packaged LLVM was compiled
// with it. NM_ASSERT depends on the CMake option NM_ASSERTIONS alone, so that
// an optimised build against that LLVM can check nm's own code; CI does.
//
// For what only a mistake in nm can break. What an input can break is an error
// with a message, in every build.
//
//===----------------------------------------------------------------------===//

#ifndef NM_BASE_ASSERT_H
#define NM_BASE_ASSERT_H

#include <cstdio>
#include <cstdlib>

namespace nm {

/// Prints what was expected, and where, and ends the process.
[[noreturn]] inline void failAssertion(const char *condition,
                                       const char *message, const char *file,
                                       int line) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s (%s)\n", file, line,
               message, condition);
  std::abort();
}

} // namespace nm

/// Ends the process unless `condition` holds, where NM_ASSERTIONS is on;
/// elsewhere the condition is compiled and not evaluated.
#ifdef NM_ASSERTIONS
#define NM_ASSERT(condition, message)                                          \
  ((condition) ? static_cast<void>(0)                                          \
               : ::nm::failAssertion(#condition, message, __FILE__, __LINE__))
#else
#define NM_ASSERT(condition, message)                                          \
  static_cast<void>(sizeof((condition) ? true : false))
#endif

#endif // NM_BASE_ASSERT_H
