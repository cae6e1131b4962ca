//===- InterpretControl.cpp - Execution of branches and exits -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each warp keeps a stack of paths; a divergent branch splits the one on top.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <algorithm>

using namespace nm::emulator;

// The top of the stack becomes the lanes that wait at the meeting point, and
// the two paths go above it. A path that begins at the meeting point waits
// already.
Interpreter::Step
Interpreter::branch(Warp &warp, const Instruction &instruction, uint32_t mask) {
  Frame &top = warp.stack.back();
  uint32_t others = top.mask & ~mask;
  if (!others) {
    top.pc = instruction.target;
    return Step::Jumped;
  }
  uint32_t meeting = instruction.reconvergence, next = top.pc + 1;
  if (instruction.target == next) {
    top.pc = next;
    return Step::Jumped;
  }
  if (meeting == top.reconvergence || meeting == noTarget) {
    meeting = top.reconvergence;
    warp.stack.pop_back();
  } else {
    top.pc = meeting;
  }
  if (next != meeting)
    warp.stack.push_back({next, meeting, others});
  if (instruction.target != meeting)
    warp.stack.push_back({instruction.target, meeting, mask});
  return Step::Jumped;
}

Interpreter::Step Interpreter::branchTable(Warp &warp,
                                           const Instruction &instruction,
                                           uint32_t mask) {
  const std::vector<uint32_t> &table = kernel.branchTables[instruction.detail];
  const uint32_t *index = lanes<uint32_t>(warp, instruction.operands.source[0]);
  Frame top = warp.stack.back();
  uint32_t meeting = instruction.reconvergence;
  if (meeting == top.reconvergence || meeting == noTarget) {
    meeting = top.reconvergence;
    warp.stack.pop_back();
  } else {
    warp.stack.back().pc = meeting;
  }
  if (uint32_t others = top.mask & ~mask)
    warp.stack.push_back({top.pc + 1, meeting, others});
  while (mask) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(mask));
    uint32_t chosen = index[lane], same = 0;
    if (chosen >= table.size()) {
      fail(warp, lane, 0,
           "expected a branch index below " + std::to_string(table.size()) +
               ", got " + std::to_string(chosen));
      return Step::Fault;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
      if (index[__builtin_ctz(rest)] == chosen)
        same |= rest & -rest;
    if (table[chosen] != meeting)
      warp.stack.push_back({table[chosen], meeting, same});
    mask &= ~same;
  }
  return Step::Jumped;
}

Interpreter::Step Interpreter::exitLanes(Warp &warp, uint32_t mask) {
  warp.exited |= mask;
  completeCluster(); // Others do not wait for these lanes.
  bool topGoesOn = (warp.stack.back().mask & ~mask) != 0;
  for (Frame &frame : warp.stack)
    frame.mask &= ~mask;
  warp.stack.erase(
      std::remove_if(warp.stack.begin(), warp.stack.end(),
                     [](const Frame &frame) { return frame.mask == 0; }),
      warp.stack.end());
  return topGoesOn ? Step::Next : Step::Jumped;
}
