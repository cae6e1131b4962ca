//===- DecodeOperands.cpp - Syntax to a decoded kernel: operands ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every source is a register when decoding is done: constants, addresses of
// variables and special registers get registers of their own.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include <cstring>

using namespace nm::emulator;

static unsigned bytesOf(OperandType type) {
  switch (type) {
  case OperandType::Bits16:
  case OperandType::F16:
  case OperandType::BF16:
    return 2;
  case OperandType::Bits32:
  case OperandType::F32:
    return 4;
  case OperandType::Bits64:
  case OperandType::F64:
    return 8;
  default:
    return 0;
  }
}

static std::string describe(unsigned bytes) {
  return bytes == 0 ? "a predicate register"
                    : "a register of " + std::to_string(8 * bytes) + " bits";
}

bool Decoder::expectOperands(size_t least, size_t most) {
  size_t count = current->operands.size();
  if (count >= least && count <= most)
    return true;
  std::string range = std::to_string(least);
  if (most != least)
    range += " to " + std::to_string(most);
  return fail("expected " + range + " operands, got " + std::to_string(count));
}

bool Decoder::registerOf(const Operand &operand, unsigned &bytes,
                         uint32_t &offset) {
  if (operand.negated)
    return fail("expected an operand without '!', got '" +
                std::string(operand.name) + "'");
  if (operand.kind == Operand::Special) {
    bytes = operand.name == "%is_explicit_cluster" ? 0 : 4;
    return specialRegister(operand, offset);
  }
  if (operand.kind != Operand::Register)
    return fail("expected a register, got '" + std::string(operand.name) + "'");
  bytes = syntax.registerSizes[operand.index];
  offset = registerOffsets[operand.index];
  return true;
}

bool Decoder::writtenRegister(const Operand &operand, unsigned &bytes,
                              uint32_t &offset) {
  if (operand.kind == Operand::Special)
    return fail("expected a register that can be written, got '" +
                std::string(operand.name) + "'");
  return registerOf(operand, bytes, offset);
}

bool Decoder::destination(const Operand &operand, OperandType type,
                          uint32_t &offset) {
  unsigned bytes = 0;
  if (!writtenRegister(operand, bytes, offset))
    return false;
  return bytes == bytesOf(type) ||
         fail("expected " + describe(bytesOf(type)) + ", got '" +
              std::string(operand.name) + "', " + describe(bytes));
}

bool Decoder::source(const Operand &operand, OperandType type,
                     uint32_t &offset) {
  unsigned wanted = bytesOf(type);
  if (operand.negated)
    return fail("expected an operand without '!', got '" +
                std::string(operand.name) + "'");
  switch (operand.kind) {
  case Operand::Register:
  case Operand::Special: {
    unsigned bytes = 0;
    if (!registerOf(operand, bytes, offset))
      return false;
    return bytes == wanted ||
           fail("expected " + describe(wanted) + ", got '" +
                std::string(operand.name) + "', " + describe(bytes));
  }
  case Operand::Symbol: {
    uint64_t value = 0;
    bool isGlobal = false;
    if (wanted < 4 || !symbolValue(operand, value, isGlobal))
      return fail("expected an operand of another kind, got the variable '" +
                  std::string(operand.name) + "'");
    offset = constant(value, wanted, isGlobal);
    return true;
  }
  case Operand::Integer:
  case Operand::Float: {
    uint64_t bits = 0;
    if (!constantBits(operand, type, bits))
      return false;
    offset = constant(bits, wanted);
    return true;
  }
  default:
    return fail("expected a register or a constant, got '" +
                std::string(operand.name) + "'");
  }
}

// Integers are taken as bits, but as values where a floating-point number is
// wanted; floating-point constants are rounded to the type wanted.
bool Decoder::constantBits(const Operand &operand, OperandType type,
                           uint64_t &bits) {
  unsigned bytes = bytesOf(type);
  bits = operand.bits;
  if (type == OperandType::Predicate) {
    bits = operand.bits ? 0xffffffffu : 0;
    return true;
  }
  if (operand.kind == Operand::Integer) {
    if (type == OperandType::F32 || type == OperandType::F64)
      return fail("expected a floating-point constant, got '" +
                  std::string(operand.name) + "'");
  } else if (operand.isSingle && bytes == 8) {
    float narrow;
    std::memcpy(&narrow, &bits, sizeof(narrow));
    double wide = narrow;
    std::memcpy(&bits, &wide, sizeof(wide));
  } else if (!operand.isSingle && bytes == 4) {
    double wide;
    std::memcpy(&wide, &bits, sizeof(wide));
    float narrow = static_cast<float>(wide);
    bits = 0;
    std::memcpy(&bits, &narrow, sizeof(narrow));
  } else if (bytes == 2) {
    return fail("expected the bits of a 16-bit constant, got '" +
                std::string(operand.name) + "'");
  }
  if (bytes < 8)
    bits &= (1ull << (8 * bytes)) - 1;
  return true;
}

bool Decoder::immediate(const Operand &operand, uint32_t &value) {
  if (operand.kind != Operand::Integer || operand.bits > 0xffffffffu)
    return fail("expected a 32-bit constant, got '" +
                std::string(operand.name) + "'");
  value = static_cast<uint32_t>(operand.bits);
  return true;
}

bool Decoder::symbolValue(const Operand &operand, uint64_t &value,
                          bool &isGlobal) {
  const Variable &variable = *operand.variable;
  isGlobal = variable.space == Space::Global || variable.space == Space::Const;
  uint64_t base = variable.offset;
  if (variable.space == Space::Shared) {
    auto found = sharedOffsets.find(&variable);
    if (found == sharedOffsets.end())
      return false;
    base = found->second;
  }
  value = base + static_cast<uint64_t>(operand.offset);
  return true;
}

bool Decoder::specialRegister(const Operand &operand, uint32_t &offset) {
  static const std::unordered_map<std::string_view, Special> names = {
      {"%tid.x", Special::TidX},
      {"%tid.y", Special::TidY},
      {"%tid.z", Special::TidZ},
      {"%ntid.x", Special::NtidX},
      {"%ntid.y", Special::NtidY},
      {"%ntid.z", Special::NtidZ},
      {"%ctaid.x", Special::CtaidX},
      {"%ctaid.y", Special::CtaidY},
      {"%ctaid.z", Special::CtaidZ},
      {"%nctaid.x", Special::NctaidX},
      {"%nctaid.y", Special::NctaidY},
      {"%nctaid.z", Special::NctaidZ},
      {"%laneid", Special::LaneId},
      {"%warpid", Special::WarpId},
      {"%nwarpid", Special::NWarpId},
      {"%smid", Special::SmId},
      {"%nsmid", Special::NSmId},
      {"%lanemask_eq", Special::LaneMaskEq},
      {"%lanemask_le", Special::LaneMaskLe},
      {"%lanemask_lt", Special::LaneMaskLt},
      {"%lanemask_ge", Special::LaneMaskGe},
      {"%lanemask_gt", Special::LaneMaskGt},
      {"%dynamic_smem_size", Special::DynamicSharedSize},
      {"%total_smem_size", Special::TotalSharedSize},
      {"%cluster_ctaid.x", Special::ClusterCtaidX},
      {"%cluster_ctaid.y", Special::ClusterCtaidY},
      {"%cluster_ctaid.z", Special::ClusterCtaidZ},
      {"%cluster_ctarank", Special::ClusterCtaRank},
      {"%cluster_nctaid.x", Special::ClusterNctaidX},
      {"%cluster_nctaid.y", Special::ClusterNctaidY},
      {"%cluster_nctaid.z", Special::ClusterNctaidZ},
      {"%cluster_nctarank", Special::ClusterNctaRank},
      {"%clusterid.x", Special::ClusterIdX},
      {"%clusterid.y", Special::ClusterIdY},
      {"%clusterid.z", Special::ClusterIdZ},
      {"%nclusterid.x", Special::NClusterIdX},
      {"%nclusterid.y", Special::NClusterIdY},
      {"%nclusterid.z", Special::NClusterIdZ},
      {"%is_explicit_cluster", Special::IsExplicitCluster},
  };
  auto found = names.find(operand.name);
  if (found == names.end())
    return fail(
        "expected a declared register or a special register that the emulator "
        "knows, got '" +
        std::string(operand.name) + "'");
  for (const SpecialRegister &known : kernel->specials)
    if (known.special == found->second) {
      offset = known.offset;
      return true;
    }
  offset = allocate(4);
  kernel->specials.push_back({found->second, offset});
  return true;
}

// Without a state space in the opcode, the address of a variable is in the
// variable's own space; every other address is generic.
bool Decoder::address(const Operand &operand, Space &space, Address &result) {
  if (operand.kind != Operand::Address)
    return fail("expected an address, got '" + std::string(operand.name) + "'");
  if (operand.elements.size() > 1)
    return fail("expected an address without coordinates");
  const Operand &base = operand.elements[0];
  if (base.kind == Operand::Symbol) {
    Space own = base.variable->space;
    if (space == Space::Generic)
      space = own;
    bool isOwnShared = space == Space::SharedCluster && own == Space::Shared;
    if (space != own && !isOwnShared)
      return fail("expected a variable in " + std::string(spaceName(space)) +
                  " memory, got '" + std::string(base.name) + "' in " +
                  spaceName(own));
    Operand symbol = base;
    symbol.offset = 0;
    result.offset = operand.offset;
    return source(symbol, OperandType::Bits64, result.base);
  }
  if (base.kind == Operand::Integer) {
    result.base = constant(base.bits, 8);
    return true;
  }
  unsigned bytes = 0;
  if (!registerOf(base, bytes, result.base))
    return false;
  if (bytes != 4 && bytes != 8)
    return fail("expected an address of 32 or 64 bits, got '" +
                std::string(base.name) + "', " + describe(bytes));
  result.is64 = bytes == 8;
  result.offset = operand.offset;
  return true;
}

bool Decoder::registers(const Operand &operand, unsigned count, bool isWritten,
                        uint32_t *offsets) {
  if (operand.kind != Operand::Vector || operand.elements.size() != count)
    return fail("expected " + std::to_string(count) + " registers in braces");
  for (unsigned i = 0; i < count; ++i)
    if (isWritten
            ? !destination(operand.elements[i], OperandType::Bits32, offsets[i])
            : !source(operand.elements[i], OperandType::Bits32, offsets[i]))
      return false;
  return true;
}
