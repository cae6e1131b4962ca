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
  void *out = allocate(4);
  for (uint32_t bytes : {1024u, 49152u, 96u * 1024}) {
    uint32_t offset = bytes - 4;
    void *parameters[] = {static_cast<void *>(&out), &offset};
    ASSERT_EQ(nmrtLaunchImage(context, kSharedPtx.data(), kSharedPtx.size(),
                              "shared", nullptr, 1, 1, 1, 1, 1, 1, bytes,
                              parameters, 2),
              NMRT_OK)
        << lastError();
    uint32_t word = 0;
    ASSERT_EQ(nmrtDownload(context, &word, out, 4), NMRT_OK) << lastError();
    EXPECT_EQ(word, 7u);
  }
  uint32_t offset = 0;
  void *parameters[] = {static_cast<void *>(&out), &offset};
  EXPECT_EQ(nmrtLaunchImage(context, kSharedPtx.data(), kSharedPtx.size(),
                            "shared", nullptr, 1, 1, 1, 1, 1, 1, 1 << 20,
                            parameters, 2),
            NMRT_LAUNCH_FAILED);
  EXPECT_NE(lastError().find("bytes of shared memory, got 0 static and 1048576 "
                             "dynamic"),
            std::string::npos)
      << lastError();
}

TEST_F(CudaTest, ErrorsNameTheCallAndCarryTheLog) {
  void *in = upload({1}), *out = allocate(4);
  std::string broken = kScalePtx;
  broken.replace(broken.find("mul.f32"), 7, "mul.f99");
  EXPECT_EQ(scale(out, in, 3, 1, 1, broken), NMRT_INVALID_IMAGE);
  EXPECT_NE(lastError().find("cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX"),
            std::string::npos)
      << lastError();
  EXPECT_NE(lastError().find("f99"), std::string::npos) << lastError();
  EXPECT_EQ(scale(out, in, 3, 1, 1, kScalePtx, "other"), NMRT_INVALID_IMAGE);
  EXPECT_NE(lastError().find("cuModuleGetFunction"), std::string::npos)
      << lastError();
  EXPECT_EQ(scale(out, in, 3, 1, 1), NMRT_OK) << lastError();
}

TEST_F(CudaTest, ForgetsImagesAndConstants) {
  std::vector<float> one = {1};
  void *in = nullptr, *out = allocate(4);
  ASSERT_EQ(nmrtConstant(context, one.data(), 4, &in), NMRT_OK) << lastError();
  std::string ptx = kScalePtx;
  ASSERT_EQ(scale(out, in, 3, 1, 1, ptx), NMRT_OK) << lastError();
  EXPECT_EQ(download(out, 1), std::vector<float>{3});
  ptx.replace(ptx.find("mul.f32"), 7, "add.f32");
  ASSERT_EQ(nmrtForget(context, ptx.data(), ptx.size()), NMRT_OK);
  ASSERT_EQ(scale(out, in, 3, 1, 1, ptx), NMRT_OK) << lastError();
  EXPECT_EQ(download(out, 1), std::vector<float>{4});
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
