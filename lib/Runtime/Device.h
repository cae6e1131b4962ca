//===- Device.h - What a back end of the runtime provides -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The back ends (Devices.def) differ in this interface only. The context above
// it checks arguments, counts memory and keeps constants; so a device may
// assume non-null pointers, sizes above 0 and launch dimensions within CUDA's
// limits.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_DEVICE_H
#define NM_LIB_RUNTIME_DEVICE_H

#include "Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nm {
namespace runtime {

/// A kernel launch, as nmrtLaunch takes it.
struct Launch {
  const void *image;
  uint64_t imageBytes;
  const char *name;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t sharedBytes;
  void **parameters;
  uint32_t parameterCount;
};

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

  /// 256-byte aligned; `bytes` may be 0.
  virtual Status allocate(uint64_t bytes, void *&pointer) = 0;
  /// Gives back an allocation; ordered with the stream.
  virtual Status free(void *pointer) = 0;
  /// Bytes that were taken from the device at most, of which `peak` were
  /// allocated.
  virtual uint64_t peakReservedBytes(uint64_t peak) const { return peak; }
  /// Whether `pointer`, which is not null, is known to be no memory of this
  /// device. On a GPU it may be that of another library.
  virtual bool isForeign(const void *pointer) const {
    (void)pointer;
    return false;
  }
  virtual Status upload(void *device, const void *host, uint64_t bytes) = 0;
  virtual Status download(void *host, const void *device, uint64_t bytes) = 0;
  virtual Status copy(void *destination, const void *source,
                      uint64_t bytes) = 0;

  /// Adds what may be the address of a buffer among the parameters of a launch
  /// that succeeded; returns false where the parameters' types are not known.
  virtual bool findBuffers(const Launch &launch,
                           std::vector<void *> &buffers) const {
    (void)launch;
    (void)buffers;
    return false;
  }
  /// With `record`, the launch's timing is later available as the next index of
  /// `timing`.
  virtual Status launch(const Launch &launch, bool record) = 0;
  /// The device address of a variable of the image of a launch that succeeded;
  /// null when it has none of this name.
  virtual Status findVariable(const Launch &launch, const char *name,
                              void *&address) = 0;
  virtual Status timing(uint64_t index, LaunchTiming &timing) = 0;
  virtual void clearTimings() = 0;

  /// Unloads the images in host memory [begin, end).
  virtual Status forgetImages(uintptr_t begin, uintptr_t end) = 0;
  virtual Status synchronize() = 0;
};

/// Each opens the back end of its row.
#define NM_DEVICE(kind, name, description, create)                             \
  Status create(const nmrtContextOptions &options,                             \
                std::unique_ptr<Device> &device);
#include "Devices.def"

/// Whether an image is a compiled binary (cubin) and not PTX text.
bool isCubin(const void *image, uint64_t bytes);

} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_DEVICE_H
