//===- SanitizerOptions.cpp - What sanitizers assume by default -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The name is AddressSanitizer's.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)

/// Read by AddressSanitizer at the start of every executable. LLVM's allocators
/// poison, from our inlined code, memory that code inside a libLLVM without
/// instrumentation hands out again: reports of such memory are false.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
