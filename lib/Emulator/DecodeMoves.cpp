//===- DecodeMoves.cpp - Syntax to a decoded kernel: moves and conversions ===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mov with vectors and special registers, cvt, cvta, isspacep and setp:
// families whose operands do not follow from the opcode alone.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace nm::emulator;

/// Special registers whose value changes while a thread runs.
static bool isClock(std::string_view name) {
  return name == "%clock" || name == "%clock64" || name == "%clock_hi" ||
         name == "%globaltimer" || name == "%globaltimer_lo" ||
         name == "%globaltimer_hi";
}

bool Decoder::decodeMove() {
  if (!expectOperands(2, 2))
    return false;
  const Operand &to = current->operands[0], &from = current->operands[1];
  if (from.kind == Operand::Special && isClock(from.name)) {
    bool is64 = from.name == "%clock64" || from.name == "%globaltimer";
    result.kind = Kind::Clock;
    // The upper words stay 0: launches end long before.
    result.detail = is64                                             ? 8
                    : from.name.substr(from.name.size() - 2) == "hi" ? 0
                                                                     : 4;
    return destination(to, is64 ? OperandType::Bits64 : OperandType::Bits32,
                       result.operands.destination);
  }
  if (to.kind != Operand::Vector && from.kind != Operand::Vector)
    return decodeLane();
  bool packs = from.kind == Operand::Vector;
  const Operand &parts = packs ? from : to, &whole = packs ? to : from;
  unsigned wholeBytes = typeSize(
      current->opcode.substr(current->opcode.find('.') == std::string_view::npos
                                 ? current->opcode.size()
                                 : current->opcode.find('.') + 1));
  VectorMove move;
  move.count = static_cast<uint8_t>(parts.elements.size());
  unsigned partBytes = move.count ? wholeBytes / move.count : 0;
  if (wholeBytes < 4 || wholeBytes > 8 ||
      partBytes * move.count != wholeBytes || partBytes < 2)
    return unsupported();
  move.partBytes = static_cast<uint8_t>(partBytes);
  OperandType wholeType =
      wholeBytes == 8 ? OperandType::Bits64 : OperandType::Bits32;
  OperandType partType =
      partBytes == 4 ? OperandType::Bits32 : OperandType::Bits16;
  if (packs ? !destination(whole, wholeType, move.whole)
            : !source(whole, wholeType, move.whole))
    return false;
  for (unsigned i = 0; i < move.count; ++i) {
    move.parts[i] = noRegister;
    if (!packs && parts.elements[i].kind == Operand::Sink)
      continue;
    if (packs ? !source(parts.elements[i], partType, move.parts[i])
              : !destination(parts.elements[i], partType, move.parts[i]))
      return false;
  }
  result.kind = packs ? Kind::Pack : Kind::Unpack;
  result.detail = static_cast<uint32_t>(kernel->vectorMoves.size());
  kernel->vectorMoves.push_back(move);
  return true;
}

static bool parseNumberType(std::string_view name, NumberType &type) {
  static const std::pair<std::string_view, NumberType> names[] = {
      {"u8", NumberType::U8},   {"u16", NumberType::U16},
      {"u32", NumberType::U32}, {"u64", NumberType::U64},
      {"s8", NumberType::S8},   {"s16", NumberType::S16},
      {"s32", NumberType::S32}, {"s64", NumberType::S64},
      {"f16", NumberType::F16}, {"bf16", NumberType::BF16},
      {"f32", NumberType::F32}, {"f64", NumberType::F64}};
  for (const auto &row : names)
    if (row.first == name) {
      type = row.second;
      return true;
    }
  return false;
}

static bool parseRounding(Modifiers &modifiers, Conversion &how) {
  static const std::pair<std::string_view, Rounding> names[] = {
      {"rn", Rounding::Nearest},  {"rz", Rounding::Zero},
      {"rm", Rounding::Down},     {"rp", Rounding::Up},
      {"rni", Rounding::Nearest}, {"rzi", Rounding::Zero},
      {"rmi", Rounding::Down},    {"rpi", Rounding::Up}};
  for (const auto &row : names)
    if (modifiers.accept(row.first)) {
      how.rounding = row.second;
      how.toInteger = row.first.size() == 3;
      return true;
    }
  return false;
}

static unsigned numberBytes(NumberType type) {
  static constexpr uint8_t bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  return bytes[static_cast<unsigned>(type)];
}

static OperandType bitsType(unsigned bytes) {
  return bytes == 8   ? OperandType::Bits64
         : bytes == 4 ? OperandType::Bits32
                      : OperandType::Bits16;
}

// cvt{.rnd}{.ftz}{.relu}{.sat}.to.from d, a. Integers of 8 to 32 bits may sit
// in wider registers.
bool Decoder::decodeConvert() {
  Modifiers modifiers(current->opcode);
  Conversion how = {};
  bool hasRounding = parseRounding(modifiers, how);
  how.ftz = modifiers.accept("ftz");
  how.relu = modifiers.accept("relu");
  how.saturate = modifiers.accept("sat");
  if (modifiers.peek() == "f16x2" || modifiers.peek() == "bf16x2")
    return decodeConvertPair(modifiers, how);
  if (!parseNumberType(modifiers.peek(), how.to))
    return unsupportedModifier(modifiers.peek());
  modifiers.take();
  if (!parseNumberType(modifiers.peek(), how.from))
    return unsupportedModifier(modifiers.peek());
  modifiers.take();
  if (!modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  if (!expectOperands(2, 2))
    return false;
  bool fromFloat = how.from >= NumberType::F16,
       toFloat = how.to >= NumberType::F16;
  bool narrows =
      toFloat && (!fromFloat || numberBytes(how.to) < numberBytes(how.from));
  if ((fromFloat && !toFloat && !how.toInteger) || (narrows && !hasRounding))
    return fail("expected a rounding modifier in '" +
                std::string(current->opcode) + "'");
  unsigned toBytes = 0, fromBytes = numberBytes(how.from);
  if (!writtenRegister(current->operands[0], toBytes,
                       result.operands.destination))
    return false;
  if (current->operands[1].kind == Operand::Register) {
    if (!registerOf(current->operands[1], fromBytes, result.operands.source[0]))
      return false;
  } else {
    if (fromBytes < 2)
      fromBytes = 2;
    OperandType type = how.from == NumberType::F32   ? OperandType::F32
                       : how.from == NumberType::F64 ? OperandType::F64
                                                     : bitsType(fromBytes);
    if (!source(current->operands[1], type, result.operands.source[0]))
      return false;
  }
  bool exactTo = toBytes == numberBytes(how.to);
  bool exactFrom = fromBytes == numberBytes(how.from);
  if (toBytes < numberBytes(how.to) || fromBytes < numberBytes(how.from) ||
      toBytes == 0 || fromBytes == 0 || (toFloat && !exactTo) ||
      (fromFloat && !exactFrom))
    return fail("expected registers that fit the types of '" +
                std::string(current->opcode) + "'");
  result.kind = Kind::Lane;
  const LaneOp *op =
      exactTo && exactFrom ? findLaneOp(current->opcode) : nullptr;
  how.registerSize = static_cast<uint8_t>(toBytes);
  how.sourceRegisterSize = static_cast<uint8_t>(fromBytes);
  result.operands.immediate = how.pack();
  result.lane = op ? op->function : laneSet().convert;
  return true;
}

// cvt.{rn,rz}{.relu}.{f16x2,bf16x2}.f32 d, high, low
bool Decoder::decodeConvertPair(Modifiers &modifiers, Conversion how) {
  how.to = modifiers.take() == "f16x2" ? NumberType::F16 : NumberType::BF16;
  how.from = NumberType::F32;
  if (!modifiers.accept("f32") || !modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  if (how.rounding != Rounding::Nearest && how.rounding != Rounding::Zero)
    return fail("expected .rn or .rz in '" + std::string(current->opcode) +
                "'");
  if (!expectOperands(3, 3) ||
      !destination(current->operands[0], OperandType::Bits32,
                   result.operands.destination) ||
      !source(current->operands[1], OperandType::F32,
              result.operands.source[0]) ||
      !source(current->operands[2], OperandType::F32,
              result.operands.source[1]))
    return false;
  result.kind = Kind::Lane;
  result.lane = laneSet().convertPair;
  result.operands.immediate = how.pack();
  return true;
}

// cvta{.to}.space.u64 d, a: adds or subtracts the window of the space.
bool Decoder::decodeAddressConversion() {
  Modifiers modifiers(current->opcode);
  bool fromGeneric = modifiers.accept("to");
  std::string_view space = modifiers.take();
  uint64_t window = 0;
  if (space == "shared" || space == "shared::cta" || space == "shared::cluster")
    window = sharedWindow;
  else if (space == "local")
    window = localWindow;
  else if (space == "param" || space == "param::entry")
    window = paramWindow;
  else if (space != "global" && space != "const")
    return unsupportedModifier(space);
  if ((!modifiers.accept("u64")) || !modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  if (!expectOperands(2, 2) ||
      !destination(current->operands[0], OperandType::Bits64,
                   result.operands.destination) ||
      !source(current->operands[1], OperandType::Bits64,
              result.operands.source[0]))
    return false;
  result.operands.source[1] = constant(fromGeneric ? 0 - window : window, 8);
  result.kind = Kind::Lane;
  result.lane = findLaneOp("add.u64")->function;
  return true;
}

// isspacep.space p, a: detail holds the window, 0 for global; target is 1 when
// the whole cluster's shared memory will do.
bool Decoder::decodeIsSpace() {
  Modifiers modifiers(current->opcode);
  std::string_view space = modifiers.take();
  result.target = space == "shared::cluster";
  if (space == "shared" || space == "shared::cta" || space == "shared::cluster")
    result.detail = sharedWindow >> 32;
  else if (space == "local")
    result.detail = localWindow >> 32;
  else if (space == "param")
    result.detail = paramWindow >> 32;
  else if (space != "global")
    return unsupportedModifier(space);
  if (!modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  result.kind = Kind::IsSpace;
  return expectOperands(2, 2) &&
         destination(current->operands[0], OperandType::Predicate,
                     result.operands.destination) &&
         source(current->operands[1], OperandType::Bits64,
                result.operands.source[0]);
}

// setp.cmp{.and|.or|.xor}{.ftz}.type p[|q], a, b{, {!}c}
bool Decoder::decodeSetPredicate() {
  std::string opcode(current->opcode);
  uint32_t flags = 0;
  static const std::pair<const char *, uint32_t> combinations[] = {
      {".and.", SetpAnd}, {".or.", SetpOr}, {".xor.", SetpXor}};
  for (const auto &combination : combinations) {
    size_t at = opcode.find(combination.first);
    if (at == std::string::npos)
      continue;
    flags |= combination.second;
    opcode.erase(at, std::string_view(combination.first).size() - 1);
  }
  const LaneOp *op = findLaneOp(opcode);
  if (!op)
    return unsupported();
  size_t count = flags ? 4 : 3;
  if (!expectOperands(count, count))
    return false;
  const Operand &to = current->operands[0];
  // Rows without a third operand compare both halves of packed registers.
  bool isPacked = op->source[2] == OperandType::None;
  if (isPacked && (flags || to.kind != Operand::Pair))
    return unsupported();
  if (to.kind == Operand::Pair) {
    flags |= SetpPair;
    if (!destination(to.elements[0], OperandType::Predicate,
                     result.operands.destination) ||
        !destination(to.elements[1], OperandType::Predicate,
                     result.operands.destination2))
      return false;
  } else if (!destination(to, OperandType::Predicate,
                          result.operands.destination)) {
    return false;
  }
  for (unsigned i = 0; i < 2; ++i)
    if (!source(current->operands[i + 1], op->source[i],
                result.operands.source[i]))
      return false;
  if (flags & SetpCombine) {
    Operand predicate = current->operands[3];
    if (predicate.negated)
      flags |= SetpNegate;
    predicate.negated = false;
    if (!source(predicate, OperandType::Predicate, result.operands.source[2]))
      return false;
  }
  result.kind = Kind::Lane;
  result.lane = op->function;
  result.operands.immediate = flags;
  return true;
}
