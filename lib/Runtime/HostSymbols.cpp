//===- HostSymbols.cpp - What code for the CPU may call -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Runtime/HostSymbols.h"

#include "nm-c/Runtime.h"
#include "nm/Numbers/Float16.h"

/// LLVM expects a bf16 result in the low 16 bits of the register of a float
/// result. Weak, for the libgcc of GCC 13 and later has these functions.
static float inFloatRegister(uint16_t bits) { return nm::floatFromBits(bits); }

// LLVM's names.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" {
__attribute__((weak)) float __truncsfbf2(float value) {
  return inFloatRegister(nm::floatToBFloat16(value));
}
__attribute__((weak)) float __truncdfbf2(double value) {
  return inFloatRegister(nm::doubleToBFloat16(value));
}
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

const nm::runtime::HostSymbol *nm::runtime::hostSymbols(size_t &count) {
#define NM_SYMBOL(name)                                                        \
  {                                                                            \
    #name, reinterpret_cast<void *>(&name)                                     \
  }
  static const HostSymbol symbols[] = {
      NM_SYMBOL(nmrtHostAlloc), NM_SYMBOL(nmrtAssertionFailed),
      NM_SYMBOL(__truncsfbf2), NM_SYMBOL(__truncdfbf2)};
#undef NM_SYMBOL
  count = sizeof(symbols) / sizeof(symbols[0]);
  return symbols;
}
