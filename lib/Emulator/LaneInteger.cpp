//===- LaneInteger.cpp - Integer arithmetic -------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results that the PTX manual leaves undefined (division by zero) are those of
// NVIDIA GPUs: all bits set, and the dividend as remainder.
//
//===----------------------------------------------------------------------===//

#include "LaneIntegerTraits.h"

namespace nm {
namespace emulator {
namespace NM_LANE_NAMESPACE {
namespace {

struct Add {
  template <class T> static T apply(T a, T b) { return T(wrap(a) + wrap(b)); }
};
struct Subtract {
  template <class T> static T apply(T a, T b) { return T(wrap(a) - wrap(b)); }
};
struct MultiplyLow {
  template <class T> static T apply(T a, T b) { return T(wrap(a) * wrap(b)); }
};
struct MultiplyHigh {
  template <class T> static T apply(T a, T b) {
    using Wide = typename Traits<T>::Wide;
    return T((Wide(a) * Wide(b)) >> bitsOf<T>);
  }
};
struct MultiplyWide {
  template <class T> static typename Traits<T>::Wide apply(T a, T b) {
    using Wide = typename Traits<T>::Wide;
    return Wide(a) * Wide(b);
  }
};
struct MadLow {
  template <class T> static T apply(T a, T b, T c) {
    return T(wrap(a) * wrap(b) + wrap(c));
  }
};
struct MadHigh {
  template <class T> static T apply(T a, T b, T c) {
    return Add::apply(MultiplyHigh::apply(a, b), c);
  }
};
struct MadWide {
  template <class T, class W> static W apply(T a, T b, W c) {
    return Add::apply(W(MultiplyWide::apply(a, b)), c);
  }
};
struct Divide {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return T(~T(0));
    if (isSigned<T> && b == T(-1))
      return T(0 - wrap(a));
    return T(a / b);
  }
};
struct Remainder {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return a;
    if (isSigned<T> && b == T(-1))
      return 0;
    return T(a % b);
  }
};
struct Negate {
  template <class T> static T apply(T a) { return T(0 - wrap(a)); }
};
struct Absolute {
  template <class T> static T apply(T a) { return a < 0 ? T(0 - wrap(a)) : a; }
};
struct Minimum {
  template <class T> static T apply(T a, T b) { return a < b ? a : b; }
};
struct Maximum {
  template <class T> static T apply(T a, T b) { return a < b ? b : a; }
};
struct MinimumRelu {
  template <class T> static T apply(T a, T b) {
    return Maximum::apply(Minimum::apply(a, b), T(0));
  }
};
struct MaximumRelu {
  template <class T> static T apply(T a, T b) {
    return Maximum::apply(Maximum::apply(a, b), T(0));
  }
};
struct AddSaturate {
  static int32_t apply(int32_t a, int32_t b) {
    int64_t sum = int64_t(a) + b;
    return sum > INT32_MAX   ? INT32_MAX
           : sum < INT32_MIN ? INT32_MIN
                             : int32_t(sum);
  }
};
struct SubtractSaturate {
  static int32_t apply(int32_t a, int32_t b) {
    int64_t difference = int64_t(a) - b;
    return difference > INT32_MAX   ? INT32_MAX
           : difference < INT32_MIN ? INT32_MIN
                                    : int32_t(difference);
  }
};
/// |a - b| + c.
struct SumAbsoluteDifference {
  template <class T>
  static typename Traits<T>::Unsigned apply(T a, T b,
                                            typename Traits<T>::Unsigned c) {
    using U = typename Traits<T>::Unsigned;
    U difference = a < b ? U(wrap(b) - wrap(a)) : U(wrap(a) - wrap(b));
    return U(wrap(difference) + wrap(c));
  }
};
struct Mul24Low {
  static uint32_t apply(uint32_t a, uint32_t b) {
    return (a & 0xffffff) * (b & 0xffffff);
  }
  static int32_t apply(int32_t a, int32_t b) {
    int64_t product =
        int64_t(int32_t(wrap(a) << 8) >> 8) * (int32_t(wrap(b) << 8) >> 8);
    return int32_t(uint32_t(uint64_t(product)));
  }
};
struct Mad24Low {
  template <class T> static T apply(T a, T b, T c) {
    return Add::apply(Mul24Low::apply(a, b), c);
  }
};

/// Adds or subtracts with the carry flag: source[2] is the flag that comes in,
/// destination2 the one that goes out. Borrows are carries that are set.
template <class T, bool Subtracts, bool In, bool Out>
void withCarry(uint8_t *registers, const LaneOperands &operands,
               uint32_t mask) {
  using Wide = unsigned __int128;
  const T *a = lanes<T>(registers, operands.source[0]);
  const T *b = lanes<T>(registers, operands.source[1]);
  uint32_t in = *lanes<uint32_t>(registers, operands.source[2]), out = 0;
  T result[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    Wide carry = In ? in >> lane & 1 : 0;
    Wide sum = Subtracts ? Wide(a[lane]) - b[lane] - carry
                         : Wide(a[lane]) + b[lane] + carry;
    result[lane] = T(sum);
    out |= uint32_t(sum >> bitsOf<T> & 1) << lane;
  }
  writeLanes(registers, operands.destination, result, mask);
  uint32_t *flag =
      reinterpret_cast<uint32_t *>(registers + operands.destination2);
  if (Out)
    *flag = (*flag & ~mask) | (out & mask);
}

template <class T> void fillCarries(LaneOpTable &table, const char *type) {
  constexpr OperandType t = TypeOf<T>::value, flag = OperandType::Carry;
  table.add("add.cc", "", type,
            {&withCarry<T, false, false, true>, t, {t, t, flag}});
  table.add("addc", "", type,
            {&withCarry<T, false, true, false>, t, {t, t, flag}});
  table.add("addc.cc", "", type,
            {&withCarry<T, false, true, true>, t, {t, t, flag}});
  table.add("sub.cc", "", type,
            {&withCarry<T, true, false, true>, t, {t, t, flag}});
  table.add("subc", "", type,
            {&withCarry<T, true, true, false>, t, {t, t, flag}});
  table.add("subc.cc", "", type,
            {&withCarry<T, true, true, true>, t, {t, t, flag}});
}

/// Two 16-bit operations in one 32-bit register.
template <class T, class F> struct Pair {
  static uint32_t apply(uint32_t a, uint32_t b) {
    return uint32_t(uint16_t(F::apply(T(a >> 16), T(b >> 16)))) << 16 |
           uint16_t(F::apply(T(a), T(b)));
  }
};

template <class T> void fillPairs(LaneOpTable &table, const char *type) {
  using U = uint32_t;
  addBinary<U, U, U, Pair<T, Add>>(table, "add", type);
  addBinary<U, U, U, Pair<T, Subtract>>(table, "sub", type);
  addBinary<U, U, U, Pair<T, Minimum>>(table, "min", type);
  addBinary<U, U, U, Pair<T, Maximum>>(table, "max", type);
}

template <class T> void fillArithmetic(LaneOpTable &table, const char *type) {
  addBinary<T, T, T, Add>(table, "add", type);
  addBinary<T, T, T, Subtract>(table, "sub", type);
  addBinary<T, T, T, MultiplyLow>(table, "mul.lo", type);
  addBinary<T, T, T, MultiplyHigh>(table, "mul.hi", type);
  addTernary<T, T, T, T, MadLow>(table, "mad.lo", type);
  addTernary<T, T, T, T, MadHigh>(table, "mad.hi", type);
  addBinary<T, T, T, Divide>(table, "div", type);
  addBinary<T, T, T, Remainder>(table, "rem", type);
  addBinary<T, T, T, Minimum>(table, "min", type);
  addBinary<T, T, T, Maximum>(table, "max", type);
  addTernary<typename Traits<T>::Unsigned, T, T, typename Traits<T>::Unsigned,
             SumAbsoluteDifference>(table, "sad", type);
}

template <class T> void fillSigned(LaneOpTable &table, const char *type) {
  addUnary<T, T, Negate>(table, "neg", type);
  addUnary<T, T, Absolute>(table, "abs", type);
}

template <class T> void fillWide(LaneOpTable &table, const char *type) {
  using W = typename Traits<T>::Wide;
  addBinary<W, T, T, MultiplyWide>(table, "mul.wide", type);
  addTernary<W, T, T, W, MadWide>(table, "mad.wide", type);
}

void fill32(LaneOpTable &table) {
  using U = uint32_t;
  addBinary<int32_t, int32_t, int32_t, AddSaturate>(table, "add.sat", ".s32");
  addBinary<int32_t, int32_t, int32_t, SubtractSaturate>(table, "sub.sat",
                                                         ".s32");
  addBinary<int32_t, int32_t, int32_t, MinimumRelu>(table, "min.relu", ".s32");
  addBinary<int32_t, int32_t, int32_t, MaximumRelu>(table, "max.relu", ".s32");
  addBinary<U, U, U, Mul24Low>(table, "mul24.lo", ".u32");
  addBinary<int32_t, int32_t, int32_t, Mul24Low>(table, "mul24.lo", ".s32");
  addTernary<U, U, U, U, Mad24Low>(table, "mad24.lo", ".u32");
  addTernary<int32_t, int32_t, int32_t, int32_t, Mad24Low>(table, "mad24.lo",
                                                           ".s32");
}

} // namespace

void fillIntegerOps(LaneOpTable &table) {
  fillArithmetic<uint16_t>(table, ".u16");
  fillArithmetic<int16_t>(table, ".s16");
  fillArithmetic<uint32_t>(table, ".u32");
  fillArithmetic<int32_t>(table, ".s32");
  fillArithmetic<uint64_t>(table, ".u64");
  fillArithmetic<int64_t>(table, ".s64");
  fillSigned<int16_t>(table, ".s16");
  fillSigned<int32_t>(table, ".s32");
  fillSigned<int64_t>(table, ".s64");
  fillWide<uint16_t>(table, ".u16");
  fillWide<int16_t>(table, ".s16");
  fillWide<uint32_t>(table, ".u32");
  fillWide<int32_t>(table, ".s32");
  fill32(table);
  fillCarries<uint32_t>(table, ".u32");
  fillCarries<uint32_t>(table, ".s32");
  fillCarries<uint64_t>(table, ".u64");
  fillCarries<uint64_t>(table, ".s64");
  fillPairs<uint16_t>(table, ".u16x2");
  fillPairs<int16_t>(table, ".s16x2");
}

} // namespace NM_LANE_NAMESPACE
} // namespace emulator
} // namespace nm
