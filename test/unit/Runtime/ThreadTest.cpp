//===- ThreadTest.cpp - One context, several threads ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

#include <thread>

namespace {

class ThreadTest
    : public RuntimeFixture,
      public testing::WithParamInterface<std::tuple<nmrtDeviceKind, bool>> {
protected:
  ThreadTest() : RuntimeFixture(std::get<0>(GetParam())) {
    options.recordKernels = std::get<1>(GetParam());
  }

  /// Calls `body` with the number of the thread in each of eight.
  template <typename Body> static void runThreads(Body body) {
    std::vector<std::thread> threads;
    for (uint32_t number = 0; number < 8; ++number)
      threads.emplace_back(body, number);
    for (std::thread &thread : threads)
      thread.join();
  }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Emulator, ThreadTest,
                         testing::Combine(testing::Values(NMRT_DEVICE_EMULATOR),
                                          testing::Bool()));
INSTANTIATE_TEST_SUITE_P(Cuda, ThreadTest,
                         testing::Combine(testing::Values(NMRT_DEVICE_CUDA),
                                          testing::Bool()));

TEST_P(ThreadTest, TheLastErrorIsOfTheThread) {
  EXPECT_EQ(nmrtFree(context, this), NMRT_INVALID_ARGUMENT);
  std::string mine = lastError();
  std::thread([&] {
    EXPECT_EQ(lastError(), "");
    EXPECT_EQ(nmrtSynchronize(nullptr), NMRT_INVALID_ARGUMENT);
    EXPECT_EQ(lastError(), "expected a context, got null");
  }).join();
  EXPECT_EQ(lastError(), mine);
}

TEST_P(ThreadTest, LaunchAllocateAndFailAtOnce) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  constexpr int rounds = 20;
  runThreads([&](uint32_t number) {
    for (int round = 0; round < rounds; ++round) {
      float value = static_cast<float>(number + 1);
      void *x = upload({value, 2 * value}), *out = allocate(8);
      ScaleLaunch launch(out, x, 3, 2);
      // Each thread has its own, and all together one for all.
      EXPECT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK)
          << lastError();
      EXPECT_EQ(download(out, 2), (std::vector<float>{3 * value, 6 * value}));
      launch.config.block[0] = 2000 + number;
      EXPECT_EQ(nmrtLaunch(context, kernel, &launch.config),
                NMRT_INVALID_ARGUMENT);
      EXPECT_EQ(lastError(), "kernel `scale`: expected a block of 1 to 1024 "
                             "threads along x, got " +
                                 std::to_string(2000 + number));
      EXPECT_EQ(nmrtFree(context, x), NMRT_OK) << lastError();
      EXPECT_EQ(nmrtFree(context, out), NMRT_OK) << lastError();
    }
  });
  EXPECT_EQ(counters().launches, 8u * rounds);
  EXPECT_EQ(counters().allocations, counters().frees);
  uint64_t current = 1, peak = 0, records = 0;
  ASSERT_EQ(nmrtMemoryUsage(context, &current, &peak), NMRT_OK);
  EXPECT_EQ(current, 0u);
  ASSERT_EQ(nmrtKernelRecordCount(context, &records), NMRT_OK);
  EXPECT_EQ(records, options.recordKernels ? 8u * rounds : 0);
}

TEST_P(ThreadTest, ModulesComeAndGo) {
  runThreads([&](uint32_t number) {
    void *x = upload({1}), *out = allocate(4);
    for (int round = 0; round < 5; ++round) {
      nmrtModule *module = load(round % 2 ? kScalePtx : kAssertPtx);
      if (round % 2) {
        ScaleLaunch launch(out, x, static_cast<float>(number), 1);
        EXPECT_EQ(
            nmrtLaunch(context, getKernel(module, "scale"), &launch.config),
            NMRT_OK)
            << lastError();
        EXPECT_EQ(download(out, 1),
                  std::vector<float>{static_cast<float>(number)});
      }
      EXPECT_EQ(nmrtModuleUnload(context, module), NMRT_OK) << lastError();
    }
  });
}
