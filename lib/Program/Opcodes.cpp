//===- Opcodes.cpp - The table of instructions ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Program/Program.h"

#include <array>

using namespace nm::program;

static constexpr OpcodeInfo kOpcodes[] = {
#define NM_OPCODE(id, operands) {#id, operands, /*isTerminator=*/false},
#define NM_TERMINATOR(id, operands) {#id, operands, /*isTerminator=*/true},
#include "nm/Program/Opcodes.def"
};

const OpcodeInfo *nm::program::lookupOpcode(uint32_t opcode) {
  return opcode < std::size(kOpcodes) ? &kOpcodes[opcode] : nullptr;
}
