//===- DecodeTensor.cpp - Syntax to a decoded kernel: tensor copies -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk.tensor in tile mode, and the prefetches of tensors.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace nm::emulator;

/// .1d to .5d; 0 when there is none.
static uint8_t acceptRank(Modifiers &modifiers) {
  std::string_view part = modifiers.peek();
  if (part.size() != 2 || part[0] < '1' || part[0] > '5' || part[1] != 'd')
    return 0;
  modifiers.take();
  return static_cast<uint8_t>(part[0] - '0');
}

// [map, {coordinates}]
bool Decoder::tensorAddress(const Operand &operand, BulkInfo &info) {
  if (operand.kind != Operand::Address || operand.elements.size() != 2)
    return fail("expected a tensor map and coordinates, [map, {...}]");
  if (operand.offset != 0)
    return fail("expected the address of a tensor map without an offset");
  const Operand &list = operand.elements[1];
  if (list.elements.size() != info.rank)
    return fail("expected " + std::to_string(info.rank) + " coordinates, got " +
                std::to_string(list.elements.size()));
  for (unsigned i = 0; i < info.rank; ++i)
    if (!source(list.elements[i], OperandType::Bits32, info.coordinates[i]))
      return false;
  Operand map = operand;
  map.elements.pop_back();
  return address(map, info.mapSpace, info.tensorMap);
}

/// What follows the rank in the opcode of a copy.
bool Decoder::tensorDirection(Modifiers &modifiers, BulkInfo &info) {
  info.toGlobal = modifiers.accept("global");
  if (info.toGlobal) {
    info.sharedSpace = Space::Shared;
    if (!modifiers.accept("shared::cta"))
      return false;
    modifiers.accept("tile");
    return modifiers.accept("bulk_group");
  }
  info.sharedSpace =
      modifiers.accept("shared::cta") ? Space::Shared : Space::SharedCluster;
  if (info.sharedSpace == Space::SharedCluster &&
      !modifiers.accept("shared::cluster"))
    return false;
  if (!modifiers.accept("global"))
    return false;
  modifiers.accept("tile");
  return modifiers.accept("mbarrier::complete_tx::bytes");
}

// cp.async.bulk.tensor.RANK.DST.SRC{.tile}.HOW...
//   [dst], [map, {...}], [mbarrier]{, blocks}{, policy}, or
//   [map, {...}], [src]{, policy}
bool Decoder::decodeBulkTensor(Modifiers &modifiers) {
  BulkInfo info;
  info.rank = acceptRank(modifiers);
  if (!info.rank || !tensorDirection(modifiers, info))
    return unsupportedModifier(modifiers.peek());
  bool isMulticast = info.sharedSpace == Space::SharedCluster &&
                     modifiers.accept("multicast::cluster");
  bool hasPolicy = modifiers.accept("L2::cache_hint");
  if (!modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  size_t count = size_t(2) + !info.toGlobal + isMulticast + hasPolicy;
  if (!expectOperands(count, count))
    return false;
  const std::vector<Operand> &operands = current->operands;
  uint32_t policy = 0;
  // Behind the two: the mbarrier of a load, the blocks of a multicast, the
  // policy.
  size_t blocks = info.toGlobal ? 2 : 3;
  if (!tensorAddress(operands[info.toGlobal ? 0 : 1], info) ||
      !address(operands[info.toGlobal ? 1 : 0], info.sharedSpace,
               info.shared) ||
      (!info.toGlobal &&
       !address(operands[2], info.sharedSpace, info.mbarrier)) ||
      (isMulticast &&
       !source(operands[blocks], OperandType::Bits16, info.blocks)) ||
      (hasPolicy && !source(operands[count - 1], OperandType::Bits64, policy)))
    return false;
  return addBulkCopy(info);
}

// cp.async.bulk.prefetch.tensor.RANK.L2.global{.tile}... [map, {...}]
bool Decoder::decodeTensorPrefetch(Modifiers &modifiers) {
  BulkInfo info;
  result.kind = Kind::Nop;
  info.rank = acceptRank(modifiers);
  if (!info.rank || !modifiers.accept("L2") || !modifiers.accept("global"))
    return unsupportedModifier(modifiers.peek());
  modifiers.accept("tile");
  bool hasPolicy = modifiers.accept("L2::cache_hint");
  if (!modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  uint32_t policy = 0;
  return expectOperands(1 + hasPolicy, 1 + hasPolicy) &&
         tensorAddress(current->operands[0], info) &&
         (!hasPolicy ||
          source(current->operands[1], OperandType::Bits64, policy));
}
