//===- CudaLaunch.cpp - Launches on a GPU --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"

using namespace nm::runtime;
using namespace nm::runtime::cuda;

/// For a kernel that may use less than `bytes` of dynamic shared memory.
Status CudaDevice::raiseSharedLimit(CudaKernel &kernel, uint32_t bytes) {
  // One at a time, for the last call counts for the driver, not the highest.
  std::lock_guard<std::mutex> lock(sharedLimitMutex);
  if (bytes <= kernel.dynamicSharedBytes)
    return Status();
  if (uint64_t(bytes) + kernel.staticSharedBytes > uint64_t(sharedLimit))
    return Status(NMRT_LAUNCH_FAILED,
                  "expected at most " + std::to_string(sharedLimit) +
                      " bytes of shared memory, got " +
                      std::to_string(kernel.staticSharedBytes) +
                      " static and " + std::to_string(bytes) + " dynamic");
  NM_CUDA_TRY(cuFuncSetAttribute, kernel.function,
              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
              static_cast<int>(bytes));
  kernel.dynamicSharedBytes = bytes;
  return Status();
}

/// Writes the attributes of a launch and returns their number.
static unsigned setAttributes(const Launch &launch,
                              CUlaunchAttribute (&attributes)[2]) {
  unsigned count = 0;
  if (launch.cluster[0] != 0) {
    CUlaunchAttribute &attribute = attributes[count++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = {launch.cluster[0], launch.cluster[1],
                                  launch.cluster[2]};
  }
  if (launch.dependent) {
    CUlaunchAttribute &attribute = attributes[count++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
  }
  return count;
}

Status CudaDevice::enqueue(const Launch &launch) {
  auto &kernel = static_cast<CudaKernel &>(*launch.kernel);
  if (launch.sharedBytes > kernel.dynamicSharedBytes) {
    Status status = raiseSharedLimit(kernel, launch.sharedBytes);
    if (status.failed())
      return status;
  }
  CUlaunchAttribute attributes[2] = {};
  CUlaunchConfig config = {};
  config.gridDimX = static_cast<unsigned>(launch.grid[0]);
  config.gridDimY = static_cast<unsigned>(launch.grid[1]);
  config.gridDimZ = static_cast<unsigned>(launch.grid[2]);
  config.blockDimX = launch.block[0];
  config.blockDimY = launch.block[1];
  config.blockDimZ = launch.block[2];
  config.sharedMemBytes = launch.sharedBytes;
  config.hStream = toStream(launch.stream);
  config.attrs = attributes;
  config.numAttrs = setAttributes(launch, attributes);
  // On the stack: a launch asks for no memory.
  void *values[kMaximumParameters];
  for (uint32_t i = 0; i < launch.parameterCount; ++i)
    values[i] = const_cast<void *>(launch.parameters[i].value);
  NM_CUDA_TRY(cuLaunchKernelEx, &config, kernel.function, values,
              /*extra=*/nullptr);
  return Status();
}

Status CudaDevice::launch(const Launch &launch, bool record) {
  Current current(*this);
  if (current.failed())
    return current.status();
  if (!record)
    return enqueue(launch);
  EventPair pair;
  CUstream where = toStream(launch.stream);
  Status status = startTiming(pair, where);
  // The events keep launches apart; one that could begin ahead of the one
  // before it would only take longer to issue.
  Launch alone = launch;
  alone.dependent = false;
  if (!status.failed())
    status = enqueue(alone);
  if (!status.failed())
    status =
        driver.check(driver.cuEventRecord(pair.stop, where), "cuEventRecord");
  // Failed launches have no index.
  if (status.failed())
    destroy(pair);
  else
    events.push_back(pair);
  return status;
}

Status CudaDevice::startTiming(EventPair &pair, CUstream where) {
  NM_CUDA_TRY(cuEventCreate, &pair.start, CU_EVENT_DEFAULT);
  NM_CUDA_TRY(cuEventCreate, &pair.stop, CU_EVENT_DEFAULT);
  NM_CUDA_TRY(cuEventRecord, pair.start, where);
  return Status();
}

void CudaDevice::destroy(const EventPair &pair) {
  for (CUevent event : {pair.start, pair.stop})
    if (event)
      (void)driver.cuEventDestroy(event);
}

Status CudaDevice::timing(uint64_t index, LaunchTiming &timing) {
  Current current(*this);
  if (current.failed())
    return current.status();
  const EventPair &pair = events[index];
  NM_CUDA_TRY(cuEventSynchronize, pair.stop);
  float milliseconds = 0;
  NM_CUDA_TRY(cuEventElapsedTime, &milliseconds, pair.start, pair.stop);
  timing.milliseconds = milliseconds;
  return Status();
}

void CudaDevice::clearTimings() {
  if (events.empty())
    return;
  Current current(*this);
  for (const EventPair &pair : events)
    destroy(pair);
  events.clear();
}
