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

#include "nm/Conversion/Passes.h"

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

using namespace mlir;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// `op` is the text of an op on %x (and %y), both f32.
const char *const kModule = R"mlir(
func.func @f(%in: memref<?xf32>, %other: memref<?xf32>, %out: memref<?xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %in[%i] : memref<?xf32>
    %y = memref.load %other[%i] : memref<?xf32>
    %z = OP : f32
    memref.store %z, %out[%i] : memref<?xf32>
  }
  return
}
)mlir";

struct Array {
  float *allocated, *aligned;
  int64_t offset, size, stride;
  explicit Array(std::vector<float> &v)
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

  std::vector<float> run(const std::string &op, std::vector<float> x,
                         std::vector<float> y) {
    std::string text = kModule;
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
    std::vector<float> result(x.size());
    Array in(x), other(y), out(result);
    Array *pointers[] = {&in, &other, &out};
    void *arguments[] = {&pointers[0], &pointers[1], &pointers[2]};
    llvm::cantFail(engine->invokePacked("_mlir_ciface_f", arguments));
    return result;
  }

  MLIRContext context;
};

/// |got - exact| in units of the last place of exact in f32; 0 when both are
/// NaN, the same infinity or zeros of the same sign.
double ulpError(float got, double exact) {
  auto nearest = static_cast<float>(exact);
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : kInf;
  if (std::isinf(nearest) || std::isinf(got)) {
    if (nearest == got)
      return 0;
    // Next to the largest number, count from there.
    double limit = std::ldexp(1.0, 128);
    double clamped = std::copysign(std::min(std::fabs(exact), limit), exact);
    double finite = std::isinf(got) ? std::copysign(limit, double(got)) : got;
    return std::fabs(finite - clamped) / std::ldexp(1.0, 104);
  }
  if (exact == 0 && got == 0)
    return std::signbit(exact) == std::signbit(got) ? 0 : kInf;
  int exponent = std::max(std::ilogb(exact), -126);
  return std::fabs(double(got) - exact) / std::ldexp(1.0, exponent - 23);
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

struct Worst {
  double error = 0;
  float x = 0, y = 0, got = 0;
};

template <typename Exact>
Worst findWorst(const std::vector<float> &x, const std::vector<float> &y,
                const std::vector<float> &got, Exact exact) {
  Worst worst;
  for (size_t i = 0; i < x.size(); ++i) {
    double error = ulpError(got[i], exact(double(x[i]), double(y[i])));
    if (!(error <= worst.error))
      worst = {error, x[i], y[i], got[i]};
  }
  return worst;
}

struct Function {
  const char *name;
  double (*exact)(double);
  double limit; // ulp
};

class UnaryTest : public ExpandMathTest,
                  public testing::WithParamInterface<Function> {};

TEST_P(UnaryTest, IsWithinLimitEverywhere) {
  const Function &f = GetParam();
  std::vector<float> x = allExponents();
  std::vector<float> got = run(std::string("math.") + f.name + " %x", x, x);
  Worst worst =
      findWorst(x, x, got, [&](double v, double) { return f.exact(v); });
  std::printf("%s: %.3f ulp at %a\n", f.name, worst.error, worst.x);
  EXPECT_LE(worst.error, f.limit)
      << f.name << "(" << worst.x << ") gave " << worst.got;
}

double rsqrtExact(double x) { return 1 / std::sqrt(x); }

INSTANTIATE_TEST_SUITE_P(
    Functions, UnaryTest,
    testing::Values(
        Function{"exp", std::exp, 4}, Function{"exp2", std::exp2, 4},
        Function{"expm1", std::expm1, 4}, Function{"log", std::log, 4},
        Function{"log2", std::log2, 4}, Function{"log10", std::log10, 4},
        Function{"log1p", std::log1p, 4}, Function{"erf", std::erf, 4},
        Function{"tanh", std::tanh, 4}, Function{"sqrt", std::sqrt, 0.5},
        Function{"rsqrt", rsqrtExact, 2}, Function{"floor", std::floor, 0},
        Function{"ceil", std::ceil, 0}, Function{"trunc", std::trunc, 0},
        Function{"absf", std::fabs, 0}),
    [](const auto &info) { return std::string(info.param.name); });

TEST_F(ExpandMathTest, SinAndCosUpTo1e5) {
  std::vector<float> x;
  for (int i = -2000000; i <= 2000000; ++i)
    x.push_back(static_cast<float>(i) * 0.05f);
  std::vector<float> sines = run("math.sin %x", x, x);
  std::vector<float> cosines = run("math.cos %x", x, x);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::fabs(sines[i] - std::sin(double(x[i]))));
    worst = std::max(worst, std::fabs(cosines[i] - std::cos(double(x[i]))));
  }
  std::printf("sin, cos: largest error %.3g\n", worst);
  EXPECT_LT(worst, 2e-7);
  float zero = run("math.sin %x", {-0.0f}, {0.0f})[0];
  EXPECT_TRUE(zero == 0 && std::signbit(zero));
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
  Worst worst =
      findWorst(x, y, got, [](double a, double b) { return std::pow(a, b); });
  std::printf("powf: %.3f ulp at %a, %a\n", worst.error, worst.x, worst.y);
  EXPECT_LE(worst.error, 4)
      << "powf(" << worst.x << ", " << worst.y << ") gave " << worst.got;
}

} // namespace
