//===- EmulatorDevice.cpp - The PTX emulator as a device ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches run to their end at once, so there is no stream. Memory is not
// pooled: a kernel that uses freed memory is to be caught.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "nm/Emulator/Emulator.h"

#include <chrono>
#include <cstring>
#include <map>
#include <vector>

using namespace nm::runtime;
namespace emulator = nm::emulator;

static uint64_t address(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

namespace {

class EmulatorDevice : public Device {
public:
  explicit EmulatorDevice(const nmrtContextOptions &options)
      : counting(options.emulatorCounters) {
    emulation.checks = options.emulatorChecks;
    emulation.seed = options.emulatorSeed;
    emulation.threads = options.emulatorThreads;
  }

  nmrtDeviceKind kind() const override { return NMRT_DEVICE_EMULATOR; }
  const char *name() const override { return "PTX emulator"; }
  int32_t capability() const override { return 0; }

  Status allocate(uint64_t bytes, void *&pointer) override;
  Status free(void *pointer) override;
  bool isForeign(const void *pointer) const override {
    return !memory.find(address(pointer));
  }
  Status upload(void *device, const void *host, uint64_t bytes) override;
  Status download(void *host, const void *device, uint64_t bytes) override;
  Status copy(void *destination, const void *source, uint64_t bytes) override;
  Status launch(const Launch &launch, bool record) override;
  bool findBuffers(const Launch &launch,
                   std::vector<void *> &buffers) const override;
  Status findVariable(const Launch &launch, const char *name,
                      void *&address) override;
  Status timing(uint64_t index, LaunchTiming &timing) override;
  void clearTimings() override { timings.clear(); }
  Status forgetImages(uintptr_t begin, uintptr_t end) override;
  Status synchronize() override { return Status(); }

private:
  /// The module of an image, parsed on first use.
  Status load(const Launch &launch, const emulator::Module *&module);

  emulator::Options emulation;
  bool counting;
  emulator::Memory memory;
  std::map<uintptr_t, std::unique_ptr<emulator::Module>> modules;
  std::vector<LaunchTiming> timings;
};

} // namespace

static Status outside(const char *what, const void *pointer, uint64_t bytes) {
  return Status(NMRT_INVALID_ARGUMENT,
                std::string("expected ") + what +
                    " within one allocation, got " + std::to_string(bytes) +
                    " bytes at address " + std::to_string(address(pointer)));
}

Status EmulatorDevice::allocate(uint64_t bytes, void *&pointer) {
  uint64_t allocated = memory.allocate(bytes);
  if (allocated == 0)
    return Status(NMRT_OUT_OF_MEMORY,
                  "the emulator has no memory for " + describeBytes(bytes));
  pointer = reinterpret_cast<void *>(static_cast<uintptr_t>(allocated));
  return Status();
}

Status EmulatorDevice::free(void *pointer) {
  if (!memory.free(address(pointer)))
    return outside("memory to free", pointer, 0);
  return Status();
}

Status EmulatorDevice::upload(void *device, const void *host, uint64_t bytes) {
  if (!memory.upload(address(device), host, bytes))
    return outside("an upload", device, bytes);
  return Status();
}

Status EmulatorDevice::download(void *host, const void *device,
                                uint64_t bytes) {
  if (!memory.download(host, address(device), bytes))
    return outside("a download", device, bytes);
  return Status();
}

Status EmulatorDevice::copy(void *destination, const void *source,
                            uint64_t bytes) {
  const uint8_t *from = memory.hostPointer(address(source), bytes);
  if (!from)
    return outside("the source of a copy", source, bytes);
  if (!memory.upload(address(destination), from, bytes))
    return outside("the destination of a copy", destination, bytes);
  return Status();
}

Status EmulatorDevice::load(const Launch &launch,
                            const emulator::Module *&module) {
  auto &slot = modules[address(launch.image)];
  if (!slot) {
    if (isCubin(launch.image, launch.imageBytes))
      return Status(NMRT_INVALID_IMAGE,
                    "expected PTX text for the emulator, got a cubin");
    std::string error;
    slot = emulator::Module::parse(
        std::string_view(static_cast<const char *>(launch.image),
                         launch.imageBytes),
        error);
    if (!slot)
      return Status(NMRT_INVALID_IMAGE, error);
  }
  module = slot.get();
  return Status();
}

Status EmulatorDevice::launch(const Launch &launch, bool record) {
  const emulator::Module *module = nullptr;
  Status status = load(launch, module);
  if (status.failed())
    return status;
  const emulator::Kernel *kernel = module->findKernel(launch.name);
  if (!kernel) {
    std::string names;
    for (const std::string &name : module->kernelNames())
      names += (names.empty() ? "" : ", ") + name;
    return Status(NMRT_INVALID_IMAGE,
                  "expected a kernel of the image (" + names + ")");
  }

  emulator::LaunchConfig config;
  for (int axis = 0; axis < 3; ++axis) {
    config.grid[axis] = launch.grid[axis];
    config.block[axis] = launch.block[axis];
  }
  config.dynamicSharedBytes = launch.sharedBytes;
  emulator::Counters counters;
  std::string error;
  auto start = std::chrono::steady_clock::now();
  if (!emulator::launch(*module, *kernel, memory, config, launch.parameters,
                        launch.parameterCount, emulation,
                        record && counting ? &counters : nullptr, error))
    return Status(NMRT_LAUNCH_FAILED, error);
  if (record) {
    std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    timings.push_back(
        {elapsed.count(), counting ? counters.toJSON() : std::string()});
  }
  return Status();
}

bool EmulatorDevice::findBuffers(const Launch &launch,
                                 std::vector<void *> &buffers) const {
  auto found = modules.find(address(launch.image));
  const emulator::Kernel *kernel =
      found == modules.end() ? nullptr : found->second->findKernel(launch.name);
  if (!kernel)
    return false;
  for (size_t i = 0, e = kernel->parameterCount(); i < e; ++i) {
    if (kernel->parameterSize(i) != sizeof(void *))
      continue;
    void *pointer;
    std::memcpy(static_cast<void *>(&pointer), launch.parameters[i],
                sizeof(pointer));
    buffers.push_back(pointer);
  }
  return true;
}

Status EmulatorDevice::findVariable(const Launch &launch, const char *name,
                                    void *&found) {
  found = nullptr;
  const emulator::Module *module = nullptr;
  Status status = load(launch, module);
  if (!status.failed())
    found = reinterpret_cast<void *>(
        static_cast<uintptr_t>(emulator::findVariable(*module, name, memory)));
  return status;
}

Status EmulatorDevice::timing(uint64_t index, LaunchTiming &timing) {
  timing = std::move(timings[index]);
  return Status();
}

Status EmulatorDevice::forgetImages(uintptr_t begin, uintptr_t end) {
  modules.erase(modules.lower_bound(begin), modules.lower_bound(end));
  return Status();
}

Status nm::runtime::createEmulatorDevice(const nmrtContextOptions &options,
                                         std::unique_ptr<Device> &device) {
  device = std::make_unique<EmulatorDevice>(options);
  return Status();
}
