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

using namespace nm::runtime;
using namespace nm::runtime::cuda;

static int allocations, frees;
static size_t bytesLeft;

static CUresult fakeAlloc(CUdeviceptr *pointer, size_t bytes) {
  if (bytes > bytesLeft)
    return CUDA_ERROR_OUT_OF_MEMORY;
  bytesLeft -= bytes;
  *pointer = 0x1000 * ++allocations;
  return CUDA_SUCCESS;
}

static CUresult fakeFree(CUdeviceptr) {
  ++frees;
  bytesLeft += 1024;
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
    bytesLeft = 4096;
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

TEST_F(MemoryPoolTest, BucketsLoseAtMostAQuarter) {
  EXPECT_EQ(MemoryPool::bucketSize(0), 512u);
  EXPECT_EQ(MemoryPool::bucketSize(512), 512u);
  EXPECT_EQ(MemoryPool::bucketSize(513), 640u);
  EXPECT_EQ(MemoryPool::bucketSize(1025), 1280u);
  for (uint64_t bytes = 513; bytes < (uint64_t(1) << 40);
       bytes += bytes / 7 + 1) {
    uint64_t size = MemoryPool::bucketSize(bytes);
    EXPECT_GE(size, bytes);
    EXPECT_LE(size - bytes, bytes / 4) << bytes;
    EXPECT_EQ(MemoryPool::bucketSize(size), size);
  }
  EXPECT_EQ(MemoryPool::bucketSize((uint64_t(1) << 62) + 1), 0u);
}

TEST_F(MemoryPoolTest, ReusesFreedMemory) {
  void *a = allocate(1000);
  ASSERT_FALSE(pool.free(a, 1000).failed());
  EXPECT_EQ(allocate(900), a);
  EXPECT_NE(allocate(900), a);
  EXPECT_EQ(allocations, 2);
  EXPECT_EQ(frees, 0);
}

TEST_F(MemoryPoolTest, GivesBackBeforeItFails) {
  void *a = allocate(1024), *b = allocate(1024);
  ASSERT_FALSE(pool.free(a, 1024).failed());
  ASSERT_FALSE(pool.free(b, 1024).failed());
  allocate(4096);
  EXPECT_EQ(frees, 2);
  void *pointer = nullptr;
  Status status = pool.allocate(4096, pointer);
  EXPECT_EQ(status.code, NMRT_OUT_OF_MEMORY);
  EXPECT_EQ(status.message,
            "cuMemAlloc: text (2): text, allocating 4096 bytes");
  status = pool.allocate(~uint64_t(0), pointer);
  EXPECT_EQ(status.code, NMRT_OUT_OF_MEMORY);
}
