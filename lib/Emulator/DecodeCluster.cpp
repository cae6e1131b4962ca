//===- DecodeCluster.cpp - Syntax to a decoded kernel: clusters -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The barrier of a cluster, and addresses in the shared memory of its blocks.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace nm::emulator;

// barrier.cluster.arrive{.release|.relaxed}{.aligned} and
// barrier.cluster.wait{.acquire}{.aligned}
bool Decoder::decodeClusterBarrier(Modifiers &modifiers) {
  if (modifiers.accept("arrive")) {
    result.kind = Kind::ClusterArrive;
    result.detail = modifiers.accept("relaxed"); // It orders nothing.
    if (!result.detail)
      modifiers.accept("release");
  } else if (modifiers.accept("wait")) {
    result.kind = Kind::ClusterWait;
    modifiers.accept("acquire");
  } else {
    return unsupportedModifier(modifiers.peek());
  }
  modifiers.accept("aligned");
  return (modifiers.atEnd() || unsupportedModifier(modifiers.peek())) &&
         expectOperands(0, 0);
}

/// {.shared::cluster}.u32|.u64: the type, with what it is an address of.
static bool acceptAddressType(Modifiers &modifiers, uint32_t &detail,
                              OperandType &type) {
  detail = modifiers.accept("shared::cluster") ? 0u : addressIsGeneric;
  type = OperandType::Bits64;
  if (modifiers.accept("u64"))
    detail |= addressIs64;
  else if (modifiers.accept("u32"))
    type = OperandType::Bits32;
  else
    return false;
  return modifiers.atEnd() && detail != addressIsGeneric;
}

// mapa{.shared::cluster}.type d, a, rank
bool Decoder::decodeMapBlock() {
  Modifiers modifiers(current->opcode);
  OperandType type;
  result.kind = Kind::MapBlock;
  if (!acceptAddressType(modifiers, result.detail, type))
    return unsupported();
  if (!expectOperands(3, 3))
    return false;
  const Operand &from = current->operands[1];
  if (from.kind == Operand::Symbol && ((result.detail & addressIsGeneric) ||
                                       from.variable->space != Space::Shared))
    return fail("expected a generic address or, with .shared::cluster, a "
                "variable in shared memory, got '" +
                std::string(from.name) + "'");
  return destination(current->operands[0], type, result.operands.destination) &&
         source(from, type, result.operands.source[0]) &&
         source(current->operands[2], OperandType::Bits32,
                result.operands.source[1]);
}

// getctarank{.shared::cluster}.type d, a
bool Decoder::decodeBlockRank() {
  Modifiers modifiers(current->opcode);
  OperandType type;
  result.kind = Kind::BlockRank;
  if (!acceptAddressType(modifiers, result.detail, type))
    return unsupported();
  return expectOperands(2, 2) &&
         destination(current->operands[0], OperandType::Bits32,
                     result.operands.destination) &&
         source(current->operands[1], type, result.operands.source[0]);
}
