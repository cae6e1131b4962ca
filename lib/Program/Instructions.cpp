//===- Instructions.cpp - Code as a list of instructions ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

using namespace nm;
using namespace nm::program;

bool nm::program::readInstruction(const std::vector<uint32_t> &code,
                                  size_t begin, Instruction &instruction) {
  if (begin >= code.size())
    return false;
  instruction.info = lookupOpcode(code[begin]);
  if (!instruction.info)
    return false;
  instruction.opcode = static_cast<Opcode>(code[begin]);
  instruction.begin = begin;
  instruction.operands.clear();
  instruction.counts.clear();
  size_t place = begin + 1;
  for (char kind : instruction.info->operands) {
    if (place >= code.size())
      return false;
    if (kind >= 'a') {
      instruction.operands.push_back({kind, code[place++]});
      continue;
    }
    uint32_t count = code[place++];
    if (count > code.size() - place)
      return false;
    instruction.counts.push_back(count);
    char member = static_cast<char>(kind - 'A' + 'a');
    for (uint32_t i = 0; i < count; ++i)
      instruction.operands.push_back({member, code[place++]});
  }
  instruction.end = place;
  return true;
}
