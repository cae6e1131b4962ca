//===- CApi.cpp - The C ABI of the runtime --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function ends in `guarded`, which keeps the error's text and lets no
// exception (out of memory, in practice) out.
//
//===----------------------------------------------------------------------===//

#include "HostMemory.h"
#include "nm/Runtime/Context.h"
#include "nm/Runtime/Handles.h"

#include <cstdio>

using namespace nm::runtime;

#define NM_CHECK_SIZE(type, bytes)                                             \
  static_assert(sizeof(type) == (bytes),                                       \
                "raise NMRT_API_VERSION when a struct changes")
NM_CHECK_SIZE(nmrtAllocator, 24);
NM_CHECK_SIZE(nmrtContextOptions, 56);
NM_CHECK_SIZE(nmrtParameter, 16);
NM_CHECK_SIZE(nmrtLaunchConfig, 88);
NM_CHECK_SIZE(nmrtTensorMap, 128);
NM_CHECK_SIZE(nmrtTensorMapConfig, 144);
NM_CHECK_SIZE(nmrtCounters, 72);
NM_CHECK_SIZE(nmrtKernelRecord, 64);
NM_CHECK_SIZE(nmrtMemoryStatistics, 40);
#undef NM_CHECK_SIZE

static thread_local std::string lastError;

nmrtStatus nm::runtime::keepError(Status status) {
  if (status.failed())
    lastError = std::move(status.message);
  return status.code;
}

static Status invalid(std::string message) {
  return Status(NMRT_INVALID_ARGUMENT, std::move(message));
}

uint32_t nmrtApiVersion(void) { return NMRT_API_VERSION; }

nmrtStatus nmrtContextCreate(const nmrtContextOptions *options,
                             nmrtContext **context, char *error,
                             size_t errorSize) {
  if (error && errorSize != 0)
    error[0] = '\0';
  nmrtStatus status = guarded([&] {
    if (!options || !context)
      return invalid("expected options and a place for the context, got null");
    *context = nullptr;
    std::unique_ptr<Context> created;
    Status creation = Context::create(*options, created);
    *context = wrap(created.release());
    return creation;
  });
  if (status != NMRT_OK && error && errorSize != 0)
    std::snprintf(error, errorSize, "%s", nmrtLastError());
  return status;
}

void nmrtContextDestroy(nmrtContext *context) { delete unwrap(context); }

const char *nmrtLastError(void) { return lastError.c_str(); }

const char *nmrtDeviceName(const nmrtContext *context) {
  return context ? unwrap(context)->getDevice().name() : "";
}

void *nmrtContextStream(const nmrtContext *context) {
  return context ? unwrap(context)->getDevice().ownStream() : nullptr;
}

int32_t nmrtDeviceCapability(const nmrtContext *context) {
  return context ? unwrap(context)->getDevice().capability() : 0;
}

nmrtDeviceKind nmrtDeviceGetKind(const nmrtContext *context) {
  return context ? unwrap(context)->getDevice().kind() : NMRT_DEVICE_EMULATOR;
}

nmrtStatus nmrtAlloc(nmrtContext *context, uint64_t bytes, void **pointer) {
  return nmrtAllocOn(context, nullptr, bytes, nullptr, pointer);
}

nmrtStatus nmrtAllocFor(nmrtContext *context, uint64_t bytes, const char *what,
                        void **pointer) {
  return nmrtAllocOn(context, nullptr, bytes, what, pointer);
}

nmrtStatus nmrtAllocOn(nmrtContext *context, void *stream, uint64_t bytes,
                       const char *what, void **pointer) {
  return guarded(context, [&](Context &impl) {
    return impl.allocate(bytes, pointer, what ? what : "", stream);
  });
}

nmrtStatus nmrtFree(nmrtContext *context, void *pointer) {
  return guarded(context, [&](Context &impl) { return impl.free(pointer); });
}

nmrtStatus nmrtUpload(nmrtContext *context, void *device, const void *host,
                      uint64_t bytes) {
  return nmrtUploadOn(context, nullptr, device, host, bytes);
}

nmrtStatus nmrtUploadOn(nmrtContext *context, void *stream, void *device,
                        const void *host, uint64_t bytes) {
  return guarded(context, [&](Context &impl) {
    return impl.upload(device, host, bytes, stream);
  });
}

nmrtStatus nmrtDownload(nmrtContext *context, void *host, const void *device,
                        uint64_t bytes) {
  return nmrtDownloadOn(context, nullptr, host, device, bytes);
}

nmrtStatus nmrtDownloadOn(nmrtContext *context, void *stream, void *host,
                          const void *device, uint64_t bytes) {
  return guarded(context, [&](Context &impl) {
    return impl.download(host, device, bytes, stream);
  });
}

nmrtStatus nmrtCopy(nmrtContext *context, void *destination, const void *source,
                    uint64_t bytes) {
  return nmrtCopyOn(context, nullptr, destination, source, bytes);
}

nmrtStatus nmrtCopyOn(nmrtContext *context, void *stream, void *destination,
                      const void *source, uint64_t bytes) {
  return guarded(context, [&](Context &impl) {
    return impl.copy(destination, source, bytes, stream);
  });
}

nmrtStatus nmrtSynchronize(nmrtContext *context) {
  return nmrtSynchronizeOn(context, nullptr);
}

nmrtStatus nmrtSynchronizeOn(nmrtContext *context, void *stream) {
  return guarded(context,
                 [&](Context &impl) { return impl.synchronize(stream); });
}

nmrtStatus nmrtCheckAssertions(nmrtContext *context) {
  return guarded(context, [](Context &impl) { return impl.checkAssertions(); });
}

nmrtStatus nmrtModuleLoad(nmrtContext *context, const void *image,
                          uint64_t bytes, nmrtModule **module) {
  return guarded(context, [&](Context &impl) {
    if (!module)
      return invalid("expected a place for the module, got null");
    Module *loaded = nullptr;
    Status status = impl.loadModule(image, bytes, loaded);
    *module = wrap(loaded);
    return status;
  });
}

nmrtStatus nmrtModuleUnload(nmrtContext *context, nmrtModule *module) {
  return guarded(context, [&](Context &impl) {
    return impl.unloadModule(unwrap(module));
  });
}

nmrtStatus nmrtKernelGet(nmrtContext *context, nmrtModule *module,
                         const char *name, nmrtKernel **kernel) {
  return guarded(context, [&](Context &impl) {
    if (!module || !kernel)
      return invalid("expected a module and a place for the kernel, got null");
    Kernel *found = nullptr;
    Status status = impl.getKernel(*unwrap(module), name, found);
    *kernel = wrap(found);
    return status;
  });
}

nmrtStatus nmrtLaunch(nmrtContext *context, nmrtKernel *kernel,
                      const nmrtLaunchConfig *config) {
  return guarded(context, [&](Context &impl) {
    if (!config)
      return invalid("expected a launch configuration, got null");
    if (config->flags & ~uint32_t(NMRT_LAUNCH_DEPENDENT))
      return invalid("expected launch flags within " +
                     std::to_string(NMRT_LAUNCH_DEPENDENT) + ", got " +
                     std::to_string(config->flags));
    Launch launch;
    launch.kernel = unwrap(kernel);
    launch.what = config->what;
    for (int axis = 0; axis < 3; ++axis) {
      launch.grid[axis] = config->grid[axis];
      launch.block[axis] = config->block[axis];
      launch.cluster[axis] = config->cluster[axis];
    }
    launch.sharedBytes = config->sharedBytes;
    launch.dependent = config->flags & NMRT_LAUNCH_DEPENDENT;
    launch.stream = config->stream;
    launch.parameters = config->parameters;
    launch.parameterCount = config->parameterCount;
    return impl.launch(launch);
  });
}

nmrtStatus nmrtTensorMapEncode(nmrtContext *context,
                               const nmrtTensorMapConfig *config,
                               nmrtTensorMap *map) {
  return guarded(context, [&](Context &impl) {
    return impl.encodeTensorMap(config, map);
  });
}

nmrtStatus nmrtHostAlloc(nmrtContext *, uint64_t bytes, const char *what,
                         void **pointer) {
  return guarded([&] { return allocateHost(bytes, what, pointer); });
}

nmrtStatus nmrtAssertionFailed(nmrtContext *, const char *message) {
  return guarded([&] {
    return Status(NMRT_ASSERTION, message ? message : "assertion failed");
  });
}
