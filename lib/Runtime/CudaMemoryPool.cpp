//===- CudaMemoryPool.cpp - Reuse of freed device memory ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaMemoryPool.h"

using namespace nm::runtime;
using namespace nm::runtime::cuda;

uint64_t MemoryPool::bucketSize(uint64_t bytes) {
  if (bytes > uint64_t(1) << 62)
    return 0;
  if (bytes <= 512)
    return 512;
  uint64_t step = uint64_t(1) << (61 - __builtin_clzll(bytes - 1));
  return (bytes + step - 1) / step * step;
}

Status MemoryPool::allocate(uint64_t bytes, void *&pointer) {
  uint64_t size = bucketSize(bytes);
  if (size == 0)
    return Status(NMRT_OUT_OF_MEMORY,
                  "expected an allocation below 2^62 bytes, "
                  "got " +
                      std::to_string(bytes));
  CUdeviceptr allocated = 0;
  std::vector<CUdeviceptr> &bucket = unused[size];
  if (!bucket.empty()) {
    allocated = bucket.back();
    bucket.pop_back();
  } else {
    CUresult result = driver.cuMemAlloc(&allocated, size);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
      Status status = release();
      if (status.failed())
        return status;
      result = driver.cuMemAlloc(&allocated, size);
    }
    Status status = driver.check(result, "cuMemAlloc");
    if (status.failed()) {
      status.message += ", allocating " + std::to_string(size) + " bytes";
      return status;
    }
  }
  pointer = reinterpret_cast<void *>(static_cast<uintptr_t>(allocated));
  return Status();
}

Status MemoryPool::free(void *pointer, uint64_t bytes) {
  unused[bucketSize(bytes)].push_back(reinterpret_cast<uintptr_t>(pointer));
  return Status();
}

Status MemoryPool::release() {
  for (auto &bucket : unused) {
    while (!bucket.second.empty()) {
      CUdeviceptr pointer = bucket.second.back();
      bucket.second.pop_back();
      Status status = driver.check(driver.cuMemFree(pointer), "cuMemFree");
      if (status.failed())
        return status;
    }
  }
  return Status();
}
