//===- CudaMemoryPool.h - Reuse of freed device memory ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuMemAlloc and cuMemFree wait for the device. Freed memory is therefore kept
// and handed out again, in parts where less is needed, which is safe without
// waiting, since it is used in the order of one stream.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_CUDAMEMORYPOOL_H
#define NM_LIB_RUNTIME_CUDAMEMORYPOOL_H

#include "CudaDriver.h"

#include <map>
#include <set>

namespace nm {
namespace runtime {
namespace cuda {

/// Allocations are parts of regions that the driver gave. What is reserved
/// exceeds what is in use at most at the same time by a quarter at most, unless
/// regions of which a part is in use cannot be given back.
class MemoryPool {
public:
  explicit MemoryPool(const Driver &driver) : driver(driver) {}

  /// The CUDA context must be current in all of these.
  Status allocate(uint64_t bytes, void *&pointer);
  Status free(void *pointer);
  /// Gives the regions that are not in use back to the driver.
  Status release() { return trim(0); }

  /// Bytes of the driver's memory, at most.
  uint64_t peakReservedBytes() const { return peakReserved; }
  /// Regions that the driver gave, over all time.
  uint64_t regionCount() const { return regions; }

private:
  struct Block {
    uint64_t size;
    CUdeviceptr region; // where the driver's allocation starts
    bool isFree;
  };
  using Blocks = std::map<CUdeviceptr, Block>;

  Status reserve(uint64_t size, Blocks::iterator &block);
  /// Gives regions back until at most `limit` bytes are reserved or all have a
  /// part in use.
  Status trim(uint64_t limit);
  bool isWholeRegion(Blocks::iterator block) const;
  /// Joins a free block with the next one if that is free.
  void joinWithNext(Blocks::iterator block);
  void addFree(Blocks::iterator block) {
    unused.insert({block->second.size, block->first});
  }
  void removeFree(Blocks::iterator block) {
    unused.erase({block->second.size, block->first});
  }

  const Driver &driver;
  Blocks blocks;
  /// Size and address of the free blocks.
  std::set<std::pair<uint64_t, CUdeviceptr>> unused;
  uint64_t used = 0, peakUsed = 0, reserved = 0, peakReserved = 0, regions = 0;
};

} // namespace cuda
} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_CUDAMEMORYPOOL_H
