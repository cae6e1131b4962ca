//===- StepTurns.h - What of a step is written out --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step of a kernel is a loop of turns, of which each is written out as one
// block of code.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_KERNELPLAN_STEPTURNS_H
#define NM_DIALECT_NM_KERNELPLAN_STEPTURNS_H

#include <cstdint>

namespace nm {

/// FMAs of one thread that are written out as one block of code: more than this
/// outgrows the instruction cache without hiding more latency.
inline constexpr int64_t kUnrolledFmas = 2048;

/// What a turn has of `count`, such as the units of a step: the largest divisor
/// of that which is a multiple of `unit` and at most `most`; `unit` where there
/// is none.
int64_t getTurn(int64_t count, int64_t unit, int64_t most);

} // namespace nm

#endif // NM_DIALECT_NM_KERNELPLAN_STEPTURNS_H
