//===- DecodeRegisters.cpp - Syntax to a decoded kernel: setmaxnreg -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block has to share is what ptxas gives each thread at the start: the
// number of .maxnreg, or what .minnctapersm leaves to it.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include <algorithm>

using namespace nm::emulator;

static constexpr uint32_t leastRegisters = 24, mostRegisters = 256;

/// 0 when the kernel does not say.
static uint32_t entryRegisters(const ParsedKernel &syntax) {
  uint64_t count = syntax.maxRegisters;
  const uint32_t *block =
      syntax.requiredBlock[0] ? syntax.requiredBlock : syntax.maxBlock;
  uint64_t threads = uint64_t(block[0]) * block[1];
  threads = std::min<uint64_t>(threads, 1024) * block[2];
  if (count == 0 && syntax.minBlocks && threads)
    count = 65536 / (std::min<uint64_t>(threads, 1024) * syntax.minBlocks);
  return static_cast<uint32_t>(std::min<uint64_t>(count, mostRegisters) & ~7u);
}

// setmaxnreg.{inc,dec}.sync.aligned.u32 count
bool Decoder::decodeSetMaxRegisters() {
  RegisterInfo info;
  info.isIncrease = current->opcode == "setmaxnreg.inc.sync.aligned.u32";
  if (!info.isIncrease && current->opcode != "setmaxnreg.dec.sync.aligned.u32")
    return unsupported();
  if (!expectOperands(1, 1) || !immediate(current->operands[0], info.count))
    return false;
  if (info.count < leastRegisters || info.count > mostRegisters ||
      info.count % 8 != 0)
    return fail("expected 24 to 256 registers, a multiple of 8, got " +
                std::to_string(info.count));
  kernel->entryRegisters = entryRegisters(syntax);
  if (kernel->entryRegisters == 0)
    return fail("expected .maxnreg, or .minnctapersm and .maxntid, in a kernel "
                "with setmaxnreg: ptxas ignores it otherwise");
  result.kind = Kind::SetMaxRegisters;
  result.detail = static_cast<uint32_t>(kernel->registerInfos.size());
  kernel->registerInfos.push_back(info);
  return true;
}
