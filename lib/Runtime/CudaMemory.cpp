//===- CudaMemory.cpp - A GPU's memory -----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of the device's own stream comes from the pool. Memory of another
// stream cannot: the pool hands out again what was freed, which is safe in the
// order of one stream only.
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"

#include <algorithm>

using namespace nm::runtime;
using namespace nm::runtime::cuda;

using Lock = std::lock_guard<std::mutex>;

/// What nmrtAlloc promises.
static constexpr uintptr_t kAlignment = 256;

Status CudaDevice::allocate(uint64_t bytes, void *given, void *&pointer) {
  Current current(*this);
  if (current.failed())
    return current.status();
  if (allocator.allocate || given)
    return allocateOutside(bytes, given, pointer);
  Lock lock(poolMutex);
  return pool.allocate(bytes, pointer);
}

Status CudaDevice::allocateOutside(uint64_t bytes, void *given,
                                   void *&pointer) {
  bytes = std::max<uint64_t>(bytes, 1);
  pointer = nullptr;
  outsideAllocations.fetch_add(1, std::memory_order_relaxed);
  if (!allocator.allocate) {
    CUdeviceptr memory = 0;
    if (hasStreamMemory)
      NM_CUDA_TRY(cuMemAllocAsync, &memory, bytes, toStream(given));
    else
      NM_CUDA_TRY(cuMemAlloc, &memory, bytes);
    pointer = toPointer(memory);
    return Status();
  }
  auto *where = static_cast<void *>(toStream(given));
  nmrtStatus status =
      allocator.allocate(allocator.user, bytes, where, &pointer);
  if (status != NMRT_OK || !pointer)
    return Status(status != NMRT_OK ? status : NMRT_OUT_OF_MEMORY,
                  "the caller's allocator has no memory for " +
                      describeBytes(bytes));
  if (toDevice(pointer) % kAlignment == 0)
    return Status();
  allocator.release(allocator.user, pointer, where);
  return Status(NMRT_INVALID_ARGUMENT,
                "expected memory aligned to " + std::to_string(kAlignment) +
                    " bytes of the caller's allocator, got address " +
                    std::to_string(toDevice(pointer)));
}

Status CudaDevice::free(void *pointer, void *given) {
  Current current(*this);
  if (current.failed())
    return current.status();
  if (allocator.allocate) {
    allocator.release(allocator.user, pointer,
                      static_cast<void *>(toStream(given)));
    return Status();
  }
  if (!given) {
    Lock lock(poolMutex);
    return pool.free(pointer);
  }
  if (hasStreamMemory) {
    NM_CUDA_TRY(cuMemFreeAsync, toDevice(pointer), toStream(given));
    return Status();
  }
  NM_CUDA_TRY(cuStreamSynchronize, toStream(given));
  NM_CUDA_TRY(cuMemFree, toDevice(pointer));
  return Status();
}

/// The pool holds more than was asked of it, and nothing of what others did.
uint64_t CudaDevice::peakReservedBytes(uint64_t peak) const {
  Lock lock(poolMutex);
  return std::max(peak, pool.peakReservedBytes());
}

uint64_t CudaDevice::driverAllocations() const {
  Lock lock(poolMutex);
  return pool.regionCount() + outsideAllocations;
}

Status CudaDevice::upload(void *target, const void *host, uint64_t bytes,
                          void *given) {
  Current current(*this);
  if (current.failed())
    return current.status();
  NM_CUDA_TRY(cuMemcpyHtoDAsync, toDevice(target), host, bytes,
              toStream(given));
  // From pinned memory the copy would still be under way.
  NM_CUDA_TRY(cuStreamSynchronize, toStream(given));
  return Status();
}

Status CudaDevice::download(void *host, const void *source, uint64_t bytes,
                            void *given) {
  Current current(*this);
  if (current.failed())
    return current.status();
  NM_CUDA_TRY(cuMemcpyDtoHAsync, host, toDevice(source), bytes,
              toStream(given));
  NM_CUDA_TRY(cuStreamSynchronize, toStream(given));
  return Status();
}

Status CudaDevice::copy(void *target, const void *source, uint64_t bytes,
                        void *given) {
  Current current(*this);
  if (current.failed())
    return current.status();
  NM_CUDA_TRY(cuMemcpyDtoDAsync, toDevice(target), toDevice(source), bytes,
              toStream(given));
  return Status();
}

Status CudaDevice::encodeTensorMap(const nmrtTensorMapConfig &config,
                                   nmrtTensorMap &map) {
  if (!driver.cuTensorMapEncodeTiled)
    return Status(NMRT_NO_DEVICE, "expected cuTensorMapEncodeTiled in "
                                  "libcuda.so.1: the driver is too old");
  Current current(*this);
  if (current.failed())
    return current.status();
  NM_CUDA_TRY(cuTensorMapEncodeTiled, &map, config.elementType, config.rank,
              config.address, config.extents, config.strides, config.box,
              config.elementStrides, config.interleave, config.swizzle,
              config.l2Promotion, config.outOfBounds);
  return Status();
}
