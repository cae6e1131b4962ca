//===- Context.cpp - State behind nmrtContext ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Runtime/Context.h"

#include "Allocations.h"
#include "CreateDevice.h"
#include "LaunchRecords.h"
#include "nm/Base/KernelAssertion.h"
#include "nm/Runtime/Devices.h"

#include <string_view>

using namespace nm;
using namespace nm::runtime;

using Lock = std::lock_guard<std::mutex>;

static Status invalid(std::string message) {
  return Status(NMRT_INVALID_ARGUMENT, std::move(message));
}

bool nm::runtime::reportsAssertions(const void *image, uint64_t bytes) {
  std::string_view text(static_cast<const char *>(image), bytes);
  return text.find(kFailedAssertion) != std::string_view::npos;
}

/// "one of 0 (cuda), 1 (emulator)".
static std::string listDeviceKinds() {
  std::string kinds;
  for (const DeviceKind &row : getDeviceKinds())
    kinds += (kinds.empty() ? "one of " : ", ") + std::to_string(row.kind) +
             " (" + row.name + ")";
  return kinds;
}

Status Context::create(const nmrtContextOptions &options,
                       std::unique_ptr<Context> &context) {
  if (options.apiVersion != NMRT_API_VERSION)
    return invalid("expected API version " + std::to_string(NMRT_API_VERSION) +
                   ", got " + std::to_string(options.apiVersion));
  if (options.emulatorChecks & ~uint32_t(NMRT_CHECK_ALL))
    return invalid("expected emulator checks within " +
                   std::to_string(NMRT_CHECK_ALL) + ", got " +
                   std::to_string(options.emulatorChecks));
  if (!options.allocator.allocate != !options.allocator.release)
    return invalid("expected both functions of an allocator or none, got one");
  const DeviceKind *kind = lookupDeviceKind(options.device);
  if (!kind)
    return invalid("expected a device kind, " + listDeviceKinds() + ", got " +
                   std::to_string(options.device));
  std::unique_ptr<Device> device;
  Status status = kind->create(options, device);
  if (!status.failed())
    context.reset(new Context(std::move(device), options.recordKernels));
  return status;
}

Context::Context(std::unique_ptr<Device> opened, bool recordKernels)
    : device(std::move(opened)), recordKernels(recordKernels),
      allocations(std::make_unique<Allocations>(recordKernels)),
      records(std::make_unique<LaunchRecords>(*device)) {}

// Errors cannot be reported here; a failed kernel was reported by the call that
// waited for it.
Context::~Context() {
  (void)device->synchronizeAll();
  records->clear();
  for (auto &entry : modules) {
    entry.second->kernels.clear();
    (void)device->unloadModule(std::move(entry.second));
  }
  for (auto [pointer, stream] : allocations->list())
    (void)device->free(pointer, stream);
}

Status Context::loadModule(const void *image, uint64_t bytes, Module *&module) {
  module = nullptr;
  if (!image || bytes == 0)
    return invalid("expected an image, got none");
  std::unique_ptr<Module> loaded;
  Status status = device->loadModule(image, bytes, loaded);
  if (status.failed())
    return status;
  module = loaded.get();
  module->owner = this;
  Lock lock(modulesMutex);
  modules.emplace(module, std::move(loaded));
  count(moduleLoads);
  return Status();
}

Status Context::unloadModule(Module *module) {
  if (!module)
    return Status();
  std::unique_ptr<Module> unloaded;
  {
    Lock lock(modulesMutex);
    auto found = modules.find(module);
    if (found == modules.end())
      return invalid("expected a module of this context that is loaded");
    unloaded = std::move(found->second);
    modules.erase(found);
  }
  // A kernel of the module may still run.
  Status status = count(synchronizations, device->synchronizeAll());
  unloaded->kernels.clear();
  Status unloading = device->unloadModule(std::move(unloaded));
  return status.failed() ? status : unloading;
}

Status Context::getKernel(Module &module, const char *name, Kernel *&kernel) {
  kernel = nullptr;
  if (!name)
    return invalid("expected a kernel name, got null");
  Lock lock(modulesMutex);
  if (modules.count(&module) == 0)
    return invalid("expected a module of this context that is loaded");
  auto found = module.kernels.find(std::string_view(name));
  if (found == module.kernels.end()) {
    std::unique_ptr<Kernel> made;
    Status status = device->getKernel(module, name, made);
    if (status.failed())
      return Status(status.code,
                    "kernel `" + std::string(name) + "`: " + status.message);
    found = module.kernels.emplace(name, std::move(made)).first;
  }
  kernel = found->second.get();
  return Status();
}

Status Context::synchronize(void *stream) {
  Status status = count(synchronizations, device->synchronize(stream));
  return status.failed() ? status : checkAssertions();
}

Status Context::checkAssertions() {
  // Held for the text, too: it is gone with its module.
  Lock lock(modulesMutex);
  for (const auto &entry : modules) {
    void *message = entry.second->takeFailedAssertion();
    if (!message)
      continue;
    char text[kAssertionMessageBytes] = {};
    Status status =
        device->download(text, message, sizeof(text) - 1, /*stream=*/nullptr);
    return status.failed() ? status : Status(NMRT_ASSERTION, text);
  }
  return Status();
}

void Context::getStatistics(nmrtMemoryStatistics &statistics) const {
  allocations->getStatistics(statistics);
  statistics.peakReserved = device->peakReservedBytes(statistics.peak);
}

void Context::getCounters(nmrtCounters &counters) const {
  counters.launches = launches;
  counters.allocations = allocated;
  counters.driverAllocations = device->driverAllocations();
  counters.frees = freed;
  counters.synchronizations = synchronizations;
  counters.moduleLoads = moduleLoads;
  counters.uploads = uploads;
  counters.downloads = downloads;
  counters.copies = copies;
}
