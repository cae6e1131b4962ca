//===- CudaDevice.h - A GPU as a device -------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uses the GPU's primary context, which it shares with other libraries of the
// process (PyTorch), and one stream of its own beside those of the caller.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_CUDADEVICE_H
#define NM_LIB_RUNTIME_CUDADEVICE_H

#include "CudaDriver.h"
#include "CudaMemoryPool.h"
#include "nm/Runtime/Device.h"

#include <atomic>
#include <mutex>

namespace nm {
namespace runtime {
namespace cuda {

class CudaDevice;

/// Makes a device's CUDA context current as long as it lives, then restores
/// what was; does nothing within a scope of this thread (CudaDevice::enter).
class Current {
public:
  explicit Current(const CudaDevice &device);
  Current(const Current &) = delete;
  ~Current();
  bool failed() const { return result != CUDA_SUCCESS; }
  Status status() const { return driver.check(result, "cuCtxPushCurrent"); }

private:
  const Driver &driver;
  bool pushed;
  CUresult result;
};

/// A loaded image, with the slot for its failed assertions if it has any.
struct CudaModule : Module {
  void *takeFailedAssertion() override;

  CUmodule handle = nullptr;
  /// The number of parameters of each kernel, as far as the image tells.
  std::map<std::string, size_t, std::less<>> parameterCounts;
  /// Pinned memory of the host, which kernels store to. Null: no assertions.
  uint64_t *slot = nullptr;
};

struct CudaKernel : Kernel {
  using Kernel::Kernel;
  using Kernel::setParameterSizes;

  CUfunction function = nullptr;
  uint32_t staticSharedBytes = 0;
  /// What launches may ask for now; raised one at a time.
  std::atomic<uint32_t> dynamicSharedBytes{0};
};

class CudaDevice : public Device {
public:
  CudaDevice(const Driver &driver, const nmrtAllocator &allocator)
      : driver(driver), allocator(allocator), pool(driver) {}
  ~CudaDevice() override;

  Status open(int ordinal);

  nmrtDeviceKind kind() const override { return NMRT_DEVICE_CUDA; }
  const char *name() const override { return deviceName; }
  int32_t capability() const override { return computeCapability; }
  void *ownStream() const override { return static_cast<void *>(stream); }
  Status enter(void *&before) override;
  void leave(void *before) override;

  // CudaMemory.cpp
  Status allocate(uint64_t bytes, void *stream, void *&pointer) override;
  Status free(void *pointer, void *stream) override;
  uint64_t peakReservedBytes(uint64_t peak) const override;
  uint64_t driverAllocations() const override;
  Status upload(void *device, const void *host, uint64_t bytes,
                void *stream) override;
  Status download(void *host, const void *device, uint64_t bytes,
                  void *stream) override;
  Status copy(void *destination, const void *source, uint64_t bytes,
              void *stream) override;
  Status encodeTensorMap(const nmrtTensorMapConfig &config,
                         nmrtTensorMap &map) override;

  // CudaModule.cpp
  Status loadModule(const void *image, uint64_t bytes,
                    std::unique_ptr<Module> &module) override;
  Status unloadModule(std::unique_ptr<Module> module) override;
  Status getKernel(Module &module, const char *name,
                   std::unique_ptr<Kernel> &kernel) override;

  // CudaLaunch.cpp
  Status launch(const Launch &launch, bool record) override;
  Status timing(uint64_t index, LaunchTiming &timing) override;
  void clearTimings() override;

  Status synchronize(void *stream) override;
  Status synchronizeAll() override;

private:
  friend class Current;

  /// The events around a recorded launch.
  struct EventPair {
    CUevent start = nullptr;
    CUevent stop = nullptr;
  };

  CUstream toStream(void *given) const {
    return given ? static_cast<CUstream>(given) : stream;
  }
  /// Memory of the caller's allocator, or of a stream of the caller.
  Status allocateOutside(uint64_t bytes, void *stream, void *&pointer);
  Status makeSlot(CudaModule &module);
  Status readParameterSizes(CudaKernel &kernel);
  Status raiseSharedLimit(CudaKernel &kernel, uint32_t bytes);
  Status enqueue(const Launch &launch);
  /// Creates both events and records the first.
  Status startTiming(EventPair &pair, CUstream stream);
  void destroy(const EventPair &pair);

  const Driver &driver;
  const nmrtAllocator allocator;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  char deviceName[256] = {};
  int32_t computeCapability = 0;
  /// Static and dynamic together.
  int sharedLimit = 0;
  /// Whether memory can be allocated in the order of a stream.
  bool hasStreamMemory = false;

  mutable std::mutex poolMutex;
  MemoryPool pool;
  std::atomic<uint64_t> outsideAllocations{0};
  std::mutex sharedLimitMutex;
  std::vector<EventPair> events;
};

inline CUdeviceptr toDevice(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

inline void *toPointer(CUdeviceptr pointer) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(pointer));
}

// Returns from a function that gives a Status when a driver call fails.
#define NM_CUDA_TRY(call, ...)                                                 \
  do {                                                                         \
    CUresult tryResult = driver.call(__VA_ARGS__);                             \
    if (tryResult != CUDA_SUCCESS)                                             \
      return driver.check(tryResult, #call);                                   \
  } while (false)

} // namespace cuda
} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_CUDADEVICE_H
