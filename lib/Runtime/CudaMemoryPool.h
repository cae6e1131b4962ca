//===- CudaMemoryPool.h - Reuse of freed device memory ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuMemAlloc and cuMemFree wait for the device. Freed memory is therefore kept
// by size and handed out again, which is safe without waiting, since all work
// of a context is in one stream.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_CUDAMEMORYPOOL_H
#define NM_LIB_RUNTIME_CUDAMEMORYPOOL_H

#include "CudaDriver.h"

#include <map>
#include <vector>

namespace nm {
namespace runtime {
namespace cuda {

class MemoryPool {
public:
  explicit MemoryPool(const Driver &driver) : driver(driver) {}

  /// The CUDA context must be current in all of these.
  Status allocate(uint64_t bytes, void *&pointer);
  Status free(void *pointer, uint64_t bytes);
  /// Gives everything that is not in use back to the driver.
  Status release();

  /// The size that is allocated for `bytes`: 512 bytes or the next of 4 to 7
  /// times a power of two, so that at most a quarter is lost. 0 on overflow.
  static uint64_t bucketSize(uint64_t bytes);

private:
  const Driver &driver;
  std::map<uint64_t, std::vector<CUdeviceptr>> unused;
};

} // namespace cuda
} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_CUDAMEMORYPOOL_H
