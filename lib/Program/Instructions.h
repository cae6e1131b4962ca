//===- Instructions.h - Walking over code -----------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of opcodes says how many words each instruction has; this reads
// them one operand at a time.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PROGRAM_INSTRUCTIONS_H
#define NM_LIB_PROGRAM_INSTRUCTIONS_H

#include "nm/Program/Program.h"

namespace nm {
namespace program {

/// One operand, or one of a list: its letter in Opcodes.def, for members of a
/// list in lower case ('O' becomes 'o'), and its word.
struct Operand {
  char kind;
  uint32_t word;
};

struct Instruction {
  const OpcodeInfo *info;
  Opcode opcode;
  /// Where it begins in the code, and where the next one does.
  size_t begin, end;
  std::vector<Operand> operands;
  /// Lengths of the lists, in order.
  std::vector<uint32_t> counts;
};

/// Reads the instruction at word `begin` of `code`; false if there is none, or
/// not all of it.
bool readInstruction(const std::vector<uint32_t> &code, size_t begin,
                     Instruction &instruction);

} // namespace program
} // namespace nm

#endif // NM_LIB_PROGRAM_INSTRUCTIONS_H
