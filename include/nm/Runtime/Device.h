//===- Device.h - What a back end of the runtime provides -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The back ends (lib/Runtime/Devices.def) differ in this interface only. The
// context above it checks arguments, counts memory and owns modules; so a
// device may assume non-null pointers, sizes above 0, launch dimensions within
// CUDA's limits, and modules and kernels of its own. Several threads may call a
// device at once. A null stream is the device's own.
//
//===----------------------------------------------------------------------===//

#ifndef NM_RUNTIME_DEVICE_H
#define NM_RUNTIME_DEVICE_H

#include "nm/Runtime/Status.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace nm {
namespace runtime {

class Context;
class Module;

/// A kernel of a loaded module, with all that a launch has to know of it.
class Kernel {
public:
  Kernel(Module &module, std::string name)
      : module(module), name(std::move(name)) {}
  Kernel(const Kernel &) = delete;
  virtual ~Kernel() = default;

  Module &getModule() const { return module; }
  const std::string &getName() const { return name; }

  /// The sizes of its parameters in bytes; null where the device cannot tell.
  const std::vector<uint64_t> *getParameterSizes() const {
    return knowsParameters ? &parameterSizes : nullptr;
  }

protected:
  void setParameterSizes(std::vector<uint64_t> sizes) {
    parameterSizes = std::move(sizes);
    knowsParameters = true;
  }

private:
  Module &module;
  std::string name;
  std::vector<uint64_t> parameterSizes;
  bool knowsParameters = false;
};

/// A loaded image.
class Module {
public:
  Module() = default;
  Module(const Module &) = delete;
  virtual ~Module() = default;

  /// The device address of the message of an assertion that has failed since
  /// the last call, or null. Waits for nothing.
  virtual void *takeFailedAssertion() { return nullptr; }

private:
  /// The context that loaded it keeps the kernels that were asked for, by name.
  friend class Context;
  const Context *owner = nullptr;
  std::map<std::string, std::unique_ptr<Kernel>, std::less<>> kernels;
};

/// What nmrtLaunch takes; the fields are those of nmrtLaunchConfig.
struct Launch {
  Kernel *kernel = nullptr;
  /// Null: by the kernel's name.
  const char *what = nullptr;
  uint64_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t cluster[3] = {0, 0, 0};
  uint32_t sharedBytes = 0;
  bool dependent = false;
  void *stream = nullptr;
  const nmrtParameter *parameters = nullptr;
  uint32_t parameterCount = 0;
};

/// The most parameters of a launch: the driver takes 32764 bytes.
inline constexpr uint32_t kMaximumParameters = 4096;

/// A recorded launch.
struct LaunchTiming {
  double milliseconds = 0;
  std::string counters;
};

class Device {
public:
  virtual ~Device() = default;

  virtual nmrtDeviceKind kind() const = 0;
  virtual const char *name() const = 0;
  virtual int32_t capability() const = 0;
  /// What a null stream stands for.
  virtual void *ownStream() const { return nullptr; }

  /// Makes the device current for this thread until `leave`, which is given
  /// `before` back. The other functions work without as well.
  virtual Status enter(void *&before) {
    before = nullptr;
    return Status();
  }
  virtual void leave(void *before) { (void)before; }

  /// 256-byte aligned; `bytes` may be 0.
  virtual Status allocate(uint64_t bytes, void *stream, void *&pointer) = 0;
  /// Gives back an allocation of `stream`, in its order.
  virtual Status free(void *pointer, void *stream) = 0;
  /// Bytes that were taken from the device at most, of which `peak` were
  /// allocated.
  virtual uint64_t peakReservedBytes(uint64_t peak) const { return peak; }
  /// How often the driver, or the caller's allocator, was asked for memory.
  virtual uint64_t driverAllocations() const = 0;
  /// Whether `pointer`, which is not null, is known to be no memory of this
  /// device. On a GPU it may be that of another library.
  virtual bool isForeign(const void *pointer) const {
    (void)pointer;
    return false;
  }
  /// These two wait for the stream.
  virtual Status upload(void *device, const void *host, uint64_t bytes,
                        void *stream) = 0;
  virtual Status download(void *host, const void *device, uint64_t bytes,
                          void *stream) = 0;
  virtual Status copy(void *destination, const void *source, uint64_t bytes,
                      void *stream) = 0;
  virtual Status encodeTensorMap(const nmrtTensorMapConfig &config,
                                 nmrtTensorMap &map) = 0;

  virtual Status loadModule(const void *image, uint64_t bytes,
                            std::unique_ptr<Module> &module) = 0;
  /// After `synchronizeAll`; the module's kernels are gone.
  virtual Status unloadModule(std::unique_ptr<Module> module) = 0;
  virtual Status getKernel(Module &module, const char *name,
                           std::unique_ptr<Kernel> &kernel) = 0;

  /// With `record`, the launch's timing is later available as the next index of
  /// `timing`; one thread at a time records and asks for timings.
  virtual Status launch(const Launch &launch, bool record) = 0;
  virtual Status timing(uint64_t index, LaunchTiming &timing) = 0;
  virtual void clearTimings() = 0;

  virtual Status synchronize(void *stream) = 0;
  /// Waits for all streams.
  virtual Status synchronizeAll() = 0;
};

} // namespace runtime
} // namespace nm

#endif // NM_RUNTIME_DEVICE_H
