//===- Faults.cpp - Texts of faults ---------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every message names the kernel, the line and text of the instruction, the
// block and the thread, then what happened and what was expected.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <cstdio>

using namespace nm::emulator;

static std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx",
                static_cast<unsigned long long>(value));
  return text;
}

static std::string triple(uint64_t x, uint64_t y, uint64_t z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " +
         std::to_string(z) + ")";
}

/// The instruction on one line, with single blanks.
static std::string oneLine(std::string_view text) {
  std::string result;
  for (char c : text.substr(0, 200)) {
    bool isBlank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!isBlank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  while (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

std::string Interpreter::describeThread(uint32_t warp, uint32_t lane) const {
  uint32_t thread = warps[warp].number * warpSize + lane;
  const uint32_t *block = launch.config.block;
  std::string text =
      "thread " + triple(thread % block[0], thread / block[0] % block[1],
                         thread / block[0] / block[1]);
  if (blocks.size() > 1)
    text += " of block " + describeBlock(warps[warp].block);
  return text;
}

std::string Interpreter::describeBlock(uint32_t rank) const {
  const uint64_t *index = blocks[rank].index;
  return triple(index[0], index[1], index[2]);
}

std::string Interpreter::describeStamp(Stamp stamp) const {
  if (stamp.agent() >= warps.size())
    return "a bulk copy";
  return stamp.lane() < warpSize ? describeThread(stamp.agent(), stamp.lane())
                                 : "several threads from " +
                                       describeThread(stamp.agent(), 0) + " on";
}

std::string Interpreter::describeGlobal(uint64_t address) {
  return "address " + hex(address);
}

std::string Interpreter::describeShared(uint32_t address) const {
  std::string text =
      "byte " + std::to_string(address % sharedStride - reservedSharedBytes);
  if (blocks.size() > 1)
    text += " of block " + describeBlock(address / sharedStride);
  return text;
}

std::string Interpreter::describeMbarrier(uint32_t address) const {
  return "mbarrier at " + describeShared(address);
}

std::string Interpreter::describeInstruction(const KernelImpl &kernel,
                                             uint32_t at) {
  return "line " + std::to_string(kernel.lines[at]) + " '" +
         oneLine(kernel.texts[at]) + "'";
}

std::string Interpreter::describeAccess(const Target &target, unsigned lane,
                                        uint32_t bytes, bool isWrite) const {
  uint64_t address = target.addresses[lane];
  bool isShared =
      target.space == Space::Shared || target.space == Space::SharedCluster;
  std::string where =
      target.space == Space::Global || target.space == Space::Generic
          ? describeGlobal(address)
          : "byte " +
                std::to_string(static_cast<int64_t>(address) -
                               (isShared ? int64_t(reservedSharedBytes) : 0));
  return std::string(isWrite ? "write of " : "read of ") +
         std::to_string(bytes) + " bytes of " + spaceName(target.space) +
         " memory at " + where;
}

bool Interpreter::fail(Warp &warp, unsigned lane, uint32_t check,
                       const std::string &message) {
  if (!faultFound.message.empty())
    return false;
  faultFound.kernel = kernel.name;
  faultFound.line = kernel.lines[pc];
  faultFound.check = check;
  uint32_t thread = warp.number * warpSize + lane;
  const uint32_t *block = launch.config.block;
  faultFound.thread[0] = thread % block[0];
  faultFound.thread[1] = thread / block[0] % block[1];
  faultFound.thread[2] = thread / block[0] / block[1];
  for (unsigned i = 0; i < 3; ++i)
    faultFound.block[i] = blockOf(warp).index[i];
  faultFound.message =
      "kernel '" + kernel.name + "', " + describeInstruction(pc) + ", block " +
      describeBlock(warp.block) + ", thread " +
      triple(faultFound.thread[0], faultFound.thread[1], faultFound.thread[2]) +
      ": " + message;
  return false;
}
