//===- CudaDevice.cpp - A GPU as a device ---------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uses the GPU's primary context, which it shares with other libraries of the
// process (PyTorch), and one stream of its own.
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"
#include "CudaMemoryPool.h"
#include "Device.h"

#include <map>
#include <vector>

using namespace nm::runtime;
using namespace nm::runtime::cuda;

// Returns from a function that gives a Status when a driver call fails.
#define NM_CUDA_TRY(call, ...)                                                 \
  do {                                                                         \
    Status tryStatus = driver.check(driver.call(__VA_ARGS__), #call);          \
    if (tryStatus.failed())                                                    \
      return tryStatus;                                                        \
  } while (false)

namespace {

/// A loaded image and the kernels that were asked for.
struct Module {
  CUmodule handle;
  std::map<std::string, CUfunction> kernels;
};

/// The events around a recorded launch.
struct EventPair {
  CUevent start = nullptr;
  CUevent stop = nullptr;
};

class CudaDevice : public Device {
public:
  explicit CudaDevice(const Driver &driver) : driver(driver), pool(driver) {}
  ~CudaDevice() override;

  Status open(int ordinal);

  nmrtDeviceKind kind() const override { return NMRT_DEVICE_CUDA; }
  const char *name() const override { return deviceName; }
  int32_t capability() const override { return computeCapability; }

  Status allocate(uint64_t bytes, void *&pointer) override;
  Status free(void *pointer) override;
  uint64_t peakReservedBytes(uint64_t) const override {
    return pool.peakReservedBytes();
  }
  Status upload(void *device, const void *host, uint64_t bytes) override;
  Status download(void *host, const void *device, uint64_t bytes) override;
  Status copy(void *destination, const void *source, uint64_t bytes) override;
  Status launch(const Launch &launch, bool record) override;
  Status findVariable(const Launch &launch, const char *name,
                      void *&address) override;
  Status timing(uint64_t index, LaunchTiming &timing) override;
  void clearTimings() override;
  Status forgetImages(uintptr_t begin, uintptr_t end) override;
  Status synchronize() override;

private:
  /// Makes the context current as long as it lives, then restores what was.
  struct Current {
    explicit Current(const CudaDevice &device)
        : driver(device.driver),
          result(driver.cuCtxPushCurrent(device.context)) {}
    ~Current() {
      CUcontext popped;
      if (result == CUDA_SUCCESS)
        (void)driver.cuCtxPopCurrent(&popped);
    }
    Status status() const { return driver.check(result, "cuCtxPushCurrent"); }

    const Driver &driver;
    CUresult result;
  };

  Status loadModule(const Launch &launch, Module *&module);
  Status findKernel(const Launch &launch, CUfunction &kernel);
  Status allowSharedBytes(CUfunction kernel, uint32_t bytes);
  /// Creates both events and records the first.
  Status startTiming(EventPair &pair);
  void destroy(const EventPair &pair);

  const Driver &driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  char deviceName[256] = {};
  int32_t computeCapability = 0;
  MemoryPool pool;
  /// By the address of the image.
  std::map<uintptr_t, Module> modules;
  std::vector<EventPair> events;
};

CUdeviceptr toDevice(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

} // namespace

Status CudaDevice::open(int ordinal) {
  int count = 0;
  NM_CUDA_TRY(cuDeviceGetCount, &count);
  if (ordinal < 0 || ordinal >= count)
    return Status(NMRT_NO_DEVICE, "expected one of " + std::to_string(count) +
                                      " GPUs, got number " +
                                      std::to_string(ordinal));
  NM_CUDA_TRY(cuDeviceGet, &device, ordinal);
  NM_CUDA_TRY(cuDeviceGetName, deviceName, sizeof(deviceName), device);
  int major = 0, minor = 0;
  NM_CUDA_TRY(cuDeviceGetAttribute, &major,
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  NM_CUDA_TRY(cuDeviceGetAttribute, &minor,
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  computeCapability = major * 10 + minor;
  NM_CUDA_TRY(cuDevicePrimaryCtxRetain, &context, device);
  Current current(*this);
  if (current.status().failed())
    return current.status();
  NM_CUDA_TRY(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
  return Status();
}

// Errors cannot be reported here; a failed kernel was reported by the call that
// waited for it.
CudaDevice::~CudaDevice() {
  if (!context)
    return;
  clearTimings();
  {
    Current current(*this);
    if (stream)
      (void)driver.cuStreamSynchronize(stream);
    for (auto &entry : modules)
      (void)driver.cuModuleUnload(entry.second.handle);
    (void)pool.release();
    if (stream)
      (void)driver.cuStreamDestroy(stream);
  }
  (void)driver.cuDevicePrimaryCtxRelease(device);
}

Status CudaDevice::allocate(uint64_t bytes, void *&pointer) {
  Current current(*this);
  if (current.status().failed())
    return current.status();
  return pool.allocate(bytes, pointer);
}

Status CudaDevice::free(void *pointer) { return pool.free(pointer); }

Status CudaDevice::upload(void *target, const void *host, uint64_t bytes) {
  Current current(*this);
  if (current.status().failed())
    return current.status();
  NM_CUDA_TRY(cuMemcpyHtoDAsync, toDevice(target), host, bytes, stream);
  // From pinned memory the copy would still be under way.
  NM_CUDA_TRY(cuStreamSynchronize, stream);
  return Status();
}

Status CudaDevice::download(void *host, const void *source, uint64_t bytes) {
  Current current(*this);
  if (current.status().failed())
    return current.status();
  NM_CUDA_TRY(cuMemcpyDtoHAsync, host, toDevice(source), bytes, stream);
  NM_CUDA_TRY(cuStreamSynchronize, stream);
  return Status();
}

Status CudaDevice::copy(void *target, const void *source, uint64_t bytes) {
  Current current(*this);
  if (current.status().failed())
    return current.status();
  NM_CUDA_TRY(cuMemcpyDtoDAsync, toDevice(target), toDevice(source), bytes,
              stream);
  return Status();
}

Status CudaDevice::loadModule(const Launch &launch, Module *&module) {
  auto key = reinterpret_cast<uintptr_t>(launch.image);
  auto found = modules.find(key);
  if (found != modules.end()) {
    module = &found->second;
    return Status();
  }
  // The driver wants PTX to end in a 0 byte, which the caller need not provide.
  std::string text;
  const void *image = launch.image;
  if (!isCubin(launch.image, launch.imageBytes)) {
    text.assign(static_cast<const char *>(launch.image), launch.imageBytes);
    image = text.c_str();
  }
  std::vector<char> log(16384, '\0');
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  CUmodule handle = nullptr;
  Status status = driver.check(
      driver.cuModuleLoadDataEx(&handle, image, 2, options, values),
      "cuModuleLoadDataEx");
  if (status.failed()) {
    if (log[0])
      status.message += std::string("\n") + log.data();
    return status;
  }
  module = &modules.emplace(key, Module{handle, {}}).first->second;
  return Status();
}

Status CudaDevice::findKernel(const Launch &launch, CUfunction &kernel) {
  Module *module = nullptr;
  Status status = loadModule(launch, module);
  if (status.failed())
    return status;
  auto found = module->kernels.find(launch.name);
  if (found == module->kernels.end()) {
    CUfunction function = nullptr;
    NM_CUDA_TRY(cuModuleGetFunction, &function, module->handle, launch.name);
    found = module->kernels.emplace(launch.name, function).first;
  }
  kernel = found->second;
  return Status();
}

Status CudaDevice::allowSharedBytes(CUfunction kernel, uint32_t bytes) {
  // What every kernel may use without asking.
  const uint64_t usual = uint64_t(48) * 1024;
  int fixed = 0, limit = 0, allowed = 0;
  NM_CUDA_TRY(cuFuncGetAttribute, &fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
              kernel);
  if (uint64_t(bytes) + fixed <= usual)
    return Status();
  NM_CUDA_TRY(cuFuncGetAttribute, &allowed,
              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel);
  if (int64_t(bytes) <= allowed)
    return Status();
  NM_CUDA_TRY(cuDeviceGetAttribute, &limit,
              CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
  if (int64_t(bytes) + fixed > limit)
    return Status(NMRT_LAUNCH_FAILED,
                  "expected at most " + std::to_string(limit) +
                      " bytes of shared memory, got " + std::to_string(fixed) +
                      " static and " + std::to_string(bytes) + " dynamic");
  NM_CUDA_TRY(cuFuncSetAttribute, kernel,
              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
              static_cast<int>(bytes));
  return Status();
}

Status CudaDevice::launch(const Launch &launch, bool record) {
  Current current(*this);
  if (current.status().failed())
    return current.status();
  CUfunction kernel = nullptr;
  Status status = findKernel(launch, kernel);
  if (!status.failed())
    status = allowSharedBytes(kernel, launch.sharedBytes);
  if (status.failed())
    return status;
  EventPair pair;
  if (record)
    status = startTiming(pair);
  if (!status.failed())
    status = driver.check(
        driver.cuLaunchKernel(kernel, launch.grid[0], launch.grid[1],
                              launch.grid[2], launch.block[0], launch.block[1],
                              launch.block[2], launch.sharedBytes, stream,
                              launch.parameters, /*extra=*/nullptr),
        "cuLaunchKernel");
  if (!record)
    return status;
  if (!status.failed())
    status =
        driver.check(driver.cuEventRecord(pair.stop, stream), "cuEventRecord");
  // Failed launches have no index.
  if (status.failed())
    destroy(pair);
  else
    events.push_back(pair);
  return status;
}

Status CudaDevice::startTiming(EventPair &pair) {
  NM_CUDA_TRY(cuEventCreate, &pair.start, CU_EVENT_DEFAULT);
  NM_CUDA_TRY(cuEventCreate, &pair.stop, CU_EVENT_DEFAULT);
  NM_CUDA_TRY(cuEventRecord, pair.start, stream);
  return Status();
}

void CudaDevice::destroy(const EventPair &pair) {
  for (CUevent event : {pair.start, pair.stop})
    if (event)
      (void)driver.cuEventDestroy(event);
}

Status CudaDevice::findVariable(const Launch &launch, const char *name,
                                void *&address) {
  address = nullptr;
  Current current(*this);
  if (current.status().failed())
    return current.status();
  Module *module = nullptr;
  Status status = loadModule(launch, module);
  if (status.failed())
    return status;
  CUdeviceptr pointer = 0;
  size_t bytes = 0;
  CUresult result =
      driver.cuModuleGetGlobal(&pointer, &bytes, module->handle, name);
  if (result == CUDA_ERROR_NOT_FOUND)
    return Status();
  address = reinterpret_cast<void *>(pointer);
  return driver.check(result, "cuModuleGetGlobal");
}

Status CudaDevice::timing(uint64_t index, LaunchTiming &timing) {
  Current current(*this);
  if (current.status().failed())
    return current.status();
  const EventPair &pair = events[index];
  NM_CUDA_TRY(cuEventSynchronize, pair.stop);
  float milliseconds = 0;
  NM_CUDA_TRY(cuEventElapsedTime, &milliseconds, pair.start, pair.stop);
  timing.milliseconds = milliseconds;
  return Status();
}

void CudaDevice::clearTimings() {
  Current current(*this);
  for (const EventPair &pair : events)
    destroy(pair);
  events.clear();
}

Status CudaDevice::forgetImages(uintptr_t begin, uintptr_t end) {
  Current current(*this);
  if (current.status().failed())
    return current.status();
  auto first = modules.lower_bound(begin), last = modules.lower_bound(end);
  if (first == last)
    return Status();
  // A kernel of the module may still run.
  NM_CUDA_TRY(cuStreamSynchronize, stream);
  for (auto it = first; it != last; ++it)
    NM_CUDA_TRY(cuModuleUnload, it->second.handle);
  modules.erase(first, last);
  return Status();
}

Status CudaDevice::synchronize() {
  Current current(*this);
  if (current.status().failed())
    return current.status();
  NM_CUDA_TRY(cuStreamSynchronize, stream);
  return Status();
}

/// Opens the GPU `options.deviceOrdinal` through libcuda.
Status nm::runtime::createCudaDevice(const nmrtContextOptions &options,
                                     std::unique_ptr<Device> &device) {
  const Driver *driver = nullptr;
  Status status = Driver::get(driver);
  if (status.failed())
    return status;
  auto result = std::make_unique<CudaDevice>(*driver);
  status = result->open(options.deviceOrdinal);
  if (!status.failed())
    device = std::move(result);
  return status;
}
