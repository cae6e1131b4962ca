//===- OperandsTest.cpp - Instructions with operands left out -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every opcode that the emulator knows is given too few operands, too few
// modifiers and operands of a wrong kind: an error with the line, not a crash.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "TestSupport.h"

#include <algorithm>
#include <utility>

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

/// One instruction of each family that the emulator executes.
const char *const kInstructions[] = {
    "mov.b32 %r2, %r3",
    "mov.b64 {%r2, %r3}, %rd4",
    "mov.b64 %rd4, {%r2, %r3}",
    "mov.u32 %r2, %clock",
    "cvt.u32.u16 %r2, %h1",
    "cvt.rn.f16x2.f32 %r2, %f1, %f2",
    "cvta.to.global.u64 %rd4, %rd5",
    "isspacep.shared %p1, %rd4",
    "setp.lt.s32 %p1, %r2, %r3",
    "setp.lt.and.s32 %p1|%p2, %r2, %r3, !%p3",
    "bra.uni label",
    "brx.idx %r2, table",
    "bar.sync 0, 32",
    "bar.arrive 1, 64",
    "bar.red.popc.u32 %r2, 0, %p1",
    "bar.warp.sync -1",
    "barrier.sync.aligned 0",
    "shfl.sync.bfly.b32 %r2|%p1, %r3, 1, 31, -1",
    "vote.sync.any.pred %p1, !%p2, -1",
    "match.all.sync.b32 %r2|%p1, %r3, -1",
    "redux.sync.add.u32 %r2, %r3, -1",
    "activemask.b32 %r2",
    "elect.sync _|%p1, -1",
    "ld.global.u32 %r2, [%rd1]",
    "ld.global.v4.f32 {%f1, %f2, _, %f3}, [%rd1+16]",
    "ldu.global.u32 %r2, [%rd1]",
    "st.global.u32 [%rd1], %r2",
    "st.shared.v2.f32 [%r2], {%f1, %f2}",
    "atom.global.add.u32 %r2, [%rd1], 1",
    "atom.global.cas.b32 %r2, [%rd1], %r3, %r4",
    "red.global.add.f32 [%rd1], %f1",
    "cp.async.ca.shared.global [%r2], [%rd1], 16, %r3",
    "cp.async.wait_group 1",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2, %r3, %r4, %r5}, [%r6]",
    "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r6], {%r2, %r3}",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
    "{%r2, %r3, %r4, %r5}, {%r6, %r7}, {%f5, %f6, %f7, %f8}",
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
    "{%r2, %r3}, {%r6}, {%f5, %f6, %f7, %f8}",
    "nanosleep.u32 100",
    "prefetch.global.L2 [%rd1]",
    "prefetch.L1 [%rd1]",
    "prefetchu.L1 [%rd1]",
};

/// Those whose last operand may be left out.
const char *const kShorter[] = {
    "bar.sync 0",
    "cp.async.ca.shared.global [%r2], [%rd1], 16",
};

/// And those without operands.
const char *const kBare[] = {
    "ret",
    "exit",
    "trap",
    "cp.async.commit_group",
    "cp.async.wait_all",
    "membar.gl",
    "membar.proxy.alias",
    "fence.acq_rel.gpu",
    "fence.sc.sys",
    "fence.gpu",
    "fence.proxy.async.shared::cta",
    "fence.mbarrier_init.release.cluster",
    "griddepcontrol.wait",
};

/// An operand of each kind, one of which at least is wrong in any place.
const char *const kOperands[] = {
    "5",     "-1.5",          "%p1",      "!%p1",   "%h1",     "%r2",
    "%rd4",  "%fd1",          "%tid.x",   "_",      "%p1|%p2", "_|_",
    "label", "{%r2}",         "{_, _}",   "[%rd1]", "[5]",     "table",
    "[p0]",  "{%r2, 1, %p1}", "variable", "[label]"};

/// The error of a kernel with `instruction` in line 18; "none" without one.
std::string errorOf(const std::string &instruction) {
  std::string error;
  std::string text =
      kernelText(".shared .b32 variable;\n" + instruction +
                 ";\nlabel:\nret;\n" + "table: .branchtargets label, label;");
  return Module::parse(text, error) ? "none" : error;
}

/// Whether it is taken; otherwise expects that the error names the line.
bool isTaken(const std::string &instruction) {
  std::string error = errorOf(instruction);
  if (error == "none")
    return true;
  EXPECT_EQ(error.rfind("line 18: ", 0), 0u) << instruction << ": " << error;
  return false;
}

struct Parts {
  std::string opcode;
  std::vector<std::string> operands;

  std::string str() const {
    std::string text = opcode;
    for (size_t i = 0; i < operands.size(); ++i)
      text += (i ? ", " : " ") + operands[i];
    return text;
  }
};

/// Splits at the commas outside of braces.
Parts split(const std::string &instruction) {
  Parts parts;
  size_t at = instruction.find(' ');
  parts.opcode = instruction.substr(0, at);
  int depth = 0;
  std::string operand;
  for (; at < instruction.size(); ++at) {
    char c = instruction[at];
    depth += (c == '{') - (c == '}');
    if (c == ',' && depth == 0)
      parts.operands.push_back(std::exchange(operand, ""));
    else if (c != ' ' || !operand.empty())
      operand += c;
  }
  if (!operand.empty())
    parts.operands.push_back(operand);
  return parts;
}

/// Gives `parts` other operands and fewer modifiers.
void damage(const Parts &parts) {
  for (size_t i = 0; i < parts.operands.size(); ++i)
    for (const char *operand : kOperands) {
      Parts other = parts;
      other.operands[i] = operand;
      isTaken(other.str());
    }
  for (size_t dot = parts.opcode.rfind('.'); dot != std::string::npos && dot;
       dot = parts.opcode.rfind('.', dot - 1)) {
    Parts other = parts;
    other.opcode.resize(dot);
    isTaken(other.str());
    other.operands.clear();
    isTaken(other.str());
  }
}

TEST(Operands, EveryFamilyNeedsItsOperands) {
  for (const char *instruction : kInstructions) {
    EXPECT_EQ(errorOf(instruction), "none") << instruction;
    Parts parts = split(instruction);
    Parts more = parts;
    more.operands.resize(8, "%r2");
    EXPECT_FALSE(isTaken(more.str())) << more.str();
    while (!parts.operands.empty()) {
      damage(parts);
      parts.operands.pop_back();
      std::string text = parts.str();
      bool isShorter = std::find(std::begin(kShorter), std::end(kShorter),
                                 text) != std::end(kShorter);
      EXPECT_EQ(isTaken(text), isShorter) << text;
    }
  }
  for (const char *instruction : kBare) {
    EXPECT_EQ(errorOf(instruction), "none") << instruction;
    EXPECT_FALSE(isTaken(std::string(instruction) + " %r2")) << instruction;
  }
}

TEST(Operands, WhatIsWrittenIsARegister) {
  for (const char *instruction :
       {"cvt.u32.u16 %tid.x, %h1", "add.s32 %tid.x, %r2, %r3",
        "add.s32 !%r2, %r3, %r4", "ld.global.u32 !%r2, [%rd1]",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {1, %r3}, [%r6]",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {1.0, %f2, %f3, %f4},"
        " {%r2, %r3}, {%r6}, {%f5, %f6, %f7, %f8}"})
    EXPECT_FALSE(isTaken(instruction)) << instruction;
}

/// All opcodes of the table.
class Opcodes : public LaneOpTable {
public:
  void add(const char *name, const char *modifiers, const char *type,
           const LaneOp &) override {
    names.push_back(std::string(name) + modifiers + type);
  }
  std::vector<std::string> names;
};

TEST(Operands, EveryLaneOpcodeNeedsItsOperands) {
  Opcodes opcodes;
  laneSet().fill(opcodes);
  ASSERT_GT(opcodes.names.size(), 500u);
  for (const std::string &opcode : opcodes.names) {
    Parts parts = {opcode, {}};
    EXPECT_FALSE(isTaken(parts.str())) << opcode;
    for (size_t count = 1; count < 6; ++count) {
      parts.operands.push_back("%r2");
      isTaken(parts.str());
      parts.operands.back() = "3";
      isTaken(parts.str());
    }
    damage({opcode, {"%r2", "%r3", "3"}});
  }
}

} // namespace
