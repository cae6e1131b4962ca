//===- CudaMemoryPool.cpp - Reuse of freed device memory ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaMemoryPool.h"

#include "nm/Base/Assert.h"

#include <algorithm>
#include <iterator>

using namespace nm::runtime;
using namespace nm::runtime::cuda;

/// As cuMemAlloc aligns, and as nmrtAlloc promises.
static constexpr uint64_t kAlignment = 256;
static constexpr uint64_t kLargest = uint64_t(1) << 62;

Status MemoryPool::allocate(uint64_t bytes, void *&pointer) {
  if (bytes > kLargest)
    return Status(NMRT_OUT_OF_MEMORY,
                  "expected an allocation below 2^62 bytes, got " +
                      std::to_string(bytes));
  uint64_t size =
      std::max(bytes + kAlignment - 1, kAlignment) / kAlignment * kAlignment;
  Blocks::iterator block;
  auto fitting = unused.lower_bound({size, 0});
  if (fitting != unused.end()) {
    block = blocks.find(fitting->second);
    NM_ASSERT(block != blocks.end() && block->second.isFree &&
                  block->second.size == fitting->first,
              "the index by size holds exactly the free blocks");
  } else {
    Status status = reserve(size, block);
    if (status.failed())
      return status;
  }
  removeFree(block);
  if (uint64_t rest = block->second.size - size) {
    block->second.size = size;
    addFree(blocks
                .emplace(block->first + size,
                         Block{rest, block->second.region, /*isFree=*/true})
                .first);
  }
  block->second.isFree = false;
  used += size;
  peakUsed = std::max(peakUsed, used);
  pointer = reinterpret_cast<void *>(static_cast<uintptr_t>(block->first));
  return Status();
}

/// A new region of `size` bytes as a free block.
Status MemoryPool::reserve(uint64_t size, Blocks::iterator &block) {
  uint64_t most = std::max(peakUsed, used + size);
  uint64_t limit = most + most / 4;
  Status status = trim(limit - std::min(limit, size));
  if (status.failed())
    return status;
  CUdeviceptr region = 0;
  CUresult result = driver.cuMemAlloc(&region, size);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    status = release();
    if (status.failed())
      return status;
    result = driver.cuMemAlloc(&region, size);
  }
  status = driver.check(result, "cuMemAlloc");
  if (status.failed()) {
    status.message += ", allocating " + std::to_string(size) + " bytes";
    return status;
  }
  ++regions;
  reserved += size;
  peakReserved = std::max(peakReserved, reserved);
  block = blocks.emplace(region, Block{size, region, /*isFree=*/true}).first;
  addFree(block);
  return Status();
}

Status MemoryPool::free(void *pointer) {
  auto block = blocks.find(reinterpret_cast<uintptr_t>(pointer));
  NM_ASSERT(block != blocks.end() && !block->second.isFree,
            "the context frees only what is allocated");
  used -= block->second.size;
  block->second.isFree = true;
  addFree(block);
  joinWithNext(block);
  if (block != blocks.begin() && std::prev(block)->second.isFree)
    joinWithNext(std::prev(block));
  return Status();
}

void MemoryPool::joinWithNext(Blocks::iterator block) {
  auto next = std::next(block);
  // Neighbours of two regions are given back apart.
  if (next == blocks.end() || !next->second.isFree ||
      next->second.region != block->second.region ||
      block->first + block->second.size != next->first)
    return;
  removeFree(block);
  removeFree(next);
  block->second.size += next->second.size;
  blocks.erase(next);
  addFree(block);
}

bool MemoryPool::isWholeRegion(Blocks::iterator block) const {
  auto next = std::next(block);
  return block->second.isFree && block->first == block->second.region &&
         (next == blocks.end() || next->second.region != block->second.region);
}

Status MemoryPool::trim(uint64_t limit) {
  for (auto block = blocks.begin();
       block != blocks.end() && reserved > limit;) {
    auto next = std::next(block);
    if (isWholeRegion(block)) {
      Status status = driver.check(driver.cuMemFree(block->first), "cuMemFree");
      if (status.failed())
        return status;
      reserved -= block->second.size;
      removeFree(block);
      blocks.erase(block);
    }
    block = next;
  }
  return Status();
}
