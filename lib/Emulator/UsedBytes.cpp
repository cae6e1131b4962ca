//===- UsedBytes.cpp - Which bytes of a register anything uses ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Backwards over the text until nothing changes, whatever the control flow: a
// register's bytes are used if any instruction uses them.
//
//===----------------------------------------------------------------------===//

#include "UsedBytes.h"
#include "Decoder.h"

#include <algorithm>

using namespace nm::emulator;

namespace {

constexpr uint8_t allBytes = 0xff;

/// The lowest `count` of eight bytes.
uint8_t lowBytes(unsigned count) {
  return static_cast<uint8_t>(count >= 8 ? allBytes : (1u << count) - 1);
}

/// The bytes that hold any of the bits from `first` to `last`.
uint8_t bytesOfBits(unsigned first, unsigned last) {
  return static_cast<uint8_t>(lowBytes(last / 8 + 1) & ~lowBytes(first / 8));
}

/// The bytes of a value of `size` bytes that `used` bytes of the value shifted
/// right by `shift` bits, or left by minus `shift`, come from. What is shifted
/// in from above are zeros, or copies of the highest bit.
uint8_t unshift(uint8_t used, int shift, unsigned size, bool copiesSign) {
  int bits = static_cast<int>(8 * size);
  uint8_t result = 0;
  for (unsigned byte = 0; byte < size; ++byte) {
    if (!(used >> byte & 1))
      continue;
    int first = static_cast<int>(8 * byte) + shift, last = first + 7;
    if (last >= bits && copiesSign)
      result |= bytesOfBits(bits - 8, bits - 1);
    if (first < bits && last >= 0)
      result |= bytesOfBits(static_cast<unsigned>(std::max(first, 0)),
                            static_cast<unsigned>(std::min(last, bits - 1)));
  }
  return result;
}

class UseFinder {
public:
  explicit UseFinder(const ParsedKernel &kernel)
      : kernel(kernel), used(kernel.registerSizes.size(), 0) {}

  std::vector<uint8_t> find() {
    do {
      changed = false;
      for (size_t i = kernel.instructions.size(); i-- > 0;)
        visit(kernel.instructions[i]);
    } while (changed);
    return std::move(used);
  }

private:
  using Operands = std::vector<Operand>;

  void use(const Operand &operand, uint8_t bytes) {
    for (const Operand &element : operand.elements)
      use(element, bytes);
    if (operand.kind != Operand::Register)
      return;
    uint8_t &known = used[operand.index];
    changed |= (bytes & ~known) != 0;
    known |= bytes;
  }

  /// The used bytes of what an instruction writes.
  uint8_t usedBytes(const Operand &operand) const {
    return operand.kind == Operand::Register ? used[operand.index] : allBytes;
  }

  void visit(const ParsedInstruction &instruction);
  void visitMove(const Operands &operands, unsigned size);
  bool visitBitwise(std::string_view family, const Operands &operands);
  bool visitShift(std::string_view family, const Operands &operands,
                  std::string_view type);
  bool visitExtract(const Operands &operands, std::string_view type);
  bool visitPermute(const Operands &operands);
  bool visitConvert(std::string_view opcode, const Operands &operands);

  const ParsedKernel &kernel;
  std::vector<uint8_t> used;
  bool changed = false;
};

} // namespace

/// Whether the first operand is read, not written.
static bool readsFirstOperand(std::string_view family) {
  static const std::string_view names[] = {
      "st", "red",      "bar",      "barrier",   "bra",       "brx",
      "cp", "stmatrix", "prefetch", "prefetchu", "nanosleep", "mbarrier"};
  return std::find(std::begin(names), std::end(names), family) !=
         std::end(names);
}

static std::string_view lastModifier(std::string_view opcode) {
  size_t dot = opcode.rfind('.');
  return dot == std::string_view::npos ? std::string_view()
                                       : opcode.substr(dot + 1);
}

void UseFinder::visit(const ParsedInstruction &instruction) {
  const Operands &operands = instruction.operands;
  std::string_view opcode = instruction.opcode, type = lastModifier(opcode);
  std::string_view family = opcode.substr(0, opcode.find('.'));
  if (family == "mov" && operands.size() == 2)
    return visitMove(operands, typeSize(type));
  if (family == "st" && operands.size() >= 2) {
    use(operands[0], allBytes);
    return use(operands[1], lowBytes(typeSize(type)));
  }
  bool done = family == "prmt"  ? visitPermute(operands)
              : family == "bfe" ? visitExtract(operands, type)
              : family == "cvt" ? visitConvert(opcode, operands)
                                : visitBitwise(family, operands) ||
                                      visitShift(family, operands, type);
  if (done)
    return;
  for (size_t i = readsFirstOperand(family) ? 0 : 1; i < operands.size(); ++i)
    use(operands[i], allBytes);
}

/// Moves one register, or makes one of several, or several of one.
void UseFinder::visitMove(const Operands &operands, unsigned size) {
  const Operand &to = operands[0], &from = operands[1];
  bool packs = from.kind == Operand::Vector;
  if (!packs && to.kind != Operand::Vector)
    return use(from, usedBytes(to));
  const std::vector<Operand> &parts = packs ? from.elements : to.elements;
  unsigned partSize = size / std::max<size_t>(parts.size(), 1);
  for (size_t i = 0; i < parts.size(); ++i) {
    unsigned first = static_cast<unsigned>(i) * partSize;
    if (packs)
      use(parts[i],
          static_cast<uint8_t>(usedBytes(to) >> first & lowBytes(partSize)));
    else if (parts[i].kind == Operand::Register)
      use(from, static_cast<uint8_t>((usedBytes(parts[i]) & lowBytes(partSize))
                                     << first));
  }
}

/// Each byte of the result comes from the same byte of the operands; with a
/// constant mask, only where that is not zero.
bool UseFinder::visitBitwise(std::string_view family,
                             const Operands &operands) {
  if (family != "and" && family != "or" && family != "xor" && family != "not")
    return false;
  uint8_t wanted = usedBytes(operands[0]);
  for (size_t i = 1; family == "and" && i < operands.size(); ++i)
    for (unsigned byte = 0; byte < 8; ++byte)
      if (operands[i].kind == Operand::Integer &&
          (operands[i].bits >> 8 * byte & 0xff) == 0)
        wanted &= static_cast<uint8_t>(~(1u << byte));
  for (size_t i = 1; i < operands.size(); ++i)
    use(operands[i], wanted);
  return true;
}

bool UseFinder::visitShift(std::string_view family, const Operands &operands,
                           std::string_view type) {
  bool isLeft = family == "shl";
  if ((!isLeft && family != "shr") || operands.size() != 3 ||
      operands[2].kind != Operand::Integer)
    return false;
  unsigned size = typeSize(type);
  int shift = static_cast<int>(
      std::min<uint64_t>(operands[2].bits, uint64_t(8) * size));
  use(operands[1], unshift(usedBytes(operands[0]), isLeft ? -shift : shift,
                           size, type.front() == 's'));
  return true;
}

/// A field of constant place.
bool UseFinder::visitExtract(const Operands &operands, std::string_view type) {
  if (operands.size() != 4 || operands[2].kind != Operand::Integer ||
      operands[3].kind != Operand::Integer)
    return false;
  uint64_t first = operands[2].bits, count = operands[3].bits;
  if (count == 0 || first + count > uint64_t(8) * typeSize(type))
    return false;
  use(operands[1], bytesOfBits(static_cast<unsigned>(first),
                               static_cast<unsigned>(first + count - 1)));
  return true;
}

bool UseFinder::visitPermute(const Operands &operands) {
  if (operands.size() != 4 || operands[3].kind != Operand::Integer)
    return false;
  uint8_t wanted = usedBytes(operands[0]), from = 0;
  for (unsigned byte = 0; byte < 4; ++byte)
    if (wanted >> byte & 1)
      from |= static_cast<uint8_t>(1u << (operands[3].bits >> 4 * byte & 7));
  use(operands[1], from & 0xf);
  use(operands[2], from >> 4);
  return true;
}

/// An integer is cut, or extended with zeros or its sign.
bool UseFinder::visitConvert(std::string_view opcode,
                             const Operands &operands) {
  Modifiers modifiers(opcode);
  std::string_view to = modifiers.take(), from = modifiers.take();
  auto isInteger = [](std::string_view type) {
    return !type.empty() && (type[0] == 'u' || type[0] == 's') &&
           typeSize(type) != 0;
  };
  if (operands.size() != 2 || !isInteger(to) || !isInteger(from))
    return false;
  unsigned toSize = typeSize(to), fromSize = typeSize(from);
  uint8_t wanted = usedBytes(operands[0]);
  // Registers may be wider than what they are written as.
  if (to[0] == 's' && (wanted & ~lowBytes(toSize)))
    wanted |= lowBytes(toSize);
  wanted &= lowBytes(toSize);
  if (from[0] == 's' && (wanted & ~lowBytes(fromSize)))
    wanted |= bytesOfBits(8 * fromSize - 8, 8 * fromSize - 1);
  use(operands[1], wanted & lowBytes(fromSize));
  return true;
}

std::vector<uint8_t> nm::emulator::findUsedBytes(const ParsedKernel &kernel) {
  return UseFinder(kernel).find();
}

uint64_t nm::emulator::usedMemoryBytes(const MemoryAccess &access,
                                       unsigned index, uint8_t used) {
  unsigned size = access.elementBytes;
  uint8_t bytes = used & lowBytes(size);
  if (access.signExtend && (used & ~lowBytes(size)))
    bytes |= bytesOfBits(8 * size - 8, 8 * size - 1);
  return uint64_t(bytes) << index * size;
}
