//===- ExpandMathTest.cpp - Accuracy of nm-expand-math --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each expansion is compiled for this machine and compared with the C library
// in f64 at every 997th bit pattern of f32 (4.3 million: all exponents,
// subnormal numbers, NaNs) and at the edges. The kernels run the same ops on a
// GPU, where fma, sqrt and division round the same way.
//
//===----------------------------------------------------------------------===//

#include "nm/Conversion/ExpandMath/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <regex>
#include <type_traits>

using namespace mlir;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// OP is the text of an op on %x (and %y), both of type FLOAT.
const char *const kModule = R"mlir(
func.func @f(%in: memref<?xFLOAT>, %other: memref<?xFLOAT>, %out: memref<?xFLOAT>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %in, %c0 : memref<?xFLOAT>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %in[%i] : memref<?xFLOAT>
    %y = memref.load %other[%i] : memref<?xFLOAT>
    %z = OP : FLOAT
    memref.store %z, %out[%i] : memref<?xFLOAT>
  }
  return
}
)mlir";

template <typename T> struct Array {
  T *allocated, *aligned;
  int64_t offset, size, stride;
  explicit Array(std::vector<T> &v)
      : allocated(v.data()), aligned(v.data()), offset(0),
        size(static_cast<int64_t>(v.size())), stride(1) {}
};

class ExpandMathTest : public testing::Test {
protected:
  ExpandMathTest() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllToLLVMIRTranslations(registry);
    context.appendDialectRegistry(registry);
  }

  /// T is float or double.
  template <typename T>
  std::vector<T> run(const std::string &op, std::vector<T> x,
                     std::vector<T> y) {
    std::string text =
        std::regex_replace(std::string(kModule), std::regex("FLOAT"),
                           std::is_same_v<T, float> ? "f32" : "f64");
    text.replace(text.find("OP"), 2, op);
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module);
    PassManager pm(&context);
    pm.addPass(nm::createNMExpandMathPass());
    pm.addPass(createSCFToControlFlowPass());
    pm.addPass(createConvertToLLVMPass());
    EXPECT_TRUE(succeeded(pm.run(*module)));
    auto machine = llvm::cantFail(
        llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost())
            .createTargetMachine());
    // The options only refer to the function, so it must outlive them.
    auto optimize = makeOptimizingTransformer(2, 0, machine.get());
    ExecutionEngineOptions options;
    options.transformer = optimize;
    auto engine = llvm::cantFail(ExecutionEngine::create(*module, options));
    std::vector<T> result(x.size());
    Array<T> in(x), other(y), out(result);
    Array<T> *pointers[] = {&in, &other, &out};
    void *arguments[] = {static_cast<void *>(&pointers[0]),
                         static_cast<void *>(&pointers[1]),
                         static_cast<void *>(&pointers[2])};
    llvm::cantFail(engine->invokePacked("_mlir_ciface_f", arguments));
    return result;
  }

  MLIRContext context;
};

/// A type that holds the exact results of T well enough.
template <typename T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// |got - exact| in units of the last place of exact in T; 0 when both are NaN,
/// the same infinity or zeros of the same sign.
template <typename T> double ulpError(T got, Wide<T> exact) {
  using Limits = std::numeric_limits<T>;
  auto nearest = static_cast<T>(exact);
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : double(kInf);
  if (std::isinf(nearest) || std::isinf(got)) {
    if (nearest == got)
      return 0;
    // Next to the largest number, count from there.
    Wide<T> limit = std::ldexp(Wide<T>(1), Limits::max_exponent);
    Wide<T> clamped = std::copysign(std::min(std::fabs(exact), limit), exact);
    Wide<T> finite = std::isinf(got) ? std::copysign(limit, Wide<T>(got)) : got;
    return double(std::fabs(finite - clamped) /
                  std::ldexp(limit, -Limits::digits));
  }
  if (exact == 0 && got == 0)
    return std::signbit(exact) == std::signbit(got) ? 0 : double(kInf);
  int exponent = std::max(std::ilogb(exact), Limits::min_exponent - 1);
  return double(std::fabs(got - exact) /
                std::ldexp(Wide<T>(1), exponent + 1 - Limits::digits));
}

std::vector<float> allExponents() {
  std::vector<float> points = {0.0f,
                               -0.0f,
                               1.0f,
                               -1.0f,
                               kInf,
                               -kInf,
                               kNaN,
                               0x1p-149f,
                               -0x1p-149f,
                               0x1p-126f,
                               0x1.fffffep127f,
                               88.7228394f,
                               88.722847f,
                               -103.972084f,
                               -103.97208f,
                               -87.3365479f,
                               0.92f,
                               0.625f,
                               3.92f,
                               9.02f,
                               0.4f,
                               -0.4f,
                               0.70710677f};
  for (uint64_t bits = 0; bits <= 0xffffffffu; bits += 997) {
    auto word = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &word, sizeof(value));
    points.push_back(value);
  }
  return points;
}

/// Numbers of f64: edges, and from a fixed generator mantissas in every binade,
/// more of them between 2^-32 and 2^32.
std::vector<double> someDoubles() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::vector<double> points = {0.0,     -0.0,
                                1.0,     -1.0,
                                inf,     -inf,
                                kNaN,    5e-324,
                                -5e-324, 0x1p-1022,
                                709.78,  709.79,
                                -745.13, -745.14,
                                -708.4,  0.68,
                                -0.4,    0.4,
                                19.1,    5.99,
                                6.01,    0x1.6a09e667f3bcdp-1,
                                1024.0,  -1075.0};
  uint64_t state = 12345;
  for (int exponent = -1074; exponent < 1024; ++exponent)
    for (int i = 0; i < (std::abs(exponent) <= 32 ? 20000 : 100); ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      double value = std::ldexp(1 + double(state >> 12) * 0x1p-52, exponent);
      points.push_back(state & 2048 ? value : -value);
    }
  return points;
}

template <typename T> struct Worst {
  double error = 0;
  T x = 0, y = 0, got = 0;
};

template <typename T, typename Exact>
Worst<T> findWorst(const std::vector<T> &x, const std::vector<T> &y,
                   const std::vector<T> &got, Exact exact) {
  Worst<T> worst;
  for (size_t i = 0; i < x.size(); ++i) {
    double error = ulpError<T>(got[i], exact(Wide<T>(x[i]), Wide<T>(y[i])));
    if (!(error <= worst.error))
      worst = {error, x[i], y[i], got[i]};
  }
  return worst;
}

struct Function {
  const char *name;
  double (*exact)(double);
  double limit; // ulp
  long double (*exactOfF64)(long double);
};

class UnaryTest : public ExpandMathTest,
                  public testing::WithParamInterface<Function> {};

TEST_P(UnaryTest, IsWithinLimitEverywhere) {
  const Function &f = GetParam();
  std::vector<float> x = allExponents();
  std::vector<float> got = run(std::string("math.") + f.name + " %x", x, x);
  auto worst =
      findWorst(x, x, got, [&](double v, double) { return f.exact(v); });
  std::printf("%s: %.3f ulp at %a\n", f.name, worst.error, worst.x);
  EXPECT_LE(worst.error, f.limit)
      << f.name << "(" << worst.x << ") gave " << worst.got;
}

TEST_P(UnaryTest, F64IsWithinLimit) {
  const Function &f = GetParam();
  std::vector<double> x = someDoubles();
  std::vector<double> got = run(std::string("math.") + f.name + " %x", x, x);
  auto worst = findWorst(
      x, x, got, [&](long double v, long double) { return f.exactOfF64(v); });
  std::printf("%s in f64: %.3f ulp at %a\n", f.name, worst.error, worst.x);
  EXPECT_LE(worst.error, f.limit)
      << f.name << "(" << worst.x << ") gave " << worst.got;
}

template <typename T> T rsqrtExact(T x) { return 1 / std::sqrt(x); }

INSTANTIATE_TEST_SUITE_P(
    Functions, UnaryTest,
    testing::Values(Function{"exp", std::exp, 4, std::exp},
                    Function{"exp2", std::exp2, 4, std::exp2},
                    Function{"expm1", std::expm1, 4, std::expm1},
                    Function{"log", std::log, 4, std::log},
                    Function{"log2", std::log2, 4, std::log2},
                    Function{"log10", std::log10, 4, std::log10},
                    Function{"log1p", std::log1p, 4, std::log1p},
                    Function{"erf", std::erf, 4, std::erf},
                    Function{"tanh", std::tanh, 4, std::tanh},
                    Function{"asin", std::asin, 4, std::asin},
                    Function{"acos", std::acos, 4, std::acos},
                    Function{"atan", std::atan, 4, std::atan},
                    Function{"sin", std::sin, 2, std::sin},
                    Function{"cos", std::cos, 2, std::cos},
                    Function{"tan", std::tan, 4, std::tan},
                    Function{"sinh", std::sinh, 4, std::sinh},
                    Function{"cosh", std::cosh, 4, std::cosh},
                    Function{"asinh", std::asinh, 4, std::asinh},
                    Function{"acosh", std::acosh, 4, std::acosh},
                    Function{"atanh", std::atanh, 4, std::atanh},
                    Function{"cbrt", std::cbrt, 2, std::cbrt},
                    Function{"erfc", std::erfc, 5, std::erfc},
                    Function{"sqrt", std::sqrt, 0.5, std::sqrt},
                    Function{"rsqrt", rsqrtExact, 2, rsqrtExact},
                    Function{"floor", std::floor, 0, std::floor},
                    Function{"ceil", std::ceil, 0, std::ceil},
                    Function{"trunc", std::trunc, 0, std::trunc},
                    Function{"absf", std::fabs, 0, std::fabs}),
    [](const auto &info) { return std::string(info.param.name); });

/// Pairs of edges, then pairs of numbers of all binades, some of them close.
template <typename T> std::pair<std::vector<T>, std::vector<T>> somePairs() {
  using Limits = std::numeric_limits<T>;
  const T edges[] = {0,
                     1,
                     3,
                     T(0.1),
                     Limits::infinity(),
                     Limits::quiet_NaN(),
                     Limits::denorm_min(),
                     5 * Limits::denorm_min(),
                     Limits::min(),
                     Limits::max()};
  std::pair<std::vector<T>, std::vector<T>> pairs;
  auto add = [&](T x, T y) {
    pairs.first.push_back(x);
    pairs.second.push_back(y);
  };
  for (T x : edges)
    for (T y : edges)
      for (int signs = 0; signs < 4; ++signs)
        add(signs & 1 ? -x : x, signs & 2 ? -y : y);
  uint64_t state = 99;
  auto number = [&](int exponent) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    T value = std::ldexp(T(1 + double(state >> 12) * 0x1p-52), exponent);
    return state & 2048 ? value : -value;
  };
  for (int i = 0; i < 100000; ++i) {
    int range = Limits::max_exponent - Limits::min_exponent + Limits::digits;
    int low = Limits::min_exponent - Limits::digits;
    T x = number(low + int(uint64_t(i) * 7919 % uint64_t(range)));
    add(x, number(i % 2 ? std::ilogb(x) - i / 2 % 40
                        : low + int(uint64_t(i) * 104729 % uint64_t(range))));
  }
  return pairs;
}

template <typename T, typename Run> void checkAtan2(Run run) {
  auto [y, x] = somePairs<T>();
  std::vector<T> got = run("math.atan2 %x, %y", y, x);
  auto worst = findWorst(y, x, got, [](Wide<T> rise, Wide<T> reach) {
    return std::atan2(rise, reach);
  });
  std::printf("atan2: %.3f ulp at %a, %a\n", worst.error, double(worst.x),
              double(worst.y));
  EXPECT_LE(worst.error, 4) << worst.x << ", " << worst.y;
}

TEST_F(ExpandMathTest, Atan2) {
  checkAtan2<float>([&](auto... a) { return run<float>(a...); });
  checkAtan2<double>([&](auto... a) { return run<double>(a...); });
}

/// The remainder is exact: there is nothing to be close to.
template <typename T, typename Run> void checkRemainder(Run run) {
  auto [x, y] = somePairs<T>();
  std::vector<T> got = run("arith.remf %x, %y", x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    T exact = std::fmod(x[i], y[i]);
    if (std::isnan(exact)) {
      ASSERT_TRUE(std::isnan(got[i])) << x[i] << " % " << y[i];
      continue;
    }
    ASSERT_EQ(got[i], exact) << x[i] << " % " << y[i];
    ASSERT_EQ(std::signbit(got[i]), std::signbit(exact))
        << x[i] << " % " << y[i];
  }
}

TEST_F(ExpandMathTest, RemainderIsExact) {
  checkRemainder<float>([&](auto... a) { return run<float>(a...); });
  checkRemainder<double>([&](auto... a) { return run<double>(a...); });
}

/// As pow of f32, between binades of all sizes.
TEST_F(ExpandMathTest, PowOfF64) {
  std::vector<double> x, y;
  std::vector<double> some = someDoubles();
  for (size_t i = 0; i < some.size(); ++i) {
    x.push_back(some[i]);
    y.push_back(std::fmod(some[some.size() - 1 - i], 40));
  }
  std::vector<double> got = run("math.powf %x, %y", x, y);
  auto worst = findWorst(
      x, y, got, [](long double a, long double b) { return std::pow(a, b); });
  std::printf("powf in f64: %.3f ulp at %a, %a\n", worst.error, worst.x,
              worst.y);
  EXPECT_LE(worst.error, 4)
      << "powf(" << worst.x << ", " << worst.y << ") gave " << worst.got;
}

TEST_F(ExpandMathTest, PowIsWithin4Ulp) {
  std::vector<float> x, y;
  // A fixed multiplicative generator over bit patterns; then all pairs of
  // edges.
  uint32_t state = 12345;
  auto next = [&] { return state = state * 1664525u + 1013904223u; };
  for (int i = 0; i < 2000000; ++i) {
    x.push_back(
        std::ldexp(1 + float(next() >> 9) * 0x1p-23f, int(next() >> 24) - 128));
    y.push_back((float(next()) * 0x1p-31f - 1) *
                std::ldexp(1.0f, int(next() >> 28) - 8));
  }
  std::vector<float> edges = {
      0.0f,  -0.0f, 1.0f,  -1.0f, 2.0f, -2.0f, 0.5f,      -0.5f,          3.0f,
      -3.0f, kInf,  -kInf, kNaN,  1.5f, -1.5f, 0x1p-149f, 0x1.fffffep127f};
  for (float a : edges)
    for (float b : edges) {
      x.push_back(a);
      y.push_back(b);
    }
  std::vector<float> got = run("math.powf %x, %y", x, y);
  auto worst =
      findWorst(x, y, got, [](double a, double b) { return std::pow(a, b); });
  std::printf("powf: %.3f ulp at %a, %a\n", worst.error, worst.x, worst.y);
  EXPECT_LE(worst.error, 4)
      << "powf(" << worst.x << ", " << worst.y << ") gave " << worst.got;
}

} // namespace
