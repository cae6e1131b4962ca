//===- AssertionTest.cpp - Failed assertions of kernels ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

#include <chrono>
#include <thread>

namespace {

class AssertionTest : public RuntimeFixture,
                      public testing::WithParamInterface<nmrtDeviceKind> {
protected:
  AssertionTest() : RuntimeFixture(GetParam()) {}

  nmrtStatus launch(nmrtKernel *kernel, uint32_t fail, uint32_t extent = 2) {
    nmrtParameter parameter = {&fail, 4};
    nmrtLaunchConfig config = {};
    config.grid[0] = config.grid[1] = config.grid[2] = extent;
    config.block[0] = config.block[1] = config.block[2] = extent;
    config.parameters = &parameter;
    config.parameterCount = 1;
    return nmrtLaunch(context, kernel, &config);
  }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Emulator, AssertionTest,
                         testing::Values(NMRT_DEVICE_EMULATOR));
INSTANTIATE_TEST_SUITE_P(Cuda, AssertionTest,
                         testing::Values(NMRT_DEVICE_CUDA));

TEST_P(AssertionTest, EveryCallThatWaitsTellsOnce) {
  nmrtKernel *kernel = getKernel(load(kAssertPtx), "check");
  ASSERT_EQ(launch(kernel, 0), NMRT_OK) << lastError();
  EXPECT_EQ(nmrtSynchronize(context), NMRT_OK) << lastError();
  ASSERT_EQ(launch(kernel, 1), NMRT_OK) << lastError();
  EXPECT_EQ(nmrtSynchronize(context), NMRT_ASSERTION);
  EXPECT_EQ(lastError(), "wrong");
  EXPECT_EQ(nmrtSynchronize(context), NMRT_OK) << lastError();
  float number = 0;
  void *memory = upload({1});
  ASSERT_EQ(launch(kernel, 1), NMRT_OK) << lastError();
  EXPECT_EQ(nmrtDownload(context, &number, memory, 4), NMRT_ASSERTION);
  EXPECT_EQ(nmrtDownload(context, &number, memory, 4), NMRT_OK);
}

TEST_P(AssertionTest, IsCheckedWithoutWaiting) {
  // The module that has failed is found among others.
  load(kScalePtx);
  nmrtModule *module = load(kAssertPtx), *other = load(kAssertPtx);
  nmrtCounters before = counters();
  EXPECT_EQ(nmrtCheckAssertions(context), NMRT_OK) << lastError();
  EXPECT_EQ(counters().synchronizations, before.synchronizations);
  EXPECT_EQ(counters().downloads, before.downloads);
  for (nmrtModule *failing : {module, other}) {
    ASSERT_EQ(launch(getKernel(failing, "check"), 1), NMRT_OK) << lastError();
    ASSERT_EQ(nmrtSynchronizeOn(context, nullptr), NMRT_ASSERTION);
    EXPECT_EQ(nmrtCheckAssertions(context), NMRT_OK) << lastError();
  }
  // It shows without any wait, at some time.
  before = counters();
  ASSERT_EQ(launch(getKernel(module, "check"), 1, /*extent=*/1), NMRT_OK);
  nmrtStatus status = NMRT_OK;
  for (int i = 0; i < 10000 && status == NMRT_OK; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(i != 0));
    status = nmrtCheckAssertions(context);
  }
  EXPECT_EQ(status, NMRT_ASSERTION);
  EXPECT_EQ(lastError(), "wrong");
  EXPECT_EQ(counters().synchronizations, before.synchronizations);
  EXPECT_EQ(nmrtSynchronize(context), NMRT_OK) << lastError();
  // What nobody asked about goes with its module.
  ASSERT_EQ(launch(getKernel(other, "check"), 1), NMRT_OK) << lastError();
  ASSERT_EQ(nmrtModuleUnload(context, other), NMRT_OK) << lastError();
  EXPECT_EQ(nmrtCheckAssertions(context), NMRT_OK) << lastError();
}
