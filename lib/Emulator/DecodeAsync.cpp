//===- DecodeAsync.cpp - Syntax to a decoded kernel: cp.async -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asynchronous copies of 4 to 16 bytes, their groups and waits.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace nm::emulator;

bool Decoder::decodeAsync() {
  Modifiers modifiers(current->opcode);
  if (!modifiers.accept("async"))
    return unsupportedModifier(modifiers.peek());
  if (modifiers.accept("commit_group")) {
    result.kind = Kind::AsyncCommit;
    return (modifiers.atEnd() || unsupportedModifier(modifiers.peek())) &&
           expectOperands(0, 0);
  }
  if (modifiers.accept("wait_all")) {
    result.kind = Kind::AsyncWait;
    result.detail = noTarget;
    return (modifiers.atEnd() || unsupportedModifier(modifiers.peek())) &&
           expectOperands(0, 0);
  }
  if (modifiers.accept("wait_group")) {
    result.kind = Kind::AsyncWait;
    return (modifiers.atEnd() || unsupportedModifier(modifiers.peek())) &&
           expectOperands(1, 1) &&
           immediate(current->operands[0], result.detail);
  }
  if (modifiers.accept("bulk"))
    return decodeBulk(modifiers);
  if (modifiers.accept("mbarrier"))
    return decodeAsyncArrive(modifiers);
  return decodeAsyncCopy(modifiers);
}

// cp.async.{ca,cg}.shared.global [dst], [src], size{, src-size | predicate}
bool Decoder::decodeAsyncCopy(Modifiers &modifiers) {
  bool bypassL1 = modifiers.accept("cg");
  if (!bypassL1 && !modifiers.accept("ca"))
    return unsupportedModifier(modifiers.peek());
  if (!modifiers.accept("shared") && !modifiers.accept("shared::cta"))
    return unsupportedModifier(modifiers.peek());
  if (!modifiers.accept("global"))
    return unsupportedModifier(modifiers.peek());
  bool hasPolicy = modifiers.accept("L2::cache_hint");
  if (modifiers.peek() == "L2::64B" || modifiers.peek() == "L2::128B" ||
      modifiers.peek() == "L2::256B")
    modifiers.take();
  if (!modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  AsyncCopy copy;
  uint32_t bytes = 0;
  Space shared = Space::Shared, global = Space::Global;
  size_t least = 3 + hasPolicy;
  if (!expectOperands(least, least + 1) ||
      !address(current->operands[0], shared, copy.destination) ||
      !address(current->operands[1], global, copy.source) ||
      !immediate(current->operands[2], bytes))
    return false;
  if (bytes != 16 && (bypassL1 || (bytes != 4 && bytes != 8)))
    return fail("expected a copy of " +
                std::string(bypassL1 ? "16" : "4, 8 or 16") + " bytes, got " +
                std::to_string(bytes));
  copy.bytes = static_cast<uint8_t>(bytes);
  if (current->operands.size() > least) {
    const Operand &last = current->operands[3];
    bool isPredicate =
        last.kind == Operand::Register && syntax.registerSizes[last.index] == 0;
    if (isPredicate ? !source(last, OperandType::Predicate, copy.ignoreSource)
                    : !source(last, OperandType::Bits32, copy.sourceBytes))
      return false;
  }
  result.kind = Kind::AsyncCopy;
  result.detail = static_cast<uint32_t>(kernel->asyncCopies.size());
  kernel->asyncCopies.push_back(copy);
  return true;
}
