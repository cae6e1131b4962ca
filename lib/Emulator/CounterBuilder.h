//===- CounterBuilder.h - Gathers the counts of a launch --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds up what the interpreters of a launch counted by instruction, and sorts
// it into the public structure.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_COUNTERBUILDER_H
#define NM_LIB_EMULATOR_COUNTERBUILDER_H

#include "Interpreter.h"

namespace nm {
namespace emulator {

class CounterBuilder {
public:
  explicit CounterBuilder(const LaunchContext &context);
  void add(const Interpreter &interpreter);
  Counters finish(uint64_t blocks) const;

private:
  void addAccesses(Counters &counters) const;
  void addMainLoop(Counters &counters) const;

  const LaunchContext &context;
  std::vector<PcCount> counts;
  std::vector<AccessCount> accesses;
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_COUNTERBUILDER_H
