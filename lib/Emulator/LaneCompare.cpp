//===- LaneCompare.cpp - Comparison ---------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A comparison of 32 lanes becomes one word of bits. Ordered comparisons (eq,
// lt, ...) are false for a NaN, unordered ones (equ, ltu, ...) true; ne is
// ordered in PTX, unlike in C.
//
//===----------------------------------------------------------------------===//

#include "LaneSupport.h"

namespace nm {
namespace emulator {
namespace NM_LANE_NAMESPACE {
namespace {

enum Comparison { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

template <Comparison Op, class T> inline bool compare(T a, T b) {
  switch (Op) {
  case Equal:
    return a == b;
  case NotEqual:
    return a != b;
  case Less:
    return a < b;
  case LessEqual:
    return a <= b;
  case Greater:
    return a > b;
  case GreaterEqual:
    return a >= b;
  }
}

template <Comparison Op> struct Integral {
  template <class T> static bool apply(T a, T b) { return compare<Op>(a, b); }
};

inline float number(float value) { return value; }
inline double number(double value) { return value; }
inline float number(Half value) { return toFloat(value); }
inline float number(BFloat value) { return toFloat(value); }

template <Comparison Op, bool Unordered, bool Ftz> struct Floating {
  template <class T> static bool apply(T x, T y) {
    auto a = number(x);
    auto b = number(y);
    if constexpr (Ftz) {
      a = flush(a);
      b = flush(b);
    }
    bool hasNaN = (a != a) | (b != b);
    bool result = compare<Op>(a, b);
    return Unordered ? result | hasNaN : result & !hasNaN;
  }
};

/// num (WantNaN false) and nan.
template <bool WantNaN> struct Ordered {
  template <class T> static bool apply(T x, T y) {
    auto a = number(x);
    auto b = number(y);
    return ((a != a) | (b != b)) == WantNaN;
  }
};

inline uint32_t combine(uint32_t value, uint32_t other, uint32_t flags) {
  switch (flags & SetpCombine) {
  case SetpAnd:
    return value & other;
  case SetpOr:
    return value | other;
  case SetpXor:
    return value ^ other;
  }
  return value;
}

/// Joins 32 bytes of 0 or 1 to bits: the multiplication moves the eight bits of
/// a word into its top byte.
inline uint32_t packBits(const uint8_t *flags) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint64_t eight;
    __builtin_memcpy(&eight, flags + 8 * i, sizeof(eight));
    bits |= uint32_t((eight * 0x0102040810204080u) >> 56) << (8 * i);
  }
  return bits;
}

template <class T, class F>
uint32_t compareLanes(const uint8_t *registers, const LaneOperands &operands) {
  const T *a = lanes<T>(registers, operands.source[0]);
  const T *b = lanes<T>(registers, operands.source[1]);
  uint8_t flags[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    flags[lane] = F::apply(a[lane], b[lane]) ? 1 : 0;
  return packBits(flags);
}

template <class T, class F>
void setp(uint8_t *registers, const LaneOperands &operands, uint32_t mask) {
  uint32_t value = compareLanes<T, F>(registers, operands);
  uint32_t flags = operands.immediate;
  uint32_t other = 0;
  if (flags & SetpCombine) {
    other = readPredicate(registers, operands.source[2]);
    other = flags & SetpNegate ? ~other : other;
  }
  writePredicate(registers, operands.destination, combine(value, other, flags),
                 mask);
  if (flags & SetpPair)
    writePredicate(registers, operands.destination2,
                   combine(~value, other, flags), mask);
}

/// set: all bits or 1.0 where setp gives true.
template <class D, class T, class F>
void set(uint8_t *registers, const LaneOperands &operands, uint32_t mask) {
  uint32_t value = compareLanes<T, F>(registers, operands);
  D result[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = (value >> lane & 1) ? (D(0.5f) == D(0) ? D(~0u) : D(1)) : 0;
  writeLanes(registers, operands.destination, result, mask);
}

/// setp and set on the two halves of a packed register.
template <class P, class F>
void setpPacked(uint8_t *registers, const LaneOperands &operands,
                uint32_t mask) {
  const P *a = lanes<P>(registers, operands.source[0]);
  const P *b = lanes<P>(registers, operands.source[1]);
  uint8_t low[warpSize], high[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    low[lane] = F::apply(a[lane].low, b[lane].low) ? 1 : 0;
    high[lane] = F::apply(a[lane].high, b[lane].high) ? 1 : 0;
  }
  writePredicate(registers, operands.destination, packBits(low), mask);
  writePredicate(registers, operands.destination2, packBits(high), mask);
}

template <class P, class F, uint32_t True> struct SetPacked {
  static uint32_t apply(P a, P b) {
    return (F::apply(a.low, b.low) ? True & 0xffff : 0) |
           (F::apply(a.high, b.high) ? True & 0xffff0000u : 0);
  }
};

enum NumberClass { Finite, Infinite, Number, NotANumber, Normal, Subnormal };

template <NumberClass Class, class T> struct IsClass {
  static bool apply(T a, T) {
    T magnitude = a < 0 ? -a : a;
    bool finite = magnitude <= (sizeof(T) == 4 ? T(3.40282346638528859812e38)
                                               : T(1.7976931348623157e308));
    T smallest = sizeof(T) == 4 ? T(0x1p-126) : T(0x1p-1022);
    switch (Class) {
    case Finite:
      return finite;
    case Infinite:
      return !finite && a == a;
    case Number:
      return a == a;
    case NotANumber:
      return a != a;
    case Normal:
      return finite && magnitude >= smallest;
    case Subnormal:
      return magnitude > 0 && magnitude < smallest;
    }
  }
};

template <class T, class F>
void testp(uint8_t *registers, const LaneOperands &operands, uint32_t mask) {
  LaneOperands both = operands;
  both.source[1] = operands.source[0];
  writePredicate(registers, operands.destination,
                 compareLanes<T, F>(registers, both), mask);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

template <class T, class F>
void addSetp(LaneOpTable &table, const char *name, const char *type,
             const char *modifiers = "") {
  table.add(name, modifiers, type,
            {&setp<T, F>,
             OperandType::Predicate,
             {TypeOf<T>::value, TypeOf<T>::value, OperandType::Predicate}});
}

template <class T>
void fillIntegral(LaneOpTable &table, const char *type, bool hasOrder) {
  addSetp<T, Integral<Equal>>(table, "setp.eq", type);
  addSetp<T, Integral<NotEqual>>(table, "setp.ne", type);
  if (!hasOrder)
    return;
  addSetp<T, Integral<Less>>(table, "setp.lt", type);
  addSetp<T, Integral<LessEqual>>(table, "setp.le", type);
  addSetp<T, Integral<Greater>>(table, "setp.gt", type);
  addSetp<T, Integral<GreaterEqual>>(table, "setp.ge", type);
  // The names of unsigned order.
  addSetp<T, Integral<Less>>(table, "setp.lo", type);
  addSetp<T, Integral<LessEqual>>(table, "setp.ls", type);
  addSetp<T, Integral<Greater>>(table, "setp.hi", type);
  addSetp<T, Integral<GreaterEqual>>(table, "setp.hs", type);
}

template <class T, bool Ftz>
void fillFloating(LaneOpTable &table, const char *type, const char *ftz) {
  addSetp<T, Floating<Equal, false, Ftz>>(table, "setp.eq", type, ftz);
  addSetp<T, Floating<NotEqual, false, Ftz>>(table, "setp.ne", type, ftz);
  addSetp<T, Floating<Less, false, Ftz>>(table, "setp.lt", type, ftz);
  addSetp<T, Floating<LessEqual, false, Ftz>>(table, "setp.le", type, ftz);
  addSetp<T, Floating<Greater, false, Ftz>>(table, "setp.gt", type, ftz);
  addSetp<T, Floating<GreaterEqual, false, Ftz>>(table, "setp.ge", type, ftz);
  addSetp<T, Floating<Equal, true, Ftz>>(table, "setp.equ", type, ftz);
  addSetp<T, Floating<NotEqual, true, Ftz>>(table, "setp.neu", type, ftz);
  addSetp<T, Floating<Less, true, Ftz>>(table, "setp.ltu", type, ftz);
  addSetp<T, Floating<LessEqual, true, Ftz>>(table, "setp.leu", type, ftz);
  addSetp<T, Floating<Greater, true, Ftz>>(table, "setp.gtu", type, ftz);
  addSetp<T, Floating<GreaterEqual, true, Ftz>>(table, "setp.geu", type, ftz);
  addSetp<T, Ordered<false>>(table, "setp.num", type, ftz);
  addSetp<T, Ordered<true>>(table, "setp.nan", type, ftz);
}

/// One comparison of f16x2 or bf16x2, as setp and as set.
template <class P, Comparison Op, bool Unordered, uint32_t One>
void addPacked(LaneOpTable &table, const char *setpName, const char *setName,
               const char *type, const char *setTypes, const char *maskTypes) {
  using F = Floating<Op, Unordered, false>;
  using Bits = OperandType;
  table.add(setpName, "", type,
            {&setpPacked<P, F>,
             Bits::Predicate,
             {Bits::Bits32, Bits::Bits32, Bits::None}});
  addBinary<uint32_t, P, P, SetPacked<P, F, One>>(table, setName, setTypes);
  addBinary<uint32_t, P, P, SetPacked<P, F, 0xffffffffu>>(table, setName,
                                                          maskTypes);
}

template <class P, uint32_t One>
void fillPacked(LaneOpTable &table, const char *type, const char *setTypes,
                const char *maskTypes) {
#define NM_PACKED(op, name, unordered)                                         \
  addPacked<P, op, unordered, One>(table, "setp." name, "set." name, type,     \
                                   setTypes, maskTypes);
  NM_PACKED(Equal, "eq", false)
  NM_PACKED(NotEqual, "ne", false)
  NM_PACKED(Less, "lt", false)
  NM_PACKED(LessEqual, "le", false)
  NM_PACKED(Greater, "gt", false)
  NM_PACKED(GreaterEqual, "ge", false)
  NM_PACKED(Equal, "equ", true)
  NM_PACKED(NotEqual, "neu", true)
  NM_PACKED(Less, "ltu", true)
  NM_PACKED(LessEqual, "leu", true)
  NM_PACKED(Greater, "gtu", true)
  NM_PACKED(GreaterEqual, "geu", true)
#undef NM_PACKED
  table.add("setp.num", "", type,
            {&setpPacked<P, Ordered<false>>,
             OperandType::Predicate,
             {OperandType::Bits32, OperandType::Bits32}});
  table.add("setp.nan", "", type,
            {&setpPacked<P, Ordered<true>>,
             OperandType::Predicate,
             {OperandType::Bits32, OperandType::Bits32}});
}

template <class D, class T>
void addSets(LaneOpTable &table, const char *types, bool isFloat) {
#define NM_SET(name, functor)                                                  \
  table.add("set." name, "", types,                                            \
            {&set<D, T, functor>,                                              \
             TypeOf<D>::value,                                                 \
             {TypeOf<T>::value, TypeOf<T>::value}});
  if (isFloat) {
    if constexpr (T(0.5f) != T(0)) {
      using Ltu = Floating<Less, true, false>;
      using Leu = Floating<LessEqual, true, false>;
      using Gtu = Floating<Greater, true, false>;
      using Geu = Floating<GreaterEqual, true, false>;
      using Equ = Floating<Equal, true, false>;
      using Neu = Floating<NotEqual, true, false>;
      using Ne = Floating<NotEqual, false, false>;
      NM_SET("ltu", Ltu)
      NM_SET("leu", Leu)
      NM_SET("gtu", Gtu)
      NM_SET("geu", Geu)
      NM_SET("equ", Equ)
      NM_SET("neu", Neu)
      NM_SET("ne", Ne)
    }
  } else {
    NM_SET("ne", Integral<NotEqual>)
  }
  NM_SET("eq", Integral<Equal>)
  NM_SET("lt", Integral<Less>)
  NM_SET("le", Integral<LessEqual>)
  NM_SET("gt", Integral<Greater>)
  NM_SET("ge", Integral<GreaterEqual>)
#undef NM_SET
}

template <class T> void fillClasses(LaneOpTable &table, const char *type) {
  constexpr OperandType p = OperandType::Predicate, t = TypeOf<T>::value;
  table.add("testp.finite", "", type, {&testp<T, IsClass<Finite, T>>, p, {t}});
  table.add("testp.infinite", "", type,
            {&testp<T, IsClass<Infinite, T>>, p, {t}});
  table.add("testp.number", "", type, {&testp<T, IsClass<Number, T>>, p, {t}});
  table.add("testp.notanumber", "", type,
            {&testp<T, IsClass<NotANumber, T>>, p, {t}});
  table.add("testp.normal", "", type, {&testp<T, IsClass<Normal, T>>, p, {t}});
  table.add("testp.subnormal", "", type,
            {&testp<T, IsClass<Subnormal, T>>, p, {t}});
}

} // namespace

void fillCompareOps(LaneOpTable &table) {
  fillIntegral<uint16_t>(table, ".b16", false);
  fillIntegral<uint32_t>(table, ".b32", false);
  fillIntegral<uint64_t>(table, ".b64", false);
  fillIntegral<uint16_t>(table, ".u16", true);
  fillIntegral<uint32_t>(table, ".u32", true);
  fillIntegral<uint64_t>(table, ".u64", true);
  fillIntegral<int16_t>(table, ".s16", true);
  fillIntegral<int32_t>(table, ".s32", true);
  fillIntegral<int64_t>(table, ".s64", true);
  fillFloating<float, false>(table, ".f32", "");
  fillFloating<float, true>(table, ".f32", ".ftz");
  fillFloating<double, false>(table, ".f64", "");
  fillFloating<Half, false>(table, ".f16", "");
  fillFloating<BFloat, false>(table, ".bf16", "");
  fillPacked<Half2, 0x3c003c00u>(table, ".f16x2", ".f16x2.f16x2", ".u32.f16x2");
  fillPacked<BFloat2, 0x3f803f80u>(table, ".bf16x2", ".bf16x2.bf16x2",
                                   ".u32.bf16x2");
  addSets<uint32_t, float>(table, ".u32.f32", true);
  addSets<uint32_t, uint32_t>(table, ".u32.u32", false);
  addSets<uint32_t, int32_t>(table, ".u32.s32", false);
  addSets<float, float>(table, ".f32.f32", true);
  fillClasses<float>(table, ".f32");
  fillClasses<double>(table, ".f64");
}

} // namespace NM_LANE_NAMESPACE
} // namespace emulator
} // namespace nm
