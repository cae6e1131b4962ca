//===- LaneOps.h - Instructions that work lane by lane ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most of PTX computes a lane's result from that lane's operands alone. Each
// such instruction is a function over whole registers of a warp (32 lanes side
// by side), found by its full opcode. The files Lane*.cpp that define them are
// compiled once for any host and once for AVX2 and FMA; the faster set is
// chosen when the host has it. They therefore use no inline function of the
// standard library: the linker could pick the copy with the newer instructions
// for all.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_LANEOPS_H
#define NM_LIB_EMULATOR_LANEOPS_H

#include <cstddef>
#include <cstdint>

namespace nm {
namespace emulator {

constexpr unsigned warpSize = 32;
constexpr uint32_t fullWarp = 0xffffffffu;

/// Where the operands of an instruction are: byte offsets into the registers of
/// a warp. A register of b bytes takes 32*b bytes, lane after lane; a predicate
/// takes one 32-bit word, a bit a lane. Constants are registers too.
struct LaneOperands {
  uint32_t destination = 0;
  uint32_t destination2 = 0;
  uint32_t source[4] = {0, 0, 0, 0};
  /// What the opcode leaves open, such as a truth table; see each user.
  uint32_t immediate = 0;
};

/// Executes an instruction for the lanes of `mask`.
using LaneFunction = void (*)(uint8_t *registers, const LaneOperands &operands,
                              uint32_t mask);

/// How an operand is stored, and how a constant in its place is read.
enum class OperandType : uint8_t {
  None,
  Predicate,
  Bits16,
  Bits32,
  Bits64,
  F16,
  BF16,
  F32,
  F64,
  Carry,    ///< The warp's carry flag, a hidden predicate; no operand.
  Immediate ///< An integer constant, put into LaneOperands::immediate.
};

/// One row of the table of opcodes.
struct LaneOp {
  LaneFunction function = nullptr;
  OperandType destination = OperandType::None;
  OperandType source[4] = {};
};

/// Receives the rows of the table.
class LaneOpTable {
public:
  virtual ~LaneOpTable() = default;
  /// Adds the opcode whose text is `name`, `modifiers` and `type` in a row.
  virtual void add(const char *name, const char *modifiers, const char *type,
                   const LaneOp &op) = 0;
};

/// Conversion between any two types: what cvt's modifiers say.
enum class Rounding : uint8_t { None, Nearest, Zero, Down, Up, NearestAway };
enum class NumberType : uint8_t {
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  F32,
  F64
};

/// LaneOperands::immediate of a conversion.
struct Conversion {
  NumberType from, to;
  uint8_t registerSize; ///< Bytes of the destination register.
  uint8_t sourceRegisterSize;
  Rounding rounding;
  bool toInteger; ///< Float to float, rounded to an integral value (.rni ...).
  bool ftz, saturate, relu;

  uint32_t pack() const {
    return uint32_t(from) | uint32_t(to) << 4 | uint32_t(registerSize) << 8 |
           uint32_t(sourceRegisterSize) << 13 | uint32_t(rounding) << 18 |
           uint32_t(toInteger) << 21 | uint32_t(ftz) << 22 |
           uint32_t(saturate) << 23 | uint32_t(relu) << 24;
  }
  static Conversion unpack(uint32_t bits) {
    return {NumberType(bits & 15),    NumberType(bits >> 4 & 15),
            uint8_t(bits >> 8 & 31),  uint8_t(bits >> 13 & 31),
            Rounding(bits >> 18 & 7), (bits >> 21 & 1) != 0,
            (bits >> 22 & 1) != 0,    (bits >> 23 & 1) != 0,
            (bits >> 24 & 1) != 0};
  }
};

/// LaneOperands::immediate of setp: how the comparison is combined with the
/// predicate in source[2], and whether there is a second destination.
enum SetpFlags : uint32_t {
  SetpAnd = 1,
  SetpOr = 2,
  SetpXor = 3,
  SetpCombine = 3,
  SetpNegate = 4, ///< The predicate is negated first.
  SetpPair = 8
};

/// One compiled set of lane functions.
struct LaneSet {
  void (*fill)(LaneOpTable &table);
  LaneFunction convert;
  /// cvt.rn.{f16x2,bf16x2}.f32 d, a, b.
  LaneFunction convertPair;
};

extern const LaneSet baselineLaneSet;
/// Defined where NM_EMULATOR_AVX2 is.
extern const LaneSet avx2LaneSet;

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_LANEOPS_H
