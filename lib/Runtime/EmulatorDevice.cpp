//===- EmulatorDevice.cpp - The PTX emulator as a device ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches run to their end at once, so there are no streams. Only a dependent
// launch right behind another of its stream may run beside that one, for the
// check of races. Memory is not pooled: a kernel that uses freed memory is to
// be caught. The emulator's memory takes one call at a time.
//
//===----------------------------------------------------------------------===//

#include "CreateDevice.h"
#include "nm/Base/KernelAssertion.h"
#include "nm/Emulator/Emulator.h"
#include "nm/Emulator/TensorMap.h"

#include <algorithm>
#include <chrono>
#include <mutex>

using namespace nm::runtime;
namespace emulator = nm::emulator;

using Lock = std::lock_guard<std::mutex>;

static uint64_t address(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

static void *toPointer(uint64_t address) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
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

  Status loadModule(const void *image, uint64_t bytes,
                    std::unique_ptr<Module> &module) override;
  Status unloadModule(std::unique_ptr<Module> module) override;
  Status getKernel(Module &module, const char *name,
                   std::unique_ptr<Kernel> &kernel) override;

  Status allocate(uint64_t bytes, void *stream, void *&pointer) override;
  Status free(void *pointer, void *stream) override;
  uint64_t driverAllocations() const override;
  bool isForeign(const void *pointer) const override;
  Status upload(void *device, const void *host, uint64_t bytes,
                void *stream) override;
  Status download(void *host, const void *device, uint64_t bytes,
                  void *stream) override;
  Status copy(void *destination, const void *source, uint64_t bytes,
              void *stream) override;
  Status encodeTensorMap(const nmrtTensorMapConfig &config,
                         nmrtTensorMap &map) override;

  Status launch(const Launch &launch, bool record) override;
  Status timing(uint64_t index, LaunchTiming &timing) override;
  void clearTimings() override { timings.clear(); }
  Status synchronize(void *) override { return synchronizeAll(); }
  Status synchronizeAll() override {
    Lock lock(mutex);
    followsLaunch = false;
    return Status();
  }

  /// The value of the slot at `slot`, which is then null.
  void *takeSlot(uint64_t slot);

private:
  emulator::Options emulation;
  bool counting;
  mutable std::mutex mutex;
  emulator::Memory memory;
  uint64_t allocations = 0;
  std::vector<LaunchTiming> timings;
  /// Whether the last thing asked for was a launch, and of which stream. A copy
  /// waits for all launches before it.
  bool followsLaunch = false;
  void *lastStream = nullptr;
};

struct EmulatorModule : Module {
  EmulatorModule(EmulatorDevice &device,
                 std::unique_ptr<emulator::Module> parsed)
      : device(device), parsed(std::move(parsed)) {}

  void *takeFailedAssertion() override {
    return slot ? device.takeSlot(slot) : nullptr;
  }

  EmulatorDevice &device;
  std::unique_ptr<emulator::Module> parsed;
  /// Where kernels store the address of a message; 0: they have no assertions.
  uint64_t slot = 0;
};

struct EmulatorKernel : Kernel {
  EmulatorKernel(EmulatorModule &module, const emulator::Kernel &parsed)
      : Kernel(module, parsed.name()), parsed(parsed) {
    std::vector<uint64_t> sizes;
    for (size_t i = 0, e = parsed.parameterCount(); i < e; ++i)
      sizes.push_back(parsed.parameterSize(i));
    setParameterSizes(std::move(sizes));
  }

  const emulator::Kernel &parsed;
};

} // namespace

static Status outside(const char *what, const void *pointer, uint64_t bytes) {
  return Status(NMRT_INVALID_ARGUMENT,
                std::string("expected ") + what +
                    " within one allocation, got " + std::to_string(bytes) +
                    " bytes at address " + std::to_string(address(pointer)));
}

static Status noMemory(uint64_t bytes) {
  return Status(NMRT_OUT_OF_MEMORY,
                "the emulator has no memory for " + describeBytes(bytes));
}

Status EmulatorDevice::allocate(uint64_t bytes, void *, void *&pointer) {
  Lock lock(mutex);
  uint64_t allocated = memory.allocate(bytes);
  if (allocated == 0)
    return noMemory(bytes);
  ++allocations;
  pointer = toPointer(allocated);
  return Status();
}

Status EmulatorDevice::free(void *pointer, void *) {
  Lock lock(mutex);
  if (!memory.free(address(pointer)))
    return outside("memory to free", pointer, 0);
  return Status();
}

uint64_t EmulatorDevice::driverAllocations() const {
  Lock lock(mutex);
  return allocations;
}

bool EmulatorDevice::isForeign(const void *pointer) const {
  Lock lock(mutex);
  return !memory.find(address(pointer));
}

Status EmulatorDevice::upload(void *device, const void *host, uint64_t bytes,
                              void *) {
  Lock lock(mutex);
  followsLaunch = false;
  if (!memory.upload(address(device), host, bytes))
    return outside("an upload", device, bytes);
  return Status();
}

Status EmulatorDevice::download(void *host, const void *device, uint64_t bytes,
                                void *) {
  Lock lock(mutex);
  followsLaunch = false;
  if (!memory.download(host, address(device), bytes))
    return outside("a download", device, bytes);
  return Status();
}

Status EmulatorDevice::copy(void *destination, const void *source,
                            uint64_t bytes, void *) {
  Lock lock(mutex);
  followsLaunch = false;
  const uint8_t *from = memory.hostPointer(address(source), bytes);
  if (!from)
    return outside("the source of a copy", source, bytes);
  if (!memory.upload(address(destination), from, bytes))
    return outside("the destination of a copy", destination, bytes);
  return Status();
}

Status EmulatorDevice::encodeTensorMap(const nmrtTensorMapConfig &config,
                                       nmrtTensorMap &map) {
  emulator::TensorMap tensor;
  tensor.address = address(config.address);
  std::copy_n(config.extents, 5, tensor.extents);
  std::copy_n(config.strides, 4, tensor.strides);
  std::copy_n(config.box, 5, tensor.box);
  std::copy_n(config.elementStrides, 5, tensor.elementStrides);
  tensor.rank = config.rank;
  tensor.elementType = config.elementType;
  tensor.interleave = config.interleave;
  tensor.swizzle = config.swizzle;
  tensor.outOfBounds = config.outOfBounds;
  std::string error;
  if (!emulator::encodeTensorMap(tensor, &map, error))
    return Status(NMRT_INVALID_ARGUMENT, error);
  return Status();
}

Status EmulatorDevice::loadModule(const void *image, uint64_t bytes,
                                  std::unique_ptr<Module> &module) {
  if (isCubin(image, bytes))
    return Status(NMRT_INVALID_IMAGE,
                  "expected PTX text for the emulator, got a cubin");
  std::string error;
  auto parsed = emulator::Module::parse(
      std::string_view(static_cast<const char *>(image), bytes), error);
  if (!parsed)
    return Status(NMRT_INVALID_IMAGE, error);
  auto loaded = std::make_unique<EmulatorModule>(*this, std::move(parsed));
  Lock lock(mutex);
  if (uint64_t variable = emulator::findVariable(
          *loaded->parsed, nm::kFailedAssertion, memory)) {
    const uint64_t none = 0;
    loaded->slot = memory.allocate(sizeof(none));
    if (loaded->slot == 0)
      return noMemory(sizeof(none));
    memory.upload(loaded->slot, &none, sizeof(none));
    memory.upload(variable, &loaded->slot, sizeof(loaded->slot));
  }
  module = std::move(loaded);
  return Status();
}

Status EmulatorDevice::unloadModule(std::unique_ptr<Module> module) {
  Lock lock(mutex);
  auto &unloaded = static_cast<EmulatorModule &>(*module);
  emulator::removeVariables(*unloaded.parsed, memory);
  if (unloaded.slot)
    memory.free(unloaded.slot);
  return Status();
}

void *EmulatorDevice::takeSlot(uint64_t slot) {
  Lock lock(mutex);
  uint64_t message = 0;
  const uint64_t none = 0;
  memory.download(&message, slot, sizeof(message));
  memory.upload(slot, &none, sizeof(none));
  return toPointer(message);
}

Status EmulatorDevice::getKernel(Module &module, const char *name,
                                 std::unique_ptr<Kernel> &kernel) {
  auto &loaded = static_cast<EmulatorModule &>(module);
  const emulator::Kernel *found = loaded.parsed->findKernel(name);
  if (!found) {
    std::string names;
    for (const std::string &each : loaded.parsed->kernelNames())
      names += (names.empty() ? "" : ", ") + each;
    return Status(NMRT_INVALID_IMAGE,
                  "expected a kernel of the image (" + names + ")");
  }
  kernel = std::make_unique<EmulatorKernel>(loaded, *found);
  return Status();
}

Status EmulatorDevice::launch(const Launch &launch, bool record) {
  const auto &kernel = static_cast<const EmulatorKernel &>(*launch.kernel);
  const auto &module = static_cast<const EmulatorModule &>(kernel.getModule());
  emulator::LaunchConfig config;
  for (int axis = 0; axis < 3; ++axis) {
    config.grid[axis] = launch.grid[axis];
    config.block[axis] = launch.block[axis];
    config.cluster[axis] = launch.cluster[axis];
  }
  config.dynamicSharedBytes = launch.sharedBytes;
  std::vector<const void *> values;
  for (uint32_t i = 0; i < launch.parameterCount; ++i)
    values.push_back(launch.parameters[i].value);
  emulator::Counters counters;
  std::string error;
  Lock lock(mutex);
  config.dependent =
      launch.dependent && followsLaunch && launch.stream == lastStream;
  followsLaunch = true;
  lastStream = launch.stream;
  auto start = std::chrono::steady_clock::now();
  if (!emulator::launch(*module.parsed, kernel.parsed, memory, config,
                        values.data(), values.size(), emulation,
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

Status EmulatorDevice::timing(uint64_t index, LaunchTiming &timing) {
  timing = std::move(timings[index]);
  return Status();
}

Status nm::runtime::createEmulatorDevice(const nmrtContextOptions &options,
                                         std::unique_ptr<Device> &device) {
  if (options.allocator.allocate)
    return Status(NMRT_INVALID_ARGUMENT,
                  "unsupported: an allocator for the emulator, whose memory is "
                  "its own; expected none");
  device = std::make_unique<EmulatorDevice>(options);
  return Status();
}
