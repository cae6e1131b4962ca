//===- DecodeBulk.cpp - Syntax to a decoded kernel: cp.async.bulk ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies, their groups and waits. Cache policies are read and ignored.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace nm::emulator;

bool Decoder::decodeBulk(Modifiers &modifiers) {
  if (modifiers.accept("commit_group")) {
    result.kind = Kind::BulkCommit;
    return (modifiers.atEnd() || unsupportedModifier(modifiers.peek())) &&
           expectOperands(0, 0);
  }
  if (modifiers.accept("wait_group")) {
    result.kind =
        modifiers.accept("read") ? Kind::BulkWaitRead : Kind::BulkWait;
    return (modifiers.atEnd() || unsupportedModifier(modifiers.peek())) &&
           expectOperands(1, 1) &&
           immediate(current->operands[0], result.detail);
  }
  if (modifiers.accept("tensor"))
    return decodeBulkTensor(modifiers);
  if (modifiers.accept("prefetch"))
    return modifiers.accept("tensor") ? decodeTensorPrefetch(modifiers)
                                      : decodeBulkPrefetch(modifiers);
  return decodeBulkCopy(modifiers);
}

// cp.async.bulk.prefetch.L2.global{.L2::cache_hint} [src], size{, policy}
bool Decoder::decodeBulkPrefetch(Modifiers &modifiers) {
  result.kind = Kind::Nop;
  if (!modifiers.accept("L2") || !modifiers.accept("global"))
    return unsupportedModifier(modifiers.peek());
  bool hasPolicy = modifiers.accept("L2::cache_hint");
  if (!modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  Space global = Space::Global;
  Address unused;
  uint32_t bytes = 0, policy = 0;
  return expectOperands(2 + hasPolicy, 2 + hasPolicy) &&
         address(current->operands[0], global, unused) &&
         source(current->operands[1], OperandType::Bits32, bytes) &&
         (!hasPolicy ||
          source(current->operands[2], OperandType::Bits64, policy));
}

/// The spaces and the way of completion of a copy, in its opcode.
bool Decoder::bulkDirection(Modifiers &modifiers, BulkInfo &info) {
  info.toGlobal = modifiers.accept("global");
  if (info.toGlobal) {
    info.sharedSpace = Space::Shared;
    return modifiers.accept("shared::cta") && modifiers.accept("bulk_group");
  }
  info.sharedSpace = Space::SharedCluster;
  if (modifiers.accept("shared::cta"))
    info.sharedSpace = Space::Shared;
  else if (!modifiers.accept("shared::cluster"))
    return false;
  info.fromShared = info.sharedSpace == Space::SharedCluster &&
                    modifiers.accept("shared::cta");
  return (info.fromShared || modifiers.accept("global")) &&
         modifiers.accept("mbarrier::complete_tx::bytes");
}

// cp.async.bulk.DST.SRC.HOW{.multicast::cluster}{.L2::cache_hint}
//   [dst], [src], size{, [mbarrier]}{, blocks}{, policy}
bool Decoder::decodeBulkCopy(Modifiers &modifiers) {
  BulkInfo info;
  if (!bulkDirection(modifiers, info))
    return unsupportedModifier(modifiers.peek());
  bool isMulticast = !info.toGlobal && !info.fromShared &&
                     info.sharedSpace == Space::SharedCluster &&
                     modifiers.accept("multicast::cluster");
  bool hasPolicy = !info.fromShared && modifiers.accept("L2::cache_hint");
  if (!modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  size_t count = size_t(3) + !info.toGlobal + isMulticast + hasPolicy;
  if (!expectOperands(count, count))
    return false;
  Space global = Space::Global, own = Space::Shared;
  const std::vector<Operand> &operands = current->operands;
  const Operand &shared = operands[info.toGlobal ? 1 : 0];
  const Operand &other = operands[info.toGlobal ? 0 : 1];
  if (!address(shared, info.sharedSpace, info.shared) ||
      !address(other, info.fromShared ? own : global, info.other) ||
      !source(operands[2], OperandType::Bits32, info.bytes))
    return false;
  size_t next = 3;
  if (!info.toGlobal &&
      !address(operands[next++], info.sharedSpace, info.mbarrier))
    return false;
  if (isMulticast &&
      !source(operands[next++], OperandType::Bits16, info.blocks))
    return false;
  uint32_t policy = 0;
  if (hasPolicy && !source(operands[next], OperandType::Bits64, policy))
    return false;
  return addBulkCopy(info);
}

bool Decoder::addBulkCopy(const BulkInfo &info) {
  result.kind = Kind::BulkCopy;
  result.detail = static_cast<uint32_t>(kernel->bulkCopies.size());
  kernel->bulkCopies.push_back(info);
  return true;
}
