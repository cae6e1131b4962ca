//===- Disassemble.cpp - Code as text -------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

using namespace nm::program;

/// %3 for a number, #-7 for one that is a constant, &2 for a buffer.
static std::string describe(const Program &program, const Function &function,
                            const Operand &operand) {
  std::string word = std::to_string(operand.word);
  switch (operand.kind) {
  case 'i':
    if (operand.word < function.constants.size())
      return "#" + std::to_string(function.constants[operand.word]);
    return "%" + word;
  case 'o':
  case 't':
    return "%" + word;
  case 'w':
  case 'b':
    return "&" + word;
  case 's':
    return "\"" + program.texts[operand.word] + "\"";
  case 'k':
    return program.kernels[operand.word].name;
  case 'c':
    return program.constants[operand.word].name;
  case 'f':
    return program.functions[operand.word].name;
  case 'l':
    return "L" + word;
  default:
    return word;
  }
}

std::string nm::program::disassemble(const Program &program,
                                     const Function &function) {
  std::string text = function.name + ":\n";
  Instruction instruction;
  for (size_t place = 0; readInstruction(function.code, place, instruction);
       place = instruction.end) {
    text += "L" + std::to_string(place) + ": " +
            std::string(instruction.info->name);
    const char *separator = " ";
    for (const Operand &operand : instruction.operands) {
      text += separator + describe(program, function, operand);
      separator = ", ";
    }
    text += "\n";
  }
  return text;
}
