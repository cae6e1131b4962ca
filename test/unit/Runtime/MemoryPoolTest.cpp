//===- MemoryPoolTest.cpp - Reuse of freed device memory ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver is replaced by functions that count, so no GPU is needed.
//
//===----------------------------------------------------------------------===//

#include "CudaMemoryPool.h"

#include "gtest/gtest.h"

#include <random>

using namespace nm::runtime;
using namespace nm::runtime::cuda;

static int allocations, frees;
static size_t bytesLeft;
static std::map<CUdeviceptr, size_t> regions;

static CUresult fakeAlloc(CUdeviceptr *pointer, size_t bytes) {
  if (bytes > bytesLeft)
    return CUDA_ERROR_OUT_OF_MEMORY;
  bytesLeft -= bytes;
  *pointer = 0x100000 * ++allocations;
  regions[*pointer] = bytes;
  return CUDA_SUCCESS;
}

static CUresult fakeFree(CUdeviceptr pointer) {
  ++frees;
  bytesLeft += regions.at(pointer);
  regions.erase(pointer);
  return CUDA_SUCCESS;
}

static CUresult fakeText(CUresult, const char **text) {
  *text = "text";
  return CUDA_SUCCESS;
}

namespace {

class MemoryPoolTest : public testing::Test {
protected:
  MemoryPoolTest() : pool(driver) {
    allocations = frees = 0;
    bytesLeft = 1 << 20;
    regions.clear();
    driver.cuMemAlloc = fakeAlloc;
    driver.cuMemFree = fakeFree;
    driver.cuGetErrorName = driver.cuGetErrorString = fakeText;
  }

  void *allocate(uint64_t bytes) {
    void *pointer = nullptr;
    Status status = pool.allocate(bytes, pointer);
    EXPECT_FALSE(status.failed()) << status.message;
    return pointer;
  }

  Driver driver;
  MemoryPool pool;
};

} // namespace

TEST_F(MemoryPoolTest, GivesPartsOfFreedMemory) {
  void *a = allocate(4096);
  ASSERT_FALSE(pool.free(a).failed());
  void *b = allocate(1000), *c = allocate(3000);
  EXPECT_EQ(b, a);
  EXPECT_EQ(c, static_cast<char *>(a) + 1024);
  EXPECT_EQ(allocations, 1);
  // Parts join again, in either order.
  ASSERT_FALSE(pool.free(b).failed());
  ASSERT_FALSE(pool.free(c).failed());
  EXPECT_EQ(allocate(4096), a);
  ASSERT_FALSE(pool.free(a).failed());
  b = allocate(256);
  c = allocate(256);
  ASSERT_FALSE(pool.free(c).failed());
  ASSERT_FALSE(pool.free(b).failed());
  EXPECT_EQ(allocate(4096), a);
  EXPECT_EQ(allocations, 1);
  EXPECT_EQ(pool.peakReservedBytes(), 4096u);
}

TEST_F(MemoryPoolTest, TakesTheSmallestThatFits) {
  void *large = allocate(8192), *small = allocate(1024);
  ASSERT_FALSE(pool.free(large).failed());
  ASSERT_FALSE(pool.free(small).failed());
  EXPECT_EQ(allocate(512), small);
}

TEST_F(MemoryPoolTest, KeepsWhatIsReservedWithinAQuarterOfWhatWasUsed) {
  // Ever larger buffers, of which none fits where the last one was.
  for (uint64_t bytes = 1024; bytes <= 64 * 1024; bytes += 1024)
    ASSERT_FALSE(pool.free(allocate(bytes)).failed());
  EXPECT_LE(pool.peakReservedBytes(), 80u * 1024);
  // As many of random sizes and lives; 0 bytes are a buffer as well.
  std::mt19937 rng(7);
  std::vector<std::pair<void *, uint64_t>> live;
  uint64_t used = 0, peak = 64 * 1024;
  for (int i = 0; i < 2000; ++i) {
    if (live.size() > rng() % 12) {
      size_t which = rng() % live.size();
      used -= live[which].second;
      ASSERT_FALSE(pool.free(live[which].first).failed());
      live.erase(live.begin() + which);
      continue;
    }
    uint64_t bytes = rng() % 64 * 512;
    void *pointer = allocate(bytes);
    for (auto [other, size] : live) {
      auto distance = static_cast<char *>(pointer) - static_cast<char *>(other);
      EXPECT_TRUE(distance >= int64_t(size) || -distance >= int64_t(bytes));
      EXPECT_NE(distance, 0);
    }
    live.push_back({pointer, bytes});
    used += bytes;
    peak = std::max(peak, used);
  }
  EXPECT_LE(pool.peakReservedBytes(), peak + peak / 4);
}

TEST_F(MemoryPoolTest, GivesBackBeforeItFails) {
  void *a = allocate(1024), *b = allocate(1024);
  ASSERT_FALSE(pool.free(a).failed());
  ASSERT_FALSE(pool.free(b).failed());
  allocate(1 << 20);
  EXPECT_EQ(frees, 2);
  void *pointer = nullptr;
  Status status = pool.allocate(4096, pointer);
  EXPECT_EQ(status.code, NMRT_OUT_OF_MEMORY);
  EXPECT_EQ(status.message,
            "cuMemAlloc: text (2): text, allocating 4096 bytes");
  status = pool.allocate(~uint64_t(0), pointer);
  EXPECT_EQ(status.code, NMRT_OUT_OF_MEMORY);
}
