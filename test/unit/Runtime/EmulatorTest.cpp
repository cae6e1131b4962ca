//===- EmulatorTest.cpp - Kernels on the runtime's emulator ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

#include <algorithm>

namespace {

class EmulatorTest : public RuntimeFixture {
protected:
  EmulatorTest() : RuntimeFixture(NMRT_DEVICE_EMULATOR) {
    options.emulatorCounters = true;
  }
};

} // namespace

TEST_F(EmulatorTest, LaunchesAndRecords) {
  std::vector<float> x(100);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i;
  void *in = upload(x), *out = allocate(400);
  ASSERT_EQ(scale(out, in, 3, 100, 2), NMRT_OK) << lastError();
  ASSERT_EQ(scale(out, out, 2, 100, 2, "layer 7"), NMRT_OK) << lastError();
  std::vector<float> y = download(out, 100);
  for (size_t i = 0; i < y.size(); ++i)
    EXPECT_EQ(y[i], 6 * x[i]);

  uint64_t count = 0;
  ASSERT_EQ(nmrtKernelRecordCount(context, &count), NMRT_OK);
  ASSERT_EQ(count, 2u);
  nmrtKernelRecord record;
  ASSERT_EQ(nmrtKernelRecordAt(context, 0, &record), NMRT_OK);
  EXPECT_STREQ(record.name, "scale");
  EXPECT_STREQ(record.kernel, "scale");
  // Two launches of one kernel are told apart by what they are for.
  ASSERT_EQ(nmrtKernelRecordAt(context, 1, &record), NMRT_OK);
  EXPECT_STREQ(record.name, "layer 7");
  EXPECT_STREQ(record.kernel, "scale");
  EXPECT_GT(record.milliseconds, 0);
  EXPECT_EQ(record.grid[0], 2u);
  EXPECT_EQ(record.block[0], 64u);
  const char *json = nullptr;
  ASSERT_EQ(nmrtKernelRecordCounters(context, 0, &json), NMRT_OK);
  EXPECT_NE(std::string(json).find("mul.f32"), std::string::npos) << json;
  EXPECT_EQ(nmrtKernelRecordAt(context, 2, &record), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError(), "expected the index of one of 2 records, got 2");
  ASSERT_EQ(nmrtKernelRecordsClear(context), NMRT_OK);
  ASSERT_EQ(nmrtKernelRecordCount(context, &count), NMRT_OK);
  EXPECT_EQ(count, 0u);
}

// No launch says which tensors its maps are of: from its first map on, a
// tensor's memory is used until it is freed.
TEST_F(EmulatorTest, MappedTensorsAreUsedUntilTheyAreFreed) {
  void *mapped = allocate(1024), *other = allocate(256), *out = allocate(256);
  nmrtTensorMapConfig config = {};
  config.address = mapped;
  config.elementType = 7; // f32
  config.rank = 1;
  config.extents[0] = 256;
  config.box[0] = 64;
  config.elementStrides[0] = 1;
  nmrtTensorMap map;
  ASSERT_EQ(nmrtTensorMapEncode(context, &config, &map), NMRT_OK)
      << lastError();
  ASSERT_EQ(nmrtCopy(context, out, other, 256), NMRT_OK) << lastError();
  nmrtMemoryStatistics statistics = {};
  ASSERT_EQ(nmrtGetMemoryStatistics(context, &statistics), NMRT_OK);
  EXPECT_EQ(statistics.liveMaximum, 1536u);
}

// `scale` does not wait: a dependent launch right behind another may run beside
// it, unless something came between them or they are of two streams.
TEST_F(EmulatorTest, DependentLaunchesMayRunBesideOthers) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  void *x = upload({1, 2, 3}), *y = allocate(12), *z = allocate(12);
  ScaleLaunch first(y, x, 3, 3), second(z, y, 2, 3);
  auto launchBoth = [&](auto between) {
    EXPECT_EQ(nmrtLaunch(context, kernel, &first.config), NMRT_OK);
    between();
    return nmrtLaunch(context, kernel, &second.config);
  };
  auto nothing = [] {};
  EXPECT_EQ(launchBoth(nothing), NMRT_OK) << lastError();
  second.config.flags = NMRT_LAUNCH_DEPENDENT;
  EXPECT_EQ(launchBoth(nothing), NMRT_LAUNCH_FAILED);
  EXPECT_NE(lastError().find("which kernel 'scale' wrote in an earlier launch"),
            std::string::npos)
      << lastError();
  EXPECT_EQ(launchBoth([&] { download(y, 3); }), NMRT_OK) << lastError();
  EXPECT_EQ(launchBoth([&] { upload({1}); }), NMRT_OK) << lastError();
  auto copy = [&] { nmrtCopy(context, x, y, 12); };
  EXPECT_EQ(launchBoth(copy), NMRT_OK) << lastError();
  EXPECT_EQ(launchBoth([&] { nmrtSynchronize(context); }), NMRT_OK)
      << lastError();
  int stream;
  second.config.stream = &stream;
  EXPECT_EQ(launchBoth(nothing), NMRT_OK) << lastError();
}

TEST_F(EmulatorTest, EmptyGridLaunchesNothing) {
  EXPECT_EQ(scale(nullptr, nullptr, 3, 100, 0), NMRT_OK) << lastError();
  uint64_t count = 1;
  ASSERT_EQ(nmrtKernelRecordCount(context, &count), NMRT_OK);
  EXPECT_EQ(count, 0u);
}

TEST_F(EmulatorTest, RefusesBadLaunches) {
  void *in = upload({1}), *out = allocate(4);
  EXPECT_EQ(scale(out, in, 3, 1, uint64_t(1) << 31), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError(), "kernel `scale`: expected a grid of at most "
                         "2147483647 blocks along x, got 2147483648");
  EXPECT_EQ(scale(out, in, 3, 1, uint64_t(1) << 31, "a"),
            NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError(), "kernel `scale`, launched as `a`: expected a grid of "
                         "at most 2147483647 blocks along x, got 2147483648");
  ScaleLaunch launch(out, in, 3, 1);
  launch.config.block[1] = 32;
  EXPECT_EQ(nmrtLaunch(context, scaleKernel, &launch.config),
            NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError(), "kernel `scale`: expected at most 1024 threads in a "
                         "block, got 2048");
  launch.config.block[0] = 0;
  EXPECT_EQ(nmrtLaunch(context, scaleKernel, &launch.config),
            NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError(), "kernel `scale`: expected a block of 1 to 1024 "
                         "threads along x, got 0");
}

TEST_F(EmulatorTest, RefusesBadImages) {
  nmrtModule *module = nullptr;
  auto refuses = [&](const std::string &image) {
    EXPECT_EQ(nmrtModuleLoad(context, image.data(), image.size(), &module),
              NMRT_INVALID_IMAGE);
    EXPECT_EQ(module, nullptr);
  };
  nmrtKernel *kernel = nullptr;
  EXPECT_EQ(nmrtKernelGet(context, load(kScalePtx), "other", &kernel),
            NMRT_INVALID_IMAGE);
  EXPECT_EQ(lastError(),
            "kernel `other`: expected a kernel of the image (scale)");
  std::string unknown = kScalePtx;
  unknown.replace(unknown.find("mul.f32"), 7, "nop.f32");
  refuses(unknown);
  size_t place = unknown.find("nop.f32");
  long line = 1 + std::count(unknown.begin(), unknown.begin() + place, '\n');
  EXPECT_NE(lastError().find("line " + std::to_string(line) + ":"),
            std::string::npos)
      << lastError();
  refuses("\177ELF0000");
  EXPECT_EQ(lastError(), "expected PTX text for the emulator, got a cubin");
}

TEST_F(EmulatorTest, FaultsNameTheKernelAndTheLine) {
  void *in = upload({1, 2, 3}), *out = allocate(12);
  EXPECT_EQ(scale(out, in, 3, 4, 1), NMRT_LAUNCH_FAILED);
  EXPECT_NE(lastError().find("scale"), std::string::npos) << lastError();
  EXPECT_NE(lastError().find("ld.global.f32"), std::string::npos)
      << lastError();
  // A failed launch leaves no record, and the context can still be used.
  uint64_t count = 1;
  ASSERT_EQ(nmrtKernelRecordCount(context, &count), NMRT_OK);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(scale(out, in, 3, 3, 1), NMRT_OK) << lastError();
}

TEST_F(EmulatorTest, UseAfterFreeIsAFault) {
  void *in = upload({1, 2, 3}), *out = allocate(12);
  ASSERT_EQ(nmrtFree(context, in), NMRT_OK);
  EXPECT_EQ(scale(out, in, 3, 3, 1), NMRT_LAUNCH_FAILED);
}
