//===- ModuleTest.cpp - Modules, kernels and launches --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

namespace {

class ModuleTest : public RuntimeFixture,
                   public testing::WithParamInterface<nmrtDeviceKind> {
protected:
  ModuleTest() : RuntimeFixture(GetParam()) {}

  void expectError(nmrtStatus status, nmrtStatus expected,
                   const std::string &message) {
    EXPECT_EQ(status, expected);
    EXPECT_EQ(lastError(), message);
  }
};

class EmulatorModuleTest : public RuntimeFixture {
protected:
  EmulatorModuleTest() : RuntimeFixture(NMRT_DEVICE_EMULATOR) {}
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Emulator, ModuleTest,
                         testing::Values(NMRT_DEVICE_EMULATOR));
INSTANTIATE_TEST_SUITE_P(Cuda, ModuleTest, testing::Values(NMRT_DEVICE_CUDA));

TEST_P(ModuleTest, KernelsAreLookedUpOnce) {
  nmrtModule *module = load(kScalePtx), *other = load(kScalePtx);
  nmrtKernel *kernel = getKernel(module, "scale");
  EXPECT_EQ(getKernel(module, "scale"), kernel);
  EXPECT_NE(getKernel(other, "scale"), kernel);
  void *x = upload({1, 2, 3}), *out = allocate(12);
  ScaleLaunch launch(out, x, 3, 3);
  launch.config.what = "layer 7";
  ASSERT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK)
      << lastError();
  EXPECT_EQ(download(out, 3), (std::vector<float>{3, 6, 9}));
  nmrtKernelRecord record;
  ASSERT_EQ(nmrtKernelRecordAt(context, 0, &record), NMRT_OK) << lastError();
  EXPECT_STREQ(record.name, "layer 7");
  EXPECT_STREQ(record.kernel, "scale");
  // The emulator orders them as it orders all launches.
  launch.config.flags = NMRT_LAUNCH_DEPENDENT;
  ASSERT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK)
      << lastError();
  EXPECT_EQ(nmrtModuleUnload(context, module), NMRT_OK);
  EXPECT_EQ(nmrtModuleUnload(context, nullptr), NMRT_OK);
  expectError(nmrtModuleUnload(context, module), NMRT_INVALID_ARGUMENT,
              "expected a module of this context that is loaded");
}

TEST_P(ModuleTest, RefusesWhatIsNoModuleOrKernel) {
  nmrtModule *module = nullptr;
  nmrtKernel *kernel = nullptr;
  expectError(nmrtModuleLoad(context, nullptr, 0, &module),
              NMRT_INVALID_ARGUMENT, "expected an image, got none");
  expectError(nmrtModuleLoad(context, "", 1, nullptr), NMRT_INVALID_ARGUMENT,
              "expected a place for the module, got null");
  EXPECT_EQ(nmrtModuleLoad(context, "nothing", 7, &module), NMRT_INVALID_IMAGE);
  EXPECT_EQ(module, nullptr);
  module = load(kScalePtx);
  expectError(nmrtKernelGet(context, nullptr, "scale", &kernel),
              NMRT_INVALID_ARGUMENT,
              "expected a module and a place for the kernel, got null");
  expectError(nmrtKernelGet(context, module, nullptr, &kernel),
              NMRT_INVALID_ARGUMENT, "expected a kernel name, got null");
  EXPECT_EQ(nmrtKernelGet(context, module, "other", &kernel),
            NMRT_INVALID_IMAGE);
  EXPECT_EQ(lastError().find("kernel `other`: "), 0u) << lastError();
  EXPECT_EQ(kernel, nullptr);
  nmrtContextOptions options = optionsFor(GetParam());
  nmrtContext *second = nullptr;
  ASSERT_EQ(nmrtContextCreate(&options, &second, nullptr, 0), NMRT_OK);
  expectError(nmrtKernelGet(second, module, "scale", &kernel),
              NMRT_INVALID_ARGUMENT,
              "expected a module of this context that is loaded");
  ScaleLaunch launch(nullptr, nullptr, 3, 0);
  expectError(nmrtLaunch(second, getKernel(module, "scale"), &launch.config),
              NMRT_INVALID_ARGUMENT,
              "kernel `scale`: expected a kernel of this context, got "
              "another's");
  nmrtContextDestroy(second);
}

TEST_P(ModuleTest, RefusesBadConfigurations) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  expectError(nmrtLaunch(context, kernel, nullptr), NMRT_INVALID_ARGUMENT,
              "expected a launch configuration, got null");
  ScaleLaunch launch(nullptr, nullptr, 3, 0);
  nmrtLaunchConfig &config = launch.config;
  expectError(nmrtLaunch(context, nullptr, &config), NMRT_INVALID_ARGUMENT,
              "expected a kernel, got null");
  config.flags = 6;
  expectError(nmrtLaunch(context, kernel, &config), NMRT_INVALID_ARGUMENT,
              "expected launch flags within 1, got 6");
  config.flags = 0;
  config.grid[1] = 65536;
  expectError(nmrtLaunch(context, kernel, &config), NMRT_INVALID_ARGUMENT,
              "kernel `scale`: expected a grid of at most 65535 blocks along "
              "y, got 65536");
  config.grid[2] = 0;
  EXPECT_EQ(nmrtLaunch(context, kernel, &config), NMRT_OK) << lastError();
  config.grid[1] = config.grid[2] = 1;
  config.grid[0] = 5;
  config.cluster[0] = 2;
  config.cluster[1] = config.cluster[2] = 1;
  expectError(nmrtLaunch(context, kernel, &config), NMRT_INVALID_ARGUMENT,
              "kernel `scale`: expected clusters that divide the 5 blocks "
              "along x, got 2");
  config.cluster[0] = 0;
  expectError(nmrtLaunch(context, kernel, &config), NMRT_INVALID_ARGUMENT,
              "kernel `scale`: expected clusters that divide the 5 blocks "
              "along x, got 0");
}

TEST_P(ModuleTest, RefusesBadParameters) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  ScaleLaunch launch(nullptr, nullptr, 3, 0);
  nmrtLaunchConfig &config = launch.config;
  config.what = "layer 7";
  launch.parameters[1].value = nullptr;
  expectError(nmrtLaunch(context, kernel, &config), NMRT_INVALID_ARGUMENT,
              "kernel `scale`, launched as `layer 7`: parameter #1: expected a "
              "value, got null");
  config.parameters = nullptr;
  expectError(nmrtLaunch(context, kernel, &config), NMRT_INVALID_ARGUMENT,
              "kernel `scale`, launched as `layer 7`: expected 4 parameters, "
              "got null");
}

TEST_P(ModuleTest, CountsWhatItDid) {
  nmrtCounters before = counters();
  EXPECT_EQ(before.launches + before.allocations + before.moduleLoads, 0u);
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  void *x = upload({1}), *out = allocate(4), *failed = nullptr;
  EXPECT_EQ(nmrtAlloc(context, uint64_t(1) << 50, &failed), NMRT_OUT_OF_MEMORY);
  ScaleLaunch launch(out, x, 3, 1);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK);
  ASSERT_EQ(nmrtCopy(context, x, out, 4), NMRT_OK);
  EXPECT_EQ(download(x, 1), std::vector<float>{3});
  ASSERT_EQ(nmrtSynchronize(context), NMRT_OK);
  ASSERT_EQ(nmrtFree(context, x), NMRT_OK);
  EXPECT_EQ(nmrtFree(context, x), NMRT_INVALID_ARGUMENT);
  nmrtCounters after = counters();
  EXPECT_EQ(after.launches, 3u);
  EXPECT_EQ(after.allocations, 2u);
  EXPECT_EQ(after.driverAllocations, 2u);
  EXPECT_EQ(after.frees, 1u);
  EXPECT_EQ(after.synchronizations, 3u); // upload, download, synchronize
  EXPECT_EQ(after.moduleLoads, 1u);
  EXPECT_EQ(after.uploads, 1u);
  EXPECT_EQ(after.downloads, 1u);
  EXPECT_EQ(after.copies, 1u);
  EXPECT_EQ(nmrtGetCounters(context, nullptr), NMRT_INVALID_ARGUMENT);
}

TEST_F(EmulatorModuleTest, RefusesWhatItCannotDo) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  ScaleLaunch launch(nullptr, nullptr, 3, 0);
  nmrtLaunchConfig &config = launch.config;
  config.cluster[0] = config.cluster[1] = config.cluster[2] = 1;
  EXPECT_EQ(nmrtLaunch(context, kernel, &config), NMRT_OK) << lastError();
  config.grid[0] = config.cluster[0] = 2;
  EXPECT_EQ(nmrtLaunch(context, kernel, &config), NMRT_OK) << lastError();
  config.grid[0] = config.cluster[0] = 16;
  EXPECT_EQ(nmrtLaunch(context, kernel, &config), NMRT_LAUNCH_FAILED);
  EXPECT_EQ(lastError(),
            "kernel `scale`: kernel 'scale': expected a cluster of "
            "1 to 8 blocks, got 16 x 1 x 1");
  nmrtTensorMap map;
  nmrtTensorMapConfig description = {};
  description.rank = 1;
  EXPECT_EQ(nmrtTensorMapEncode(context, &description, &map),
            NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError(),
            "expected an extent of 1 to 2^32 in dimension 0, got 0");
  description.extents[0] = description.box[0] = 16;
  description.elementStrides[0] = 1;
  EXPECT_EQ(nmrtTensorMapEncode(context, &description, &map), NMRT_OK)
      << lastError();
  description.address = reinterpret_cast<void *>(0x1004);
  EXPECT_EQ(nmrtTensorMapEncode(context, &description, &map),
            NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError(), "expected a tensor at an address that is a multiple "
                         "of 16, got one 4 bytes behind it");
  description.rank = 6;
  EXPECT_EQ(nmrtTensorMapEncode(context, &description, &map),
            NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError(), "expected a tensor map of rank 1 to 5, got 6");
  EXPECT_EQ(nmrtTensorMapEncode(context, nullptr, &map), NMRT_INVALID_ARGUMENT);
}

TEST_F(EmulatorModuleTest, ComparesParameters) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  ScaleLaunch launch(nullptr, nullptr, 3, 0);
  launch.parameters[3].bytes = 8;
  EXPECT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_LAUNCH_FAILED);
  EXPECT_EQ(lastError(),
            "kernel `scale`: parameter #3: expected 4 bytes, got 8");
  launch.config.parameterCount = 3;
  EXPECT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_LAUNCH_FAILED);
  EXPECT_EQ(lastError(), "kernel `scale`: expected 4 parameters, got 3");
}
