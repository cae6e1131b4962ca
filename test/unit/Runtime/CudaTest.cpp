//===- CudaTest.cpp - The runtime on a GPU --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Skipped, with the reason, where there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

namespace {

class CudaTest : public RuntimeFixture {
protected:
  CudaTest() : RuntimeFixture(NMRT_DEVICE_CUDA) {}
};

} // namespace

/// out[0] = the last 32-bit word of the dynamic shared memory, after writing 7
/// there.
static const std::string kSharedPtx = R"ptx(
.version 7.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 space[];

.visible .entry shared(.param .u64 out, .param .u32 offset)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [offset];
    mov.u32 %r2, space;
    add.u32 %r2, %r2, %r1;
    mov.u32 %r3, 7;
    st.shared.u32 [%r2], %r3;
    ld.shared.u32 %r4, [%r2];
    cvta.to.global.u64 %rd2, %rd1;
    st.global.u32 [%rd2], %r4;
    ret;
}
)ptx";

TEST_F(CudaTest, LaunchesAndRecords) {
  EXPECT_GE(nmrtDeviceCapability(context), 50);
  EXPECT_EQ(nmrtDeviceGetKind(context), NMRT_DEVICE_CUDA);
  std::vector<float> x(1000);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i;
  void *in = upload(x), *out = allocate(4000);
  ASSERT_EQ(scale(out, in, 3, 1000, 16), NMRT_OK) << lastError();
  ASSERT_EQ(scale(out, out, 2, 1000, 16), NMRT_OK) << lastError();
  std::vector<float> y = download(out, 1000);
  for (size_t i = 0; i < y.size(); ++i)
    EXPECT_EQ(y[i], 6 * x[i]);
  uint64_t count = 0;
  ASSERT_EQ(nmrtKernelRecordCount(context, &count), NMRT_OK);
  ASSERT_EQ(count, 2u);
  nmrtKernelRecord record;
  ASSERT_EQ(nmrtKernelRecordAt(context, 0, &record), NMRT_OK) << lastError();
  EXPECT_STREQ(record.name, "scale");
  EXPECT_GT(record.milliseconds, 0);
  const char *json = nullptr;
  ASSERT_EQ(nmrtKernelRecordCounters(context, 0, &json), NMRT_OK);
  EXPECT_STREQ(json, "");
  ASSERT_EQ(nmrtKernelRecordsClear(context), NMRT_OK);
}

TEST_F(CudaTest, MemoryIsReusedAndAligned) {
  void *a = allocate(1 << 20);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 256, 0u);
  ASSERT_EQ(nmrtFree(context, a), NMRT_OK);
  EXPECT_EQ(allocate(1 << 20), a);
  void *huge = nullptr;
  EXPECT_EQ(nmrtAlloc(context, uint64_t(1) << 50, &huge), NMRT_OUT_OF_MEMORY);
  EXPECT_EQ(lastError().find("cannot allocate 1125899906842624 bytes: "
                             "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY"),
            0u)
      << lastError();
  // The context can still be used.
  EXPECT_EQ(download(upload({4}), 1), std::vector<float>{4});
}

TEST_F(CudaTest, DynamicSharedMemoryAboveTheUsualLimit) {
  nmrtKernel *kernel = getKernel(load(kSharedPtx), "shared");
  void *out = allocate(4);
  uint32_t offset = 0;
  nmrtParameter parameters[] = {{static_cast<const void *>(&out), 8},
                                {&offset, 4}};
  nmrtLaunchConfig config = {};
  config.grid[0] = config.grid[1] = config.grid[2] = 1;
  config.block[0] = config.block[1] = config.block[2] = 1;
  config.parameters = parameters;
  config.parameterCount = 2;
  for (uint32_t bytes : {1024u, 49152u, 96u * 1024}) {
    offset = bytes - 4;
    config.sharedBytes = bytes;
    ASSERT_EQ(nmrtLaunch(context, kernel, &config), NMRT_OK) << lastError();
    uint32_t word = 0;
    ASSERT_EQ(nmrtDownload(context, &word, out, 4), NMRT_OK) << lastError();
    EXPECT_EQ(word, 7u);
  }
  config.sharedBytes = 1 << 20;
  EXPECT_EQ(nmrtLaunch(context, kernel, &config), NMRT_LAUNCH_FAILED);
  EXPECT_NE(lastError().find("bytes of shared memory, got 0 static and 1048576 "
                             "dynamic"),
            std::string::npos)
      << lastError();
}

TEST_F(CudaTest, ErrorsNameTheCallAndCarryTheLog) {
  std::string broken = kScalePtx;
  broken.replace(broken.find("mul.f32"), 7, "mul.f99");
  nmrtModule *module = nullptr;
  EXPECT_EQ(nmrtModuleLoad(context, broken.data(), broken.size(), &module),
            NMRT_INVALID_IMAGE);
  EXPECT_NE(lastError().find("cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX"),
            std::string::npos)
      << lastError();
  EXPECT_NE(lastError().find("f99"), std::string::npos) << lastError();
  nmrtKernel *kernel = nullptr;
  EXPECT_EQ(nmrtKernelGet(context, load(kScalePtx), "other", &kernel),
            NMRT_INVALID_IMAGE);
  EXPECT_NE(lastError().find("cuModuleGetFunction"), std::string::npos)
      << lastError();
  EXPECT_EQ(scale(allocate(4), upload({1}), 3, 1, 1), NMRT_OK) << lastError();
}

TEST(CudaCreateTest, UnknownOrdinal) {
  nmrtContextOptions options = optionsFor(NMRT_DEVICE_CUDA);
  options.deviceOrdinal = 1000;
  nmrtContext *context = nullptr;
  char error[1024];
  EXPECT_EQ(nmrtContextCreate(&options, &context, error, sizeof(error)),
            NMRT_NO_DEVICE);
  EXPECT_EQ(std::string(error).find("expected "), 0u) << error;
}
