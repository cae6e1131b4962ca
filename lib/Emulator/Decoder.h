//===- Decoder.h - Syntax to a decoded kernel -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One method per family of opcodes. An opcode that no family knows must be a
// row of the table of lane-wise opcodes, by its full text: a modifier that is
// not executed can therefore not be skipped by accident. Families with
// free-form modifiers (ld, st, cvt, ...) consume them one by one and fail on
// the rest.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_DECODER_H
#define NM_LIB_EMULATOR_DECODER_H

#include "Program.h"

#include <map>
#include <unordered_map>

namespace nm {
namespace emulator {

/// The parts of an opcode between its dots, consumed from the front.
class Modifiers {
public:
  explicit Modifiers(std::string_view opcode);

  /// Takes the next part if it is `part`.
  bool accept(std::string_view part);
  /// Takes the next part, whatever it is; "" at the end.
  std::string_view take();
  std::string_view peek() const {
    return next < parts.size() ? parts[next] : std::string_view();
  }
  bool atEnd() const { return next == parts.size(); }

private:
  std::vector<std::string_view> parts;
  size_t next = 0;
};

class Decoder {
public:
  explicit Decoder(const ParsedKernel &syntax);
  std::unique_ptr<KernelImpl> decode(std::string &error);

private:
  using Method = bool (Decoder::*)();
  static Method findMethod(std::string_view family);

  // Set-up.
  void layOutRegisters();
  bool layOutShared();
  bool decodeAll();
  void noteUsedBytes();
  bool decodeOne(const ParsedInstruction &instruction);

  // Families.
  bool decodeLane();
  bool decodeMove();
  bool decodeConvert();
  bool decodeConvertPair(Modifiers &modifiers, Conversion how);
  bool decodeAddressConversion();
  bool decodeIsSpace();
  bool decodeSetPredicate();
  bool decodeFence();
  bool decodePrefetch();
  bool decodeSleep();
  bool decodeGridDependency();
  bool decodeBranch();
  bool decodeBranchTable();
  bool decodeExit();
  bool decodeTrap();
  bool decodeBarrier();
  bool decodeWarpBarrier();
  bool decodeShuffle();
  bool decodeVote();
  bool decodeMatch();
  bool decodeRedux();
  bool decodeActiveMask();
  bool decodeElect();
  /// The mode that the opcode names.
  bool decodeMode(WarpOp &op);
  /// The instruction is this operation of the lanes.
  bool addWarpOp(Kind kind, const WarpOp &op);
  bool decodeLoad();
  bool decodeStore();
  bool decodeAtomic();
  bool decodeAsync();
  bool decodeAsyncCopy(Modifiers &modifiers);
  bool decodeAsyncArrive(Modifiers &modifiers);
  bool decodeBulk(Modifiers &modifiers);
  bool decodeBulkPrefetch(Modifiers &modifiers);
  bool decodeBulkCopy(Modifiers &modifiers);
  bool addBulkCopy(const BulkInfo &info);
  bool decodeBulkTensor(Modifiers &modifiers);
  bool decodeTensorPrefetch(Modifiers &modifiers);
  bool tensorDirection(Modifiers &modifiers, BulkInfo &info);
  bool tensorAddress(const Operand &operand, BulkInfo &info);
  bool bulkDirection(Modifiers &modifiers, BulkInfo &info);
  bool decodeSetMaxRegisters();
  bool decodeClusterBarrier(Modifiers &modifiers);
  bool decodeMapBlock();
  bool decodeBlockRank();
  bool decodeMbarrier();
  bool decodeMbarrierArrive(Modifiers &modifiers, MbarrierInfo &info);
  bool decodeMbarrierWait(Modifiers &modifiers, MbarrierInfo &info);
  bool decodePendingCount(Modifiers &modifiers);
  bool addMbarrier(const MbarrierInfo &info);
  bool decodeMatrixAccess();
  bool decodeMma();

  // Operands.
  bool expectOperands(size_t least, size_t most);
  bool source(const Operand &operand, OperandType type, uint32_t &offset);
  bool destination(const Operand &operand, OperandType type, uint32_t &offset);
  bool registerOf(const Operand &operand, unsigned &bytes, uint32_t &offset);
  bool writtenRegister(const Operand &operand, unsigned &bytes,
                       uint32_t &offset);
  bool immediate(const Operand &operand, uint32_t &value);
  bool address(const Operand &operand, Space &space, Address &address);
  bool elements(const Operand &operand, MemoryAccess &access);
  bool accessType(std::string_view type, MemoryAccess &access);
  bool plainAccess(MemoryAccess &access);
  bool specialRegister(const Operand &operand, uint32_t &offset);
  bool symbolValue(const Operand &operand, uint64_t &value, bool &isGlobal);
  bool constantBits(const Operand &operand, OperandType type, uint64_t &bits);
  uint32_t constant(uint64_t value, unsigned bytes, bool isGlobal = false);
  uint32_t zero() { return constant(0, 4); }
  bool memoryModifiers(Modifiers &modifiers, MemoryAccess &access,
                       bool &hasPolicy);
  bool atomicElement(std::string_view type, MemoryAccess &access);
  bool registers(const Operand &operand, unsigned count, bool isWritten,
                 uint32_t *offsets);
  uint32_t allocate(unsigned bytes);
  uint32_t carryFlag();

  // Errors.
  bool fail(const std::string &message);
  bool unsupported();
  bool unsupportedModifier(std::string_view modifier);

  const ParsedKernel &syntax;
  std::unique_ptr<KernelImpl> kernel;
  const ParsedInstruction *current = nullptr;
  Instruction result;
  std::vector<uint32_t> registerOffsets;
  std::map<std::pair<uint64_t, unsigned>, uint32_t> constants;
  std::map<std::pair<uint64_t, unsigned>, uint32_t> globalConstants;
  std::unordered_map<const Variable *, uint64_t> sharedOffsets;
  uint32_t predicateEnd = 0;
  uint32_t carryOffset = noRegister;
  uint64_t registerEnd = 0;
  std::string error;
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_DECODER_H
