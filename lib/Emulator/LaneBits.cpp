//===- LaneBits.cpp - Moves, logic, shifts and bit fields -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shift amounts of the width of a register or more shift everything out; fields
// may reach beyond the end of a register.
//
//===----------------------------------------------------------------------===//

#include "LaneIntegerTraits.h"

namespace nm {
namespace emulator {
namespace NM_LANE_NAMESPACE {
namespace {

struct Move {
  template <class T> static T apply(T a) { return a; }
};
struct And {
  template <class T> static T apply(T a, T b) { return a & b; }
};
struct Or {
  template <class T> static T apply(T a, T b) { return a | b; }
};
struct Xor {
  template <class T> static T apply(T a, T b) { return a ^ b; }
};
struct Not {
  template <class T> static T apply(T a) { return T(~a); }
};
struct CNot {
  template <class T> static T apply(T a) { return a == 0; }
};
/// Amounts of the register's width or more shift everything out.
struct ShiftLeft {
  template <class T> static T apply(T a, uint32_t b) {
    return b < bitsOf<T> ? T(wrap(a) << b) : T(0);
  }
};
struct ShiftRight {
  template <class T> static T apply(T a, uint32_t b) {
    uint32_t amount = b < bitsOf<T> ? b : bitsOf<T> - 1;
    T shifted = T(a >> amount);
    return b < bitsOf<T> || isSigned<T> ? shifted : T(0);
  }
};
struct PopulationCount {
  static uint32_t apply(uint32_t a) { return uint32_t(__builtin_popcount(a)); }
  static uint32_t apply(uint64_t a) {
    return uint32_t(__builtin_popcountll(a));
  }
};
struct LeadingZeros {
  static uint32_t apply(uint32_t a) {
    return a ? uint32_t(__builtin_clz(a)) : 32;
  }
  static uint32_t apply(uint64_t a) {
    return a ? uint32_t(__builtin_clzll(a)) : 64;
  }
};
struct ReverseBits {
  template <class T> static T apply(T a) {
    T result = 0;
    for (unsigned bit = 0; bit < bitsOf<T>; ++bit)
      result |= (a >> bit & 1) << (bitsOf<T> - 1 - bit);
    return result;
  }
};
/// Position of the highest bit that differs from the sign; ~0 if none does.
struct FindHighBit {
  template <class T> static uint32_t apply(T a) {
    using U = typename Traits<T>::Unsigned;
    U bits = U(isSigned<T> && a < 0 ? ~a : a);
    return bits ? bitsOf<T> - 1 - LeadingZeros::apply(bits) : 0xffffffffu;
  }
};
/// The same as how far to shift left to bring that bit to the top.
struct FindHighBitShift {
  template <class T> static uint32_t apply(T a) {
    uint32_t position = FindHighBit::apply(a);
    return position == 0xffffffffu ? position : bitsOf<T> - 1 - position;
  }
};
struct ExtractField {
  template <class T> static T apply(T a, uint32_t b, uint32_t c) {
    using U = typename Traits<T>::Unsigned;
    uint32_t position = b & 0xff, length = c & 0xff;
    if (length == 0)
      return 0;
    uint32_t last = position + length - 1;
    uint32_t top = last < bitsOf<T> - 1 ? last : bitsOf<T> - 1;
    bool sign = isSigned<T> && (U(a) >> top & 1);
    if (position >= bitsOf<T>)
      return sign ? T(~U(0)) : T(0);
    U field = U(a) >> position;
    uint32_t width = top - position + 1;
    U above = width < bitsOf<T> ? U(~U(0)) << width : U(0);
    return sign ? T(field | above) : T(field & ~above);
  }
};
struct InsertField {
  template <class T> static T apply(T a, T b, uint32_t c, uint32_t d) {
    uint32_t position = c & 0xff, length = d & 0xff;
    if (position >= bitsOf<T> || length == 0)
      return b;
    T ones = length < bitsOf<T> ? (T(1) << length) - 1 : T(~T(0));
    T mask = T(ones << position);
    return (b & ~mask) | (T(a << position) & mask);
  }
};
template <bool Left, bool Wrap> struct FunnelShift {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t amount = Wrap ? c & 31 : (c < 32 ? c : 32);
    uint64_t both = uint64_t(b) << 32 | a;
    return Left ? uint32_t((both << amount) >> 32) : uint32_t(both >> amount);
  }
};
/// Selects four bytes of {b, a}; bit 3 of a selector repeats the byte's sign.
struct Permute {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t bytes = uint64_t(b) << 32 | a;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      uint32_t selector = c >> (4 * i) & 15;
      uint32_t byte = uint32_t(bytes >> (8 * (selector & 7))) & 0xff;
      if (selector & 8)
        byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};
/// The modes of prmt that compute the selectors from the low bits of c.
template <unsigned Mode> struct PermuteMode {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    // Rows: f4e, b4e, rc8, ecl, ecr, rc16.
    static constexpr uint16_t selectors[6][4] = {
        {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
        {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
        {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
    return Permute::apply(a, b, selectors[Mode][c & 3]);
  }
};

/// lop3: `immediate` is the truth table.
void logic3(uint8_t *registers, const LaneOperands &operands, uint32_t mask) {
  const uint32_t *a = lanes<uint32_t>(registers, operands.source[0]);
  const uint32_t *b = lanes<uint32_t>(registers, operands.source[1]);
  const uint32_t *c = lanes<uint32_t>(registers, operands.source[2]);
  uint32_t result[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = 0;
  for (unsigned row = 0; row < 8; ++row) {
    if (!(operands.immediate >> row & 1))
      continue;
    uint32_t flipA = row & 4 ? 0 : ~0u, flipB = row & 2 ? 0 : ~0u,
             flipC = row & 1 ? 0 : ~0u;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      result[lane] |= (a[lane] ^ flipA) & (b[lane] ^ flipB) & (c[lane] ^ flipC);
  }
  writeLanes(registers, operands.destination, result, mask);
}

template <class T>
void insertField(uint8_t *registers, const LaneOperands &operands,
                 uint32_t mask) {
  const T *a = lanes<T>(registers, operands.source[0]);
  const T *b = lanes<T>(registers, operands.source[1]);
  const uint32_t *c = lanes<uint32_t>(registers, operands.source[2]);
  const uint32_t *d = lanes<uint32_t>(registers, operands.source[3]);
  T result[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = InsertField::apply(a[lane], b[lane], c[lane], d[lane]);
  writeLanes(registers, operands.destination, result, mask);
}

template <class T> void fillBits(LaneOpTable &table, const char *type) {
  addBinary<T, T, T, And>(table, "and", type);
  addBinary<T, T, T, Or>(table, "or", type);
  addBinary<T, T, T, Xor>(table, "xor", type);
  addUnary<T, T, Not>(table, "not", type);
  addUnary<T, T, CNot>(table, "cnot", type);
  addBinary<T, T, uint32_t, ShiftLeft>(table, "shl", type);
  addBinary<T, T, uint32_t, ShiftRight>(table, "shr", type);
}

template <class T> void fillRightShift(LaneOpTable &table, const char *type) {
  addBinary<T, T, uint32_t, ShiftRight>(table, "shr", type);
}

template <class T> void fillMoves(LaneOpTable &table, const char *bits) {
  addUnary<T, T, Move>(table, "mov", bits, ".b");
  addUnary<T, T, Move>(table, "mov", bits, ".u");
  addUnary<T, T, Move>(table, "mov", bits, ".s");
}

/// What only 32- and 64-bit registers have.
template <class U, class S>
void fillCounts(LaneOpTable &table, const char *bits, const char *unsignedType,
                const char *signedType) {
  addUnary<uint32_t, U, PopulationCount>(table, "popc", bits);
  addUnary<uint32_t, U, LeadingZeros>(table, "clz", bits);
  addUnary<U, U, ReverseBits>(table, "brev", bits);
  addUnary<uint32_t, U, FindHighBit>(table, "bfind", unsignedType);
  addUnary<uint32_t, S, FindHighBit>(table, "bfind", signedType);
  addUnary<uint32_t, U, FindHighBitShift>(table, "bfind.shiftamt",
                                          unsignedType);
  addUnary<uint32_t, S, FindHighBitShift>(table, "bfind.shiftamt", signedType);
  addTernary<U, U, uint32_t, uint32_t, ExtractField>(table, "bfe",
                                                     unsignedType);
  addTernary<S, S, uint32_t, uint32_t, ExtractField>(table, "bfe", signedType);
  table.add("bfi", "", bits,
            {&insertField<U>,
             TypeOf<U>::value,
             {TypeOf<U>::value, TypeOf<U>::value, OperandType::Bits32,
              OperandType::Bits32}});
}

void fillShuffles(LaneOpTable &table) {
  using U = uint32_t;
  addTernary<U, U, U, U, FunnelShift<true, true>>(table, "shf.l.wrap", ".b32");
  addTernary<U, U, U, U, FunnelShift<true, false>>(table, "shf.l.clamp",
                                                   ".b32");
  addTernary<U, U, U, U, FunnelShift<false, true>>(table, "shf.r.wrap", ".b32");
  addTernary<U, U, U, U, FunnelShift<false, false>>(table, "shf.r.clamp",
                                                    ".b32");
  addTernary<U, U, U, U, Permute>(table, "prmt", ".b32");
  addTernary<U, U, U, U, PermuteMode<0>>(table, "prmt.b32", ".f4e");
  addTernary<U, U, U, U, PermuteMode<1>>(table, "prmt.b32", ".b4e");
  addTernary<U, U, U, U, PermuteMode<2>>(table, "prmt.b32", ".rc8");
  addTernary<U, U, U, U, PermuteMode<3>>(table, "prmt.b32", ".ecl");
  addTernary<U, U, U, U, PermuteMode<4>>(table, "prmt.b32", ".ecr");
  addTernary<U, U, U, U, PermuteMode<5>>(table, "prmt.b32", ".rc16");
  table.add("lop3", "", ".b32",
            {&logic3,
             OperandType::Bits32,
             {OperandType::Bits32, OperandType::Bits32, OperandType::Bits32,
              OperandType::Immediate}});
}

} // namespace

void fillBitOps(LaneOpTable &table) {
  fillBits<uint16_t>(table, ".b16");
  fillBits<uint32_t>(table, ".b32");
  fillBits<uint64_t>(table, ".b64");
  fillMoves<uint16_t>(table, "16");
  fillMoves<uint32_t>(table, "32");
  fillMoves<uint64_t>(table, "64");
  fillCounts<uint32_t, int32_t>(table, ".b32", ".u32", ".s32");
  fillCounts<uint64_t, int64_t>(table, ".b64", ".u64", ".s64");
  fillRightShift<uint16_t>(table, ".u16");
  fillRightShift<int16_t>(table, ".s16");
  fillRightShift<uint32_t>(table, ".u32");
  fillRightShift<int32_t>(table, ".s32");
  fillRightShift<uint64_t>(table, ".u64");
  fillRightShift<int64_t>(table, ".s64");
  fillShuffles(table);
}

} // namespace NM_LANE_NAMESPACE
} // namespace emulator
} // namespace nm
