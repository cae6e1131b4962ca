//===- DecodeMemory.cpp - Syntax to a decoded kernel: memory --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads, stores and atomics. Modifiers that concern only caches or the order of
// memory operations change nothing here and are accepted by name.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace nm::emulator;

static bool acceptSpace(Modifiers &modifiers, Space &space) {
  static const std::pair<std::string_view, Space> names[] = {
      {"global", Space::Global},      {"shared", Space::Shared},
      {"shared::cta", Space::Shared}, {"shared::cluster", Space::SharedCluster},
      {"local", Space::Local},        {"param", Space::Param},
      {"param::entry", Space::Param}, {"const", Space::Const}};
  for (const auto &name : names)
    if (modifiers.accept(name.first)) {
      space = name.second;
      return true;
    }
  return false;
}

static bool acceptOrder(Modifiers &modifiers, MemoryAccess &access) {
  bool isRelease = modifiers.accept("release") || modifiers.accept("acq_rel");
  if (!isRelease && !modifiers.accept("volatile") &&
      !modifiers.accept("relaxed") && !modifiers.accept("acquire"))
    return false;
  access.isStrong = true;
  access.isRelease = access.isRelease || isRelease;
  return true;
}

static bool acceptHint(Modifiers &modifiers) {
  static const std::string_view names[] = {
      "weak",
      // Scopes.
      "cta", "cluster", "gpu", "sys",
      // Caching.
      "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1::evict_normal",
      "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
      "L1::no_allocate", "L2::evict_normal", "L2::evict_first",
      "L2::evict_last", "L2::64B", "L2::128B", "L2::256B"};
  for (std::string_view name : names)
    if (modifiers.accept(name))
      return true;
  return false;
}

/// Hints and the state space; `hasPolicy` when a cache policy operand follows.
bool Decoder::memoryModifiers(Modifiers &modifiers, MemoryAccess &access,
                              bool &hasPolicy) {
  bool hasSpace = false;
  for (;;) {
    if (modifiers.accept("L2::cache_hint"))
      hasPolicy = true;
    else if (!hasSpace && acceptSpace(modifiers, access.space))
      hasSpace = true;
    else if (acceptOrder(modifiers, access))
      continue;
    else if (!acceptHint(modifiers))
      return true;
  }
}

bool Decoder::accessType(std::string_view type, MemoryAccess &access) {
  unsigned bytes = typeSize(type);
  if (bytes == 0 || type == "pred" || type == "f16x2" || type == "bf16x2" ||
      type == "f32x2")
    return unsupportedModifier(type);
  if (bytes > 8)
    return unsupportedModifier(type);
  access.elementBytes = static_cast<uint8_t>(bytes);
  access.signExtend = type[0] == 's';
  return true;
}

// A scalar or {a, b, ...}: registers may be wider than the elements.
bool Decoder::elements(const Operand &operand, MemoryAccess &access) {
  std::vector<Operand> single;
  if (operand.kind != Operand::Vector)
    single.push_back(operand);
  const std::vector<Operand> &list =
      operand.kind == Operand::Vector ? operand.elements : single;
  if (list.size() != access.count)
    return fail("expected " + std::to_string(access.count) + " values, got " +
                std::to_string(list.size()));
  for (size_t i = 0; i < list.size(); ++i) {
    unsigned bytes = 0;
    if (list[i].kind == Operand::Sink && !access.isWrite) {
      access.registers[i] = noRegister;
      continue;
    }
    if (access.isWrite && list[i].kind != Operand::Register) {
      OperandType type = access.elementBytes == 8   ? OperandType::Bits64
                         : access.elementBytes == 4 ? OperandType::Bits32
                                                    : OperandType::Bits16;
      access.registerBytes[i] =
          access.elementBytes < 2 ? 2 : access.elementBytes;
      if (!source(list[i], type, access.registers[i]))
        return false;
      continue;
    }
    if (list[i].kind != Operand::Register)
      return fail("expected a register, got '" + std::string(list[i].name) +
                  "'");
    if (!registerOf(list[i], bytes, access.registers[i]))
      return false;
    if (bytes < access.elementBytes)
      return fail("expected a register of at least " +
                  std::to_string(8 * access.elementBytes) + " bits, got '" +
                  std::string(list[i].name) + "'");
    access.registerBytes[i] = static_cast<uint8_t>(bytes);
  }
  return true;
}

static uint8_t acceptVector(Modifiers &modifiers) {
  if (modifiers.accept("v2"))
    return 2;
  if (modifiers.accept("v4"))
    return 4;
  return modifiers.accept("v8") ? 8 : 1;
}

// What ld and st have in common: everything but the order of their operands.
bool Decoder::plainAccess(MemoryAccess &access) {
  Modifiers modifiers(current->opcode);
  bool hasPolicy = false;
  if (!memoryModifiers(modifiers, access, hasPolicy))
    return false;
  access.count = acceptVector(modifiers);
  if (!accessType(modifiers.take(), access))
    return false;
  if (!modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  size_t count = 2 + hasPolicy;
  return expectOperands(count, count);
}

bool Decoder::decodeLoad() {
  MemoryAccess access;
  if (!plainAccess(access) || !elements(current->operands[0], access) ||
      !address(current->operands[1], access.space, access.address))
    return false;
  result.kind = Kind::Load;
  result.detail = static_cast<uint32_t>(kernel->accesses.size());
  kernel->accesses.push_back(access);
  return true;
}

bool Decoder::decodeStore() {
  MemoryAccess access;
  access.isWrite = true;
  if (!plainAccess(access) ||
      !address(current->operands[0], access.space, access.address) ||
      !elements(current->operands[1], access))
    return false;
  if (access.space == Space::Param || access.space == Space::Const)
    return fail("expected a store to memory that can be written");
  result.kind = Kind::Store;
  result.detail = static_cast<uint32_t>(kernel->accesses.size());
  kernel->accesses.push_back(access);
  return true;
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

bool Decoder::atomicElement(std::string_view type, MemoryAccess &access) {
  unsigned bytes = typeSize(type);
  if (bytes < 2 || bytes > 8)
    return unsupportedModifier(type);
  access.elementBytes = static_cast<uint8_t>(bytes);
  if (type == "f16x2")
    access.element = ElementType::F16x2;
  else if (type == "bf16x2")
    access.element = ElementType::BF16x2;
  else if (type == "f16")
    access.element = ElementType::F16;
  else if (type == "bf16")
    access.element = ElementType::BF16;
  else if (type[0] == 'f')
    access.element = ElementType::Float;
  else if (type[0] == 's')
    access.element = ElementType::Signed;
  else
    access.element = type[0] == 'u' ? ElementType::Unsigned : ElementType::Bits;
  bool isFloat = access.element >= ElementType::F16;
  bool allowed = isFloat ? access.op == AtomicOp::Add ||
                               access.op == AtomicOp::Min ||
                               access.op == AtomicOp::Max
                         : bytes >= 4 || access.op == AtomicOp::Cas;
  return allowed || unsupportedModifier(type);
}

static bool acceptAtomicOp(Modifiers &modifiers, AtomicOp &op) {
  static const std::pair<std::string_view, AtomicOp> names[] = {
      {"add", AtomicOp::Add}, {"min", AtomicOp::Min},   {"max", AtomicOp::Max},
      {"and", AtomicOp::And}, {"or", AtomicOp::Or},     {"xor", AtomicOp::Xor},
      {"cas", AtomicOp::Cas}, {"exch", AtomicOp::Exch}, {"inc", AtomicOp::Inc},
      {"dec", AtomicOp::Dec}};
  for (const auto &name : names)
    if (modifiers.accept(name.first)) {
      op = name.second;
      return true;
    }
  return false;
}

bool Decoder::decodeAtomic() {
  Modifiers modifiers(current->opcode);
  MemoryAccess access;
  access.isWrite = true;
  access.hasResult = current->opcode.substr(0, 4) == "atom";
  bool hasPolicy = false;
  if (modifiers.peek() == "async" ||
      !memoryModifiers(modifiers, access, hasPolicy))
    return unsupportedModifier(modifiers.peek());
  if (!acceptAtomicOp(modifiers, access.op))
    return unsupportedModifier(modifiers.peek());
  modifiers.accept("noftz");
  if (!memoryModifiers(modifiers, access, hasPolicy))
    return false;
  access.count = 1;
  if (!atomicElement(modifiers.take(), access))
    return false;
  if (!modifiers.atEnd() || hasPolicy)
    return unsupportedModifier(modifiers.peek());
  unsigned values = access.op == AtomicOp::Cas ? 2 : 1;
  size_t count = 1 + values + access.hasResult;
  if (!expectOperands(count, count))
    return false;
  size_t next = 0;
  OperandType type = access.elementBytes == 8   ? OperandType::Bits64
                     : access.elementBytes == 4 ? OperandType::Bits32
                                                : OperandType::Bits16;
  access.registers[0] = noRegister;
  if (access.hasResult) {
    const Operand &operand = current->operands[next++];
    if (operand.kind != Operand::Sink &&
        !destination(operand, type, access.registers[0]))
      return false;
  }
  if (!address(current->operands[next++], access.space, access.address))
    return false;
  for (unsigned i = 0; i < values; ++i)
    if (!source(current->operands[next++], type, access.operands[i]))
      return false;
  if (access.space != Space::Generic && access.space != Space::Global &&
      access.space != Space::Shared && access.space != Space::SharedCluster)
    return fail("expected an atomic on global or shared memory");
  result.kind = Kind::Atomic;
  result.detail = static_cast<uint32_t>(kernel->accesses.size());
  kernel->accesses.push_back(access);
  return true;
}
