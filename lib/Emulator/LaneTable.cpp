//===- LaneTable.cpp - The table of lane-wise opcodes ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the fastest set of lane functions that the host can run, and makes
// its rows searchable by opcode.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <cstdlib>
#include <string>
#include <unordered_map>

using namespace nm::emulator;

const LaneSet &nm::emulator::laneSet() {
#ifdef NM_EMULATOR_AVX2
  // The variable lets tests compare the two sets on one machine.
  static const bool useAVX2 = __builtin_cpu_supports("avx2") &&
                              __builtin_cpu_supports("fma") &&
                              !std::getenv("NM_EMULATOR_BASELINE");
  if (useAVX2)
    return avx2LaneSet;
#endif
  return baselineLaneSet;
}

namespace {
class HashTable : public LaneOpTable {
public:
  void add(const char *name, const char *modifiers, const char *type,
           const LaneOp &op) override {
    rows.emplace(std::string(name) + modifiers + type, op);
  }
  std::unordered_map<std::string, LaneOp> rows;
};
} // namespace

const LaneOp *nm::emulator::findLaneOp(std::string_view opcode) {
  static const HashTable table = [] {
    HashTable filled;
    laneSet().fill(filled);
    return filled;
  }();
  auto found = table.rows.find(std::string(opcode));
  return found == table.rows.end() ? nullptr : &found->second;
}
