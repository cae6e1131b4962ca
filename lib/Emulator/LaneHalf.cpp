//===- LaneHalf.cpp - Half precision and bfloat16 instructions ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// add, sub and mul are computed in single precision and rounded once more: for
// these, 24 bits are enough that rounding twice gives what rounding once does.
// fma needs more: see fusedMultiplyAdd.
//
//===----------------------------------------------------------------------===//

#include "LaneSupport.h"

namespace nm {
namespace emulator {
namespace NM_LANE_NAMESPACE {
namespace {

template <class T> T narrow(float value);
template <> inline Half narrow<Half>(float value) { return toHalf(value); }
template <> inline BFloat narrow<BFloat>(float value) {
  return toBFloat(value);
}

/// a*b is exact in double. The sum may not be: its last bit is made odd then,
/// by the exact error of the addition, so that the final rounding is right.
inline double fusedMultiplyAdd(float a, float b, float c) {
  double product = double(a) * double(b), addend = c;
  double sum = product + addend;
  double part = sum - product;
  double error = (product - (sum - part)) + (addend - part);
  uint64_t bits = bitCast<uint64_t>(sum);
  // An infinite or NaN sum has a NaN error, which compares unequal to 0.
  if (error == 0 || isNaN(error) || (bits & 1))
    return sum;
  bool awayFromZero = (error > 0) == (sum > 0);
  return bitCast<double>(awayFromZero ? bits + 1 : bits - 1);
}

inline float flushAs(Half, float value) {
  return __builtin_fabsf(value) < 0x1p-14f ? __builtin_copysignf(0.0f, value)
                                           : value;
}
inline float flushAs(BFloat, float value) { return flush(value); }

struct Add {
  static float apply(float a, float b) { return a + b; }
};
struct Subtract {
  static float apply(float a, float b) { return a - b; }
};
struct Multiply {
  static float apply(float a, float b) { return a * b; }
};
template <bool IsMax, bool PropagateNaN> struct Extreme {
  static float apply(float a, float b) {
    bool sign = bitCast<uint32_t>(a) >> 31;
    bool takeA = IsMax ? a > b || (a == b && !sign) : a < b || (a == b && sign);
    float result = takeA ? a : b;
    result = isNaN(b) ? (PropagateNaN ? b : a) : result;
    return isNaN(a) ? (PropagateNaN ? a : b) : result;
  }
};
struct Exp2 {
  static float apply(float a) { return float(__builtin_exp2(double(a))); }
};
struct Tanh {
  static float apply(float a) { return float(__builtin_tanh(double(a))); }
};

/// Applies a function of floats to operands of type T.
template <class F, bool Ftz, bool Sat> struct With {
  template <class T> static float in(T value) {
    float wide = toFloat(value);
    return Ftz ? flushAs(value, wide) : wide;
  }
  template <class T> static T out(float value) {
    T result = narrow<T>(Sat ? saturate(value) : value);
    return Ftz ? narrow<T>(flushAs(result, toFloat(result))) : result;
  }
  template <class T> static T apply(T a) { return out<T>(F::apply(in(a))); }
  template <class T> static T apply(T a, T b) {
    return out<T>(F::apply(in(a), in(b)));
  }
};

template <bool Ftz, bool Sat, bool Relu> struct Fma {
  template <class T> static T apply(T a, T b, T c) {
    using W = With<void, Ftz, Sat>;
    float sum = roundToOdd(fusedMultiplyAdd(W::in(a), W::in(b), W::in(c)));
    // max(sum, +0), which turns a negative result, but not a NaN, into 0.
    if (Relu && !isNaN(sum))
      sum = sum > 0.0f ? sum : 0.0f;
    return W::template out<T>(sum);
  }
};

struct Negate {
  template <class T> static T apply(T a) { return {uint16_t(a.bits ^ 0x8000)}; }
};
struct Absolute {
  template <class T> static T apply(T a) { return {uint16_t(a.bits & 0x7fff)}; }
};

template <class F> struct Both {
  template <class T> static T apply(T a) {
    return {F::apply(a.low), F::apply(a.high)};
  }
  template <class T> static T apply(T a, T b) {
    return {F::apply(a.low, b.low), F::apply(a.high, b.high)};
  }
  template <class T> static T apply(T a, T b, T c) {
    return {F::apply(a.low, b.low, c.low), F::apply(a.high, b.high, c.high)};
  }
};

/// Names of the scalar and the packed type.
struct TypeNames {
  const char *one, *two;
};

template <class T, class P, class F>
void add2(LaneOpTable &table, const char *name, const char *modifiers,
          TypeNames types) {
  addBinary<T, T, T, F>(table, name, types.one, modifiers);
  addBinary<P, P, P, Both<F>>(table, name, types.two, modifiers);
}
template <class T, class P, class F>
void add1(LaneOpTable &table, const char *name, const char *modifiers,
          TypeNames types) {
  addUnary<T, T, F>(table, name, types.one, modifiers);
  addUnary<P, P, Both<F>>(table, name, types.two, modifiers);
}
template <class T, class P, class F>
void add3(LaneOpTable &table, const char *name, const char *modifiers,
          TypeNames types) {
  addTernary<T, T, T, T, F>(table, name, types.one, modifiers);
  addTernary<P, P, P, P, Both<F>>(table, name, types.two, modifiers);
}

template <class T, class P, class F>
void addArithmetic(LaneOpTable &table, const char *name, const char *rounded,
                   TypeNames types) {
  for (unsigned i = 0; i < 2; ++i) {
    const char *opcode = i ? rounded : name;
    add2<T, P, With<F, false, false>>(table, opcode, "", types);
    add2<T, P, With<F, true, false>>(table, opcode, ".ftz", types);
    add2<T, P, With<F, false, true>>(table, opcode, ".sat", types);
    add2<T, P, With<F, true, true>>(table, opcode, ".ftz.sat", types);
  }
}

template <class T, class P, bool IsMax>
void addExtremes(LaneOpTable &table, const char *name, TypeNames types) {
  add2<T, P, With<Extreme<IsMax, false>, false, false>>(table, name, "", types);
  add2<T, P, With<Extreme<IsMax, false>, true, false>>(table, name, ".ftz",
                                                       types);
  add2<T, P, With<Extreme<IsMax, true>, false, false>>(table, name, ".NaN",
                                                       types);
  add2<T, P, With<Extreme<IsMax, true>, true, false>>(table, name, ".ftz.NaN",
                                                      types);
}

template <class T, class P> void fillType(LaneOpTable &table, TypeNames types) {
  addArithmetic<T, P, Add>(table, "add", "add.rn", types);
  addArithmetic<T, P, Subtract>(table, "sub", "sub.rn", types);
  addArithmetic<T, P, Multiply>(table, "mul", "mul.rn", types);
  add3<T, P, Fma<false, false, false>>(table, "fma.rn", "", types);
  add3<T, P, Fma<true, false, false>>(table, "fma.rn", ".ftz", types);
  add3<T, P, Fma<false, true, false>>(table, "fma.rn", ".sat", types);
  add3<T, P, Fma<true, true, false>>(table, "fma.rn", ".ftz.sat", types);
  add3<T, P, Fma<false, false, true>>(table, "fma.rn", ".relu", types);
  add3<T, P, Fma<true, false, true>>(table, "fma.rn", ".ftz.relu", types);
  addExtremes<T, P, false>(table, "min", types);
  addExtremes<T, P, true>(table, "max", types);
  add1<T, P, Negate>(table, "neg", "", types);
  add1<T, P, Absolute>(table, "abs", "", types);
  add1<T, P, With<Tanh, false, false>>(table, "tanh.approx", "", types);
}

/// Single-precision operations whose first operands are halves (sm_100).
struct MixedAdd {
  template <class T> static float apply(T a, float c) { return toFloat(a) + c; }
};
struct MixedSubtract {
  template <class T> static float apply(T a, float c) { return toFloat(a) - c; }
};
struct MixedFma {
  template <class T> static float apply(T a, T b, float c) {
    return __builtin_fmaf(toFloat(a), toFloat(b), c);
  }
};
template <class F, bool Sat> struct Mixed {
  template <class... T> static float apply(T... operands) {
    float value = F::apply(operands...);
    value = isNaN(value) ? bitCast<float>(0x7fffffffu) : value;
    return Sat ? saturate(value) : value;
  }
};

template <class T> void fillMixed(LaneOpTable &table, const char *type) {
  using S = float;
  addBinary<S, T, S, Mixed<MixedAdd, false>>(table, "add", type);
  addBinary<S, T, S, Mixed<MixedAdd, false>>(table, "add", type, ".rn");
  addBinary<S, T, S, Mixed<MixedAdd, true>>(table, "add", type, ".rn.sat");
  addBinary<S, T, S, Mixed<MixedSubtract, false>>(table, "sub", type);
  addBinary<S, T, S, Mixed<MixedSubtract, false>>(table, "sub", type, ".rn");
  addBinary<S, T, S, Mixed<MixedSubtract, true>>(table, "sub", type, ".rn.sat");
  addTernary<S, T, T, S, Mixed<MixedFma, false>>(table, "fma", type, ".rn");
  addTernary<S, T, T, S, Mixed<MixedFma, true>>(table, "fma", type, ".rn.sat");
}

} // namespace

void fillHalfOps(LaneOpTable &table) {
  TypeNames half = {".f16", ".f16x2"}, bfloat = {".bf16", ".bf16x2"};
  fillType<Half, Half2>(table, half);
  fillType<BFloat, BFloat2>(table, bfloat);
  fillMixed<Half>(table, ".f32.f16");
  fillMixed<BFloat>(table, ".f32.bf16");
  add1<Half, Half2, With<Exp2, false, false>>(table, "ex2.approx", "", half);
  add1<Half, Half2, With<Exp2, true, false>>(table, "ex2.approx", ".ftz", half);
  add1<BFloat, BFloat2, With<Exp2, true, false>>(table, "ex2.approx", ".ftz",
                                                 bfloat);
}

} // namespace NM_LANE_NAMESPACE
} // namespace emulator
} // namespace nm
