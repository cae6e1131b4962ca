//===- InterpretRegisters.cpp - Execution of setmaxnreg -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block begins with the registers of its launch. What a warp gives up goes to
// the block, and a warp that wants more waits until the block has them. The
// values of registers do not depend on it, but whether a kernel ends does.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <algorithm>

using namespace nm::emulator;

static constexpr uint32_t warpgroupWarps = 4;

Interpreter::Step Interpreter::setMaxRegisters(Warp &warp,
                                               const Instruction &instruction,
                                               uint32_t mask) {
  const RegisterInfo &info = kernel.registerInfos[instruction.detail];
  unsigned lane = static_cast<unsigned>(__builtin_ctz(mask));
  if (checks(CheckBarriers) &&
      (!checkWholeWarp(warp, mask) || !checkWarpgroup(warp, lane)))
    return Step::Fault;
  warp.registerChanges.push_back(pc);
  bool isWrongWay = info.isIncrease ? info.count < warp.maxRegisters
                                    : info.count > warp.maxRegisters;
  if (isWrongWay) {
    fail(warp, lane, 0,
         std::string("expected at ") + (info.isIncrease ? "least" : "most") +
             " the " + std::to_string(warp.maxRegisters) +
             " registers that the warp has, got " + std::to_string(info.count));
    return Step::Fault;
  }
  if (!info.isIncrease) {
    blockOf(warp).freeRegisters += warp.maxRegisters - info.count;
    warp.maxRegisters = info.count;
    grantRegisters(blockOf(warp));
    return Step::Next;
  }
  warp.wantedRegisters = info.count;
  warp.state = State::Waiting;
  warp.waitPc = pc;
  warp.waitMask = mask;
  grantRegisters(blockOf(warp));
  return warp.state == State::Waiting ? Step::Blocked : Step::Next;
}

/// All warps of a warpgroup change their registers by the same instructions,
/// and none begins the next change before the others have done the last.
bool Interpreter::checkWarpgroup(Warp &warp, unsigned lane) {
  uint32_t first = warp.number / warpgroupWarps * warpgroupWarps;
  if (first + warpgroupWarps > launch.warps)
    return fail(warp, lane, CheckBarriers,
                "expected a warpgroup of 4 warps, got " +
                    std::to_string(launch.warps - first));
  size_t change = warp.registerChanges.size();
  for (uint32_t i = first; i < first + warpgroupWarps; ++i) {
    const std::vector<uint32_t> &other =
        warpOf(blockOf(warp), i).registerChanges;
    if (other.size() > change && other[change] != pc)
      return fail(warp, lane, CheckBarriers,
                  "divergence: expected all warps of a warpgroup to execute "
                  "the same setmaxnreg, got " +
                      describeInstruction(other[change]) + " in warp " +
                      std::to_string(i));
    if (other.size() < change)
      return fail(warp, lane, CheckBarriers,
                  "expected a barrier of the warpgroup after " +
                      describeInstruction(warp.registerChanges.back()) +
                      ", which warp " + std::to_string(i) +
                      " has not executed");
  }
  return true;
}

/// Hands out what the block has, in the order of the warps.
void Interpreter::grantRegisters(Block &block) {
  ++changes;
  for (uint32_t number = 0; number < launch.warps; ++number) {
    Warp &warp = warpOf(block, number);
    if (warp.wantedRegisters == 0)
      continue;
    uint32_t more = warp.wantedRegisters - warp.maxRegisters;
    if (more > block.freeRegisters)
      continue;
    block.freeRegisters -= more;
    warp.maxRegisters = warp.wantedRegisters;
    warp.wantedRegisters = 0;
    warp.state = State::Ready;
  }
}

/// A warp waits for registers and nothing else can happen.
bool Interpreter::reportRegisters(Warp &warp) {
  pc = warp.waitPc;
  return fail(warp, __builtin_ctz(warp.waitMask), CheckBarriers,
              "deadlock: expected " +
                  std::to_string(warp.wantedRegisters - warp.maxRegisters) +
                  " more registers a thread, which other warps of the block "
                  "give up, got " +
                  std::to_string(blockOf(warp).freeRegisters) +
                  ": the block has " + std::to_string(kernel.entryRegisters) +
                  " a thread in all its " + std::to_string(launch.warps) +
                  " warps");
}

/// At the end of a block: every warp of a warpgroup must have done as much.
bool Interpreter::finishRegisters() {
  for (Warp &warp : warps) {
    Warp &first =
        warpOf(blockOf(warp), warp.number / warpgroupWarps * warpgroupWarps);
    const Warp &most =
        first.registerChanges.size() > warp.registerChanges.size() ? first
                                                                   : warp;
    const Warp &least = &most == &first ? warp : first;
    if (first.registerChanges.size() == warp.registerChanges.size() ||
        !checks(CheckBarriers))
      continue;
    pc = most.registerChanges[least.registerChanges.size()];
    return fail(warps[most.index], 0, CheckBarriers,
                "divergence: expected all warps of a warpgroup to execute this "
                "setmaxnreg; warp " +
                    std::to_string(least.number) + " never did");
  }
  return true;
}
