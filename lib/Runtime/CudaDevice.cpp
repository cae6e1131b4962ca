//===- CudaDevice.cpp - A GPU as a device --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"

#include "CreateDevice.h"

using namespace nm::runtime;
using namespace nm::runtime::cuda;

/// The CUDA context of the innermost scope of this thread.
static thread_local CUcontext scopeContext = nullptr;

Current::Current(const CudaDevice &device)
    : driver(device.driver), pushed(scopeContext != device.context),
      result(pushed ? driver.cuCtxPushCurrent(device.context) : CUDA_SUCCESS) {}

Current::~Current() {
  CUcontext popped;
  if (pushed && result == CUDA_SUCCESS)
    (void)driver.cuCtxPopCurrent(&popped);
}

Status CudaDevice::enter(void *&before) {
  if (scopeContext != context)
    NM_CUDA_TRY(cuCtxPushCurrent, context);
  before = static_cast<void *>(scopeContext);
  scopeContext = context;
  return Status();
}

void CudaDevice::leave(void *before) {
  CUcontext popped;
  scopeContext = static_cast<CUcontext>(before);
  if (scopeContext != context)
    (void)driver.cuCtxPopCurrent(&popped);
}

Status CudaDevice::open(int ordinal) {
  int count = 0;
  NM_CUDA_TRY(cuDeviceGetCount, &count);
  if (ordinal < 0 || ordinal >= count)
    return Status(NMRT_NO_DEVICE, "expected one of " + std::to_string(count) +
                                      " GPUs, got number " +
                                      std::to_string(ordinal));
  NM_CUDA_TRY(cuDeviceGet, &device, ordinal);
  NM_CUDA_TRY(cuDeviceGetName, deviceName, sizeof(deviceName), device);
  int major = 0, minor = 0, pools = 0;
  NM_CUDA_TRY(cuDeviceGetAttribute, &major,
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  NM_CUDA_TRY(cuDeviceGetAttribute, &minor,
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  computeCapability = major * 10 + minor;
  NM_CUDA_TRY(cuDeviceGetAttribute, &sharedLimit,
              CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
  if (driver.cuMemAllocAsync && driver.cuMemFreeAsync) {
    NM_CUDA_TRY(cuDeviceGetAttribute, &pools,
                CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, device);
    hasStreamMemory = pools != 0;
  }
  NM_CUDA_TRY(cuDevicePrimaryCtxRetain, &context, device);
  Current current(*this);
  if (current.failed())
    return current.status();
  NM_CUDA_TRY(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
  return Status();
}

// The context has waited for the device, and given back all that it had.
CudaDevice::~CudaDevice() {
  if (!context)
    return;
  {
    Current current(*this);
    (void)pool.release();
    if (stream)
      (void)driver.cuStreamDestroy(stream);
  }
  (void)driver.cuDevicePrimaryCtxRelease(device);
}

Status CudaDevice::synchronize(void *given) {
  Current current(*this);
  if (current.failed())
    return current.status();
  NM_CUDA_TRY(cuStreamSynchronize, toStream(given));
  return Status();
}

Status CudaDevice::synchronizeAll() {
  Current current(*this);
  if (current.failed())
    return current.status();
  NM_CUDA_TRY(cuCtxSynchronize);
  return Status();
}

/// Opens the GPU `options.deviceOrdinal` through libcuda.
Status nm::runtime::createCudaDevice(const nmrtContextOptions &options,
                                     std::unique_ptr<Device> &device) {
  const Driver *driver = nullptr;
  Status status = Driver::get(driver);
  if (status.failed())
    return status;
  auto result = std::make_unique<CudaDevice>(*driver, options.allocator);
  status = result->open(options.deviceOrdinal);
  if (!status.failed())
    device = std::move(result);
  return status;
}
