//===- LaneFloat.cpp - Single and double precision instructions -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round-to-nearest arithmetic is the host's; it is compiled without
// contraction, so only what PTX calls fma is fused. A NaN result in single
// precision is always 0x7fffffff, as on NVIDIA GPUs. Approximate instructions
// give the exact result rounded to nearest, which lies within the error that
// PTX allows.
//
//===----------------------------------------------------------------------===//

#include "LaneSupport.h"

#include <fenv.h>

namespace nm {
namespace emulator {
namespace NM_LANE_NAMESPACE {
namespace {

/// By the bits: clang 22 finds no NaN in a vector of square roots otherwise.
inline float canonical(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  return bitCast<float>((bits & 0x7fffffff) > 0x7f800000u ? 0x7fffffffu : bits);
}
inline double canonical(double value) { return value; }
inline double flush(double value) { return value; }
using NM_LANE_NAMESPACE::flush;

struct Add {
  template <class T> static T apply(T a, T b) { return a + b; }
};
struct Subtract {
  template <class T> static T apply(T a, T b) { return a - b; }
};
struct Multiply {
  template <class T> static T apply(T a, T b) { return a * b; }
};
struct Divide {
  template <class T> static T apply(T a, T b) { return a / b; }
};
struct Fma {
  static float apply(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
  }
  static double apply(double a, double b, double c) {
    return __builtin_fma(a, b, c);
  }
};
struct SquareRoot {
  static float apply(float a) { return __builtin_sqrtf(a); }
  static double apply(double a) { return __builtin_sqrt(a); }
};
struct Reciprocal {
  template <class T> static T apply(T a) { return T(1) / a; }
};
struct ReciprocalRoot {
  static float apply(float a) { return float(1.0 / __builtin_sqrt(double(a))); }
};
/// The double-precision approximations give the high word only.
template <class F> struct HighWord {
  static double apply(double a) {
    return bitCast<double>(bitCast<uint64_t>(F::apply(a)) &
                           0xffffffff00000000u);
  }
};
struct ReciprocalRoot64 {
  static double apply(double a) { return 1.0 / __builtin_sqrt(a); }
};
struct Exp2 {
  static float apply(float a) { return float(__builtin_exp2(double(a))); }
};
struct Log2 {
  static float apply(float a) { return float(__builtin_log2(double(a))); }
};
struct Sine {
  static float apply(float a) { return float(__builtin_sin(double(a))); }
};
struct Cosine {
  static float apply(float a) { return float(__builtin_cos(double(a))); }
};
struct Tanh {
  static float apply(float a) { return float(__builtin_tanh(double(a))); }
};

/// A function with the modifiers that PTX writes after it.
template <class F, bool Ftz, bool Sat> struct With {
  template <class T> static T in(T value) { return Ftz ? flush(value) : value; }
  template <class T> static T out(T value) {
    T flushed = canonical(in(value));
    if constexpr (Sat)
      return saturate(flushed);
    else
      return flushed;
  }
  template <class T> static T apply(T a) { return out(F::apply(in(a))); }
  template <class T> static T apply(T a, T b) {
    return out(F::apply(in(a), in(b)));
  }
  template <class T> static T apply(T a, T b, T c) {
    return out(F::apply(in(a), in(b), in(c)));
  }
};

/// The same in another rounding mode of the host. Operands and result pass
/// through memory, so that the compiler does not move the operation.
template <class F, int Mode> struct Rounded {
  template <class... T> static auto apply(T... operands) {
    return run(InMemory<T>{operands}...);
  }
  template <class T> struct InMemory {
    volatile T value;
  };
  template <class T, class... Rest>
  static T run(InMemory<T> first, Rest... rest) {
    int saved = fegetround();
    fesetround(Mode);
    volatile T result = F::apply(T(first.value), T(rest.value)...);
    fesetround(saved);
    return result;
  }
};

struct Negate {
  static float apply(float a) {
    return bitCast<float>(bitCast<uint32_t>(a) ^ 0x80000000u);
  }
  static double apply(double a) { return -a; }
};
struct Absolute {
  static float apply(float a) {
    return bitCast<float>(bitCast<uint32_t>(a) & 0x7fffffffu);
  }
  static double apply(double a) { return __builtin_fabs(a); }
};
struct FlushedNegate {
  static float apply(float a) { return flush(Negate::apply(a)); }
};
struct FlushedAbsolute {
  static float apply(float a) { return flush(Absolute::apply(a)); }
};
struct CopySign {
  static float apply(float a, float b) { return __builtin_copysignf(b, a); }
  static double apply(double a, double b) { return __builtin_copysign(b, a); }
};

inline bool signBit(float value) { return bitCast<uint32_t>(value) >> 31; }
inline bool signBit(double value) { return bitCast<uint64_t>(value) >> 63; }

/// A NaN loses against a number, unless NaN wins; -0 is less than +0.
template <bool IsMax, bool Ftz, bool PropagateNaN> struct Extreme {
  template <class T> static T apply(T x, T y) {
    T a = Ftz ? flush(x) : x, b = Ftz ? flush(y) : y;
    bool takeA = IsMax ? a > b || (a == b && !signBit(a))
                       : a < b || (a == b && signBit(a));
    T result = takeA ? a : b;
    result = isNaN(b) ? (PropagateNaN ? b : a) : result;
    result = isNaN(a) ? (PropagateNaN ? a : b) : result;
    return canonical(result);
  }
};

struct Move {
  template <class T> static T apply(T a) { return a; }
};

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

template <class T, class F, unsigned Arity>
void addArity(LaneOpTable &table, const char *name, const char *modifiers,
              const char *type) {
  if constexpr (Arity == 1)
    addUnary<T, T, F>(table, name, type, modifiers);
  else if constexpr (Arity == 2)
    addBinary<T, T, T, F>(table, name, type, modifiers);
  else
    addTernary<T, T, T, T, F>(table, name, type, modifiers);
}

/// name{.ftz}{.sat}.f32 in one rounding.
template <class F, unsigned Arity, bool Sat>
void addSingle(LaneOpTable &table, const char *name) {
  addArity<float, With<F, false, false>, Arity>(table, name, "", ".f32");
  addArity<float, With<F, true, false>, Arity>(table, name, ".ftz", ".f32");
  if constexpr (Sat) {
    addArity<float, With<F, false, true>, Arity>(table, name, ".sat", ".f32");
    addArity<float, With<F, true, true>, Arity>(table, name, ".ftz.sat",
                                                ".f32");
  }
}

struct RoundedNames {
  const char *nearest, *zero, *down, *up;
};

/// All roundings, single and double.
template <class F, unsigned Arity, bool Sat>
void addRounded(LaneOpTable &table, const RoundedNames &names) {
  addSingle<F, Arity, Sat>(table, names.nearest);
  addSingle<Rounded<F, FE_TOWARDZERO>, Arity, Sat>(table, names.zero);
  addSingle<Rounded<F, FE_DOWNWARD>, Arity, Sat>(table, names.down);
  addSingle<Rounded<F, FE_UPWARD>, Arity, Sat>(table, names.up);
  addArity<double, F, Arity>(table, names.nearest, "", ".f64");
  addArity<double, Rounded<F, FE_TOWARDZERO>, Arity>(table, names.zero, "",
                                                     ".f64");
  addArity<double, Rounded<F, FE_DOWNWARD>, Arity>(table, names.down, "",
                                                   ".f64");
  addArity<double, Rounded<F, FE_UPWARD>, Arity>(table, names.up, "", ".f64");
}

void fillRounded(LaneOpTable &table) {
  // Without a rounding modifier add, sub and mul round to nearest as well.
  addSingle<Add, 2, true>(table, "add");
  addSingle<Subtract, 2, true>(table, "sub");
  addSingle<Multiply, 2, true>(table, "mul");
  addArity<double, Add, 2>(table, "add", "", ".f64");
  addArity<double, Subtract, 2>(table, "sub", "", ".f64");
  addArity<double, Multiply, 2>(table, "mul", "", ".f64");
  addRounded<Add, 2, true>(table, {"add.rn", "add.rz", "add.rm", "add.rp"});
  addRounded<Subtract, 2, true>(table,
                                {"sub.rn", "sub.rz", "sub.rm", "sub.rp"});
  addRounded<Multiply, 2, true>(table,
                                {"mul.rn", "mul.rz", "mul.rm", "mul.rp"});
  addRounded<Fma, 3, true>(table, {"fma.rn", "fma.rz", "fma.rm", "fma.rp"});
  addRounded<Fma, 3, true>(table, {"mad.rn", "mad.rz", "mad.rm", "mad.rp"});
  addRounded<Divide, 2, false>(table, {"div.rn", "div.rz", "div.rm", "div.rp"});
  addRounded<Reciprocal, 1, false>(table,
                                   {"rcp.rn", "rcp.rz", "rcp.rm", "rcp.rp"});
  addRounded<SquareRoot, 1, false>(
      table, {"sqrt.rn", "sqrt.rz", "sqrt.rm", "sqrt.rp"});
}

void fillApproximate(LaneOpTable &table) {
  addSingle<Divide, 2, false>(table, "div.full");
  addSingle<Divide, 2, false>(table, "div.approx");
  addSingle<Reciprocal, 1, false>(table, "rcp.approx");
  addSingle<SquareRoot, 1, false>(table, "sqrt.approx");
  addSingle<ReciprocalRoot, 1, false>(table, "rsqrt.approx");
  addSingle<Exp2, 1, false>(table, "ex2.approx");
  addSingle<Log2, 1, false>(table, "lg2.approx");
  addSingle<Sine, 1, false>(table, "sin.approx");
  addSingle<Cosine, 1, false>(table, "cos.approx");
  addUnary<float, float, With<Tanh, false, false>>(table, "tanh.approx",
                                                   ".f32");
  addUnary<double, double, HighWord<Reciprocal>>(table, "rcp.approx.ftz",
                                                 ".f64");
  addUnary<double, double, HighWord<ReciprocalRoot64>>(
      table, "rsqrt.approx.ftz", ".f64");
  addUnary<double, double, ReciprocalRoot64>(table, "rsqrt.approx", ".f64");
}

template <bool IsMax> void fillExtremes(LaneOpTable &table, const char *name) {
  addBinary<float, float, float, Extreme<IsMax, false, false>>(table, name,
                                                               ".f32");
  addBinary<float, float, float, Extreme<IsMax, true, false>>(table, name,
                                                              ".f32", ".ftz");
  addBinary<float, float, float, Extreme<IsMax, false, true>>(table, name,
                                                              ".f32", ".NaN");
  addBinary<float, float, float, Extreme<IsMax, true, true>>(
      table, name, ".f32", ".ftz.NaN");
  addBinary<double, double, double, Extreme<IsMax, false, false>>(table, name,
                                                                  ".f64");
}

/// Two single-precision operations in one 64-bit register.
template <class F> struct Both {
  static Float2 apply(Float2 a, Float2 b) {
    return {F::apply(a.low, b.low), F::apply(a.high, b.high)};
  }
  static Float2 apply(Float2 a, Float2 b, Float2 c) {
    return {F::apply(a.low, b.low, c.low), F::apply(a.high, b.high, c.high)};
  }
};

template <bool Ftz> void fillPairs(LaneOpTable &table, const char *modifiers) {
  using T = Float2;
  addBinary<T, T, T, Both<With<Add, Ftz, false>>>(table, "add", ".f32x2",
                                                  modifiers);
  addBinary<T, T, T, Both<With<Subtract, Ftz, false>>>(table, "sub", ".f32x2",
                                                       modifiers);
  addBinary<T, T, T, Both<With<Multiply, Ftz, false>>>(table, "mul", ".f32x2",
                                                       modifiers);
  addTernary<T, T, T, T, Both<With<Fma, Ftz, false>>>(table, "fma", ".f32x2",
                                                      modifiers);
}

} // namespace

void fillFloatOps(LaneOpTable &table) {
  fillRounded(table);
  fillApproximate(table);
  fillExtremes<false>(table, "min");
  fillExtremes<true>(table, "max");
  fillPairs<false>(table, "");
  fillPairs<false>(table, ".rn");
  fillPairs<true>(table, ".ftz");
  fillPairs<true>(table, ".rn.ftz");
  addUnary<float, float, Move>(table, "mov", ".f32");
  addUnary<double, double, Move>(table, "mov", ".f64");
  addUnary<float, float, Negate>(table, "neg", ".f32");
  addUnary<float, float, FlushedNegate>(table, "neg", ".f32", ".ftz");
  addUnary<double, double, Negate>(table, "neg", ".f64");
  addUnary<float, float, Absolute>(table, "abs", ".f32");
  addUnary<float, float, FlushedAbsolute>(table, "abs", ".f32", ".ftz");
  addUnary<double, double, Absolute>(table, "abs", ".f64");
  addBinary<float, float, float, CopySign>(table, "copysign", ".f32");
  addBinary<double, double, double, CopySign>(table, "copysign", ".f64");
}

} // namespace NM_LANE_NAMESPACE
} // namespace emulator
} // namespace nm
