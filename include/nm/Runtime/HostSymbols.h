//===- HostSymbols.h - What code for the CPU may call -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A JIT in a program that links the runtime statically cannot find its
// functions by name; it is given these instead.
//
//===----------------------------------------------------------------------===//

#ifndef NM_RUNTIME_HOSTSYMBOLS_H
#define NM_RUNTIME_HOSTSYMBOLS_H

#include <cstddef>

namespace nm {
namespace runtime {

struct HostSymbol {
  const char *name;
  void *address;
};

/// The functions of nm-c/Runtime.h that code for the CPU calls, and the
/// conversions to bf16 that GCC 12's libgcc lacks. `count` receives their
/// number.
const HostSymbol *hostSymbols(size_t &count);

} // namespace runtime
} // namespace nm

#endif // NM_RUNTIME_HOSTSYMBOLS_H
