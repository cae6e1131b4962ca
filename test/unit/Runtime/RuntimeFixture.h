//===- RuntimeFixture.h - Contexts and kernels for the tests ----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_UNIT_RUNTIME_RUNTIMEFIXTURE_H
#define NM_TEST_UNIT_RUNTIME_RUNTIMEFIXTURE_H

#include "nm-c/Runtime.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

/// out[i] = a * x[i] for i < n; one thread an element.
inline const std::string kScalePtx = R"ptx(
.version 7.0
.target sm_80
.address_size 64

.visible .entry scale(
    .param .u64 out, .param .u64 x, .param .f32 a, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<8>;

    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [x];
    ld.param.f32 %f1, [a];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd3, %r5, 4;
    cvta.to.global.u64 %rd6, %rd2;
    cvta.to.global.u64 %rd7, %rd1;
    add.s64 %rd4, %rd6, %rd3;
    add.s64 %rd5, %rd7, %rd3;
    ld.global.f32 %f2, [%rd4];
    mul.f32 %f3, %f2, %f1;
    st.global.f32 [%rd5], %f3;
DONE:
    ret;
}
)ptx";

/// Fails an assertion, "wrong", in every thread if `fail` is not 0, as
/// nm-lower-kernel-asserts has it.
inline const std::string kAssertPtx = R"ptx(
.version 7.0
.target sm_80
.address_size 64

.visible .global .align 8 .u64 nm_failed_assertion;
.global .align 1 .b8 nm_assertion_0[256] = {119, 114, 111, 110, 103};

.visible .entry check(.param .u32 fail)
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<3>;

    ld.param.u32 %r1, [fail];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra DONE;
    mov.u64 %rd1, nm_assertion_0;
    ld.global.u64 %rd2, [nm_failed_assertion];
    st.global.u64 [%rd2], %rd1;
DONE:
    ret;
}
)ptx";

inline nmrtContextOptions optionsFor(nmrtDeviceKind device) {
  nmrtContextOptions options = {};
  options.apiVersion = NMRT_API_VERSION;
  options.device = device;
  options.emulatorChecks = NMRT_CHECK_ALL;
  options.recordKernels = true;
  return options;
}

/// The arguments of `scale`, as a launch of one block takes them.
struct ScaleLaunch {
  ScaleLaunch(void *out, void *x, float a, uint32_t n)
      : out(out), x(x), a(a), n(n) {
    config.grid[0] = config.grid[1] = config.grid[2] = 1;
    config.block[0] = 64;
    config.block[1] = config.block[2] = 1;
    config.parameters = parameters;
    config.parameterCount = 4;
  }
  ScaleLaunch(const ScaleLaunch &) = delete;

  void *out, *x;
  float a;
  uint32_t n;
  nmrtParameter parameters[4] = {{static_cast<const void *>(&out), 8},
                                 {static_cast<const void *>(&x), 8},
                                 {&a, 4},
                                 {&n, 4}};
  nmrtLaunchConfig config = {};
};

/// A test with a context of its own on the device of the derived class.
class RuntimeFixture : public testing::Test {
protected:
  explicit RuntimeFixture(nmrtDeviceKind kind) : options(optionsFor(kind)) {}

  void SetUp() override {
    char error[1024];
    nmrtStatus status =
        nmrtContextCreate(&options, &context, error, sizeof(error));
    if (status == NMRT_NO_DEVICE)
      GTEST_SKIP() << error;
    ASSERT_EQ(status, NMRT_OK) << error;
  }
  void TearDown() override { nmrtContextDestroy(context); }

  void *allocate(uint64_t bytes) {
    void *pointer = nullptr;
    EXPECT_EQ(nmrtAlloc(context, bytes, &pointer), NMRT_OK) << lastError();
    return pointer;
  }

  void *upload(const std::vector<float> &values) {
    void *pointer = allocate(values.size() * 4);
    EXPECT_EQ(nmrtUpload(context, pointer, values.data(), values.size() * 4),
              NMRT_OK)
        << lastError();
    return pointer;
  }

  std::vector<float> download(const void *pointer, size_t size) {
    std::vector<float> values(size);
    EXPECT_EQ(nmrtDownload(context, values.data(), pointer, size * 4), NMRT_OK)
        << lastError();
    return values;
  }

  /// Launches `scale`, whose module is loaded the first time.
  nmrtStatus scale(void *out, void *x, float a, uint32_t n, uint64_t blocks,
                   const char *what = nullptr) {
    if (!scaleKernel)
      scaleKernel = getKernel(load(kScalePtx), "scale");
    ScaleLaunch launch(out, x, a, n);
    launch.config.grid[0] = blocks;
    launch.config.what = what;
    return nmrtLaunch(context, scaleKernel, &launch.config);
  }

  nmrtModule *load(const std::string &ptx) {
    nmrtModule *module = nullptr;
    EXPECT_EQ(nmrtModuleLoad(context, ptx.data(), ptx.size(), &module), NMRT_OK)
        << lastError();
    return module;
  }

  nmrtKernel *getKernel(nmrtModule *module, const char *name) {
    nmrtKernel *kernel = nullptr;
    EXPECT_EQ(nmrtKernelGet(context, module, name, &kernel), NMRT_OK)
        << lastError();
    return kernel;
  }

  nmrtCounters counters() {
    nmrtCounters result = {};
    EXPECT_EQ(nmrtGetCounters(context, &result), NMRT_OK) << lastError();
    return result;
  }

  static std::string lastError() { return nmrtLastError(); }

  nmrtContextOptions options;
  nmrtContext *context = nullptr;
  nmrtKernel *scaleKernel = nullptr;
};

#endif // NM_TEST_UNIT_RUNTIME_RUNTIMEFIXTURE_H
