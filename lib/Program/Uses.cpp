//===- Uses.cpp - What code does ------------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

using namespace nm::program;

Uses nm::program::findUses(const Function &function) {
  Uses uses;
  Instruction instruction;
  for (size_t place = 0; readInstruction(function.code, place, instruction);
       place = instruction.end) {
    uses.loads |= instruction.opcode == Opcode::Load;
    uses.allocates |= instruction.opcode == Opcode::Allocate;
    if (instruction.opcode == Opcode::Call)
      uses.callees.push_back(instruction.operands.front().word);
  }
  return uses;
}
